#!/usr/bin/env python3
"""Pages in a real browser that call the endpoint: those of an allowed origin are answered, those of another are refused.

    browser.py LOCAL ARTIFACT [CHROMIUM]

The pages are served here and opened in headless Chromium, which resolves the names of both sites to this machine. Each page sends what an MCP
client in a page would: a modern request, whose headers make the browser ask first, and a legacy one. Prints a line for each check; exits 0
when all hold, 1 when one does not, 2 when it could not run.
"""

import http.server
import json
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import quote

from serving import Server

PAGE = """<!doctype html><title>page</title><pre id="said"></pre><script type="module">
const endpoint = new URLSearchParams(location.search).get('endpoint');
const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const json = { 'Content-Type': 'application/json' };
const modern = { ...json, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
async function ask(headers, params) {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    const answer = await fetch(endpoint, { method: 'POST', headers, body });
    const message = await answer.json();
    return { status: answer.status, tools: message.result?.tools.length ?? 0, error: message.error?.message };
  } catch (error) {
    return { status: 0, tools: 0, error: `${error}` };
  }
}
const said = { origin: location.origin, modern: await ask(modern, { _meta: meta }), legacy: await ask(json, {}) };
document.getElementById('said').textContent = JSON.stringify(said);
</script>"""

HOSTS = ("ours.example", "evil.example")


class Pages(http.server.BaseHTTPRequestHandler):
    """Serves the one page, whatever is asked for."""

    def do_GET(self):
        page = PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_):
        pass


def visit(chromium, url, folder):
    """What the page at `url` says, once its requests have been answered."""
    rules = ", ".join(f"MAP {host} 127.0.0.1" for host in HOSTS)
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage",
               "--no-first-run", "--no-proxy-server", f"--user-data-dir={folder}", f"--host-resolver-rules={rules}",
               "--virtual-time-budget=10000", "--dump-dom", url]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    _, _, rest = ran.stdout.partition('<pre id="said">')
    said = rest.partition("</pre>")[0]
    if not said:
        raise RuntimeError(f"the page said nothing: {(ran.stdout + ran.stderr)[-2000:]}")
    return json.loads(said)


def main(arguments):
    chromium = next((found for name in (arguments[2:] or ["chromium", "chromium-browser", "google-chrome"]) if (found := shutil.which(name))), None)
    if len(arguments) < 2 or chromium is None:
        print(__doc__ if len(arguments) < 2 else "there is no chromium", file=sys.stderr)
        return 2
    local, artifact = (Path(path).resolve() for path in arguments[:2])
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    port = pages.server_port
    failed = 0

    def check(what, said, status, refused_because=None):
        nonlocal failed
        for kind in ("modern", "legacy"):
            got = said[kind]
            holds = got["status"] == status and (got["tools"] > 0) == (status == 200)
            holds = holds and (refused_because is None or refused_because in (got.get("error") or ""))
            failed += not holds
            print(f"{what}, {kind} request ... {'ok' if holds else f'FAILED: {said}'}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        command = [local, "serve", "--artifact", artifact, "--addr", "127.0.0.1:0", "--no-feedback", "--allow-origin", f"http://ours.example:{port}"]
        with Server(command, work / "log") as endpoint:
            rebound = endpoint.replace("127.0.0.1", "evil.example")
            for what, host, address, status, because in (
                ("a page of this machine is answered", "localhost", endpoint, 200, None),
                ("a page of an allowed origin is answered", "ours.example", endpoint, 200, None),
                ("a page of another origin is refused", "evil.example", endpoint, 403, "origin"),
                # A page that has pointed its own name at this machine sends no Origin that gives it away to a GET; its Host does.
                ("a page that gave us its own name is refused", "localhost", rebound, 403, "host name"),
            ):
                url = f"http://{host}:{port}/?endpoint={quote(address)}"
                check(what, visit(chromium, url, work / "profile"), status, because)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
