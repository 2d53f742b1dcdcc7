#!/usr/bin/env python3
"""Real documentation, built as plain markdown and asked about over a real connection.

    python3 tests/corpora/check.py BUILDER LOCAL [NAME…]

BUILDER  the `builder` program
LOCAL    the `local` program
NAME     only these corpora; default all that have a settings file beside this one

The content lies in `../shared/corpora`, seen from the root of the repository, one `.tar.zst` each; unpacking needs the `zstd` command.
Where it is not there, this says so and is done. Each corpus is unpacked into a temporary folder and built with the settings beside
this file; what the builder told is counted. Then all tools are called, every route that `list_pages` and `search_content`
give is read with `get_page_markdown` and `get_page_info`, section by section where a page is cut, and every call is made that
a page of the manual or the page about the tools shows. Prints a few lines for each corpus; exits 0 when all holds, 1 when something does not, 2 when it could not run.
"""

import collections
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORPORA = os.path.join(os.path.dirname(ROOT), "shared", "corpora")

# Where the content lies in each archive.
CONTENT = {
    "rust-book": "src",
    "hugo-docs": "content",
    "astro-docs": "src/content/docs/en",
    "zola-docs": "docs/content",
}

# Asked of every corpus, beside the words of its own titles: plain words, questions, signs that are no operators, other scripts, nothing.
QUERIES = [
    "installation", "how do I get started", "configuration", "error", "build", "template", "the", "what is the",
    '"getting started"', "C++", "a OR b", "title:x", "-flag", "fn main()", "Vec<T>", "{{ }}", "i18n", "markdwon", "deplo",
    "page.title", "getCollection", "naïve café", "日本語", "🦀", "*", "x" * 900,
]
# How many titles are searched for again; enough to reach nearly every document of these.
TITLES = 2_000
# The most that one answer may have (the default of `answer_bytes`).
ANSWER_BYTES = 262_144


class Failed(Exception):
    """Something does not hold."""


