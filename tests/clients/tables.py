"""The tables of the documentation that are made by a run, so that they say what was run."""

import difflib

PAGE = "site/docs/protocol.md"


def of_clients(rows):
    """The clients, and the revision that each talks over each transport."""
    lines = ["| client | version | asked for | HTTP | stdio |", "|---|---|---|---|---|"]
    for (name, version, mode), spoken in rows.items():
        asked = "its default" if mode == "-" else mode
        lines.append(f"| {name} | {version} | {asked} | {spoken['HTTP']} | {spoken['stdio']} |")
    return lines


def of_suite(totals):
    """Checks of the suite for each revision."""
    lines = ["| revision | with test tools: pass | cannot apply | this site: pass | cannot apply |", "|---|---|---|---|---|"]
    for revision in sorted({revision for _, revision in totals}):
        numbers = [*totals["fixtures", revision], *totals["site", revision]]
        lines.append(f"| {revision} | {' | '.join(map(str, numbers))} |")
    return lines


def settle(root, name, lines, write):
    """Writes the table into its page, or compares: the number of problems."""
    path = root / PAGE
    page = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, found, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found and found_end):
        print(f"{PAGE} has no place for the table `{name}`")
        return 1
    made = before + begin + "\n" + "\n".join(lines) + "\n\n" + end + after
    if made == page:
        return 0
    if write:
        path.write_text(made, encoding="utf-8")
        print(f"{PAGE}: the table `{name}` is new")
        return 0
    print(f"{PAGE} does not say what was run; `tests/clients/run.py --write` writes it:")
    print("\n".join(difflib.unified_diff(page.splitlines(), made.splitlines(), "is", "should be", lineterm="", n=0)))
    return 1
