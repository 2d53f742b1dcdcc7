#!/usr/bin/env python3
"""The Python clients against a server.

    client.py KIND MODE PLAN URL                 over HTTP
    client.py KIND MODE PLAN COMMAND ARGUMENT…   over stdio, with a server that the client starts

KIND is `mcp2`, `mcp1` or `fastmcp`; MODE how the client agrees on a revision (`-` where nothing can be chosen). PLAN is what run.py asked
and was answered. Prints a line of JSON for each check. The SDKs compare structured answers with the tool's `outputSchema`; so does this.
"""

import asyncio
import contextlib
import json
import sys
import uuid

import jsonschema


@contextlib.asynccontextmanager
async def connected(kind, mode, target):
    """The revision, the tools, and a function that calls one: (content, structured content, whether it is an error)."""
    http = target[0].startswith("http")
    if kind == "mcp1":
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client
        from mcp.client.streamable_http import streamablehttp_client

        started = streamablehttp_client(target[0]) if http else stdio_client(StdioServerParameters(command=target[0], args=target[1:]))
        async with started as streams, ClientSession(streams[0], streams[1]) as session:
            revision = (await session.initialize()).protocolVersion
            tools = {tool.name: tool.outputSchema for tool in (await session.list_tools()).tools}

            async def call(name, arguments):
                result = await session.call_tool(name, arguments)
                return result.content, result.structuredContent, bool(result.isError)

            yield revision, tools, call
        return
    if kind == "mcp2":
        from mcp import Client, StdioServerParameters

        server = target[0] if http else StdioServerParameters(command=target[0], args=target[1:])
        options = {}
    else:
        from fastmcp import Client
        from fastmcp.client.transports import StdioTransport

        server = target[0] if http else StdioTransport(target[0], target[1:])
        options = {"raise_on_error": False}
    async with Client(server, mode=mode) as client:
        listed = await client.list_tools()
        listed = listed if isinstance(listed, list) else listed.tools
        tools = {tool.name: tool.output_schema for tool in listed}

        async def call(name, arguments):
            result = await client.call_tool(name, arguments, **options)
            return result.content, result.structured_content, bool(result.is_error)

        yield client.protocol_version, tools, call


def say(**line):
    print(json.dumps(line), flush=True)


async def check(what, body):
    try:
        await body()
        say(check=what)
    except Exception as error:  # A check may fail in any way; the next one still runs.
        say(check=what, problem=f"{type(error).__name__}: {error}"[:600])


async def run(kind, mode, plan, target):
    async with connected(kind, mode, target) as (revision, tools, call):
        say(revision=revision)
        say(check="connects")

        async def lists():
            assert list(tools) == plan["tools"], list(tools)

        async def planned(one):
            content, structured, is_error = await call(one["tool"], one["arguments"])
            answer = one["answer"]
            assert [block.text for block in content] == [block["text"] for block in answer["content"]], content
            assert structured == answer.get("structuredContent"), structured
            assert is_error == answer.get("isError", False), is_error
            schema = tools[one["tool"]]
            assert (schema is None or is_error) == (structured is None), "structured content as promised"
            if structured is not None:
                jsonschema.validate(structured, schema)

        async def feedback():
            message = {**plan["feedback"], "idempotency_key": str(uuid.uuid4())}
            answers = [(await call("submit_feedback", message))[1] for _ in range(2)]
            assert [answer["status"] for answer in answers] == ["recorded", "already_recorded"], answers
            assert answers[0]["received_at"] == answers[1]["received_at"], answers

        async def unknown():
            try:
                answer = await call("no_such_tool", {})
            except Exception as error:  # Each client has its own.
                assert "Unknown tool: `no_such_tool`" in str(error), error
            else:
                raise AssertionError(f"it was answered: {answer}")

        await check("lists the tools", lists)
        for one in plan["calls"]:
            await check(one["what"], lambda one=one: planned(one))
        await check("writes once, however often it is sent", feedback)
        await check("is told of a tool that does not exist", unknown)


async def main(kind, mode, plan_file, target):
    with open(plan_file, encoding="utf-8") as text:
        plan = json.load(text)
    try:
        await run(kind, mode, plan, target)
    except Exception as error:
        say(check="connects", problem=f"{type(error).__name__}: {error}"[:600])


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]))
