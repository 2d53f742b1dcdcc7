#!/usr/bin/env python3
"""The Python SDK against a server of a real site.

    python_client.py MODE URL                 over HTTP
    python_client.py MODE COMMAND ARGUMENT…   over stdio, with a server that the client starts

MODE is how the client agrees on a revision: `auto`, `legacy`, or a revision such as `2026-07-28`.

Every read tool is called with arguments that an earlier answer gave, as a model would. The SDK itself compares each structured answer
with the tool's `outputSchema`, and raises when they differ. Prints a line for each check; exits 0 when all hold and 1 when one does not.
"""

import asyncio
import json
import re
import sys
import time
import uuid

from mcp import Client, StdioServerParameters

TOOLS = {
    "list_collections",
    "list_pages",
    "search_content",
    "get_post",
    "list_tags",
    "get_page_info",
    "get_page_markdown",
    "submit_feedback",
}


class Session:
    """A connected client that counts and prints its checks."""

    def __init__(self, client, name):
        self.client, self.name, self.failed, self.start = client, name, 0, time.perf_counter()

    def say(self, what, problem=None):
        now = time.perf_counter()
        outcome = "ok" if problem is None else f"FAILED: {problem}"
        print(f"{self.name}: {what} ... {outcome} ({(now - self.start) * 1000:.0f} ms)", flush=True)
        self.failed += problem is not None
        self.start = now

    async def ask(self, tool, **arguments):
        """The structured answer of a tool; the text beside it says the same."""
        result = await self.client.call_tool(tool, arguments)
        if result.is_error:
            raise AssertionError(f"{tool} {arguments}: {result.content[0].text}")
        assert [block.type for block in result.content] == ["text"], f"{tool}: {result.content}"
        assert json.loads(result.content[0].text) == result.structured_content, f"{tool}: its text says something else"
        return result.structured_content

    async def read(self, route):
        """The text blocks of a page's markdown."""
        result = await self.client.call_tool("get_page_markdown", {"route": route})
        assert not result.is_error, f"{route}: {result.content[0].text}"
        return [block.text for block in result.content]

    async def refusal(self, tool, **arguments):
        """What a call is refused with."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, f"{tool} {arguments} was not refused"
        assert result.structured_content is None, f"{tool}: a refusal with structured content"
        assert len(result.content) == 1, result.content
        return result.content[0].text


async def run(session):
    """Everything that is asked, in the order in which one answer leads to the next."""
    known = {}

    async def lists_tools():
        tools = (await session.client.list_tools()).tools
        names = {tool.name for tool in tools}
        assert names >= TOOLS, f"missing: {TOOLS - names}"
        for tool in tools:
            hints = tool.annotations
            assert hints.read_only_hint == (tool.name != "submit_feedback"), tool.name
            assert (tool.output_schema is None) == (tool.name == "get_page_markdown"), tool.name

    async def collections():
        known["collections"] = (await session.ask("list_collections"))["collections"]
        assert known["collections"], "no collections"

    async def pages():
        known["pages"] = (await session.ask("list_pages"))["pages"]
        assert known["pages"], "no pages"

    async def newest_documents():
        name = known["collections"][0]["name"]
        answer = await session.ask("search_content", collection=name, limit=25)
        assert answer["matched"] == known["collections"][0]["documents"], answer["matched"]
        known["document"] = answer["results"][0]
        known["documents"] = answer["results"]

    async def search():
        title = known["document"]["title"]
        answer = await session.ask("search_content", match={"text": title, "in": "title"}, limit=5)
        assert known["document"]["route"] == answer["results"][0]["route"], answer
        assert answer["results"][0]["fields"] == ["title"], answer
        nonsense = await session.ask("search_content", match={"text": "qzxwvkjq"})
        assert nonsense["matched"] == 0 and nonsense["results"] == [] and nonsense["notes"], nonsense

    async def post():
        answer = await session.ask("get_post", slug=known["document"]["slug"])
        assert answer["post"]["route"] == known["document"]["route"], answer

    async def tags():
        tags = (await session.ask("list_tags"))["tags"]
        if tags:
            answer = await session.ask("search_content", tag=tags[0]["tag"])
            assert answer["matched"] == tags[0]["documents"], answer["matched"]

    async def page_info():
        answer = await session.ask("get_page_info", route=known["document"]["route"])
        assert answer["title"] == known["document"]["title"], answer
        known["sections"] = answer["sections"]

    async def markdown():
        blocks = await session.read(known["document"]["route"])
        assert blocks and blocks[0].strip(), blocks

    async def section():
        for found in known["sections"][:1]:
            text = (await session.read(found["route"]))[0]
            assert text.lstrip().startswith("#") or found["heading"] in text, text[:80]

    async def long_page():
        for row in known["pages"] + known["documents"]:
            blocks = await session.read(row["route"])
            if len(blocks) > 1:
                routes = re.findall(r"/[^\s`)>\]]*#[^\s`)>\],]+", blocks[1])
                assert routes, f"{row['route']} was cut without saying how to read on: {blocks[1]}"
                assert (await session.read(routes[0]))[0].strip()
                return f"reading {row['route']} on at {routes[0]}"
        return "no page is long enough to be cut"

    async def argument_error():
        text = await session.refusal("search_content", match={"text": "a", "in": "all"}, limit=99)
        assert text.startswith("Error: ") and "limit" in text and "25" in text, text

    async def missing_page():
        text = await session.refusal("get_page_info", route="/there-is-no-such-page")
        assert not text.startswith("Error:") and "list_pages" in text, text

    async def feedback():
        message = {
            "idempotency_key": str(uuid.uuid4()),
            "message": "Checked by a real client.",
            "kind": "other",
            "severity": "low",
            "about": known["document"]["route"],
        }
        first = await session.ask("submit_feedback", **message)
        second = await session.ask("submit_feedback", **message)
        assert (first["status"], second["status"]) == ("recorded", "already_recorded"), (first, second)
        assert first["received_at"] == second["received_at"], (first, second)

    for what, check in (
        ("tools/list names the tools", lists_tools),
        ("list_collections", collections),
        ("list_pages", pages),
        ("search_content in a collection", newest_documents),
        ("search_content by words", search),
        ("get_post", post),
        ("list_tags, and a search by tag", tags),
        ("get_page_info", page_info),
        ("get_page_markdown", markdown),
        ("get_page_markdown of a section", section),
        ("get_page_markdown of a long page", long_page),
        ("an argument out of bounds is an error that the model sees", argument_error),
        ("a page that is not there is one too", missing_page),
        ("submit_feedback twice with one key", feedback),
    ):
        try:
            said = await check()
            session.say(f"{what}: {said}" if said else what)
        except Exception as error:  # A check may fail in any way; the next one still runs.
            session.say(what, f"{type(error).__name__}: {error}")


async def main(mode, target):
    over_http = target[0].startswith("http")
    server = target[0] if over_http else StdioServerParameters(command=target[0], args=target[1:])
    name = f"python mcp, {'HTTP' if over_http else 'stdio'}, {mode}"
    async with Client(server, mode=mode) as client:
        session = Session(client, name)
        session.say(f"connected, revision {client.protocol_version}")
        await run(session)
    return session.failed


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(1 if asyncio.run(main(sys.argv[1], sys.argv[2:])) else 0)
