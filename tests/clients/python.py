"""The Python SDK: python python.py URL [auto|legacy|2026-07-28]"""

import asyncio
import sys

from mcp import Client


async def main(url, mode="auto"):
    async with Client(url, mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert any(tool.name == "echo" for tool in tools)
        answer = await client.call_tool("echo", {"text": "hello"})
        assert answer.content[0].text == "hello"
        print("ok", client.protocol_version)


asyncio.run(main(*sys.argv[1:]))
