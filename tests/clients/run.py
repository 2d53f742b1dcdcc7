#!/usr/bin/env python3
"""Other people's clients, and the official conformance suite, against the local server.

    tests/clients/run.py [--write] [--matrix | --suite] [LOCAL [ARTIFACT [FIXTURES]]]

LOCAL     the `local` program; default target/debug/local
ARTIFACT  the artifact to serve; default dist/site.shelf
FIXTURES  the `client_server` example; default target/debug/examples/client_server
--write   write the tables of the documentation anew; without it a table that differs is a failure

Everything is installed once, pinned, into target/clients (or $CLIENTS). What is asked is worked out once with plain requests, and every
client has to be answered the same. Prints a line for each failure and for each client; exits 0 when all holds, 1 when something does not,
2 when it could not run. Feedback goes to a temporary file.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import inspector
import plan
import suite
import tables
from serving import Server

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CLIENTS = Path(os.environ.get("CLIENTS", ROOT / "target/clients")).resolve()

SDK = "@modelcontextprotocol/sdk"
CLIENT = "@modelcontextprotocol/client"
# Name, version, program, how it is told to agree on a revision, and whether it is also run over stdio.
MATRIX = [
    (f"TypeScript SDK, `{SDK}`", "1.32.2", SDK, "-"),
    (f"TypeScript SDK, `{SDK}`", "1.17.0", "sdk-1.17", "-"),
    (f"TypeScript SDK, `{SDK}`", "1.11.0", "sdk-1.11", "-"),
    (f"TypeScript SDK 2, `{CLIENT}`", "2.4.0", CLIENT, "legacy"),
    (f"TypeScript SDK 2, `{CLIENT}`", "2.4.0", CLIENT, "auto"),
    (f"TypeScript SDK 2, `{CLIENT}`", "2.4.0", CLIENT, "2026-07-28"),
    ("Python SDK, `mcp`", "2.3.0", "mcp2", "auto"),
    ("Python SDK, `mcp`", "2.3.0", "mcp2", "2026-07-28"),
    ("Python SDK, `mcp`", "2.3.0", "mcp2", "legacy"),
    ("Python SDK, `mcp`", "1.30.0", "mcp1", "-"),
    ("`fastmcp`", "4.2.3", "fastmcp", "auto"),
    ("`fastmcp`", "4.2.3", "fastmcp", "2026-07-28"),
    ("MCP Inspector, command line", "2.12.0", "inspector", "legacy"),
    ("MCP Inspector, command line", "2.12.0", "inspector", "auto"),
    ("MCP Inspector, command line", "2.12.0", "inspector", "modern"),
]
VENVS = {"mcp2": "mcp-2", "mcp1": "mcp-1", "fastmcp": "fastmcp"}


def install(lists, into, steps):
    """Runs the steps unless they were run for these very lists."""
    marks = [(source, into / f"installed-{source.name}") for source in lists]
    if all(mark.is_file() and mark.read_bytes() == source.read_bytes() for source, mark in marks):
        return
    into.mkdir(parents=True, exist_ok=True)
    for step in steps:
        subprocess.run(step, cwd=into, check=True, stdout=subprocess.DEVNULL)
    for source, mark in marks:
        shutil.copy(source, mark)


def install_venv(name):
    wanted, folder = HERE / f"requirements/{name}.txt", CLIENTS / name
    pip = folder / "venv/bin/pip"
    install([wanted], folder, [
        [sys.executable, "-m", "venv", "--clear", "venv"],
        [pip, "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", wanted],
    ])


def install_node():
    CLIENTS.mkdir(parents=True, exist_ok=True)
    lists = [HERE / "package.json", HERE / "package-lock.json"]
    for each in lists:
        shutil.copy(each, CLIENTS / each.name)
    # No package needs a script to be installed, and none gets to run one. Not `npm ci`: the Inspector's web part names an optional package for
    # Windows that registries may lack, and `npm ci` takes that for a lock file out of date.
    install(lists, CLIENTS, [["npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"]])
    shutil.copy(HERE / "client.mjs", CLIENTS / "client.mjs")


def node():
    """The pinned Node that came with the packages."""
    return next(CLIENTS.glob("node_modules/node-linux-*/bin/node"))


def ask(program, mode, plan_file, target):
    """Runs a client; its lines as (revision, checks that held, problems)."""
    if program == "inspector":
        return inspector.ask(node(), CLIENTS, mode, plan_file, target)
    if program in VENVS:
        command = [CLIENTS / VENVS[program] / "venv/bin/python", HERE / "client.py"]
    else:
        command = [node(), "client.mjs"]
    ran = subprocess.run([*command, program, mode, plan_file, *target], cwd=CLIENTS, capture_output=True, text=True, timeout=300)
    lines = inspector.lines(ran.stdout)
    if not lines:
        lines = [{"check": "runs", "problem": (ran.stderr or ran.stdout)[-600:]}]
    revision = next((line["revision"] for line in lines if "revision" in line), None)
    checks = [line for line in lines if "check" in line]
    return revision, len(checks), [line for line in checks if "problem" in line]


def matrix(local, artifact, work):
    """Every client over both transports: rows of the table, and the number of problems."""
    served = Server([local, "serve", "--artifact", artifact, "--addr", "127.0.0.1:0", "--feedback", work / "feedback.sqlite"], work / "log")
    with served as url:
        plan_file = work / "plan.json"
        plan.write(url, plan_file)
        stdio = [local, "stdio", "--artifact", artifact, "--feedback", work / "stdio.sqlite"]
        asked = []
        # Two at a time: each client and the server are busy in turn.
        with ThreadPoolExecutor(2) as pool:
            for name, version, program, mode in MATRIX:
                for transport, target in (("HTTP", [url]), ("stdio", stdio)):
                    asked.append((name, version, mode, transport, pool.submit(ask, program, mode, plan_file, list(map(str, target)))))
        rows, problems = {}, 0
        for name, version, mode, transport, answer in asked:
            revision, checks, wrong = answer.result()
            problems += len(wrong)
            how = "" if mode == "-" else f", {mode}"
            print(f"{name} {version}{how}, {transport}, revision {revision}: {checks - len(wrong)} of {checks} checks hold", flush=True)
            for line in wrong:
                print(f"    FAILED {line['check']}: {line['problem']}")
            rows.setdefault((name, version, mode), {})[transport] = None if wrong else revision
    return rows, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--suite", action="store_true")
    parser.add_argument("local", nargs="?", default=ROOT / "target/debug/local", type=Path)
    parser.add_argument("artifact", nargs="?", default=ROOT / "dist/site.shelf", type=Path)
    parser.add_argument("fixtures", nargs="?", default=ROOT / "target/debug/examples/client_server", type=Path)
    options = parser.parse_args()
    local, artifact, fixtures = (path.resolve() for path in (options.local, options.artifact, options.fixtures))
    for path in (local, artifact, fixtures):
        if not path.is_file():
            print(f"there is no `{path}`", file=sys.stderr)
            return 2
    try:
        with ThreadPoolExecutor() as pool:
            waiting = [pool.submit(install_node), *(pool.submit(install_venv, name) for name in VENVS.values())]
            for each in waiting:
                each.result()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"could not install the clients: {error}", file=sys.stderr)
        return 2
    both = options.matrix == options.suite
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if options.suite or both:
            totals, wrong = suite.run(node(), CLIENTS, HERE / "conformance", local, artifact, fixtures, work)
            problems += wrong + (0 if wrong else tables.settle(ROOT, "conformance", tables.of_suite(totals), options.write))
        if options.matrix or both:
            rows, wrong = matrix(local, artifact, work)
            problems += wrong + (0 if wrong else tables.settle(ROOT, "clients", tables.of_clients(rows), options.write))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
