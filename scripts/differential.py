#!/usr/bin/env python3
"""Compares the verdicts of tslint's static model and the installed ``torch.jit.script`` on random programs.

    differential.py --count 100000 --seed nightly --jobs 2 --shrink --save found.jsonl

A program is *rejected* or *accepted* by both, a *miss* (only the compiler rejects it) or an *alarm* (only tslint does).
It is *undecided* if all findings of tslint are conditional (warnings): this is neither agreement nor an error, and is
counted separately. Disagreement is (misses + alarms) / programs. Exit status 1 if it is above ``--most``.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from random_programs.oracle import Invalid, headline, outcome, same_row
from random_programs.programs import program
from random_programs.shrinking import shrunk

OUTCOMES = ("accepted", "rejected", "alarm", "miss", "undecided", "invalid")
# A process keeps everything that it compiles, so a new one is started from time to time.
BATCH = 250
# The limit of processor time for one program: some make the compiler run forever.
SECONDS = 4.0


def judge(seed: str) -> dict[str, Any]:
    """Return both verdicts on the program of one seed."""
    made = program(seed)
    try:
        found, key, verdict, seen = outcome(made.text)
    except Invalid as error:
        return {"seed": seed, "outcome": "invalid", "key": str(error)[:80], "constructs": [], "text": made.text}
    record: dict[str, Any] = {
        "seed": seed,
        "outcome": found,
        "key": key,
        "constructs": sorted(made.constructs),
        "accepted": verdict.accepted,
        "same_row": verdict.accepted or same_row(verdict, seen),
    }
    if found in ("alarm", "miss", "undecided") or not record["same_row"]:
        record |= {"text": made.text, "message": verdict.message, "row": verdict.row, "events": [*map(list, seen)]}
    return record


def batch(seeds: list[str], path: Path) -> int:
    """Start a process that writes the records of a batch; return its id. The process ends at a program that takes too
    long.
    """
    child = os.fork()
    if child:
        return child
    # Hide the compiler's own warnings.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    try:
        with path.open("w", encoding="utf-8") as out:
            for seed in seeds:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                out.write(json.dumps(judge(seed)) + "\n")
                out.flush()
    finally:
        os._exit(0)


def records(seeds: list[str], jobs: int) -> Iterator[dict[str, Any]]:
    """Yield the records of all seeds. A program that crashes or hangs the compiler ends its process, not the run."""
    waiting = [seeds[i : i + BATCH] for i in range(0, len(seeds), BATCH)][::-1]
    running: dict[int, tuple[list[str], Path]] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < jobs:
                part = waiting.pop()
                path = Path(folder) / part[0].replace(":", "_").replace("/", "_")
                running[batch(part, path)] = part, path
            child, _ = os.wait()
            part, path = running.pop(child)
            lines = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
            yield from map(json.loads, lines)
            if len(lines) < len(part):
                seed = part[len(lines)]
                yield {"seed": seed, "outcome": "invalid", "key": "the process ended", "text": program(seed).text}
                if part[len(lines) + 1 :]:
                    waiting.append(part[len(lines) + 1 :])


def small(record: dict[str, Any]) -> str:
    """Return a disagreement's text, reduced to a smaller program."""

    def holds(text: str) -> bool:
        try:
            found, key, _, _ = outcome(text)
        except (Invalid, RecursionError):
            return False
        return found == record["outcome"] and key == record["key"]

    return shrunk(record["text"], holds)


def table(counts: dict[str, Counter[str]]) -> list[str]:
    """Return the counts per construct, as a Markdown table."""
    lines = ["| construct | programs | rejected by the compiler | misses | alarms |", "|---|---:|---:|---:|---:|"]
    for name, found in sorted(counts.items(), key=lambda item: -item[1]["all"]):
        rate = f"{100 * found['refused'] / found['all']:.0f} %"
        lines.append(f"| {name} | {found['all']:,} | {rate} | {found['miss']} | {found['alarm']} |")
    return lines


def main() -> int:
    """Run the comparison, print the result, and return 1 if the two disagree too often."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, help="how many programs (default: 1000)")
    parser.add_argument("--start", type=int, default=0, help="the number of the first")
    parser.add_argument("--seed", default="tslint", help="the same seed gives the same programs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--shrink", type=int, nargs="?", const=3, default=0, metavar="N", help="reduce N disagreements of each group"
    )
    parser.add_argument("--save", type=Path, help="write the disagreements here, one JSON object per line")
    parser.add_argument("--table", type=Path, help="write the counts per construct here")
    parser.add_argument("--most", type=float, default=0.5, help="the allowed disagreement in per cent (default: 0.5)")
    options = parser.parse_args()
    # torch alone has a million objects, which garbage collection need not visit in every process.
    for i in range(20):
        judge(f"warm:{i}")  # so that every process starts with the tables and modules loaded
    gc.collect()
    gc.freeze()
    began = time.monotonic()
    totals: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = {}
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    seeds = [f"{options.seed}:{i}" for i in range(options.start, options.start + options.count)]
    for record in records(seeds, options.jobs):
        totals[record["outcome"]] += 1
        if sum(totals[one] for one in OUTCOMES) % 5000 == 0:
            print(dict(totals), file=sys.stderr, flush=True)
        if record["outcome"] == "invalid":
            groups.setdefault(("invalid", record["key"]), []).append(record)
            continue
        totals["refused"] += not record["accepted"]
        totals["other row"] += record["outcome"] == "rejected" and not record["same_row"]
        for name in record["constructs"]:
            found = counts.setdefault(name, Counter())
            found["all"] += 1
            found["refused"] += not record["accepted"]
            found[record["outcome"]] += 1
        if "text" in record:
            key = record["key"] or headline(record["message"])
            name = "other row" if record["outcome"] == "rejected" else record["outcome"]
            groups.setdefault((name, key), []).append(record)
    for (name, key), found_records in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print(f"\n{name} × {len(found_records)}: {key}")
        if name in ("alarm", "miss"):
            for record in found_records[: options.shrink]:
                record["shrunk"] = small(record)
                print("    " + record["shrunk"].replace("\n", "\n    "))
    if options.save:
        lines = [json.dumps(one) for of_group in groups.values() for one in of_group]
        options.save.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    if options.table:
        options.table.write_text("\n".join(table(counts)) + "\n", encoding="utf-8")
    judged = options.count - totals["invalid"]
    wrong = 100 * (totals["miss"] + totals["alarm"]) / max(1, judged)
    print(
        f"\n{judged:,} programs in {time.monotonic() - began:.0f} s: {100 * totals['refused'] / max(1, judged):.1f} % "
        f"rejected by the compiler; rejected by both {totals['rejected']:,}, accepted by both {totals['accepted']:,}, "
        f"misses {totals['miss']:,}, alarms {totals['alarm']:,}, undecided {totals['undecided']:,}; rejected by both "
        f"for another row {totals['other row']:,}; no Python {totals['invalid']:,}\ndisagreement {wrong:.2f} %"
    )
    return int(wrong > options.most)


if __name__ == "__main__":
    raise SystemExit(main())
