#!/usr/bin/env python3
"""Checks on random modules whether fixes change what they compute.

    fix_fuzzer.py --count 30000 --seed nightly --jobs 2 --results found.jsonl --shrink --report found.md
    fix_fuzzer.py --one nightly:17                       # one module: its text, its fixes, what they change
    fix_fuzzer.py --count 2000 --guards                  # disable each guard: is that found? As a table

Each module is a text with a class ``Net``, a few constructions, and a few calls of each instance. tslint fixes the text
(``--fix``, ``--fix --unsafe-fixes``, and some single fixes, as editors do), and both texts are run: results, arguments
afterwards, keys, attributes, prints and random draws of Python must be the same; what compiled and ran before must
still do so; what newly compiles must return what Python returns, unless a fix or a finding says otherwise.
``--results`` stores the results: the same version of tslint continues an interrupted run, another one only repeats
modules that it fixes differently. Exit status 1 if a promise was broken. ``--guards`` also disables the guards of
random_modules/guards.py, one at a time, until that changes the fixes of a module; exit status 1 if it never does.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
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
from random_modules import fixing, guards, judging, running
from random_modules.modules import Made, module
from random_modules.shrinking import shrunk
from random_modules.transformations import counted

HERE = Path(__file__).parent
BATCH = 100
# The limit of processor time for one module: some make the compiler run forever.
SECONDS = 20.0
# The limit of elapsed time for a module that waits forever: an interrupted import may leave its lock held.
WAITING = 300.0


def version() -> str:
    """Return a digest of the code of tslint, its rules, and the fuzzer."""
    whole = hashlib.sha256()
    for folder in ("tslint", "rules", "scripts/random_modules"):
        for path in sorted((HERE.parent / folder).rglob("*.py")):
            whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def judge(seed: str, known: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the effects of fixes on the module of one seed."""
    made = module(seed)
    try:
        return judging.record(seed, made, judging.judged(made, known))
    except judging.Invalid as error:
        return {"seed": seed, "invalid": str(error)[:200]}
    except Exception as error:
        text = f"{type(error).__name__}: {error}"[:300]
        failure = judging.Failure("crash", "", "", "", "", text, (text[:80],))
        return {"seed": seed, "digest": "", "fixed": False, "drawn": {}, "returned": 0, "calls": 0, "newly": 0,
                "failures": [vars(failure)], "text": made.text, "builds": made.builds, "args": made.calls}  # fmt: skip


def without(record: dict[str, Any], names: set[str]) -> dict[str, dict[str, Any]]:
    """Return, for each of the given guards, the first effect of fixes on a module that only occurs without this
    guard.
    """
    known = {(each["kind"], each["variant"]) for each in record.get("failures", ())}
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(names):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        with guards.out(name):
            again = judge(record["seed"], record)
        new = [each for each in again.get("failures", ()) if (each["kind"], each["variant"]) not in known]
        if new:
            # Differences in Python are the most important ones.
            found[name] = min(new, key=lambda each: not each["kind"].startswith(judging.EAGER))
        elif guards.GUARDS[name].compiles and again.get("newly", 0) < record["newly"]:
            found[name] = {"kind": "rejects what compiles with the guard", "variant": "all", "culprits": []}
    return found


def batch(seeds: list[str], known: dict[str, dict[str, Any]], path: Path, wanted: set[str]) -> int:
    """Start a process that writes the records of a batch; return its id. The process ends at a module that takes too
    long.
    """
    child = os.fork()
    if child:
        return child
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    try:
        running.prepare()
        with path.open("w", encoding="utf-8") as out:
            for seed in seeds:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                signal.setitimer(signal.ITIMER_REAL, WAITING)
                guards.asking()
                record = judge(seed, known.get(seed))
                asked = guards.asking() & wanted
                if asked and "invalid" not in record:
                    record["asked"] = sorted(asked)
                    record["without"] = without(record, asked)
                    wanted = wanted - record["without"].keys()
                out.write(json.dumps(record) + "\n")
                out.flush()
    finally:
        os._exit(0)


