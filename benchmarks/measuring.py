"""Contains what all measurements of fixes share: the tslint that fixes, the results that are stored between runs, and
the results of each module.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import verdicts
from definitions import Definitions

Record = verdicts.Record
Row = dict[str, Any]
"""The result of a module, for tables; see :func:`rows`."""


class Fixer:
    """A process of the tslint that is measured.

    Args:
        python: the Python in which it is installed.
    """

    def __init__(self, python: str) -> None:
        self._python = python
        self._process: subprocess.Popen[str] | None = None

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Request a fix; see ``fixing.py``. An ``error`` in the answer means that it failed."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            until = time.monotonic() + seconds
            if not select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError
            answer: dict[str, Any] = json.loads(process.stdout.readline() or '{"error": "crashed"}')
            return answer
        except (TimeoutError, BrokenPipeError) as error:
            self.stop()
            return {"error": "timed out" if isinstance(error, TimeoutError) else "crashed"}

    def stop(self) -> None:
        """End the process, and all processes that it has started."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        command = [self._python, str(Path(__file__).with_name("fixing.py"))]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            start_new_session=True, env=environment, cwd="/",
        )  # fmt: skip


class Kept:
    """Answers that are stored between runs, as JSON lines; without a file, they are not stored.

    Args:
        path: the path of the file.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        if path is not None and path.exists():
            with path.open(encoding="utf-8") as lines:
                self._known.update(json.loads(line) for line in lines)

    def get(self, key: str) -> Any:
        """Return the stored answer, or None."""
        return self._known.get(key)

    def put(self, key: str, value: Any) -> None:
        """Store an answer; several processes may share the file, because they append whole lines."""
        self._known[key] = value
        if self._path is not None:
            line = (json.dumps([key, value]) + "\n").encode()
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            with open(descriptor, "ab", buffering=0) as out:
                out.write(line)


def digested(*texts: str) -> str:
    """Return a digest of texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def texts(root: Path, paths: list[Path]) -> dict[str, str]:
    """Return the unchanged texts of the files below some paths, by their names relative to a root."""
    files = [each for path in paths for each in (path.rglob("*.py") if path.is_dir() else [path])]
    return {str(each.relative_to(root)): each.read_text(encoding="utf-8", errors="replace") for each in files}


def rows(
    name: str,
    befores: Mapping[str, Record | None],
    afters: Mapping[str, Record | None],
    old: Definitions,
    new: Definitions,
    answer: Mapping[str, Any],
    *,
    safe: bool,
) -> list[Row]:
    """Return the results for modules.

    Args:
        name: the name of the file or package.
        befores: the record of each module.
        afters: the records with the fixed files, for modules that may have changed.
        old, new: the definitions of the files before and after.
        answer: the answer of the fixer.
        safe: whether only safe fixes were applied.
    """
    found = []
    for key, before in befores.items():
        touched = key in afters
        after = afters[key] if touched else before
        left, risks = _evidence(after, new, answer) if touched and after else ([], [])
        verdict = verdicts.judged(before, after, safe=safe, left=left, risks=risks)
        row: Row = {"module": f"{name}:{key}", "cls": (before or {}).get("cls", ""), **vars(verdict)}
        row["bad"], row["touched"] = verdict.bad, touched
        classes = [(file, kind) for record in (before, after) for file, kind in (record or {}).get("classes", ())]
        if verdict.bad or verdict.before == "rejected" or verdict.eager == "crashed":
            reached = old.reached(classes) | new.reached(classes)
            fixed = [each for each in answer.get("fixed", ()) if _within(each, reached)] if touched else []
            row["codes"] = [each["code"] for each in fixed]
            row["left"], row["risks"] = left, risks
            places = [(file, line) for file, line in (after or {}).get("lines", ())][:1]
            places = places if touched else [new.moved(place, old) for place in places]
            row["stopped"] = _stopped(places, answer) if verdict.after == "refused" else []
            if verdict.bad or verdict.after in ("raises", "differs") or verdict.eager == "crashed":
                row["fixes"] = sorted({f"{each['code']} {each['applicability']}: {each['fix']}" for each in fixed})
                row["diff"] = old.diff(new, reached)
        found.append(row)
    return found


def _stopped(places: list[tuple[str, int]], answer: Mapping[str, Any]) -> list[str]:
    """Return the remaining findings where the compiler stops, each with the kind of fix that it offers."""
    found = {
        f"{each['code']} {each['offered'] or 'without a fix'}"
        for file, row in places
        for each in answer.get("left", ())
        if file == each["file"] and each["rows"][0] <= row <= each["rows"][1]
    }
    return sorted(found)


def _within(fixed: Mapping[str, Any], reached: set[tuple[str, str]]) -> bool:
    return any((file, name.partition(".")[0]) in reached for file, name in fixed["within"])


def _evidence(after: Record, new: Definitions, answer: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return what announces that a compiled module may differ from Python: codes of findings, and risks of fixes."""
    functions = new.around([(file, row) for file, row in after.get("through", ())])
    classes = {tuple(each) for each in after.get("classes", ())}
    # Findings about what a constructor does (a buffer that is saved although Python does not save it) are in the
    # constructor. For a class without forward, of which nothing is compiled, they are at its `__call__`.
    besides = [
        (file, name, first, last)
        for file, functions_ in new.functions.items()
        for name, first, last in functions_
        if name.rpartition(".")[2] in ("__init__", "__call__") and (file, name.rpartition(".")[0]) in classes
    ]
    left = {
        each["code"]
        for each in answer.get("left", ())
        if "TS6" <= each["code"] < "TS9"
        and any(file == each["file"] and first <= each["rows"][1] and each["rows"][0] <= last
                for file, _, first, last in (*functions, *besides))
    }  # fmt: skip
    scopes = {(file, name) for file, name, _, _ in functions} | classes
    risks = {
        risk
        for each in answer.get("fixed", ())
        if any(tuple(scope) in scopes for scope in each["within"])
        for risk in each["risks"]
    }
    return sorted(left), sorted(risks)
