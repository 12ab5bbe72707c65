"""How many modules that the compiler refuses do fixes mend, and what do they break?

    python benchmarks/fixes.py CORPUS [--every N --offset K] [--jobs N] [--safe] [--annotate] [--before FILE]
                                      [--results FILE] [--list]

CORPUS is a checkout of jansel/pytorch-jit-paritybench (commit e0644afa, the folder that holds ``generated``). Its files
are copied, ``tslint check --fix --unsafe-fixes`` goes over the copy (``--safe``: without ``--unsafe-fixes``), with
``--annotate`` also ``tslint annotate --write`` with the example inputs for what does not compile yet; then each module
of a changed file is built, run eagerly and scripted anew, in a process of its own, and compared with what it was.
Files are left as they are in CORPUS. ``--before`` keeps what was found of the unchanged corpus for the next run, and
``--results`` what has become of each file, so that a run that was broken off goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import paritybench

Records = list[dict[str, Any] | None]
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
_PATIENCE = 1800  # seconds; one file of the corpus has 51,000 lines


def main() -> None:
    """Measure, and print the table."""
    options = _options()
    files = sorted((options.corpus / "generated").glob("test_*.py"))[options.offset :: options.every]
    if options.only:
        names = {json.loads(line)["file"].rpartition("/")[2] for line in options.only.read_text().splitlines()}
        files = [file for file in files if file.name in names]
    # The largest first, so that no process is left with one of them at the end.
    files.sort(key=lambda file: -file.stat().st_size)
    started = time.monotonic()
    paritybench.prepare()
    before = _before(files, options)
    results = _known(options.results)
    with tempfile.TemporaryDirectory(prefix="tslint-fixes-") as scratch:
        copies = [Path(shutil.copy(file, Path(scratch) / file.name)) for file in files]
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
            left = [(file, copy) for file, copy in zip(files, copies) if file.name not in results]
            arguments = [(file, copy, before[file.name], options) for file, copy in left]
            for name, result in pool.imap_unordered(_mended, arguments, chunksize=1):
                results[name] = result
                _keep(options.results, name, result)
    _report(before, {file.name: results[file.name] for file in files}, options)
    print(f"{len(files)} files in {time.monotonic() - started:.0f} s")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th file")
    parser.add_argument("--offset", type=int, default=0, metavar="K", help="of the first one")
    parser.add_argument("--only", type=Path, metavar="F.jsonl", help="only the files that the lines name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--safe", action="store_true", help="safe fixes only")
    parser.add_argument("--annotate", action="store_true", help="then annotate what does not compile")
    parser.add_argument("--before", type=Path, metavar="FILE", help="json lines: what the unchanged files came to")
    parser.add_argument("--results", type=Path, metavar="FILE", help="json lines: what the changed files came to")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="copy the changed files there")
    parser.add_argument("--list", action="store_true", help="name every module: still refused, broken, changed")
    return parser.parse_args()


def _judged(file: Path) -> tuple[str, Records]:
    return file.name, paritybench.judge_file(str(file), twice=True)


def _before(files: list[Path], options: argparse.Namespace) -> dict[str, Records]:
    known = _known(options.before)
    missing = [file for file in files if file.name not in known]
    with multiprocessing.get_context("fork").Pool(options.jobs) as pool:
        for name, records in pool.imap_unordered(_judged, missing, chunksize=1):
            known[name] = records
            _keep(options.before, name, records)
    return known


def _known(kept: Path | None) -> dict[str, Any]:
    """What a run before this one has found, by file name."""
    if kept is None or not kept.exists():
        return {}
    return dict(json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines())


def _keep(kept: Path | None, name: str, found: Any) -> None:
    if kept is not None:
        with kept.open("a", encoding="utf-8") as out:
            out.write(json.dumps([name, found]) + "\n")


def _mended(arguments: tuple[Path, Path, Records, argparse.Namespace]) -> tuple[str, dict[str, Any]]:
    """Fix (and annotate) the copy of one file, and judge its modules."""
    file, copy, before, options = arguments
    original = copy.read_bytes()
    result: dict[str, Any] = {"stable": True, "after": before}
    try:
        _check(copy, options)
        fixed = copy.read_bytes()
        if fixed != original:
            _check(copy, options)
            result["stable"] = copy.read_bytes() == fixed
            result["after"] = _judged_fixed(copy, before)
        result["fixed"], result["digests"] = result["after"], [_digest(copy)]
        if options.annotate and _annotate(copy, result["after"]):
            # Types that were seen show what did not fit before.
            _check(copy, options)
            result["after"] = _judged_fixed(copy, before)
        result["digests"].append(_digest(copy))
    except subprocess.TimeoutExpired as error:
        result["error"] = f"{error.cmd[3]} timed out"
    if options.keep and copy.read_bytes() != original:
        shutil.copy(copy, options.keep / copy.name)
    return file.name, result


def _digest(copy: Path) -> str:
    """By which to see that another version of tslint does the same to a file."""
    return hashlib.sha256(copy.read_bytes()).hexdigest()


def _judged_fixed(copy: Path, before: Records) -> Records:
    """A changed file's modules; those that give other outputs than before once more, as they may do so each time."""
    after = paritybench.judge_file(str(copy), twice=False)
    other = [
        index
        for index, (old, new) in enumerate(zip(before, after))
        if old and new and new["outputs"] != old["outputs"]
    ]
    if other:
        again = paritybench.judge_file(str(copy), twice=True, only=other)
        for index in other:
            record, more = after[index], again[index] if again else None
            if record is not None and more is not None:
                runs = [record["outputs"], more["outputs"], more["again"]]
                record["unsteady"] = any(run != runs[0] for run in runs[1:])
    return after


