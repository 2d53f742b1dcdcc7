#!/usr/bin/env python3
"""Runs the function as it is deployed, in AWS's own Runtime Interface Emulator, and asks it things.

    python3 tests/lambda/check.py BOOTSTRAP RIE ARTIFACT EMULATOR

BOOTSTRAP  the release build of the `lambda` binary
RIE        aws-lambda-rie-x86_64, which lies in the aws-sam-cli package under samcli/local/rapid/
ARTIFACT   a site.shelf; any one will do
EMULATOR   the `dynamodb_emulator` example of the runtime crate

BOOTSTRAP and ARTIFACT are put where the package and the layer are unpacked. Events have the shape of an HTTP API. Everything listens on
127.0.0.1. The emulator's own Runtime API port is fixed (9001), so one copy can run at a time. Prints a line for each check; exits 0 when
all hold, 1 when one does not, 2 when it could not run.
"""

import base64
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

TABLE = "feedback"
SECRET = "never-to-be-logged"
KEY = "0b7e9a44-5c1d-4e0a-9a3b-2f6f0c1d2e3f"
WIRE = pathlib.Path(__file__).resolve().parent.parent / "wire/lambda"
# What Lambda hands over at most.
MOST_BYTES = 6_291_556
INVOKE = "/2015-03-31/functions/function/invocations"


class Function:
    """The function behind the emulator."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}{INVOKE}"

    def send(self, event):
        """The function's whole answer to one event."""
        request = urllib.request.Request(self.url, json.dumps(event).encode(), {"Content-Type": "application/json"})
        # No proxy, whatever the environment says: this is loopback.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as answer:
            return json.loads(answer.read())

    def call(self, method, params=None, base64_body=False):
        """The JSON-RPC answer to one request."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method}
        if params is not None:
            message["params"] = params
        answer = self.send(post(json.dumps(message), base64_body))
        if answer.get("statusCode") != 200:
            raise AssertionError(f"{method}: {answer}")
        return json.loads(answer["body"])

    def tool(self, name, arguments):
        """A tool's result."""
        return self.call("tools/call", {"name": name, "arguments": arguments})["result"]


def event(method, path="/mcp", body=None, is_base64=False):
    """An HTTP API event, payload format 2.0."""
    made = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"accept": "application/json, text/event-stream", "content-type": "application/json", "host": "example.com"},
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "7c2h9q3xk1",
            "domainName": "example.com",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "192.0.2.44", "userAgent": "check.py"},
            "requestId": "check",
            "routeKey": "$default",
            "stage": "$default",
            "time": "30/Nov/2026:12:20:00 +0000",
            "timeEpoch": 1796041200000,
        },
        "isBase64Encoded": is_base64,
    }
    if body is not None:
        made["body"] = body
    return made


