"""Applies tslint to the text of a module: all fixes, or a single one."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tslint.rulekit.rule
from tslint.config import Settings
from tslint.diagnostics import Applicability, Diagnostic, Edit, Fix
from tslint.fixing.circles import Spot
from tslint.fixing.edits import apply_fixes
from tslint.fixing.outcome import Outcome
from tslint.fixing.reported import fixable
from tslint.fixing.rounds import fix
from tslint.lint.engine import Loaded, Report
from tslint.lint.incremental import Judge
from tslint.sources.file import SourceFile

_FOLDER = Path("/fuzzed")
_SETTINGS = Settings(root=_FOLDER)
_UNSAVED = Settings(root=_FOLDER, select=("TS810",))
_DIFFERS = ("TS6", "TS7", "TS8")
# A static `forward` compiles, but no call of the module is accepted.
_UNCALLABLE = "TS431"
# For each fix, the line that created it: in a rule, or in a function of ``tslint.rewrite`` that the rule called.
_places: dict[tuple[str, tuple[Edit, ...]], str] = {}


def watch() -> None:
    """Record from now on which line creates a fix: two transformations may have the same message."""

    def made(applicability: Applicability, message: str, edits: tuple[Edit, ...], **more: Any) -> Fix:
        frame = sys._getframe(2)
        place = f"{frame.f_globals['__name__'].replace('.', '/')}.py:{frame.f_lineno}"
        _places[message, edits] = place
        return Fix(applicability, message, edits, **more)

    tslint.rulekit.rule.Fix = made  # type: ignore[misc]


def place(finding: Diagnostic) -> str:
    """Return the line that created a finding's fix; ``?`` for a fix that was changed afterwards."""
    assert finding.fix is not None
    return _places.get((finding.fix.message, finding.fix.edits), "?")


def forget() -> None:
    """Discard the records, because fixes of another module may have the same text."""
    _places.clear()


def source(text: str) -> SourceFile:
    """Return the file for tslint, which does not exist on disk."""
    return SourceFile(_FOLDER / "module.py", text)


def report(text: str) -> Report:
    """Return tslint's report."""
    return Judge(_SETTINGS)(Loaded((source(text),)))


def fixed(text: str, unsafe: bool, allowed: Callable[[Spot], bool] = lambda spot: True) -> Outcome:
    """Return the outcome of ``--fix`` after all rounds."""
    return fix(Loaded((source(text),)), Judge(_SETTINGS), unsafe=unsafe, allowed=allowed)


def announces(outcome: Outcome, text: str) -> bool:
    """Return whether a remaining finding says that compiled code differs or cannot be called.

    The rule about None defaults, which is off by default, counts, too.
    """
    codes = {each.code for each in outcome.report.diagnostics}
    if not any(code[:3] in _DIFFERS or code == _UNCALLABLE for code in codes):
        codes = {each.code for each in Judge(_UNSAVED)(Loaded((source(text_of(outcome, text)),))).diagnostics}
    return any(code[:3] in _DIFFERS or code == _UNCALLABLE for code in codes)


def text_of(outcome: Outcome, text: str) -> str:
    """Return the text after the fixes."""
    return outcome.changed[0][1].text if outcome.changed else text


def singles(text: str, found: Report) -> list[tuple[Diagnostic, str]]:
    """Return the text after each single fix, as an editor would apply it."""
    made = []
    for each in found.diagnostics:
        if each.fix is not None and fixable(each, unsafe=True):
            made.append((each, apply_fixes(source(text), [each.fix]).text))
    return made


def transformation(finding: Diagnostic) -> str:
    """Return the transformation of a finding's fix: the rule, and the message of the fix without names."""
    assert finding.fix is not None
    return f"{finding.code} {re.sub('`[^`]*`', '`…`', finding.fix.message)}"
