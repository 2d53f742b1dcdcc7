#!/usr/bin/env python3
"""What the deployed program costs: its size, the processor time to the first answers, its memory.

    tests/bench/lambda.py ARTIFACT NAME=BOOTSTRAP [NAME=BOOTSTRAP ...] [--runs 15]

Each run starts a program beside a stand-in of Lambda's Runtime API and a stand-in of DynamoDB that speaks TLS (an RSA chain, as AWS's) and
takes every write. It sends `tools/list`, `search_content` and `submit_feedback`, and reads the process's own clock when each answer
arrives: the kernel's count of its processor time in nanoseconds, all threads. The programs take turns. A name that begins with
`default` trusts the machine's whole list of certificate authorities, as the SDK does by itself; any other trusts six, as the function
does with Amazon's five. Needs openssl. Prints medians as a table of markdown.
"""

import argparse
import http.server
import json
import os
import pathlib
import queue
import shutil
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOTS = pathlib.Path(__file__).resolve().parents[2] / "runtime/src/feedback/dynamodb/amazon_roots.pem"
MACHINE = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
CALLS = [
    ("tools/list", {}),
    ("tools/call", {"name": "search_content", "arguments": {"match": {"text": "how to start quickly"}, "limit": 10}}),
    (
        "tools/call",
        {
            "name": "submit_feedback",
            "arguments": {
                "idempotency_key": "0b7e9a44-5c1d-4e0a-9a3b-2f6f0c1d2e3f",
                "message": "An example would help.",
                "kind": "missing",
                "severity": "low",
            },
        },
    ),
]


def event(method, params):
    return {
        "version": "2.0",
        "rawPath": "/mcp",
        "headers": {"content-type": "application/json", "accept": "application/json, text/event-stream", "host": "example.com"},
        "requestContext": {"http": {"method": "POST", "path": "/mcp"}},
        "body": json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
        "isBase64Encoded": False,
    }


class Quiet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def body(self):
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class RuntimeApi(Quiet):
    def do_GET(self):
        sent = self.server.events.get()
        if sent is None:
            self.close_connection = True
            return
        deadline = str(int(time.time() * 1000) + 10_000)
        headers = [
            ("content-type", "application/json"),
            ("lambda-runtime-aws-request-id", "6f1d3a52-8f0e-4c4b-9d57-2b8f5a1c7e90"),
            ("lambda-runtime-deadline-ms", deadline),
            ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-west-1:123456789012:function:mcp"),
        ]
        self.answer(200, json.dumps(sent).encode(), headers)

    def do_POST(self):
        body = self.body()
        self.server.answers.put((self.server.look(), self.path, body))
        self.answer(202)


class Table(Quiet):
    def do_POST(self):
        self.body()
        self.answer(200, b"{}", [("content-type", "application/x-amz-json-1.0")])


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A program that was stopped breaks its connections."""


def serve(handler, context=None):
    server = Server(("127.0.0.1", 0), handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def certificates(folder):
    """A certificate authority and a certificate for localhost; both RSA, 2048 bits."""

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=ca")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=localhost")
    pathlib.Path(folder, "ext").write_text("subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n")
    openssl(
        "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "leaf.pem", "-days", "2", "-extfile", "ext"
    )
    own = pathlib.Path(folder, "ca.pem").read_text()
    machine = next((path for path in MACHINE if os.path.exists(path)), None)
    if machine is None:
        sys.exit("the machine has no list of certificate authorities; install ca-certificates")
    pathlib.Path(folder, "six.pem").write_text(own + ROOTS.read_text())
    pathlib.Path(folder, "machine.pem").write_text(own + pathlib.Path(machine).read_text())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "leaf.pem"), os.path.join(folder, "leaf.key"))
    return context


def memory(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return 0.0


def run(name, bootstrap, folder, table_port):
    """One start: milliseconds of processor time at each answer, and megabytes after it."""
    api = serve(RuntimeApi)
    api.events, api.answers = queue.Queue(), queue.Queue()
    started = threading.Event()
    clock = []

    def look():
        started.wait()
        return time.clock_gettime_ns(clock[0]) / 1e6, memory(clock[1])

    api.look = look
    environment = {
        "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{api.server_address[1]}",
        "AWS_LAMBDA_FUNCTION_NAME": "mcp",
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_LOG_FORMAT": "JSON",
        "AWS_LAMBDA_LOG_LEVEL": "INFO",
        "LAMBDA_TASK_ROOT": folder,
        "AWS_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_ENDPOINT_URL_DYNAMODB": f"https://localhost:{table_port}",
        "SHELFMARK_FEEDBACK_TABLE": "feedback",
        "SSL_CERT_FILE": os.path.join(folder, "machine.pem" if name.startswith("default") else "six.pem"),
    }
    log = tempfile.TemporaryFile()
    child = subprocess.Popen([bootstrap], env=environment, cwd=folder, stdout=log, stderr=log)
    # The kernel's clock of a process, all of its threads: see clock_getcpuclockid(3).
    clock.extend([(~child.pid << 3) | 2, child.pid])
    started.set()
    marks = []
    try:
        for method, params in CALLS:
            api.events.put(event(method, params))
            try:
                mark, path, body = api.answers.get(timeout=30)
            except queue.Empty:
                log.seek(0)
                sys.exit(f"{name} does not answer:\n{log.read().decode(errors='replace')}")
            if not path.endswith("/response"):
                sys.exit(f"{name}: {path}: {body[:500]}")
            answer = json.loads(json.loads(body)["body"])
            if "error" in answer or answer["result"].get("isError"):
                sys.exit(f"{name}: {answer}")
            marks.append(mark)
    finally:
        api.events.put(None)
        child.kill()
        child.wait()
        api.shutdown()
    return marks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("artifact")
    parser.add_argument("programs", nargs="+", metavar="NAME=BOOTSTRAP")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    programs = [one.split("=", 1) for one in options.programs]
    results = {name: [] for name, _ in programs}
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(options.artifact, os.path.join(folder, "site.shelf"))
        table = serve(Table, certificates(folder))
        for number in range(options.runs + 1):
            for name, bootstrap in programs:
                marks = run(name, os.path.abspath(bootstrap), folder, table.server_address[1])
                if number:  # The first one brings the files into memory.
                    results[name].append(marks)
    print("| program | size MB | to the first answer, ms | first search, ms | first feedback, ms | RSS after a search, MB | after feedback, MB |")
    print("|---|---|---|---|---|---|---|")
    for name, bootstrap in programs:
        runs = results[name]
        middle = lambda pick: statistics.median(pick(run) for run in runs)  # noqa: E731
        print(
            f"| {name} | {os.path.getsize(bootstrap) / 1e6:.1f}"
            f" | {middle(lambda r: r[0][0]):.1f}"
            f" | {middle(lambda r: r[1][0] - r[0][0]):.1f}"
            f" | {middle(lambda r: r[2][0] - r[1][0]):.1f}"
            f" | {middle(lambda r: r[1][1]):.1f}"
            f" | {middle(lambda r: r[2][1]):.1f} |"
        )


if __name__ == "__main__":
    main()
