"""A server that runs while it is needed, and plain requests to it."""

import json
import re
import subprocess
import time
import urllib.request


class Server:
    """Starts a program that writes the address it listens at, and ends it."""

    def __init__(self, command, log):
        self.command, self.log = list(map(str, command)), log

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(400):
            said = self.log.read_text(errors="replace")
            if found := re.search(r"http://127\.0\.0\.1:\d+/mcp", said):
                return found[0]
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.__exit__()
        raise RuntimeError(f"`{self.command[0]}` did not start: {said[-2000:]}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def request(url, method, params=None):
    """The result of a request of the oldest revision, which needs no more than a body."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    sent = urllib.request.Request(url, json.dumps(message).encode(), {"Content-Type": "application/json"})
    # No proxy, whatever the environment says: this is loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(sent, timeout=30) as answer:
        return json.loads(answer.read())["result"]
