#!/usr/bin/env python3
"""Real documentation sites of nine generators, built with no configuration at all.

    python3 tests/corpora/conventions.py BUILDER [NAME…]

BUILDER  the `builder` program
NAME     only these corpora; default all

The content lies in `../shared/corpora`, seen from the root of the repository, one `.tar.zst` each; where it is not there, this says so and is
done. Each corpus is unpacked into a temporary folder and built. Checked is: which generator was found out; how many pages there are, against a count by the
generator's own rules (EXPECTED says how it was made); that every page is in a collection, so that a search finds it; that no sign of
a generator's syntax is left outside code in any markdown twin; that no hidden word is in what was built (the builder does that by itself). Links that lead
to nothing are counted. Exits 0 when all holds, 1 when something does not.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CORPORA = os.path.join(os.path.dirname(ROOT), "shared", "corpora")

# The generator that is found out, and how many written pages there are. A number that is none yet is told and not compared.
EXPECTED = {
    # Chapters that src/SUMMARY.md links to.
    "rust-book": ("mdbook", 111),
    # What Hugo 0.168 builds with plain templates: 724 pages, 62 sections and the home page. `_common` and the glossary's terms are not rendered.
    "hugo-docs": ("hugo", 787),
    # The same: 3,479 pages, 839 sections and the home page, without 6 sections that have no file and one page with `list: never`, and with 3 at whose
    # address Hugo writes the redirect of another page.
    "influx-docs": ("hugo", 4315),
    # 180 files, without 6 sections that only redirect.
    "zola-docs": ("zola", 174),
    # What Jekyll 4.3 builds: 213 pages, of which 7 are written in HTML.
    "jekyll-docs": ("jekyll", 206),
    # Every file of src/content/docs/en but 404.
    "astro-docs": ("starlight", 420),
    # find docs website/blog -name '*.md' -o -name '*.mdx', without names that start with `_`; `website/` has no other content, and nothing is a draft.
    "react-native-docs": ("docusaurus", 321),
    # find docs -name '*.md': nothing is in `srcExclude`, and no name has parameters.
    "vite-docs": ("vitepress", 57),
    # 228 files below src, without 14 with `permalink: false`, the ignored admin.md, and author-pages.md, whose address is made of fetched data.
    "eleventy-docs": ("eleventy", 212),
    # Every markdown file below docs, as MkDocs 1.6 builds them.
    "mkdocs-docs": ("mkdocs", 19),
}

# What may not be left outside code, by name.
LEFT = {
    "a comment": r"<!--|\{/\*",
    "a shortcode": r"\{\{[<%]",
    "an include": r"\{\{\s*#|^\s*--8<--|^<<< ",
    "a template tag": r"\{%-?\s*\w+",
    "a template value": r"\{\{-?\s*[\w$.\"'(]",
    "a component": r"</?[A-Z][a-z]\w*(?:\.\w+)*(?:\s[^<>\\]*)?/?>",
    "module code": r"^(?:import\s.+\sfrom\s+['\"]|export\s+(?:const|default|function)\s)",
    "a directive": r"^\s*:::+\s*\w*",
    "an admonition": r"^(?:!!!|\?\?\?\+?)\s+\w|^===[!+]?\s+\"",
    "an attribute list": r"^\s*\{:\s*[.#\w]",
    "raw HTML": r"</?(?:div|span|section|style|script|svg|font|center|iframe|button|p|br|h[1-6])(?:\s[^<>]*)?/?>",
}
LEFT = {name: re.compile(pattern, re.M) for name, pattern in LEFT.items()}

# Signs that are text: what they are, and why they stay. (corpus, kind) -> how many at most.
ALLOWED = {
    # `{{ influxdb3/home-sample-link }}` without its `<`: the live site shows it.
    ("influx-docs", "a template value"): 142,
    # `{{ base_url }}` of themes, in the tables of the release notes: MkDocs shows it.
    ("mkdocs-docs", "a template value"): 2,
}

# Where indented lines are no code: Eleventy turns it off.
NO_INDENTED_CODE = {"eleventy-docs"}


def without_code(text, has_indented=True):
    """A twin without front matter, fences, indented code (if there is any) and code spans; lines keep their numbers."""
    lines, out, fence = text.split("\n"), [], None
    start = lines.index("---", 1) + 1 if lines[0] == "---" and "---" in lines[1:] else 0
    out = [""] * start
    blank, indented = True, False
    for line in lines[start:]:
        body = re.sub(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)*", "", line)
        if fence:
            run = re.match(r"(`+|~+)\s*$", body)
            if run and run[1][0] == fence[0] and len(run[1]) >= len(fence):
                fence = None
            out.append("")
            continue
        run = re.match(r"(`{3,}|~{3,})", body)
        if run and not (run[1][0] == "`" and "`" in body[len(run[1]):]):
            fence = run[1]
            out.append("")
            continue
        indented = has_indented and bool(re.match(r"(?: {4}|\t)", line)) and (blank or indented)
        blank = not line.strip()
        out.append("" if indented else line)
    text = "\n".join(out)
    # A span ends in the paragraph that it begins in.
    return re.sub(r"(?<![`\\])(`+)(?!`)((?:(?!\n[ \t]*\n)[\s\S])*?[^`])\1(?!`)", lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def check(name, builder):
    generator, pages = EXPECTED[name]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        unpack = f"zstd -dc --long=27 '{os.path.join(CORPORA, name + '.tar.zst')}' | tar x -C '{folder}'"
        subprocess.run(["bash", "-euo", "pipefail", "-c", unpack], check=True)
        [site] = [entry.path for entry in os.scandir(folder)]
        out = os.path.join(folder, "out")
        start = time.perf_counter()
        done = subprocess.run(
            [builder, "build", "--site", site, "--out", out, "--now", "2026-11-30", "--json"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
        )
        seconds = time.perf_counter() - start
        try:
            report = json.loads(done.stdout)
        except ValueError:
            print(f"{name}: FAILED\n  the report is not JSON: {done.stderr[-2000:]}")
            return 1
        for problem in report["problems"]:
            if problem["severity"] == "error":
                wrong.append(f"{problem['file']}:{problem.get('line')}: {problem['what']}")
        if report["generator"] != generator:
            wrong.append(f"taken for a site of {report['generator']}, which is {generator}")
        left, places, blank = collections.Counter(), {}, 0
        built = report.get("built")
        if built:
            written = built["pages"] - built["index_pages"]
            if pages is not None and written != pages:
                wrong.append(f"{written} pages, and the generator's rules give {pages}")
            public = os.path.join(out, "public")
            for path, _, files in os.walk(public):
                for file in files:
                    # Only twins: the other exports repeat them, or are about the tools.
                    if not file.endswith(".md") or path == public and file in ("sitemap.md", "tool-surface.md"):
                        continue
                    with open(os.path.join(path, file), encoding="utf-8") as twin:
                        text = twin.read()
                    blank += not text.split("\n---\n", 1)[-1].strip()
                    text = without_code(text, name not in NO_INDENTED_CODE)
                    for kind, pattern in LEFT.items():
                        for found in pattern.finditer(text):
                            left[kind] += 1
                            line = text.count("\n", 0, found.start()) + 1
                            where = os.path.relpath(os.path.join(path, file), out)
                            places.setdefault(kind, []).append(f"{where}:{line}: {found[0].strip()[:60]}")
            # A page that says nothing may be in none.
            if written - built["documents"] > blank:
                wrong.append(f"{written - built['documents']} pages are in no collection, and {blank} pages are blank")
        dead = sum("leads to no page of this site" in problem["what"] for problem in report["problems"])
        unrendered = sum(kind["count"] for kind in report["unrendered"])
        told = f"{built['pages'] - built['index_pages']} pages, {built['collections']} collections" if built else "nothing built"
        for kind, count in left.items():
            if count > ALLOWED.get((name, kind), 0):
                wrong.append(f"{count} × {kind} outside code, at " + "; ".join(places[kind][: int(os.environ.get("SHOW", 3))]))
        print(f"{name}: {report['generator']}, {told}, {report['warnings']} warnings ({dead} dead links), {unrendered} pieces not rendered, {seconds:.1f} s"
              f": {'FAILED' if wrong else 'ok'}")
        for line in wrong[:40]:
            print(f"  {line}")
    return 1 if wrong else 0


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    builder, names = os.path.abspath(arguments[0]), arguments[1:] or list(EXPECTED)
    if not os.path.isdir(CORPORA):
        print("skipped: there is no `../shared/corpora`")
        return 0
    if shutil.which("zstd") is None:
        print("there is no `zstd` to unpack with\nhelp: it is in the package `zstd`", file=sys.stderr)
        return 2
    failed = 0
    for name in names:
        if os.path.isfile(os.path.join(CORPORA, f"{name}.tar.zst")):
            failed += check(name, builder)
        else:
            print(f"{name}: skipped, it is not there")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
