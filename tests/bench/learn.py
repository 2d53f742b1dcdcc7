#!/usr/bin/env python3
"""Learns the weights of ranking from sets of questions with known answers.

    tests/bench/learn.py FOLDER [ROUNDS]

FOLDER holds, for each site NAME, `NAME.jsonl` (a line a document, as the `peer` example reads it), `NAME.questions.jsonl` (questions that
people wrote: {qid, class, text, expected: [id]}) and `NAME.rel.jsonl` (known titles and headings, damaged; the same form).

Coordinate ascent (Metzler and Croft, "Linear feature-based models for information retrieval", 2007): each weight in turn is tried larger and
smaller, and the best is kept, until a round changes nothing. What is climbed is the mean reciprocal rank at ten of the questions, plus 0.4
of that of the known items, each averaged over the sites. A step has to gain 0.001: less is chance with so few questions. The last lines tell what each
site's questions score with weights learnt from the other sites alone; the mean of those is what to expect of a site never seen.

It prints the weights as JSON. What is worth keeping goes, rounded, into the defaults of `builder::index::Weights` and `runtime::search::Weights`.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_GAIN = 0.001
KNOWN_ITEMS = 0.4
FACTORS = (0.6, 0.8, 0.9, 1.1, 1.25, 1.6)


def places(weights, path=()):
    """The paths of all weights that can be a little larger or smaller, but the body's, which is the unit of the others."""
    for name, value in weights.items():
        here = path + (name,)
        if isinstance(value, dict):
            yield from places(value, here)
        elif isinstance(value, float) and here != ("fields", "body", "weight"):
            yield here


def changed(weights, path, factor):
    weights = copy.deepcopy(weights)
    table = weights
    for name in path[:-1]:
        table = table[name]
    value = round(table[path[-1]] * factor, 4)
    if path[-1] in ("length", "line_coverage", "heading", "related_most"):
        value = min(value, 1.0)
    table[path[-1]] = value
    return weights


class Sites:
    def __init__(self, folder, work):
        self.peer = os.environ.get("PEER") or build_peer()
        shown = subprocess.run([self.peer, "weights"], stdout=subprocess.PIPE, check=True)
        self.start = json.loads(shown.stdout)
        self.folder, self.work = pathlib.Path(folder), pathlib.Path(work)
        self.names = sorted(p.name[: -len(".questions.jsonl")] for p in self.folder.glob("*.questions.jsonl"))
        if not self.names:
            sys.exit(f"learn: {folder} holds no NAME.questions.jsonl")
        self.known = {}

    def measure(self, name, weights):
        """Mean reciprocal ranks of one site: (questions, known items)."""
        key = (name, json.dumps(weights, sort_keys=True))
        if key not in self.known:
            env = dict(os.environ, SHELFMARK_WEIGHTS=json.dumps(weights), RAYON_NUM_THREADS="1")
            index = tempfile.mkdtemp(dir=self.work)
            run = lambda *arguments: subprocess.run([self.peer, *map(str, arguments)], env=env, check=True, stdout=subprocess.DEVNULL)
            run("build", self.folder / f"{name}.jsonl", index)
            reciprocal = []
            for kind in ("questions", "rel"):
                questions = self.folder / f"{name}.{kind}.jsonl"
                out = pathlib.Path(index) / "out.jsonl"
                if questions.exists():
                    run("query", index, questions, out, "or", 0)
                reciprocal.append(ranks(questions, out)[2] if questions.exists() else 0.0)
            for file in pathlib.Path(index).iterdir():
                file.unlink()
            os.rmdir(index)
            self.known[key] = tuple(reciprocal)
        return self.known[key]

    def score(self, names, weights):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ranks = list(pool.map(lambda name: self.measure(name, weights), names))
        return sum(questions + KNOWN_ITEMS * known for questions, known in ranks) / len(ranks)

    def climb(self, names, rounds):
        best, top = self.start, self.score(names, self.start)
        for _ in range(rounds):
            before = top
            for path in places(self.start):
                for factor in FACTORS:
                    trial = changed(best, path, factor)
                    score = self.score(names, trial)
                    if score > top + LEAST_GAIN:
                        best, top = trial, score
            if top == before:
                break
        return best


def build_peer():
    subprocess.run(["cargo", "build", "--release", "-p", "runtime", "--example", "peer"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "examples" / "peer"


def ranks(questions, answers):
    """Success at one, success at five, mean reciprocal rank at ten."""
    expected = {}
    for line in questions.open(encoding="utf8"):
        question = json.loads(line)
        expected[question["qid"]] = set(question["expected"])
    first = five = reciprocal = 0
    for line in answers.open(encoding="utf8"):
        answer = json.loads(line)
        rank = next((n for n, id in enumerate(answer["ids"][:10], 1) if id in expected[answer["qid"]]), None)
        if rank:
            first += rank == 1
            five += rank <= 5
            reciprocal += 1 / rank
    return [total / max(len(expected), 1) for total in (first, five, reciprocal)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as work:
        sites = Sites(sys.argv[1], work)
        tell = lambda weights: {name: [round(rank, 3) for rank in sites.measure(name, weights)] for name in sites.names}
        print("before", tell(sites.start), flush=True)
        best = sites.climb(sites.names, rounds)
        print("after", tell(best))
        print(json.dumps(best, indent=1), flush=True)
        if len(sites.names) > 2:
            for name in sites.names:
                others = [other for other in sites.names if other != name]
                print(f"{name}, learnt from the others:", round(sites.measure(name, sites.climb(others, rounds))[0], 3), flush=True)


if __name__ == "__main__":
    main()
