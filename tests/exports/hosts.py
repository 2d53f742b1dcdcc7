#!/usr/bin/env python3
"""The snippets for web servers in `site/docs/publishing.md`, on real servers.

    python3 tests/exports/hosts.py BUILDER

BUILDER  the `builder` program

A small site is built and put beside pages of HTML, once with addresses that end in a slash and once without. nginx and Apache serve it with the snippets as
they stand on the page, on a port of 127.0.0.1, and are asked for pages as HTML and as markdown. A JavaScript snippet is run by node over the same files. The JSON
ones are read. Needs `nginx`, `apache2` and `node`. Exits 0 when all holds.
"""

import glob
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "site", "docs", "publishing.md")
MARKDOWN, HTML = "text/markdown, text/html;q=0.9, */*;q=0.1", "text/html,application/xhtml+xml,*/*;q=0.8"
CONFIG = """[site]
title = "Tides"
url = "https://tides.example"
trailing_slash = {slash}
[server]
url = "https://mcp.tides.example/mcp"
"""


def snippets(language):
    with open(PAGE, encoding="utf-8") as file:
        return re.findall(rf"^```{language}\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)


def site(builder, folder, slash):
    """Builds a site; gives the folder that a web server would have."""
    source, root = os.path.join(folder, "site"), os.path.join(folder, "out", "public")
    files = {
        "shelfmark.toml": CONFIG.format(slash=str(slash).lower()),
        "index.md": "# Start\n\nNaïve.\n",
        "guide.md": "# Guide\n\nNaïve.\n",
        "guide/spring.md": "# Spring\n\nNaïve.\n",
    }
    for name, text in files.items():
        path = os.path.join(source, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    command = [builder, "build", "--site", source, "--out", os.path.join(folder, "out"), "--now", "2026-11-30", "--quiet"]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    pages = ["index.html", "html-only/index.html"]
    pages += ["guide/index.html", "guide/spring/index.html"] if slash else ["guide.html", "guide/spring.html"]
    for name in pages:
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write("<!doctype html><title>As HTML</title>")
    with open(os.path.join(root, "style.css"), "w", encoding="utf-8") as file:
        file.write("p{}")
    # Apache's workers are another user.
    os.chmod(folder, 0o755)
    return root


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def nginx(root, folder, port):
    snippet = snippets("nginx")[0].replace("server {", f"server {{\n    listen 127.0.0.1:{port};\n    root {root};", 1)
    config = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; {'user root;' if os.geteuid() == 0 else ''}\nevents {{}}\n"
    config += f"http {{ include /etc/nginx/mime.types; access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;\n"
    config += f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{snippet}}}\n"
    with open(os.path.join(folder, "nginx.conf"), "w", encoding="utf-8") as file:
        file.write(config)
    return [shutil.which("nginx") or "/usr/sbin/nginx", "-e", f"{folder}/nginx.log", "-c", f"{folder}/nginx.conf"]


def apache(root, folder, port):
    with open(os.path.join(root, ".htaccess"), "w", encoding="utf-8") as file:
        file.write(snippets("apache")[0])
    [modules] = glob.glob("/usr/lib/apache2/modules") or ["/usr/lib/apache2/modules"]
    names = ["mpm_event", "authz_core", "mime", "headers", "rewrite", "dir", "negotiation"]
    config = "".join(f"LoadModule {name}_module {modules}/mod_{name}.so\n" for name in names)
    user = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
    config += f"""ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {folder}/apache.pid
DefaultRuntimeDir {folder}
ErrorLog {folder}/apache.log
TypesConfig /etc/mime.types
DocumentRoot {root}
<Directory {root}>
    AllowOverride All
    Require all granted
    Options +MultiViews
    DirectoryIndex index.html
</Directory>
{user}"""
    with open(os.path.join(folder, "apache.conf"), "w", encoding="utf-8") as file:
        file.write(config)
    return [shutil.which("apache2") or "/usr/sbin/apache2", "-f", f"{folder}/apache.conf", "-D", "FOREGROUND"]