def _tslint(*arguments: str) -> None:
    command = [sys.executable, "-m", "tslint", *arguments]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_PATIENCE)


def _check(copy: Path, options: argparse.Namespace) -> None:
    level = [] if options.safe else ["--unsafe-fixes"]
    _tslint("check", "--isolated", "--no-cache", "--exit-zero", "--fix", *level, str(copy))


def _annotate(copy: Path, records: Records) -> bool:
    """Annotate from the example inputs of every module that runs, where there is one that does not compile."""
    original = copy.read_bytes()
    runs = [(index, each["script"]) for index, each in enumerate(records) if each and each["outputs"] is not None]
    wanted = [index for index, _ in runs]
    if all(script is not False for _, script in runs):
        return False
    driver = copy.with_name(f"drive_{copy.name}")
    parts = [wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE)]
    functions = "".join(f"def part{number}():\n    return Cases({part})\n\n" for number, part in enumerate(parts))
    here = str(Path(__file__).resolve().parent)
    driver.write_text(_DRIVER.format(here=here, path=str(copy)) + functions, encoding="utf-8")
    _tslint("annotate", "--isolated", "--write", *(f"{driver}:part{number}" for number in range(len(parts))))
    driver.unlink()
    return copy.read_bytes() != original


def _report(before: dict[str, Records], results: dict[str, dict[str, Any]], options: argparse.Namespace) -> None:
    count: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    told: list[str] = []
    unstable = sum(not result["stable"] for result in results.values())
    for name, result in sorted(results.items()):
        if not result["stable"]:
            told.append(f"unstable  {name}")
        if "error" in result:
            told.append(f"error     {name}: {result['error']}")
        after = result["after"] or [None] * len(before[name])
        fixed = result.get("fixed") or [None] * len(before[name])
        for index, (old, middle, new) in enumerate(zip(before[name], fixed, after)):
            count.update(_classified(old, new))
            alone.update(_classified(old, middle))
            for which, found in (("", new), *((("fixes alone ", middle),) if options.annotate else ())):
                for word in _TOLD.keys() & set(_classified(old, found)):
                    said = ((found or {}).get("message") or "").partition("\n")[0][:150]
                    told.append(f"{which}{_TOLD[word]}  {name}:{index} {old['cls'] if old else ''} {said}")
    if options.list:
        print("\n".join(sorted(told)))
    if options.annotate:
        print("after fixes alone")
        _table(alone)
        print("after fixes, annotations and fixes again")
    _table(count)
    print(f"files that a second run changes {unstable}")


def _table(count: Counter[str]) -> None:
    located, mended = count["located"], count["located, mended"]
    print(f"rejected at a line of the file  {located}")
    print(f"  compile afterwards            {mended} = {mended / max(located, 1):.2%}   (equal outputs and keys)")
    alike = count["located, alike"]
    print(f"    and give the same compiled  {alike} = {alike / max(mended, 1):.2%}   (of those, on the example inputs)")
    print(f"accepted before                 {count['accepted']}")
    print(f"  no longer compile             {count['accepted, broken']}")
    steady, changed = count["steady"], count["changed"]
    print(f"run alike twice before          {steady}")
    print(f"  other outputs or keys         {changed} = {changed / max(steady, 1):.2%}")


_TOLD = {
    "located, not mended": "refused ",
    "accepted, broken": "BROKEN  ",
    "changed": "CHANGED ",
}


def _classified(old: dict[str, Any] | None, new: dict[str, Any] | None) -> list[str]:
    """What becomes of one module, in words that are counted."""
    if old is None:
        return []
    words = []
    # Outputs that differ between two runs of the same code tell nothing, before as after.
    steady = old["outputs"] is not None and old["outputs"] == old["again"] and not (new or {}).get("unsteady")
    same = new is not None and new["keys"] == old["keys"] and (not steady or new["outputs"] == old["outputs"])
    if steady:
        words += ["steady", *([] if same else ["changed"])]
    compiles = new is not None and new["script"] is True
    if old["script"]:
        words += ["accepted", *([] if compiles else ["accepted, broken"])]
    elif old["script"] is False and old["lines"]:
        words += ["located", "located, mended" if compiles and same else "located, not mended"]
        if compiles and same and new is not None and new.get("compiled") == old["outputs"]:
            words.append("located, alike")
    return words


if __name__ == "__main__":
    main()
