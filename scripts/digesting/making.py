"""Checks and fixes the files of corpora, each run in a process of its own that may crash or take too long."""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from digesting.corpora import Unit
from digesting.store import STEPS, Digests, Line, Store, digest, lines_of
from tslint.config import Settings, load_settings
from tslint.diagnostics import Diagnostic
from tslint.fixing import rounds
from tslint.lint import engine
from tslint.lint.engine import Loaded
from tslint.lint.incremental import Judge
from tslint.reporters.json import finding

_EMPTY = "import torch\n\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
_DOING = {"findings": "was judged", "safe": "got safe fixes", "unsafe": "got unsafe fixes"}
# A process that waits for something uses no processor time, so elapsed time is limited, too.
_WAITING = 20


@dataclass(frozen=True)
class Way:
    """The options of a run.

    Args:
        store: stores the digested data.
        fixes: whether files are fixed, too.
        seconds: the limit of processor time for one run.
    """

    store: Store
    fixes: bool
    seconds: float


def version() -> str:
    """Return a digest of the files of tslint and its rules."""
    whole = hashlib.sha256()
    for package in ("tslint", "tslint.rules"):
        for folder in importlib.import_module(package).__path__:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def make(units: Sequence[Unit], digests: Digests, way: Way, jobs: int) -> Iterator[list[Line]]:
    """Write the lines of all files that have no line yet, or have changed since, and yield those of each run."""
    waiting = [unit for unit in reversed(units) if not _done(unit, digests)]
    running: dict[int, tuple[Unit, Path]] = {}
    _prepare()
    with tempfile.TemporaryDirectory() as scratch:
        while waiting or running:
            while waiting and len(running) < jobs:
                unit, answer = waiting.pop(), Path(scratch, str(len(waiting)))
                running[_started(unit, answer, way)] = unit, answer
            child, status, used = os.wait4(-1, 0)
            unit, answer = running.pop(child)
            lines = _lines(unit, answer, status, way)
            for line in lines:
                line["seconds"] = round((used.ru_utime + used.ru_stime) / len(lines), 3)
            digests.add(lines)
            yield lines


def _done(unit: Unit, digests: Digests) -> bool:
    """Return whether all files of a run have lines, and have not changed since."""
    lines = {name: digests.lines.get((unit.corpus, name)) for name in unit.files}
    return all(line and line["text"] == digest(_read(unit, name)) for name, line in lines.items())


def _read(unit: Unit, name: str) -> bytes:
    try:
        return (unit.folder / name).read_bytes()
    except OSError:
        return b""


@functools.cache
def _prepare() -> None:
    """Import what each run needs before the processes are forked."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "empty.py")
        path.write_text(_EMPTY, encoding="utf-8")
        settings = Settings(root=Path(folder))
        loaded = engine.load([path], settings)
        engine.judge(loaded, settings)
        rounds.fix(loaded, Judge(settings), unsafe=True)
    gc.collect()
    gc.freeze()


def _started(unit: Unit, answer: Path, way: Way) -> int:
    """Start a process for a run; return its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        for each in (signal.SIGPROF, signal.SIGALRM):
            signal.signal(each, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, way.seconds)
        signal.setitimer(signal.ITIMER_REAL, _WAITING * way.seconds)
        with answer.open("w", encoding="utf-8") as out:
            _run(unit, way, out)
    finally:
        os._exit(0)


def _run(unit: Unit, way: Way, out: IO[str]) -> None:
    """Write the results of each step as soon as they are known."""
    os.chdir(unit.folder)
    # One process for each run is enough, and makes runs the same on every machine.
    settings = replace(load_settings([unit.path], isolated=True), jobs=1)
    loaded = engine.load([unit.path], settings)
    judge = Judge(settings)
    steps: dict[str, Callable[[], dict[str, dict[str, str]]]] = {
        "findings": lambda: _judged(unit, loaded, settings, way.store),
        "safe": lambda: _fixed(unit, loaded, _begun(judge, loaded), way.store, unsafe=False),
        "unsafe": lambda: _fixed(unit, loaded, _begun(judge, loaded), way.store, unsafe=True),
    }
    for name in STEPS if way.fixes else STEPS[:1]:
        try:
            made: dict[str, Any] = {"files": steps[name]()}
        except Exception as error:
            # Without a traceback: its rows in tslint's own files change with every edit.
            made = {"error": f"{type(error).__name__}: {_plain(str(error), unit.folder)[:200]}"}
        out.write(json.dumps({"step": name, **made}) + "\n")
        out.flush()


def _begun(judge: Judge, loaded: Loaded) -> Judge:
    """Return a judge that has already analysed the original files: every run of fixes starts with a copy of it."""
    judge(loaded)
    return judge.copy()