def post(text, base64_body=False):
    body = base64.b64encode(text.encode()).decode() if base64_body else text
    return event("POST", body=body, is_base64=base64_body)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_emulator(emulator, children):
    process = subprocess.Popen(
        [emulator, "127.0.0.1:0", TABLE, "--show"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    children.append(process)
    word, _, address = process.stdout.readline().strip().partition(" ")
    if word != "ready":
        raise RuntimeError("the DynamoDB emulator did not start")
    return process, address


def start_function(folder, rie, dynamodb, children):
    port = free_port()
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "LAMBDA_TASK_ROOT": folder,
        "SHELFMARK_ARTIFACT": os.path.join(folder, "opt", "site.shelf"),
        "SHELFMARK_FEEDBACK_PER_DAY": "1",
        "AWS_LAMBDA_FUNCTION_NAME": "mcp",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "10",
        "AWS_LAMBDA_LOG_FORMAT": "JSON",
        "AWS_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_ENDPOINT_URL_DYNAMODB": f"http://{dynamodb}",
        "SHELFMARK_FEEDBACK_TABLE": TABLE,
    }
    log = open(os.path.join(folder, "log"), "wb")
    process = subprocess.Popen(
        [rie, "--runtime-interface-emulator-address", f"127.0.0.1:{port}", os.path.join(folder, "bootstrap")],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
    )
    children.append(process)
    for _ in range(200):
        if process.poll() is not None:
            raise RuntimeError("the Runtime Interface Emulator ended")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return Function(port)
        time.sleep(0.05)
    raise RuntimeError("the Runtime Interface Emulator does not listen")


def stop(process):
    """Ends a child; asked politely first, so that it ends its own."""
    for ask in (process.terminate, process.kill):
        if process.poll() is not None:
            return
        ask()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            pass


class Checks:
    """Runs checks, prints a line for each, and remembers whether all held."""

    def __init__(self):
        self.failed = 0

    def that(self, what, check):
        start = time.perf_counter()
        try:
            check()
            outcome = "ok"
        except Exception as error:  # A check may fail in any way; the next one still runs.
            self.failed += 1
            outcome = f"FAILED: {type(error).__name__}: {error}"
        print(f"{what} ... {outcome} ({(time.perf_counter() - start) * 1000:.1f} ms)", flush=True)


def run(checks, function):
    """Everything that is asked of the function."""
    feedback = {"idempotency_key": KEY, "message": "Checked.\nTwice.", "kind": "other", "severity": "low"}
    seen = {}

    def lists_tools():
        tools = function.call("tools/list")["result"]["tools"]
        names = {tool["name"] for tool in tools}
        assert {"search_content", "submit_feedback"} <= names, names

    def searches():
        query = {"match": {"text": "search", "in": "all"}, "limit": 3}
        result = function.tool("search_content", query)
        assert not result.get("isError"), result
        assert isinstance(result["structuredContent"]["matched"], int), result
        assert len(result["structuredContent"]["results"]) <= 3, result

    def records(status, key=KEY):
        result = function.tool("submit_feedback", {**feedback, "idempotency_key": key})
        assert not result.get("isError"), result
        answer = result["structuredContent"]
        assert answer["status"] == status, answer
        first = seen.setdefault("received_at", answer["received_at"])
        assert answer["received_at"] == first, answer

    def refuses_other_content():
        result = function.tool("submit_feedback", {**feedback, "message": "Another."})
        assert result.get("isError") is True, result

    def refuses_one_too_many():
        result = function.tool("submit_feedback", {**feedback, "idempotency_key": KEY.replace("0b", "0c")})
        assert result.get("isError") is True and "in a day" in result["content"][0]["text"], result

    def answers(sent, status):
        answer = function.send(sent)
        assert answer["statusCode"] == status, answer

    checks.that("tools/list names the tools", lists_tools)
    checks.that("search_content answers", searches)
    checks.that("submit_feedback records", lambda: records("recorded"))
    checks.that("the same key again is already recorded", lambda: records("already_recorded"))
    checks.that("the same key in capitals is the same key", lambda: records("already_recorded", KEY.upper()))
    checks.that("the same key with other content is refused", refuses_other_content)
    checks.that("a second message of a day that may have one is refused", refuses_one_too_many)
    checks.that("a retry is told so on a full day", lambda: records("already_recorded"))
    checks.that("a base64 body is decoded", lambda: function.call("ping", base64_body=True))
    checks.that("broken base64 is 400", lambda: answers(event("POST", body="?", is_base64=True), 400))
    checks.that("GET is 405", lambda: answers(event("GET"), 405))
    checks.that("OPTIONS is 204", lambda: answers(event("OPTIONS"), 204))
    checks.that("another path is 404", lambda: answers(event("POST", path="/", body="{}"), 404))
    checks.that("an event of another kind is answered", lambda: answers({"source": "aws.events"}, 404))
    def captured():
        # Every event that the mapping is tested with: the same status, from the program as it is deployed.
        for path in sorted(WIRE.glob("*.json")):
            case = json.loads(path.read_text(encoding="utf-8"))
            wanted = case["answer"]
            # Which origins are let in is this site's affair; a stranger is one everywhere.
            if wanted["statusCode"] != 403 and "example.com" in json.dumps(case["event"]).lower().partition('"origin"')[2][:40]:
                continue
            answer = function.send(case["event"])
            assert answer["statusCode"] == wanted["statusCode"], f"{path.name}: {answer}"
            assert ("multiValueHeaders" in answer) == ("multiValueHeaders" in wanted), f"{path.name}: {answer}"

    def bounded():
        # The longest answers there are, as many as a batch may ask for.
        for name in ("list_pages", "list_tags", "list_collections"):
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {"limit": 1_000_000_000}}}
            answer = function.send(post(json.dumps([call] * 32)))
            assert answer["statusCode"] == 200, answer
            assert len(json.dumps(answer)) < MOST_BYTES, f"{name}: {len(json.dumps(answer))} bytes"

    checks.that("every captured event gets its status", captured)
    checks.that("a batch of the longest answers fits into a response", bounded)
    checks.that("the function still answers", lists_tools)


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    bootstrap, rie, artifact, emulator = map(os.path.abspath, arguments)
    for path in (bootstrap, rie, artifact, emulator):
        if not os.path.isfile(path):
            print(f"there is no `{path}`", file=sys.stderr)
            return 2
    checks, children = Checks(), []
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(bootstrap, os.path.join(folder, "bootstrap"))
        os.chmod(os.path.join(folder, "bootstrap"), 0o755)
        # The layer, which Lambda unpacks to /opt.
        os.mkdir(os.path.join(folder, "opt"))
        shutil.copy(artifact, os.path.join(folder, "opt", "site.shelf"))
        # The emulator inside a package is not always marked as a program.
        shutil.copy(rie, os.path.join(folder, "rie"))
        os.chmod(os.path.join(folder, "rie"), 0o755)
        try:
            dynamodb, address = start_emulator(emulator, children)
            function = start_function(folder, os.path.join(folder, "rie"), address, children)
            run(checks, function)
            checks.that("each request has its line in the log", lambda: logged(os.path.join(folder, "log")))
            rows, _ = dynamodb.communicate(timeout=30)
            checks.that("the table holds one record and the count of its day", lambda: one_item(rows.split("\n")))
            checks.that("the log is lines of JSON without a word of a message, an address or a secret", lambda: nothing_secret(folder))
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            print(f"could not run: {error}", file=sys.stderr)
            checks.failed += 1
        finally:
            for child in children:
                stop(child)
            log = os.path.join(folder, "log")
            if checks.failed and os.path.exists(log):
                with open(log, errors="replace") as text:
                    sys.stderr.write(text.read()[-8000:])
    return 1 if checks.failed else 0