NODE = """
import { readFileSync, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
const [module, root, port] = process.argv.slice(2);
const { onRequest } = await import(module);
const TYPES = { html: 'text/html', md: 'text/markdown; charset=utf-8', css: 'text/css', txt: 'text/plain', json: 'application/json' };
const file = (url) => {
  const path = root + decodeURIComponent(new URL(url).pathname);
  const found = [path, path + '.html', path + '/index.html'].find((it) => existsSync(it) && statSync(it).isFile());
  return found ? new Response(readFileSync(found), { headers: { 'content-type': TYPES[found.split('.').pop()] ?? '' } }) : new Response('', { status: 404 });
};
createServer(async (request, response) => {
  const asked = new Request('http://127.0.0.1:' + port + request.url, { headers: request.headers });
  const answer = await onRequest({ request: asked, env: { ASSETS: { fetch: async (it) => file(it.url ?? it) } }, next: async () => file(asked.url) });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}).listen(Number(port), '127.0.0.1');
"""


def function(root, folder, port):
    with open(os.path.join(folder, "function.mjs"), "w", encoding="utf-8") as file:
        file.write(snippets("js")[0])
    with open(os.path.join(folder, "serve.mjs"), "w", encoding="utf-8") as file:
        file.write(NODE)
    return ["node", f"{folder}/serve.mjs", f"file://{folder}/function.mjs", root, str(port)]


def ask(port, path, accept):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Accept": accept})
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()


def questions(name, slash):
    """What is asked for and accepted, and what has to come: the type, and a part of the body."""
    end = "/" if slash else ""
    yield "/", MARKDOWN, "text/markdown; charset=utf-8", "# Start"
    yield "/", HTML, "text/html", "As HTML"
    for page, heading in (("/guide", "# Guide"), ("/guide/spring", "# Spring")):
        if name == "Apache" and not slash and page == "/guide":
            # It has a folder beside it, to which Apache redirects.
            continue
        yield page + end, MARKDOWN, "text/markdown; charset=utf-8", heading
        yield page + ".md", HTML, "text/markdown; charset=utf-8", "Naïve"
        yield page + end, HTML, "text/html", "As HTML"
    yield "/html-only/", MARKDOWN, "text/html", "As HTML"
    yield "/style.css", MARKDOWN, "text/css", "p{}"
    if name != "a function of Cloudflare Pages":
        yield "/llms.txt", HTML, "text/plain; charset=utf-8", "# Tides"
        yield "/.well-known/mcp/server-card.json", HTML, "application/mcp-server-card+json", "mcp.tides.example"
        yield "/.well-known/ai-catalog.json", HTML, "application/ai-catalog+json", "server-card"


def check(name, start, root, slash):
    """Starts a server over a site and asks; gives the number of things that are wrong."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        port = free_port()
        process = subprocess.Popen(start(root, folder, port), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for _ in range(200):
                with socket.socket() as one:
                    if one.connect_ex(("127.0.0.1", port)) == 0:
                        break
                if process.poll() is not None:
                    break
                time.sleep(0.1)
            if process.poll() is not None:
                print(f"{name} did not start: {process.stdout.read()[-2000:]}")
                return 1
            wrong, asked = 0, 0
            for path, accept, kind, part in questions(name, slash):
                asked += 1
                status, headers, body = ask(port, path, accept)
                came = headers.get("content-type", "").replace("UTF-8", "utf-8")
                problems = [] if status == 200 else [f"status {status}"]
                if not came.startswith(kind):
                    problems.append(f"is `{came}`")
                if part not in body:
                    problems.append(f"holds {body[:60]!r}")
                if "function" not in name and kind.startswith("text/") and headers.get("link") != '</llms.txt>; rel="describedby"':
                    problems.append(f"has the links {headers.get('link')}")
                if "accept" not in headers.get("vary", "").lower() and kind.startswith(("text/markdown", "text/html")):
                    problems.append("does not vary by what is accepted")
                if kind.startswith("application/") and headers.get("access-control-allow-origin") != "*":
                    problems.append("may not be read by a page of another site")
                if problems:
                    wrong += 1
                    print(f"{name}: {path} as {accept.split(',')[0]}: {', '.join(problems)}")
            print(f"{name}, addresses {'with' if slash else 'without'} a slash at their end: {asked} requests: {'FAILED' if wrong else 'ok'}")
            return wrong
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    builder, failed = os.path.abspath(arguments[0]), 0
    for snippet in snippets("json"):
        json.loads(snippet)
    servers = {"nginx": nginx, "Apache": apache, "a function of Cloudflare Pages": function}
    for slash in (True, False):
        for name, start in servers.items():
            with tempfile.TemporaryDirectory() as folder:
                failed += check(name, start, site(builder, folder, slash), slash)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
