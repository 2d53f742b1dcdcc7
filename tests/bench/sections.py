#!/usr/bin/env python3
"""How often `search_content` names the section that answers.

    python3 tests/bench/sections.py LOCAL OUT [QUESTIONS]

LOCAL is the `local` program, OUT the folder of a build with markdown twins, QUESTIONS how many are asked of each class (400 unless given).

The questions are made of the site itself. Those of a class are of different pages with three sections or more, drawn by a fixed seed; words of the
page's title are left out, for they say nothing of a section.

    heading   two to five words of a heading
    text      four neighbouring words of one sentence, of which no heading of the page has any and not all stand in another section
    both      a word of a heading, and three such words of a sentence under it

A question counts when its page is among the ten that are found. It is right when `section` is the heading directly above the words. Beside it
stand two simple rules, on the same questions: the first section that holds the most of the words, in its heading or its text, and the first section
of those whose heading holds the most.
"""

import json
import os
import random
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "corpora"))

from check import Failed, Server  # noqa: E402

FUNCTION_WORDS = set(
    "a an and are as at be been but by can do does for from has have how if in into is it its may more must no not of on only or our out should "
    "so some such than that the their them then there these they this to use used using was we what when where which while will with you your".split()
)


def words(text):
    """The words of a text that a question can be made of, in lower case."""
    return [word for word in re.findall(r"[a-z][a-z-]*[a-z]", text.lower()) if word not in FUNCTION_WORDS]


def stems(text):
    """Beginnings of words: near enough to tell whether a text has a word in some form."""
    return {word[:5] for word in words(text)}


def without_code(text):
    text = re.sub(r"(?ms)^(```+|~~~+).*?^\1\s*$", "", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`|<[^>]*>|https?://\S+", " ; ", text)


class Page:
    """A page's title and its sections: address, heading, and the text up to the next heading."""

    def __init__(self, server, route):
        facts = server.ask("get_page_info", route=route)
        self.route, self.title, self.sections = route, facts["title"], []
        if len(facts.get("sections", [])) < 3:
            return
        markdown = "\n".join(server.ask("get_page_markdown", route=route))
        pieces = re.split(r"(?m)^#{1,6} +(.+?)\s*#*$", without_code(markdown))
        texts = list(zip(pieces[1::2], pieces[2::2]))
        for section in facts["sections"]:
            heading = section["heading"]
            place = next((n for n, (title, _) in enumerate(texts) if stems(title) == stems(heading)), None)
            if place is not None:
                self.sections.append((section["route"], heading, texts[place][1]))
                del texts[: place + 1]


def heading_question(page, dice):
    anchor, heading, _ = dice.choice(page.sections)
    title = stems(page.title)
    asked = [word for word in words(heading) if word[:5] not in title]
    same = sum(stems(heading) <= stems(other) for _, other, _ in page.sections)
    return (anchor, asked[:5]) if len(asked) >= 2 and same == 1 else None


def sentence(page, dice, section, length):
    """Neighbouring words of one sentence that no heading has, and that do not all stand in another section."""
    _, _, text = section
    headings = set().union(stems(page.title), *(stems(heading) for _, heading, _ in page.sections))
    sentences = [words(one) for one in re.split(r"[.;:!?|]|\n\s*\n", text)]
    dice.shuffle(sentences)
    for one in sentences:
        asked = [word for word in dict.fromkeys(one) if word[:5] not in headings]
        if len(asked) < length:
            continue
        start = dice.randrange(len(asked) - length + 1)
        asked = asked[start : start + length]
        others = [stems(text) for other in page.sections if other is not section for text in other[2:]]
        if not any({word[:5] for word in asked} <= other for other in others):
            return asked
    return None


def text_question(page, dice):
    section = dice.choice(page.sections)
    asked = sentence(page, dice, section, 4)
    return (section[0], asked) if asked else None


def both_question(page, dice):
    section = dice.choice(page.sections)
    title = stems(page.title)
    heading = [word for word in words(section[1]) if word[:5] not in title]
    asked = sentence(page, dice, section, 3)
    return (section[0], [dice.choice(heading), *asked]) if heading and asked else None


def most(page, asked, texts):
    """The first section whose texts hold the most of the words."""
    wanted = {word[:5] for word in asked}
    return max(page.sections, key=lambda section: len(wanted & stems(" ".join(texts(section)))))[0]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    local, out = sys.argv[1:3]
    number = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    with open(os.path.join(out, "manifest.json"), encoding="utf-8") as file:
        twins = [name for name in json.load(file)["files"] if name.endswith(".md")]
    # Two more files are markdown.
    twins = [name for name in twins if name not in ("public/sitemap.md", "public/tool-surface.md")]
    routes = sorted("/" + name.removeprefix("public/").removesuffix(".md") for name in twins)
    verbose = bool(os.environ.get("SHOW"))
    with tempfile.TemporaryDirectory() as folder:
        server = Server(local, os.path.join(out, "site.shelf"), folder)
        try:
            dice = random.Random(7)
            dice.shuffle(routes)
            pages = {}
            for name, make in (("heading", heading_question), ("text", text_question), ("both", both_question)):
                made = found = right = by_text = by_heading = 0
                for route in routes:
                    page = pages.get(route) or pages.setdefault(route, Page(server, route))
                    question = len(page.sections) >= 3 and make(page, dice)
                    if not question:
                        continue
                    made += 1
                    anchor, asked = question
                    hits = server.ask("search_content", match={"text": " ".join(asked)}, limit=10)["results"]
                    hit = next((hit for hit in hits if hit["route"] == route), None)
                    if hit:
                        found += 1
                        named = hit.get("section", {}).get("route")
                        right += named == anchor
                        by_text += most(page, asked, lambda section: section[1:]) == anchor
                        by_heading += most(page, asked, lambda section: section[1:2]) == anchor
                        if verbose and named != anchor:
                            print(" ", name, route, asked, "expected", anchor, "named", named)
                    if made == number:
                        break
                share = lambda count: f"{count / max(found, 1):.3f}"
                print(f"{name:8} {made} asked, {found} found: named {share(right)}, most words {share(by_text)}, headings alone {share(by_heading)}", flush=True)
        except Failed as error:
            sys.exit(f"sections: {error}")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