class Server:
    """A local server of one artifact, and one connection to it."""

    def __init__(self, local, artifact, folder):
        self.process = subprocess.Popen(
            [local, "serve", "--artifact", artifact, "--addr", "127.0.0.1:0", "--feedback", os.path.join(folder, "feedback.sqlite"),
             "--log", "error"],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
        )
        self.calls, self.slowest = 0, (0.0, "")
        said = []
        for line in self.process.stderr:
            said.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", line)
            if found:
                break
        else:
            raise Failed(f"the server did not start: {''.join(said).strip()}")
        # Nothing reads what it says from here on, so that it must be drained.
        threading.Thread(target=lambda: collections.deque(self.process.stderr, 0), daemon=True).start()
        self.connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def request(self, method, params):
        self.calls += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self.calls, "method": method, "params": params})
        start = time.perf_counter()
        self.connection.request("POST", "/mcp", body.encode(), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        content = answer.read()
        took = time.perf_counter() - start
        if took > self.slowest[0]:
            self.slowest = (took, f"{params.get('name', method)} {json.dumps(params.get('arguments'))[:80]}")
        if answer.status != 200:
            raise Failed(f"{method} {params}: status {answer.status}: {content[:200]!r}")
        if len(content) > ANSWER_BYTES + 4_096:
            raise Failed(f"{method} {params}: an answer of {len(content)} bytes")
        message = json.loads(content)
        if "result" not in message:
            raise Failed(f"{method} {params}: {message}")
        return message["result"]

    def ask(self, tool, **arguments):
        """The structured answer, or the text blocks of a page."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise Failed(f"{tool} {arguments}: {result['content'][0]['text']}")
        if tool == "get_page_markdown":
            return [block["text"] for block in result["content"]]
        if json.loads(result["content"][0]["text"]) != result["structuredContent"]:
            raise Failed(f"{tool} {arguments}: its text and its structured content differ")
        return result["structuredContent"]


def build(builder, name, site, out):
    """Builds a corpus and counts what the builder told, by kind."""
    start = time.perf_counter()
    done = subprocess.run(
        [builder, "build", "--site", site, "--out", out, "--config", os.path.join(HERE, f"{name}.toml"), "--now", "2026-11-30", "--json"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
    )
    seconds = time.perf_counter() - start
    if "panicked" in done.stderr or done.returncode not in (0, 1):
        raise Failed(f"the builder ended with {done.returncode}: {done.stderr[-2000:]}")
    try:
        report = json.loads(done.stdout)
    except ValueError:
        raise Failed(f"the report is not JSON: {done.stdout[:500]!r} {done.stderr[-2000:]}") from None
    kinds = collections.Counter()
    for problem in report.get("problems", []):
        if not problem.get("file") or not problem.get("what"):
            raise Failed(f"a problem that does not say what or where: {problem}")
        # Two problems are of one kind when they say the same of different things.
        kinds[f"{problem['severity']}: {re.sub(r'`[^`]*`', '`…`', problem['what'])}"] += 1
    if done.returncode != 0:
        told = "\n".join(f"  {count} × {kind}" for kind, count in kinds.most_common() if kind.startswith("error"))
        raise Failed(f"the content has problems that fail the build:\n{told or done.stderr[-2000:]}")
    built = report["built"]
    public = os.path.join(out, "public")
    twins = sum(name.endswith(".md") for _, _, names in os.walk(public) for name in names)
    # Two more files are markdown, unless a page has their name.
    with open(os.path.join(out, "manifest.json"), encoding="utf-8") as file:
        twins -= len({"public/sitemap.md", "public/tool-surface.md"} & set(json.load(file)["files"]))
    if twins != built["pages"]:
        raise Failed(f"{built['pages']} pages and {twins} markdown twins")
    return built, kinds, seconds


def read_everything(server, built, log):
    """Calls the tools of every site, and reads every route that they give."""
    names = {tool["name"] for tool in server.request("tools/list", {})["tools"]}
    if len(names) < 8:
        raise Failed(f"tools/list names {sorted(names)}")
    problems = []
    rows, titles = {}, {}

    def take(found):
        for row in found:
            rows.setdefault(row["route"], row)
            if "slug" in row:
                titles.setdefault(row["route"], row["title"])

    def search(**arguments):
        answer = server.ask("search_content", **arguments)
        shown = answer["results"]
        if answer["matched"] < len(shown) or (answer["matched"] > len(shown) and len(shown) < arguments.get("limit", 10)):
            problems.append(f"search_content {arguments}: {answer['matched']} matched, {len(shown)} shown")
        for row in shown:
            if bool(row["fields"]) != ("match" in arguments):
                problems.append(f"search_content {arguments}: {row['route']} holds the words in {row['fields']}")
        take(shown)
        return answer

    held = server.ask("list_collections")["collections"]
    pages = server.ask("list_pages")
    if "notes" in pages:
        log(f"list_pages: {pages['notes']}")
    take(pages["pages"])
    listed = len(rows)
    for collection in held:
        answer = search(collection=collection["name"], limit=25)
        if answer["matched"] != collection["documents"]:
            problems.append(f"{collection['name']}: {collection['documents']} documents, {answer['matched']} found")
    for tag in server.ask("list_tags")["tags"]:
        answer = search(tag=tag["tag"], limit=25)
        if answer["matched"] != tag["documents"]:
            problems.append(f"tag {tag['tag']}: {tag['documents']} documents, {answer['matched']} found")
    for text in QUERIES:
        search(match={"text": text}, limit=25)
        for where in ("title", "body", "description", "aliases", "tags"):
            search(match={"text": text, "in": where}, limit=5)
    # Every title leads to its own document, and to others whose titles are asked for in turn.
    asked = set()
    while len(asked) < TITLES and set(titles) - asked:
        route = min(set(titles) - asked)
        asked.add(route)
        # Long titles are bounded like any other text; one of signs alone has no words to look for.
        answer = search(match={"text": titles[route][:900], "in": "title"}, limit=25)
        first = answer["results"][0] if answer["results"] else {}
        if first.get("title", "").casefold() != titles[route].casefold() and re.search(r"\w", titles[route]):
            problems.append(f"`{titles[route]}`, the title of {route}, finds {first.get('route')} `{first.get('title')}` first")
    posts = 0
    for row in [row for row in rows.values() if "slug" in row][:200]:
        # Where the slug is not a post's, or several documents have it, the answer is a text that says so.
        post = server.request("tools/call", {"name": "get_post", "arguments": {"slug": row["slug"]}})
        if not post.get("isError"):
            posts += 1
            if post["structuredContent"]["post"]["slug"] != row["slug"]:
                problems.append(f"get_post {row['slug']}: {post['structuredContent']}")
    if posts == 0:
        problems.append("get_post found no post at all")
    cut = sections = 0
    told = set()
    for route in sorted(rows):
        try:
            info = server.ask("get_page_info", route=route)
            if info["route"] != route:
                problems.append(f"{route}: get_page_info answers for {info['route']}")
            for linked in info["cites"] + info["cited_by"] + info["related"]:
                told.add(linked["route"])
            blocks = server.ask("get_page_markdown", route=route)
            if len(blocks) > 1:
                cut += 1
                sections += read_on(server, route, blocks)
            for section in info["sections"][:1] + info["sections"][-1:]:
                if not server.ask("get_page_markdown", route=section["route"])[0].strip():
                    problems.append(f"{section['route']} is empty")
        except Failed as problem:
            problems.append(str(problem))
    for route in sorted(told - set(rows)):
        try:
            server.ask("get_page_info", route=route)
            server.ask("get_page_markdown", route=route)
        except Failed as problem:
            problems.append(str(problem))
    key = str(uuid.uuid4())
    for status in ("recorded", "already_recorded"):
        answer = server.ask(
            "submit_feedback", idempotency_key=key, message="Checked.", kind="other", severity="low", about=min(rows)
        )
        if answer["status"] != status:
            problems.append(f"submit_feedback: {answer}")
    documents = sum(collection["documents"] for collection in held)
    if (documents, documents + listed) != (built["documents"], built["pages"]):
        problems.append(f"{documents} documents and {listed} pages are served, {built['documents']} and {built['pages']} in all were built")
    found = len(rows) - listed
    log(
        f"{len(held)} collections, {documents} documents ({found} found by searching), {listed} pages listed; {len(rows)} routes read and "
        f"{len(told - set(rows))} more that they are linked with, {cut} of them cut and read on in {sections} sections; {posts} posts by slug"
    )
    return problems


def read_manual(server, public, log):
    """Makes every call that a page of the manual or the page about the tools shows."""
    problems, calls = [], {}
    text = lambda **arguments: server.request("tools/call", {"name": "man", "arguments": arguments})["content"][0]["text"]
    tools = {tool["name"] for tool in server.request("tools/list", {})["tools"]}
    topics = re.findall(r"^    (\S+) - ", text(), re.MULTILINE)
    if not tools | {"site", "search", "routes", "feedback"} <= set(topics):
        problems.append(f"man lists {topics}")
    for topic in topics:
        page = text(topic=topic)
        for tool, arguments in re.findall(r"^ {4,}(\w+) (\{.*\})$", page, re.MULTILINE):
            calls.setdefault((tool, arguments), f"man {topic}")
        for other in re.findall(r"^    (\S+) - ", page.partition("\nSEE ALSO\n")[2], re.MULTILINE):
            if other not in topics or other == topic:
                problems.append(f"man {topic}: SEE ALSO names `{other}`")
    with open(os.path.join(public, "tool-surface.md"), encoding="utf-8") as file:
        surface = file.read()
    # Answers hold headings as well.
    parts = re.split(rf"^## ({'|'.join(tools)})$", surface, flags=re.MULTILINE)
    for tool, section in zip(parts[1::2], parts[2::2]):
        shown = 0
        for block in re.findall(r"^```json\n(.*?)^```", section, re.MULTILINE | re.DOTALL):
            try:
                value = json.loads(block)
            except ValueError:  # an answer that is shortened
                continue
            if value.keys() == {"name", "arguments"} and value["name"] == tool:
                shown += 1
                calls.setdefault((tool, json.dumps(value["arguments"])), "tool-surface.md")
        if shown == 0:
            problems.append(f"tool-surface.md shows no call of {tool}")
    for (tool, arguments), where in calls.items():
        result = server.request("tools/call", {"name": tool, "arguments": json.loads(arguments)})
        if result.get("isError"):
            problems.append(f"{where}: {tool} {arguments}: {result['content'][0]['text']}")
    for tool in tools - {tool for tool, _ in calls}:
        problems.append(f"nothing shows a call of {tool}")
    log(f"{len(topics)} pages of the manual; {len(calls)} calls shown and made")
    return problems


def read_on(server, route, blocks):
    """Follows the remark of a cut page to the sections that remain, and their own cuts in turn."""
    waiting, seen = [blocks[1]], set()
    while waiting:
        remark = waiting.pop()
        for section in re.findall(r"^- .*: (/.*#.+)$", remark, re.MULTILINE):
            if section not in seen:
                seen.add(section)
                more = server.ask("get_page_markdown", route=section)
                if not more[0].strip():
                    raise Failed(f"{section} is empty")
                waiting.extend(more[1:])
    if not seen and "http" not in blocks[1]:
        raise Failed(f"{route} is cut and does not say where the rest is: {blocks[1][:200]}")
    return len(seen)


def check(name, builder, local):
    """Everything about one corpus. Gives the number of problems."""

    def log(text):
        print(f"{name}: {text}", flush=True)

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(CORPORA, f"{name}.tar.zst")
        packed = subprocess.run(["zstd", "-dcq", archive], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
        site, out = os.path.join(folder, name, CONTENT[name]), os.path.join(folder, "out")
        problems = []
        try:
            built, kinds, seconds = build(builder, name, site, out)
            artifact = os.path.join(out, "site.shelf")
            log(
                f"built in {seconds:.1f} s: {built['documents']} documents, {built['pages']} pages, {built['tags']} tags, {built['terms']} terms; "
                f"an artifact of {built['artifact_bytes'] / 1e6:.2f} MB from {built['markdown_bytes'] / 1e6:.2f} MB of markdown; "
                f"{sum(kinds.values())} problems told"
            )
            for kind, count in kinds.most_common(12):
                log(f"  {count} × {kind[:200]}")
            if len(kinds) > 12:
                log(f"  and {len(kinds) - 12} kinds more")
            server = None
            try:
                server = Server(local, artifact, folder)
                problems = read_everything(server, built, log)
                problems += read_manual(server, os.path.join(out, "public"), log)
            finally:
                if server is not None:
                    server.stop()
            log(f"{server.calls} calls, the slowest {server.slowest[0] * 1000:.0f} ms ({server.slowest[1]})")
        except (Failed, OSError, http.client.HTTPException, KeyError) as error:
            problems.append(f"{type(error).__name__}: {error}")
        for problem in problems[:20]:
            log(f"FAILED: {problem[:600]}")
        if len(problems) > 20:
            log(f"FAILED: and {len(problems) - 20} more")
    log(f"{'ok' if not problems else f'{len(problems)} problems'} ({time.perf_counter() - start:.1f} s)")
    return len(problems)


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    builder, local = map(os.path.abspath, arguments[:2])
    names = arguments[2:] or list(CONTENT)
    if not os.path.isdir(CORPORA):
        print("skipped: there is no `../shared/corpora`")
        return 0
    for program in (builder, local):
        if not os.path.isfile(program):
            print(f"there is no `{program}`", file=sys.stderr)
            return 2
    if shutil.which("zstd") is None:
        print("there is no `zstd` to unpack with\nhelp: it is in the package `zstd`", file=sys.stderr)
        return 2
    failed = 0
    for name in names:
        if os.path.isfile(os.path.join(CORPORA, f"{name}.tar.zst")):
            failed += check(name, builder, local)
        else:
            print(f"{name}: skipped, it is not there")
    return 1 if failed else 0


if __name__ == "__main__":
    # Ends the server as well when it is told to stop.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