def _judged(unit: Unit, loaded: Loaded, settings: Settings, store: Store) -> dict[str, dict[str, str]]:
    """Store the findings; return, for each file, their digest, and an error if there is one."""
    shown: dict[str, list[dict[str, Any]]] = {name: [] for name in unit.files}
    errors: dict[str, str] = {}
    for each in engine.judge(loaded, settings).diagnostics:
        name = os.path.relpath(each.filename, unit.folder)
        value = _shown(each, unit.folder)
        shown.setdefault(name, []).append(value)
        if each.code == "TS900":
            errors[name] = value["message"]
    return {
        name: {"findings": store.put(lines_of(values)), **({"error": errors[name]} if name in errors else {})}
        for name, values in shown.items()
    }


def _shown(each: Diagnostic, folder: Path) -> dict[str, Any]:
    """Return a finding as JSON, without what depends on the folder or on tslint's own code."""
    value = finding(each)
    del value["filename"], value["url"]
    for step in value["compiled_via"]:
        path = Path(step["filename"])
        # Paths outside the corpus are those of installed packages.
        step["filename"] = "/".join(path.parts[-3:]) if not path.is_relative_to(folder) else step["filename"]
    if each.code == "TS900":
        value["help"] = None
    plain: dict[str, Any] = json.loads(_plain(json.dumps(value, ensure_ascii=False), folder))
    return plain


def _plain(text: str, folder: Path) -> str:
    return text.replace(f"{folder}/", "")


def _fixed(unit: Unit, loaded: Loaded, judge: Judge, store: Store, *, unsafe: bool) -> dict[str, dict[str, str]]:
    """Fix the files and store the results.

    Return, for each file, the digest of its new text, and the digest of the list of applied fixes and notes.
    """
    outcome = rounds.fix(loaded, judge, unsafe=unsafe)
    sources = {str(source.path): source for source in loaded.sources}
    done: dict[str, list[dict[str, Any]]] = {name: [] for name in unit.files}
    for each in outcome.applied:
        fix = each.finding.fix
        assert fix is not None
        at = sources[each.spot.filename].position(each.spot.offset)
        done[os.path.relpath(each.spot.filename, unit.folder)].append(
            {
                "at": [at.row, at.column],
                "code": each.spot.code,
                "fix": fix.message,
                "applicability": fix.applicability.value,
                "writes": [edit.content for edit in fix.edits],
            }
        )
    for note in outcome.notes:
        text = _plain(note, unit.folder)
        name = next((name for name in unit.files if text.startswith(f"{name}:")), unit.files[0])
        code = re.search(r"TS\d{3}", text)
        done[name].append({"at": [0, 0], "code": code[0] if code else "TS900", "note": text})
    after = {os.path.relpath(new.path, unit.folder): new.encode() for _, new in outcome.changed}
    step = STEPS[1 + unsafe]
    return {
        name: {
            step: store.put(after[name] if name in after else _read(unit, name)),
            f"{step}_done": store.put(lines_of(sorted(values, key=lambda value: (value["at"], str(value))))),
        }
        for name, values in done.items()
    }


def _lines(unit: Unit, answer: Path, status: int, way: Way) -> list[Line]:
    """Return the lines of a run that has ended, successfully or not."""
    lines: dict[str, Line] = {
        name: {"corpus": unit.corpus, "file": name, "text": digest(_read(unit, name))} for name in unit.files
    }
    text = answer.read_text(encoding="utf-8") if answer.exists() else ""
    steps = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
    for step in steps:
        for name, made in step.get("files", {}).items():
            lines.setdefault(name, {"corpus": unit.corpus, "file": name}).update(made)
        if "error" in step:
            _failed(lines.values(), f"failed when it {_DOING[step['step']]}: {step['error']}")
    wanted = STEPS if way.fixes else STEPS[:1]
    if len(steps) < len(wanted):
        _failed(lines.values(), f"{_end(status, way)} when it {_DOING[wanted[len(steps)]]}")
    return list(lines.values())


def _failed(lines: Iterable[Line], said: str) -> None:
    for line in lines:
        line["error"] = "; ".join([*filter(None, [line.get("error")]), said])


def _end(status: int, way: Way) -> str:
    if not os.WIFSIGNALED(status):
        return "the process ended"
    if os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM):
        return f"took more than {way.seconds:g} s"
    return f"the process was ended by {signal.Signals(os.WTERMSIG(status)).name}"


def counted(lines: Iterable[Mapping[str, Any]]) -> tuple[int, int, float]:
    """Return how many lines there are, how many have an error, and their processor seconds."""
    found = list(lines)
    return len(found), sum("error" in line for line in found), sum(line.get("seconds", 0.0) for line in found)