def records(
    seeds: list[str], known: dict[str, dict[str, Any]], jobs: int, wanted: set[str]
) -> Iterator[dict[str, Any]]:
    """Yield the records of all seeds. A module that crashes or hangs ends its process, but not the run.

    Args:
        seeds: the seeds of the modules.
        known: the records of earlier runs.
        jobs: how many processes run at a time.
        wanted: the guards to disable until an effect is found.
    """
    waiting = [seeds[i : i + BATCH] for i in range(0, len(seeds), BATCH)][::-1]
    processes: dict[int, tuple[list[str], Path]] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or processes:
            while waiting and len(processes) < jobs:
                part = waiting.pop()
                path = Path(folder) / hashlib.sha256(part[0].encode()).hexdigest()[:16]
                processes[batch(part, known, path, wanted)] = part, path
            child, _ = os.wait()
            part, path = processes.pop(child)
            lines = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
            for line in lines:
                record = json.loads(line)
                wanted = wanted - record.get("without", {}).keys()
                yield record
            if len(lines) < len(part):
                yield {"seed": part[len(lines)], "invalid": "the process ended"}
                if part[len(lines) + 1 :]:
                    waiting.append(part[len(lines) + 1 :])


def kept(path: Path | None) -> dict[str, dict[str, Any]]:
    """Return the records of earlier runs, the last of each seed."""
    if path is None or not path.exists():
        return {}
    found = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.endswith("}"))
    return {each["seed"]: each for each in found}


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return all records, known and new ones."""
    seeds = [f"{options.seed}:{i}" for i in range(options.start, options.start + options.count)]
    now = version()
    known = kept(options.results)
    done = {seed: known[seed] for seed in seeds if known.get(seed, {}).get("version") == now}
    if options.guards is not None:
        done = {}
    old = {seed: each for seed, each in known.items() if each.get("digest")}
    found = list(done.values())
    out = options.results.open("a", encoding="utf-8") if options.results else None
    began = time.monotonic()
    wanted = set(options.guards or (guards.GUARDS if options.guards is not None else ()))
    for record in records([seed for seed in seeds if seed not in done], old, options.jobs, wanted):
        record["version"] = now
        found.append(record)
        if out:
            out.write(json.dumps(record) + "\n")
            out.flush()
        if len(found) % 500 == 0:
            failing = sum(bool(each.get("failures")) for each in found)
            print(f"{len(found)} modules, {failing} with failures, {time.monotonic() - began:.0f} s", file=sys.stderr)
    if out:
        out.close()
    return found


def failures(found: list[dict[str, Any]]) -> dict[str, list[tuple[dict[str, Any], judging.Failure]]]:
    """Return the failures by group, the largest first."""
    groups: dict[str, list[tuple[dict[str, Any], judging.Failure]]] = {}
    for record in found:
        for each in record.get("failures", ()):
            failure = judging.Failure(**{**each, "culprits": tuple(each["culprits"])})
            groups.setdefault(failure.group, []).append((record, failure))
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def guarded(found: list[dict[str, Any]], names: list[str]) -> Iterator[str]:
    """Yield the table of guards: for each, a module whose fixes are wrong without it, and the effect."""
    yield "| guard | asks | found at | what is then wrong |"
    yield "|---|---|---:|---|"
    number = {each["seed"]: int(each["seed"].rpartition(":")[2]) for each in found}
    for name in names:
        hits = sorted(
            (number[each["seed"]], each["without"][name]) for each in found if name in each.get("without", {})
        )
        at, seen = hits[0] if hits else (None, {})
        what = f"{seen['kind']} ({seen['variant']}): {' + '.join(seen['culprits'])[:90]}".rstrip(": +") if seen else ""
        yield f"| {name} | {guards.GUARDS[name].asks} | {'never' if at is None else at + 1} | {what} |"


def summary(found: list[dict[str, Any]], transformations: bool) -> list[str]:
    """Return the figures of a run."""
    valid = [each for each in found if "invalid" not in each]
    kinds = Counter(each["kind"] for record in valid for each in record["failures"])
    calls, returned = sum(each["calls"] for each in valid), sum(each["returned"] for each in valid)
    lines = [
        f"{len(valid):,} modules ({len(found) - len(valid)} are none), {sum(each['fixed'] for each in valid):,} with a "
        f"fix; {100 * returned / max(1, calls):.0f} % of {calls:,} calls return; "
        f"{sum(bool(each['failures']) for each in valid):,} with failures",
        *(f"    {number:6,} {kind}" for kind, number in kinds.most_common()),
    ]
    if transformations:
        drawn: Counter[str] = Counter()
        for record in valid:
            drawn.update(record["drawn"])
        lines += ["", "drawn:", *(f"    {number:6,} {name}" for name, number in drawn.most_common())]
        lines += ["", "of the rules:"]
        lines += [
            f"    {number:6,} {each.place} {each.applicability} {each.message}" for each, number in counted(drawn)
        ]
    return lines


def described(record: dict[str, Any], failure: judging.Failure, shrink: bool) -> list[str]:
    """Return one failure as Markdown, reduced to a small module."""
    made, after, seen = Made(record["text"], tuple(record["builds"]), tuple(record["args"])), "", failure
    if shrink:
        made, after, seen = shrunk(made, failure)
    lines = [f"{record['seed']}, {seen.variant}: `{seen.build}`, `({seen.call})`", ""]
    lines += [f"before: {seen.before}", f"after: {seen.after}", "", "```python", made.text.rstrip(), "```"]
    return [*lines, "becomes", "```python", after.rstrip(), "```"] if after else lines


def report(found: list[dict[str, Any]], options: argparse.Namespace) -> Iterator[str]:
    """Yield every group, with an example."""
    running.prepare()
    # Failures of a single fix come first.
    for group, of_group in sorted(failures(found).items(), key=lambda item: (" + " in item[0], -len(item[1]))):
        yield f"\n## {len(of_group)} × {group}\n"
        # Modules for which Python returns a value come first, because their failures certainly matter.
        order = sorted(of_group, key=lambda each: (each[1].before.startswith("raises "), len(each[0]["text"])))
        for record, failure in order[: options.shrink]:
            yield "\n".join(described(record, failure, True)) + "\n"


def one(seed: str) -> int:
    """Print everything about one module, and return the exit status."""
    running.prepare()
    made = module(seed)
    print(made.text, *made.builds, *made.calls, sep="\n")
    texts, _ = judging.variants(made)
    for each in texts:
        print(f"\n===== {each.name}: {each.fixes}\n{each.text[each.text.index('Variable') :]}")
    verdict = judging.judged(made)
    for failure in verdict.failures:
        print(
            f"\n{failure.variant} {failure.group}",
            f"  {failure.build} ({failure.call})",
            f"  {failure.before}",
            f"  {failure.after}",
            sep="\n",
        )
    return int(bool(verdict.failures))


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="how many modules (default: 500)")
    parser.add_argument("--start", type=int, default=0, help="the number of the first")
    parser.add_argument("--seed", default="tslint", help="the same seed gives the same modules")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--results", type=Path, metavar="F.jsonl", help="store the records here, and continue with them"
    )
    parser.add_argument(
        "--shrink", type=int, nargs="?", const=1, default=0, metavar="N", help="reduce N failures of each group"
    )
    parser.add_argument("--report", type=Path, help="write the failures here, not on the standard output")
    parser.add_argument("--table", action="store_true", help="print how often each transformation was drawn")
    parser.add_argument(
        "--guards",
        nargs="*",
        metavar="GUARD",
        choices=[*guards.GUARDS, []],
        help=f"some of: {', '.join(guards.GUARDS)}",
    )
    parser.add_argument("--one", metavar="SEED", help="print everything about one module")
    return parser.parse_args()


def warm_up(count: int) -> None:
    """Load the tables and modules that every process needs, by checking some modules that are not reported."""
    errors = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # hides the compiler's warnings
    for i in range(count):
        judge(f"warm:{i}")
    os.dup2(errors, 2)
    gc.collect()
    gc.freeze()


def main() -> int:
    """Run the fuzzer, print the results, and return 1 if a promise was broken."""
    options = arguments()
    if options.guards is not None:
        guards.watch()
    if options.one:
        with guards.out(next(iter(options.guards or ()), None)):
            return one(options.one)
    fixing.watch()
    began = time.monotonic()
    warm_up(10 if options.count > 200 else 1)
    found = run(options)
    if options.guards is not None:
        table = list(guarded(found, options.guards or list(guards.GUARDS)))
        print("\n".join(table))
        return int(any("| never |" in line for line in table))
    print("\n".join(summary(found, options.table)))
    print(f"{time.monotonic() - began:.0f} s")
    groups = failures(found)
    for group, of_group in groups.items():
        print(f"{len(of_group):6,} {group[:150]} ({of_group[0][0]['seed']})")
    if options.shrink:
        out = options.report.open("w", encoding="utf-8") if options.report else sys.stdout
        for part in report(found, options):
            print(part, file=out, flush=True)
    return int(bool(groups))


if __name__ == "__main__":
    raise SystemExit(main())
