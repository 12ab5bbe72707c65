"""Finds the fixes that make compiled code compute another result than Python."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from tslint.diagnostics import Diagnostic, Risk
from tslint.fixing.circles import Done, Spot, wrote_into
from tslint.fixing.edits import Change
from tslint.fixing.outcome import AppliedFix
from tslint.fixing.trees import tree_of
from tslint.script.refusals import Scope
from tslint.sources.file import SourceFile
from tslint.util import astwalk


def writers(
    source: SourceFile,
    finding: Diagnostic,
    applied: Sequence[AppliedFix],
    rounds: Sequence[Sequence[Done]],
    history: Mapping[str, Sequence[Sequence[Change]]],
) -> Iterator[Spot]:
    """Yield the fixes that wrote the code of a finding and that did not declare that compiled code may differ.

    Args:
        source: the file of the finding, as it is now.
        finding: the finding.
        applied: all fixes.
        rounds: what was fixed in each round.
        history: by file, the changes of each round.
    """
    start, end = source.offset(finding.start), source.offset(finding.end)
    fixes = {each.spot: each.finding.fix for each in applied}
    for done in (done for turn in rounds for done in turn if done.spot.filename == finding.filename):
        fix = fixes.get(done.spot)
        if fix is not None and Risk.DIFFERS not in fix.risks and wrote_into(done, start, end, history):
            yield done.spot


def declarers(source: SourceFile, finding: Diagnostic, applied: Sequence[AppliedFix]) -> Iterator[Spot]:
    """Yield the fixes in functions that the code of a finding calls: a fix may have annotated a parameter for which
    this code passes a value.
    """
    rows = range(finding.start.row, finding.end.row + 1)
    calls = (each for each in astwalk.of_kind(tree_of(source.text), ast.Call))
    around = [each.func for each in calls if rows.start <= (each.end_lineno or 0) and each.lineno < rows.stop]
    names = {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in around}
    for each in applied:
        if any(name.rpartition(".")[2] in names for _, name in each.within):
            yield each.spot


def compiled_before(finding: Diagnostic, refused: Collection[Scope]) -> bool:
    """Return whether the root on a finding's call path compiled before the fixes; False without a call path.

    Args:
        finding: the finding.
        refused: the functions and classes that the compiler rejected before the fixes.
    """
    for step in finding.compiled_via[:1]:
        path = Path(step.filename)
        return not {(path, step.name), (path, step.name.rpartition(".")[0])} & set(refused)
    return False
