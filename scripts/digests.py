#!/usr/bin/env python3
"""Compares tslint's findings and fixes in corpora before and after a change, to show that it changes only what it
should.

    digests.py make BEFORE.jsonl bench=FOLDER wild=SITE --only bench=LABELS.jsonl --every 8
    digests.py compare BEFORE.jsonl AFTER.jsonl --show 5

``make`` writes a line for each Python file below the folders: short digests of its text, of the findings, and of the
results of safe and of unsafe fixes. OUT.d, next to OUT.jsonl, stores the digested data. A file of a package is checked
in one run with the whole package, any other file in a run of its own. The tslint that this script imports checks them,
without configuration and cache. If a run crashes or takes too long, the lines of its files have an ``error``.

``compare`` lists the files that differ, and the rules that cause the differences. Exit status 1 if a file differs.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from digesting import comparing, corpora, making
from digesting.store import Digests


def main(arguments: list[str] | None = None) -> int:
    """Run ``make`` or ``compare``."""
    options = _options(arguments)
    status: int = options.run(options)
    return status


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(required=True)
    make = actions.add_parser("make", help="write digests")
    make.set_defaults(run=_make)
    make.add_argument("out", type=Path, metavar="OUT.jsonl")
    make.add_argument("corpora", nargs="+", metavar="NAME=FOLDER")
    make.add_argument(
        "--only", action="append", default=[], metavar="[NAME=]F.jsonl",
        help="only the files (`file`, `variant`) or packages (`kind`) that the lines name, for one corpus or all",
    )  # fmt: skip
    make.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th file or package of a corpus")
    make.add_argument("--jobs", type=int, default=1, metavar="N", help="how many processes (default: 1)")
    make.add_argument("--seconds", type=float, default=1800, help="limit of processor time for one run (default: 1800)")
    make.add_argument("--no-fixes", action="store_true", help="only findings")
    make.add_argument("--resume", action="store_true", help="continue with OUT.jsonl")
    compare = actions.add_parser("compare", help="print what differs")
    compare.set_defaults(run=_compare)
    compare.add_argument("before", type=Path, metavar="BEFORE.jsonl")
    compare.add_argument("after", type=Path, metavar="AFTER.jsonl")
    compare.add_argument("--common", action="store_true", help="only the files that both have")
    compare.add_argument("--code", default="", help="only rules whose code begins like this")
    compare.add_argument("--list", action="store_true", help="name each file that differs")
    compare.add_argument("--show", type=int, default=0, metavar="N", help="N diffs, of as many kinds as there are")
    return parser.parse_args(arguments)


def _make(options: argparse.Namespace) -> int:
    digests = Digests(options.out)
    if options.out.exists() and not options.resume:
        sys.exit(f"{options.out} is there: --resume goes on with it")
    made = _way(options)
    if digests.made not in ({}, made):
        sys.exit(f"{options.out} was made in another way: {digests.made}, and this would be {made}")
    units: list[corpora.Unit] = []
    for each in options.corpora:
        name, equals, folder = each.partition("=")
        if not equals or not Path(folder).is_dir():
            sys.exit(f"{each}: expected NAME=FOLDER, and a folder that is there")
        units += corpora.units(name, Path(folder), _labels(options.only, name))[:: options.every]
    digests.begin(made)
    began, way = time.monotonic(), making.Way(digests.store, not options.no_fixes, options.seconds)
    count = errors = 0
    used = 0.0
    for lines in making.make(units, digests, way, options.jobs):
        for line in lines:
            count, errors, used = count + 1, errors + ("error" in line), used + line["seconds"]
            if "error" in line:
                print(f"{line['corpus']}/{line['file']}: {line['error']}", file=sys.stderr)
    print(
        f"{count} files in {time.monotonic() - began:.0f} s, {used:.0f} s of processor time "
        f"({used / max(count, 1):.2f} a file); {errors} with an error; {len(digests.lines)} in all"
    )
    return 0


def _way(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options that must be the same for lines that belong together."""
    python, libcst = platform.python_version(), importlib.metadata.version("libcst")
    return {"tslint": making.version(), "python": python, "libcst": libcst, "fixes": not options.no_fixes}


def _labels(only: list[str], name: str) -> Path | None:
    """Return the labels for a corpus, from the last option that names this corpus or no corpus; None without one."""
    found = None
    for each in only:
        corpus, equals, path = each.partition("=")
        if not equals or corpus == name:
            found = Path(path if equals else each)
    return found


def _compare(options: argparse.Namespace) -> int:
    before, after = Digests(options.before), Digests(options.after)
    for each in (before, after):
        if not each.made:
            sys.exit(f"{each.path}: no digests there")
    for part in ("python", "libcst", "fixes"):
        if before.made[part] != after.made[part]:
            print(f"note: not made in the same way: {part} {before.made[part]} and {after.made[part]}")
    everything = list(comparing.compared(before, after, common=options.common))
    differing = {each.key for each in everything}
    both = before.lines.keys() & after.lines.keys()
    print(f"{len(both)} files in both: {len(both - differing)} are the same, {len(both & differing)} differ")
    kinds = Counter(each.kind for each in everything if not each.rules)
    for kind, count in sorted(kinds.items()):
        print(f"{kind}: {count}")
    differences = [each for each in everything if each.about(options.code)]
    for row in comparing.table(differences, options.code):
        print(row)
    for difference in differences if options.list else ():
        print(difference.words)
    with_diff = [difference for difference in comparing.varied(differences) if difference.rules]
    for difference in with_diff[: options.show]:
        print("\n".join(["", *difference.diff()]))
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