def logged(path):
    """The emulator puts its own lines between ours."""
    found = []
    with open(path, encoding="utf-8", errors="replace") as text:
        for line in text:
            try:
                found.append(json.loads(line[line.index("{"):]))
            except ValueError:
                continue
    requests = [line for line in found if isinstance(line, dict) and line.get("message") == "request"]
    assert len({line["requestId"] for line in requests}) == len(requests) > 40, f"{len(requests)} lines"
    tools = {line.get("tool") for line in requests}
    assert {"search_content", "submit_feedback", None} <= tools, tools
    assert all(line["level"] == "INFO" and line["timestamp"].endswith("Z") and line["micros"] >= 0 for line in requests)
    whole = json.dumps(requests)
    assert "Checked" not in whole and KEY not in whole


def one_item(lines):
    items = [json.loads(line) for line in lines if line]
    items.sort(key=lambda item: "written" in item)
    assert len(items) == 2 and items[1]["written"]["N"] == "1", items
    assert items[0]["pk"]["S"] == KEY and items[0]["message"]["S"] == "Checked.\nTwice.", items


def nothing_secret(folder):
    text = pathlib.Path(folder, "log").read_text(encoding="utf-8", errors="replace")
    # The emulator's own lines are no JSON.
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert lines, text[-2000:]
    for word in ("Checked.", "Twice.", "192.0.2.44", SECRET):
        assert word not in text, word


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
