"""What every client is to ask, and what it has to be answered: worked out with plain requests, from earlier answers as a model would."""

import json

from serving import request

# Releases that do not say what they agreed on.
FIRST = {"sdk-1.11": "2025-03-26"}
MOST_SECTIONS = 12


class Planner:
    """Calls, with what was answered."""

    def __init__(self, url):
        self.url, self.calls = url, []

    def ask(self, tool, arguments):
        return request(self.url, "tools/call", {"name": tool, "arguments": arguments})

    def add(self, what, tool, arguments):
        """Plans a call, and gives its result."""
        answer = self.ask(tool, arguments)
        self.calls.append({"what": what, "tool": tool, "arguments": arguments, "answer": answer})
        return answer

    def json(self, tool, arguments):
        return self.ask(tool, arguments).get("structuredContent") or {}


def documents(planner):
    """Rows of the collections that have any, and the rows of the other pages, which a site may lack."""
    rows = []
    for collection in planner.json("list_collections", {}).get("collections", []):
        rows += planner.json("search_content", {"collection": collection["name"], "limit": 25}).get("results", [])
    return rows, planner.json("list_pages", {}).get("pages", [])


def slug(planner, rows):
    """The slug of a document that get_post answers for, in whichever collection: not every collection holds posts."""
    for row in rows:
        if "slug" in row and not planner.ask("get_post", {"slug": row["slug"]}).get("isError"):
            return row["slug"]
    return "no-such-post"


def value(name, schema, known):
    """A value for an argument: what an earlier answer gave, else what the schema allows."""
    if name in known:
        return known[name]
    if "enum" in schema:
        return schema["enum"][0]
    return {"integer": schema.get("minimum", 1), "boolean": True, "array": [], "object": {}}.get(schema.get("type"), "documentation")


def write(url, path):
    """Writes the plan for the server at `url`."""
    planner = Planner(url)
    tools = request(url, "tools/list")["tools"]
    found, pages = documents(planner)
    every = found + pages
    route = every[0]["route"] if every else "/"
    words = (every[0]["title"] if every else "a").split()[0]
    known = {"route": route, "slug": slug(planner, found), "match": {"text": words}, "query": words}
    feedback = {"message": "Checked by a real client.", "kind": "other", "severity": "low"}
    for tool in tools:
        schema = tool["inputSchema"]
        if tool["name"] == "submit_feedback":
            continue
        required = schema.get("required", [])
        arguments = {name: value(name, schema["properties"][name], known) for name in required}
        if "match" in schema["properties"]:
            arguments["match"] = known["match"]
        if "id" in arguments:
            # A tool of one collection knows the documents of that one alone.
            own = (row["slug"] for row in found if "slug" in row and not planner.ask(tool["name"], {**arguments, "id": row["slug"]}).get("isError"))
            arguments["id"] = next(own, arguments["id"])
        answer = planner.add(f"calls {tool['name']}", tool["name"], arguments)
        # Only a site without posts has no post to show.
        if answer.get("isError") and arguments.get("slug") != "no-such-post":
            raise RuntimeError(f"{tool['name']} {arguments}: {answer['content']}")
    if found:
        planner.add("searches a collection", "search_content", {"collection": found[0].get("collection", ""), "limit": 25})

    def sections(row):
        return planner.json("get_page_info", {"route": row["route"]}).get("sections", [])

    if every:
        longest = max(every[:60], key=lambda row: len(sections(row)))
        planner.add("reads a long page", "get_page_markdown", {"route": longest["route"]})
        for section in sections(longest)[:MOST_SECTIONS]:
            planner.add(f"reads on at {section['route']}", "get_page_markdown", {"route": section["route"]})
    for what, tool, arguments in (
        ("is told of a limit out of bounds", "search_content", {"match": {"text": "a"}, "limit": 99}),
        ("is told of a page that is not there", "get_page_info", {"route": "/there-is-no-such-page"}),
        ("is told of an argument that is missing", "get_page_markdown", {}),
    ):
        if not planner.add(what, tool, arguments).get("isError"):
            raise RuntimeError(f"{tool} {arguments} was not refused")
    called = {call["tool"] for call in planner.calls} | {"submit_feedback"}
    names = [tool["name"] for tool in tools]
    if called != set(names):
        raise RuntimeError(f"not every tool is called: {set(names) ^ called}")
    path.write_text(json.dumps({"tools": names, "calls": planner.calls, "feedback": feedback, "first": FIRST}))
