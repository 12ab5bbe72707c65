"""Checks random programs, and changed real files, for any length of time.

    nice -n 10 python scripts/fuzz/programs.py --examples 20000 --mutations 20000 [--seed N] [FOLDER…]

The short versions are in tests/fuzz/test_programs.py. Programs on which tslint fails are printed; those that hypothesis
created are reduced first.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.judging import judged
from tests.fuzz.mutations import mutated
from tests.fuzz.programs import PROGRAMS
from tslint.util.deep_stack import run_with_deep_stack


def made(examples: int, number: int) -> Counter[str]:
    """Check a number of programs from the grammar; return how often each rule was found in them."""
    codes: Counter[str] = Counter()

    @seed(number)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(PROGRAMS)
    def run(text: str) -> None:
        report = judged(text.encode())
        codes.update({each.code for each in report.diagnostics} if report is not None else ())

    run()
    return codes


def changed(folders: list[Path], number: int, first: int) -> tuple[int, int]:
    """Check a number of changed files; return how many of them Python could still parse, and on how many
    tslint failed.
    """
    files = [path for folder in folders for path in sorted(folder.rglob("*.py")) if path.stat().st_size < 60_000]
    readable = broken = 0
    for each in range(first, first + number):
        chance = random.Random(each)
        path = chance.choice(files)
        data = mutated(path.read_bytes(), chance)
        try:
            report = judged(data, fixes=each % 4 == 0)
        except Exception as error:
            broken += 1
            print(f"seed {each}, {path}: {type(error).__name__}: {str(error)[:600]}", flush=True)
            continue
        readable += report is not None and not any(found.code == "TS901" for found in report.diagnostics)
    return readable, broken


def main() -> int:
    """Print the number of checked programs, and the programs on which tslint failed; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[Path(__file__).parents[2] / "examples"])
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--mutations", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    started = time.monotonic()
    readable, broken = run_with_deep_stack(lambda: changed(options.folders, options.mutations, options.seed))
    print(f"{options.mutations} changed files, {readable} of them Python: {broken} broke tslint", flush=True)
    codes = made(options.examples, options.seed)
    found = ", ".join(f"{code} {number}" for code, number in codes.most_common(12))
    print(f"{options.examples} programs made: none broke tslint; {len(codes)} rules found, most often {found}")
    print(f"{time.monotonic() - started:.0f} s")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
