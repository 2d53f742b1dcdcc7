#!/usr/bin/env python3
"""What a build publishes, read by programs that are not ours.

    python3 tests/exports/check.py BUILDER TOOLS [FOLDER…]

BUILDER  the `builder` program
TOOLS    a folder for what is installed: `llms-txt` and `jsonschema` from PyPI, `puppeteer-core`, `axe-core` and `gpt-tokenizer` from npm, at the versions below
FOLDER   sites to build; default the demo site

`llms.txt` is read by the parser of the proposal's author, and everything it links to has to be among the files that were written. The discovery files are
compared with the shapes that their formats demand. The page about the tools is opened in Chromium (`chromium` on the path, or $CHROMIUM) at two widths, light and dark;
screenshots go to TOOLS/screenshots. What the tools cost is counted with a real vocabulary and compared with the builder's estimate. Exits 0 when all holds.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from urllib.parse import unquote

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = ["llms-txt==0.0.7", "jsonschema==4.26.0"]
NODE = ["puppeteer-core@24.43.1", "axe-core@4.11.4", "gpt-tokenizer@4.0.0"]

SHORT = {"type": "string", "minLength": 1, "maxLength": 100}
NAME = {"type": "string", "minLength": 3, "maxLength": 200, "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"}
REMOTE = {
    "type": "object",
    "required": ["type", "url"],
    "properties": {
        "type": {"enum": ["streamable-http"]},
        "url": {"type": "string", "pattern": "^https?://[^\\s]+$"},
        "supportedProtocolVersions": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": False,
}


def server(schema):
    """What a server card and a registry's `server.json` have in common."""
    return {
        "type": "object",
        "required": ["$schema", "name", "description", "version"],
        "properties": {
            "$schema": {"const": schema},
            "name": NAME,
            "title": SHORT,
            "description": SHORT,
            "version": {"type": "string", "minLength": 1, "maxLength": 255, "not": {"pattern": "^[~^<>=]|[*x]$"}},
            "websiteUrl": {"type": "string", "pattern": "^https?://"},
            "remotes": {"type": "array", "items": REMOTE, "minItems": 1},
        },
        "additionalProperties": False,
    }


SHAPES = {
    # The MCP server card extension (SEP-2127), and the AI Catalog as it uses it.
    "mcp/server-card.json": server("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
    # The MCP registry.
    "mcp/server.json": server("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
    "ai-catalog.json": {
        "type": "object",
        "required": ["specVersion", "entries"],
        "properties": {
            "specVersion": {"const": "1.0"},
            "entries": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["identifier", "displayName", "type", "url"],
                    "properties": {
                        "identifier": {"type": "string", "pattern": "^urn:air:[a-z0-9.-]+:mcp:[a-zA-Z0-9._-]+$"},
                        "type": {"const": "application/mcp-server-card+json"},
                    },
                },
            },
        },
    },
}


def run(command, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False, **more)
    if done.returncode != 0:
        raise SystemExit(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def installed(tools):
    """Installs what is missing; gives the Python of the virtual environment."""
    os.makedirs(tools, exist_ok=True)
    python = os.path.join(tools, "venv", "bin", "python")
    mark, wanted = os.path.join(tools, "done"), " ".join(PYTHON + NODE)
    if not os.path.exists(mark) or open(mark).read() != wanted:
        run([sys.executable, "-m", "venv", os.path.join(tools, "venv")])
        run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON])
        with open(os.path.join(tools, "package.json"), "w") as file:
            json.dump({"private": True}, file)
        run(["npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", *NODE], cwd=tools)
        with open(mark, "w") as file:
            file.write(wanted)
    return python


def overview(path, root, base):
    """Reads one `llms.txt`; gives what is wrong and how many links it has."""
    from llms_txt import parse_llms_file

    with open(path, encoding="utf-8") as file:
        text = file.read()
    parsed = parse_llms_file(text)
    wrong, links = [], 0
    if not parsed.title:
        wrong.append("has no title")
    listed = text.count("\n- [")
    for section, entries in parsed.sections.items():
        for entry in entries:
            links += 1
            below = entry.url.removeprefix(base)
            if below == entry.url:
                wrong.append(f"{section}: `{entry.url}` is not below `{base}`")
            elif not os.path.isfile(os.path.join(root, unquote(below))):
                wrong.append(f"{section}: nothing was written for `{entry.url}`")
    if links != listed:
        wrong.append(f"has {listed} links, of which {links} were understood")
    return wrong, links


def read(folder, builder):
    """Builds a site and reads what is published; runs in the virtual environment."""
    import jsonschema

    failed = 0
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(
            [builder, "build", "--site", folder, "--out", out, "--now", "2026-11-30", "--json", "--quiet"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
        )
        report = json.loads(done.stdout)
        if done.returncode != 0:
            print(f"{os.path.basename(folder)}: was not built: {[it['message'] for it in report['problems'] if it['severity'] == 'error'][:3]}")
            return 1
        root, base = os.path.join(out, "public"), report["site"]["url"]
        base = base if base.endswith("/") else base + "/"
        files = links = 0
        for place, _, names in os.walk(root):
            if "llms.txt" in names:
                wrong, more = overview(os.path.join(place, "llms.txt"), root, base)
                files, links = files + 1, links + more
                for line in wrong[:10]:
                    failed += 1
                    print(f"{os.path.relpath(place, root)}/llms.txt {line}")
        known = os.path.join(root, ".well-known")
        shapes = 0
        for name, shape in SHAPES.items() if os.path.isdir(known) else ():
            with open(os.path.join(known, name), encoding="utf-8") as file:
                shapes += 1
                for error in jsonschema.Draft202012Validator(shape).iter_errors(json.load(file)):
                    failed += 1
                    print(f".well-known/{name}: {error.json_path}: {error.message}")
        if files == 0:
            failed += 1
            print("no llms.txt was written")
        print(f"{os.path.basename(folder)}: {files} llms.txt with {links} links, {shapes} discovery files: {'FAILED' if failed else 'ok'}")
        page = os.path.join(root, "tool-surface.html")
        if os.path.isfile(page):
            shutil.copy(page, os.environ["PAGE"])
    return 1 if failed else 0


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    builder, tools = map(os.path.abspath, arguments[:2])
    folders = arguments[2:] or [os.path.join(HERE, "..", "..", "site")]
    python = installed(tools)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        print("there is no `chromium` on the path; name one in $CHROMIUM", file=sys.stderr)
        return 2
    screenshots = os.path.join(tools, "screenshots")
    os.makedirs(screenshots, exist_ok=True)
    failed = 0
    for folder in folders:
        page = os.path.join(tools, "tool-surface.html")
        if os.path.exists(page):
            os.remove(page)
        environment = {**os.environ, "PAGE": page}
        command = [python, os.path.abspath(__file__), "--read", os.path.abspath(folder), builder]
        failed += subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode != 0
        command = ["node", os.path.join(HERE, "page.mjs"), chromium, page, screenshots]
        failed += subprocess.run(command, cwd=tools, stdin=subprocess.DEVNULL, check=False).returncode != 0
        command = ["node", os.path.join(HERE, "tokens.mjs"), builder, os.path.abspath(folder)]
        failed += subprocess.run(command, cwd=tools, stdin=subprocess.DEVNULL, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(read(*sys.argv[2:]) if sys.argv[1:2] == ["--read"] else main(sys.argv[1:]))
