"""With ``--all-errors``: adds the findings of ``check`` to the compiler's errors.

The compiler stops at the first error of a function. A rule's ``error`` is certain for every construction, so the errors
that rules find in other lines of the function are certain, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Severity, Stage
from tslint.lint.engine import raw_findings
from tslint.sources import reading
from tslint.sources.file import SourceFile, UnreadableSource


def also_checked(found: Sequence[Diagnostic], compiled: Mapping[str, Any]) -> tuple[Diagnostic, ...]:
    """Return the compiler's errors and, in other lines, the errors that rules find in compiled code, sorted.

    Args:
        found: the compiler's errors.
        compiled: the compiled ``classes``, each with its file and name, and the ``files`` of compiled functions.
    """
    classes = {(filename, name) for filename, name in compiled["classes"]}
    taken = {(each.filename, each.start.row) for each in found}
    more: list[Diagnostic] = []
    files, known = _files(found) | set(compiled["files"]), set[str]()
    while not files <= known:
        known |= files
        try:
            static = raw_findings([*_sources(known)], Settings()).findings
        except Exception:  # an error in the static model must not change the verdict
            return tuple(found)
        now = [
            each
            for findings in static.values()
            for each in findings
            if each.severity is Severity.ERROR
            and each.stage is Stage.SCRIPT
            and each.compiled_via
            and (each.compiled_via[0].filename, each.compiled_via[0].name.rpartition(".")[0]) in classes
            and (each.filename, each.start.row) not in taken
        ]
        # In an earlier round, an error in a file that was not read yet was reported at the call into that file. Keep
        # it, unless errors inside the file replace it.
        lines = {(each.filename, each.start.row) for each in now}
        steps = {(step.filename, step.name) for each in now for step in each.compiled_via}
        more = now + [
            each for each in more if (each.filename, each.start.row) not in lines and _last(each) not in steps
        ]
        # The new findings may lead through further files.
        files = _files(more)
    return tuple(sorted({*found, *more}, key=lambda each: each.sort_key))


def _last(found: Diagnostic) -> tuple[str, str]:
    step = found.compiled_via[-1]
    return step.filename, step.name


def _files(found: Sequence[Diagnostic]) -> set[str]:
    """Return the files of findings, and of the calls that lead to them."""
    return {step.filename for each in found for step in each.compiled_via} | {each.filename for each in found}


def _sources(files: Iterable[str]) -> Iterator[SourceFile]:
    for filename in sorted(files):
        with suppress(OSError, UnreadableSource):
            yield reading.read(Path(filename))
