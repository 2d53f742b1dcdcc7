"""The official conformance suite, with a baseline for each revision: what cannot apply to a server of tools alone, and why."""

import re
import subprocess

from serving import Server

REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")


def run(node, clients, baselines, local, artifact, fixtures, work):
    """Runs every revision against both servers: totals by server and revision, and the number of runs that were not as expected."""
    totals, wrong = {}, 0
    servers = {
        "fixtures": Server([fixtures, "127.0.0.1:0"], work / "fixtures.log"),
        "site": Server([local, "serve", "--artifact", artifact, "--addr", "127.0.0.1:0", "--no-feedback"], work / "site.log"),
    }
    for name, server in servers.items():
        with server as url:
            for revision in REVISIONS:
                passed, failed, as_expected, said = one(node, clients, baselines, name, url, revision, work)
                totals[name, revision] = passed, failed
                outcome = "as its baseline says" if as_expected else "FAILED"
                print(f"conformance {revision}, {name}: {passed} checks pass, {failed} cannot apply ... {outcome}", flush=True)
                if not as_expected:
                    wrong += 1
                    print(said[-6000:])
    return totals, wrong


def one(node, clients, baselines, name, url, revision, work):
    """One run: checks that passed, checks that did not, whether that was expected, and what was said."""
    expected = work / f"{name}-{revision}.yml"
    text = (baselines / f"{revision}.yml").read_text()
    if name == "site":
        # What the test-only server has, and no site.
        text += (baselines / f"site-{revision}.yml").read_text()
    expected.write_text(text)
    command = [node, "node_modules/.bin/conformance", "server", "--url", url, "--suite", "all", "--spec-version", revision,
               "--timeout", "5000", "-o", work / f"results-{name}-{revision}", "--expected-failures", expected]
    ran = subprocess.run(command, cwd=clients, capture_output=True, text=True, timeout=300)
    found = re.search(r"Total: (\d+) passed, (\d+) failed", ran.stdout)
    passed, failed = map(int, found.groups()) if found else (0, 0)
    listed = sum(line.startswith("  - ") for line in text.splitlines())
    # Warnings are listed and are no failures; every entry of a baseline stands for one check or more.
    summary = ran.stdout[ran.stdout.find("=== SUMMARY") :] + ran.stderr
    return passed, max(failed, listed), found is not None and ran.returncode == 0, summary
