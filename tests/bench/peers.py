#!/usr/bin/env python3
"""Measures search engines beside ours, interleaved, and prints the table of BENCHMARKS.md.

    tests/bench/peers.py FOLDER [--repeats 3] [--rounds 7] [--sites A,B] NAME=COMMAND...

FOLDER holds, for each site NAME, `NAME.jsonl` and the questions `NAME.lat.jsonl`, `NAME.rel.jsonl`, `NAME.questions.jsonl`, of which any may be missing.
An engine is a command that understands what `tests/bench/peer.rs` does: `build`, `query`, `first`. Ours is built by this script and comes
first; PEER names a binary to take instead.

Every repeat measures all engines on a site one after the other, so that whatever else the machine does hits all of them; a figure is the median over
the repeats. `index %` is what the folder of the index weighs, as a share of the bytes of the documents' bodies. `open + first` is the median of
seven new processes whose files are in memory. Latencies are of the questions in `lat`: reading the question, ranking ten, counting exactly, and
resolving ids. The relevance of ours is measured on the artifact with its pages, so that quoted words are looked up as the server does.
"""
import json
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

from learn import build_peer, ranks

OURS = "shelfmark"


def run(command, *arguments):
    """A run's figures: its last line of JSON."""
    done = subprocess.run([*command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"peers: {shlex.join(command)} {arguments[0]} failed: {done.stderr.strip()[-400:]}")
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


def weigh(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def measure(folder, site, name, command, work, rounds, with_relevance):
    documents = folder / f"{site}.jsonl"
    index = work / f"{site}.{name.replace(' ', '-')}"
    figures = {"build": run(command, "build", documents, index)["build_s"], "bytes": weigh(index)}
    firsts = [run(command, "first", index, "create a new resource")["total_us"] for _ in range(7)]
    figures["first"] = statistics.median(firsts)
    latencies = folder / f"{site}.lat.jsonl"
    if latencies.exists():
        asked = run(command, "query", index, latencies, work / "out.jsonl", "or", rounds)
        figures["p50"], figures["p99"] = asked["lat_us"]["ALL"]["p50"], asked["lat_us"]["ALL"]["p99"]
        figures["rss"] = asked["rss_kb"] / 1024
    if with_relevance:
        if name == OURS:
            index = work / f"{site}.pages"
            whole = run(command, "build", documents, index, "pages")
            figures["whole_build"], figures["whole_bytes"] = whole["build_s"], weigh(index)
        for kind in ("rel", "questions"):
            questions = folder / f"{site}.{kind}.jsonl"
            if questions.exists():
                run(command, "query", index, questions, work / "out.jsonl", "or", 0)
                figures[kind] = [round(rank, 3) for rank in ranks(questions, work / "out.jsonl")]
    return figures


def micros(value):
    return f"{value / 1000:,.1f} ms" if value >= 10_000 else f"{value:,.0f} µs"


def table(site, text, engines):
    print(f"\n### {site}, {text / 1e6:.1f} MB of text\n")
    print("| | index % | build s | open + first | p50 | p99 | RSS MB | questions S@1 / S@5 / MRR | known items S@1 / S@5 / MRR |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, figures in engines.items():
        shown = lambda key: " / ".join(f"{rank:.3f}" for rank in figures[key]) if key in figures else "–"
        cells = [f"{figures['bytes'] * 100 / text:.1f}", f"{figures['build']:.2f}", micros(figures["first"])]
        cells += [micros(figures["p50"]), micros(figures["p99"]), f"{figures['rss']:.0f}"] if "p50" in figures else ["–"] * 3
        print(f"| {name} | {' | '.join(cells)} | {shown('questions')} | {shown('rel')} |")
    ours = engines.get(OURS, {})
    if "whole_bytes" in ours:
        print(f"\nWith every page in it: {ours['whole_bytes'] * 100 / text:.1f} % in {ours['whole_build']:.1f} s.")
    for name, figures in engines.items():
        if name != OURS and "p50" in figures and "p50" in ours:
            ratio = lambda key: f"{ours[key] / figures[key]:.2f}"
            print(f"Ours / {name}: index {ratio('bytes')}, build {ratio('build')}, open + first {ratio('first')}, p50 {ratio('p50')}, p99 {ratio('p99')}.")


def main():
    arguments, options, commands = sys.argv[1:], {"repeats": "3", "rounds": "7", "sites": ""}, {}
    folder = None
    while arguments:
        argument = arguments.pop(0)
        if argument.startswith("--") and argument[2:] in options and arguments:
            options[argument[2:]] = arguments.pop(0)
        elif "=" in argument:
            name, _, command = argument.partition("=")
            commands[name] = shlex.split(command)
        elif folder is None and not argument.startswith("-"):
            folder = pathlib.Path(argument)
        else:
            sys.exit(__doc__)
    if folder is None:
        sys.exit(__doc__)
    commands = {OURS: [str(os.environ.get("PEER") or build_peer())], **commands}
    known = sorted(file.name[: -len(".jsonl")] for file in folder.glob("*.jsonl") if file.name.count(".") == 1)
    sites = options["sites"].split(",") if options["sites"] else known
    if not sites or any(site not in known for site in sites):
        sys.exit(f"peers: {folder} holds the sites {', '.join(known) or 'none'}")
    with tempfile.TemporaryDirectory() as work:
        for site in sites:
            text = sum(len(json.loads(line)["body"].encode()) for line in (folder / f"{site}.jsonl").open(encoding="utf8"))
            runs = {name: [] for name in commands}
            for repeat in range(int(options["repeats"])):
                for name, command in commands.items():
                    runs[name].append(measure(folder, site, name, command, pathlib.Path(work), int(options["rounds"]), repeat == 0))
            engines = {}
            for name, all_ in runs.items():
                engines[name] = dict(all_[0])
                for key in ("build", "first", "p50", "p99", "rss"):
                    if key in all_[0]:
                        engines[name][key] = statistics.median(figures[key] for figures in all_)
            table(site, text, engines)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
