"""The command line of the MCP Inspector: a process for each call."""

import json
import subprocess
import uuid

# A call takes half a second, most of it for the start of the program.
MOST_SECTIONS = 1


def lines(text):
    """The lines that are JSON objects."""
    found = []
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [line for line in found if isinstance(line, dict)]


def ask(node, clients, mode, plan_file, target):
    """Asks everything of the plan: (revision, number of checks, problems)."""
    with open(plan_file, encoding="utf-8") as text:
        plan = json.load(text)
    if target[0].startswith("http"):
        server = [target[0], "--transport", "http"]
    else:
        settings = plan_file.parent / "inspector.json"
        settings.write_text(json.dumps({"mcpServers": {"site": {"type": "stdio", "command": target[0], "args": target[1:]}}}))
        server = ["--config", settings, "--server", "site"]
    base = [node, "node_modules/.bin/mcp-inspector", "--cli", *server, "--protocol-era", mode, "--format", "json", "-q", "--method"]
    problems, checks = [], 0

    def run(*arguments):
        ran = subprocess.run([*base, *arguments], cwd=clients, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        answer = next((line["result"] for line in lines(ran.stdout) if "result" in line), None)
        return ran, answer

    def call(tool, arguments):
        pairs = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in arguments.items()]
        return run("tools/call", "--tool-name", tool, *(part for pair in pairs for part in ("--tool-arg", pair)))

    def check(what, holds, ran):
        nonlocal checks
        checks += 1
        if not holds:
            problems.append({"check": what, "problem": (ran.stderr + ran.stdout)[-600:]})

    # Status 6: a schema that some host cannot use.
    ran, answer = run("tools/list", "--strict")
    names = [tool["name"] for tool in (answer or {}).get("tools", [])]
    check("lists the tools, and finds their schemas fit for every host", ran.returncode == 0 and names == plan["tools"], ran)
    sections = 0
    for one in plan["calls"]:
        sections += one["what"].startswith("reads on")
        if one["what"].startswith("reads on") and sections > MOST_SECTIONS:
            continue
        ran, answer = call(one["tool"], one["arguments"])
        wanted = one["answer"]
        members = ("content", "structuredContent", "isError")
        same = answer is not None and all(answer.get(name) == wanted.get(name) for name in members)
        check(one["what"], same, ran)
    message = {**plan["feedback"], "idempotency_key": str(uuid.uuid4())}
    for status in ("recorded", "already_recorded"):
        ran, answer = call("submit_feedback", message)
        check("writes once, however often it is sent", ((answer or {}).get("structuredContent") or {}).get("status") == status, ran)
    # What it agreed on shows in the results alone: only modern ones name the server.
    modern = "_meta" in (answer or {})
    return ("2026-07-28" if modern else "2025-11-25"), checks, problems
