"""Narrows the analysis of a changed file down to the definitions that may compile differently.

The findings elsewhere in the file are kept, and moved to where their code is now. Some may be outdated: what a function
is passed can change without a change of the names that it reads. So in the end the whole file is analysed again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from tslint.diagnostics import Diagnostic
from tslint.lint.moved import Lost, moved
from tslint.project.top_level import Change, Statement, statements
from tslint.project.trees import KNOWN, parse
from tslint.script.refusals import Refusal
from tslint.sources.file import SourceFile
from tslint.util.record import record

_MOST = 16  # the number of texts whose statements are kept
_found: dict[str, list[Statement]] = {}


@record
class Part:
    """What has to be analysed of a changed file.

    Args:
        names: the definitions to compile.
        kept: the findings elsewhere.
        change: the change of the file.
        replaced: the rows for which the analysis of this part finds all findings.
    """

    names: frozenset[str]
    kept: tuple[Diagnostic, ...]
    change: Change
    replaced: Collection[int]

    def rows(self, before: Collection[int]) -> frozenset[int]:
        """Return the rows of compiled functions elsewhere, where they are now."""
        now = {self.change.row(row) for row in before}
        return frozenset(row for row in now if row is not None and row not in self.replaced)

    def refused(self, before: Mapping[str, Refusal], now: Mapping[str, Refusal]) -> dict[str, Refusal]:
        """Return the rejected roots of the whole file.

        Args:
            before: those before the change.
            now: those that the analysis of this part has found.
        """
        elsewhere = {name: each for name, each in before.items() if name.partition(".")[0] not in self.names}
        return {**elsewhere, **now}


NO_PARTS: Mapping[Path, Part] = MappingProxyType({})


def part_of(before: SourceFile, after: SourceFile, findings: Collection[Diagnostic]) -> Part | None:
    """Return what has to be analysed of a changed file; None if that is the whole file.

    Args:
        before, after: the file before and after the change.
        findings: the findings before the change.
    """
    try:
        known = _statements(before)
        change = Change(known, _statements(after, known))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not change.is_of_definitions:
        return None
    others: set[str] = set()
    while True:
        names, replaced = change.affected(others)
        kept, found = [], set(others)
        for each in findings:
            row = change.row(each.start.row)
            if row is None or row in replaced:
                continue
            try:
                kept.append(moved(each, change.row))
            except Lost:
                found.update(change.statement(row).binds)
                continue
            if change.binds_others and _reaches_out(kept[-1], change.statement(row)):
                found.update(change.statement(row).binds)
        if found == others:
            return Part(names, tuple(kept), change, replaced)
        others = found


def _reaches_out(finding: Diagnostic, statement: Statement) -> bool:
    """Return whether a fix also edits other statements, like the imports."""
    edits = finding.fix.edits if finding.fix is not None else ()
    return any(each.start.row not in statement.rows for each in edits)


def _statements(source: SourceFile, known: Iterable[Statement] = ()) -> list[Statement]:
    """Return the top-level statements of a file; ``known`` are those of an earlier text."""
    found = _found.pop(source.text, None)
    if found is None:
        tree = KNOWN.get(source.text) or parse(source.text, "<fixed>")
        found = statements(tree, source.lines, known)
    while len(_found) >= _MOST:
        del _found[next(iter(_found))]
    _found[source.text] = found  # the newest come last
    return found
