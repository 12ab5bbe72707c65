"""Measures how many rejected modules tslint's fixes make compile, and whether fixes change any result.

    python benchmarks/fixes.py CORPUS [--every N --offset K] [--only F.jsonl] [--annotate] …
    python benchmarks/fixes.py --site SITE [--packages a,b,…] [--cap N] …

CORPUS is a checkout of jansel/pytorch-jit-paritybench (commit e0644afa, the folder with ``generated``), SITE a folder
of ``pip install --no-deps --target SITE …``. Files are copied, and fixed with unsafe fixes (``--safe``: without) by the
tslint of ``--python``. Then each module of a changed file is built, compiled and run again on two inputs, in a process
of its own; in training mode, only Python runs it. The results are compared with those of the original. A module is
*fixed* if the compiler rejected it at a line of the code, and it then compiles, runs and returns what Python returns.

``--before`` stores the results of the unchanged code, and ``--verdicts`` those of each fixed text. So after a change of
tslint, only texts that are fixed differently are run again. ``--results`` stores the result of each file, so that an
interrupted run can continue.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import figures
import paritybench
from definitions import Definitions
from measuring import Fixer, Kept, Record, digested, rows

_DRIVER = '''\
import sys
import torch
sys.path.insert(0, {here!r})
import paritybench
paritybench.prepare()
cases = paritybench.load({path!r}).TESTCASES

class Cases(torch.nn.Module):
    """Several modules, run one after the other; what one of them raises keeps no other from running."""

    def __init__(self, indices):
        super().__init__()
        self.all, self.inputs = torch.nn.ModuleList(), []
        for index in indices:
            try:
                module, inputs, named = paritybench.build(cases[index])
            except Exception as error:
                print(error)
            else:
                self.all.append(module)
                self.inputs.append((inputs, named))

    def forward(self):
        for module, (inputs, named) in zip(self.all, self.inputs):
            try:
                module(*inputs, **named)
            except Exception as error:
                print(error)

'''
_AT_ONCE = 40
_TIME_LIMIT = 1800  # the limit of seconds for a file; one of the corpus has 51,000 lines
Result = dict[str, Any]
"""The result for a file or package: ``rows`` (see :func:`measuring.rows`), ``applied`` (fixes by rule), ``notes``,
``stable``, and perhaps ``error``.
"""


def main() -> None:
    """Measure, and print the tables."""
    options = _options()
    started = time.monotonic()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    if options.site:
        import packages

        results = packages.measured(options)
    else:
        results = _corpus(options)
    _report(results, options)
    print(f"{len(results)} in {time.monotonic() - started:.0f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--site", type=Path, help="measure packages that are installed there, instead of CORPUS")
    parser.add_argument("--packages", default="", metavar="A,B", help="their folders; default: all in SITE")
    parser.add_argument("--cap", type=int, default=40, metavar="N", help="at most N modules of a package")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th file")
    parser.add_argument("--offset", type=int, default=0, metavar="K", help="begin with the file of this number")
    parser.add_argument("--only", type=Path, metavar="F.jsonl", help="only the files that the lines name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--safe", action="store_true", help="safe fixes only")
    parser.add_argument("--python", default=sys.executable, help="the Python with the tslint to measure")
    parser.add_argument("--annotate", action="store_true", help="then annotate from example inputs, and fix again")
    parser.add_argument("--before", type=Path, metavar="FILE", help="JSON lines: the results of the unchanged code")
    parser.add_argument("--verdicts", type=Path, metavar="FILE", help="JSON lines: the results of each fixed text")
    parser.add_argument("--results", type=Path, metavar="FILE", help="JSON lines: the result of each file")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="copy the changed files there")
    parser.add_argument("--list", action="store_true", help="name every module that is not fixed, too")
    parser.add_argument(
        "--causes", type=Path, metavar="F.md", help="write what is wrong, with the changes, to this file"
    )
    options = parser.parse_args()
    if (options.corpus is None) == (options.site is None):
        parser.error("either CORPUS or --site")
    return options


def _corpus(options: argparse.Namespace) -> dict[str, Result]:
    files = sorted((options.corpus / "generated").glob("test_*.py"))
    if options.only:
        names = {json.loads(line)["file"].rpartition("/")[2] for line in options.only.read_text().splitlines()}
        files = [file for file in files if file.name in names]
    files = files[options.offset :: options.every]
    # The largest files come first, so that no process begins one of them at the end. In a single process they come
    # last, so that an interrupted run has measured most files.
    files.sort(key=lambda file: file.stat().st_size, reverse=options.jobs > 1)
    paritybench.prepare()
    results = Kept(options.results)
    work = [(file, options) for file in files if results.get(file.name) is None]
    with multiprocessing.get_context("fork").Pool(options.jobs, _begin, (options,)) as pool:
        for name, result in pool.imap_unordered(_measured, work, chunksize=1):
            results.put(name, result)
    return {file.name: results.get(file.name) for file in files}


def _begin(options: argparse.Namespace) -> None:
    """Prepare a process that measures files: its own tslint, and the stored results."""
    global _fixer, _before, _verdicts
    _fixer, _before, _verdicts = Fixer(options.python), Kept(options.before), Kept(options.verdicts)


_fixer: Fixer
_before: Kept
_verdicts: Kept


def _measured(arguments: tuple[Path, argparse.Namespace]) -> tuple[str, Result]:
    """Fix (and annotate) a copy of one file, and check its modules."""
    file, options = arguments
    text = file.read_text(encoding="utf-8")
    before = _before.get(file.name)
    if before is None:
        before = paritybench.judge_file(str(file))
        _before.put(file.name, before)
    with tempfile.TemporaryDirectory(prefix="tslint-fixes-") as scratch:
        copy = Path(shutil.copy(file, Path(scratch) / file.name))
        answer = _fixed(copy, before, options)
        fixed = copy.read_text(encoding="utf-8")
        old, new = Definitions.of({file.name: text}), Definitions.of({file.name: fixed})
        after = _judged(copy, before, text, fixed, old, new)
        if options.keep and fixed != text:
            shutil.copy(copy, options.keep / copy.name)
    befores = {str(index): record for index, record in enumerate(before)}
    found = rows(file.name, befores, after, old, new, answer, safe=options.safe)
    applied = Counter(each["code"] for each in answer.get("fixed", ()))
    result = {"rows": found, "applied": applied, "notes": answer.get("notes", []), "stable": answer.get("stable", True)}
    return file.name, result | ({"error": answer["error"]} if "error" in answer else {})


def _fixed(copy: Path, before: list[Record | None], options: argparse.Namespace) -> dict[str, Any]:
    request = {"paths": [str(copy)], "root": str(copy.parent), "unsafe": not options.safe, "again": True}
    answer = _fixer.ask(request, _TIME_LIMIT)
    if options.annotate and "error" not in answer and _annotate(copy, before, options):
        # With types from a run, fixes may be possible that were not before.
        more = _fixer.ask(request, _TIME_LIMIT)
        answer = {**answer, **more, "fixed": answer["fixed"] + more.get("fixed", [])}
    return answer


def _judged(
    copy: Path, before: list[Record | None], text: str, fixed: str, old: Definitions, new: Definitions
) -> dict[str, Record | None]:
    """Return the records of the modules that the fixes may have changed."""
    if fixed == text:
        return {}
    key = digested(copy.name, text, fixed)
    known: dict[str, Record | None] | None = _verdicts.get(key)
    if known is None:
        indices = list(_touched(before, old, new))
        records = paritybench.judge_file(str(copy), {index: before[index] for index in indices}) or [None] * len(before)
        known = {str(index): records[index] for index in indices}
        _verdicts.put(key, known)
    return known


def _touched(before: list[Record | None], old: Definitions, new: Definitions) -> Iterable[int]:
    """Yield the numbers of the modules that use something that has changed."""
    changed = old.changed(new)
    for index, record in enumerate(before):
        if record is None:
            continue
        classes = [(file, name) for file, name in record.get("classes", ())]
        if changed is None or not classes or changed & (old.reached(classes) | new.reached(classes)):
            yield index


def _annotate(copy: Path, records: list[Record | None], options: argparse.Namespace) -> bool:
    """Annotate the file from the example inputs of all modules that run, if one of these does not compile.

    Returns:
        Whether the file changed.
    """
    original = copy.read_bytes()
    wanted = [index for index, each in enumerate(records) if each and "out" in (each.get("runs") or [{}])[0]]
    if all((records[index] or {})["script"] is not False for index in wanted):
        return False
    driver = copy.with_name(f"drive_{copy.name}")
    parts = [wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE)]
    functions = "".join(f"def part{number}():\n    return Cases({part})\n\n" for number, part in enumerate(parts))
    here = str(Path(__file__).resolve().parent)
    driver.write_text(_DRIVER.format(here=here, path=str(copy)) + functions, encoding="utf-8")
    targets = [f"{driver}:part{number}" for number in range(len(parts))]
    command = [options.python, "-m", "tslint", "annotate", "--isolated", "--write", *targets]
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return False
    driver.unlink()
    return copy.read_bytes() != original


def _report(results: dict[str, Result], options: argparse.Namespace) -> None:
    found = [row for result in results.values() for row in result["rows"]]
    applied: Counter[str] = Counter()
    for result in results.values():
        applied.update(result["applied"])
    errors = [f"not fixed: {name}: {result['error']}" for name, result in results.items() if "error" in result]
    unstable = [name for name, result in results.items() if not result["stable"]]
    parts = [
        [*errors, *figures.listed(found, everything=options.list)],
        figures.table(found),
        [f"changed again by a second run     {len(unstable)}  {' '.join(unstable)}"],
        ["", "By kind of fix", *figures.kinds(found, applied)],
        ["", "Findings left where the compiler stops, and what they offer", *figures.stopped(found)],
        ["", "What the compiler says of the rejected ones that are left", *figures.left(found)],
    ]
    for part in parts:
        print("\n".join(part))
    if options.causes:
        options.causes.write_text("\n".join(figures.causes(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
