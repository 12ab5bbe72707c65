"""Findings and fixes as reporters and editors see them.

Rows and columns count from 1, columns in code points; ends are exclusive, as in the JSON contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(str, Enum):
    """How certain and how severe a finding is.

    An ``error`` fails however the module is constructed. A ``warning`` depends on the construction or the input that
    its message names, or does not change values. ``info`` is shown only if its rule is selected by code or name.
    """

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Return 0 for info, 1 for warning, 2 for error: comparable with ``--fail-on``."""
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Stage(str, Enum):
    """The stage, on the way to a loaded archive, at which the problem occurs."""

    SCRIPT = "script"
    TRACE = "trace"
    SAVE = "save"
    LOAD = "load"


class Applicability(str, Enum):
    """What a fix promises. No fix changes what Python computes, for any construction, input or path.

    ``safe``: exceptions also stay the same, and compiled code computes what Python computes. ``unsafe``: the fix names
    what may differ (see :class:`Risk`). ``display``: a person must finish or judge it; tslint never applies it.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Risk(str, Enum):
    """What an unsafe fix may change, apart from what Python computes."""

    RAISES = "raises"
    """Compiled code may raise where Python does not."""
    REFUSES = "refuses"
    """Compiled code may reject arguments that Python accepts."""
    DIFFERS = "differs"
    """Compiled code may compute a different result than Python, draw other random numbers, or not print a message."""
    UNSAVED = "unsaved"
    """A compiled module cannot be saved."""
    ASSUMES = "assumes"
    """The fix relies on an annotation or a name that nothing confirms."""
    EXCEPTION = "exception"
    """Where Python raised an exception, it may raise another one."""

    @property
    def words(self) -> str:
        """Return the description for users."""
        return _RISKS[self.value]


_RISKS = {
    "raises": "compiled code may raise where Python does not",
    "refuses": "compiled code may reject arguments that Python accepts",
    "differs": "compiled code may compute a different result than Python",
    "unsaved": "the compiled module cannot be saved",
    "assumes": "no other code confirms the type or name that it assumes",
    "exception": "Python may raise another exception",
}


@dataclass(frozen=True, order=True, slots=True)
class Position:
    """A place in a text: row and column from 1, the column in code points."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text from ``start`` up to (not including) ``end`` by ``content``; see :class:`Diagnostic` for
    ``cell``.
    """

    start: Position
    end: Position
    content: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix: edits to the finding's own file that are applied all together or not at all.

    Args:
        applicability: whether and when it is applied.
        message: what the fix does, in the imperative.
        edits: the edits, in any order, without overlap.
        last_resort: whether it excludes a path from compilation; a person must decide about that.
        risks: what an unsafe fix may change.
        absent: an attribute that the fix sets on instances that lacked it: no other file may test whether it exists.
        bypasses: a function of this file; the fix replaces a call of it, so compiled code may no longer use it.
        settled: a name on whose value the fix relies: no other file may set it, or define it in a class.
        unset: attributes on whose values the fix relies: no other file may set or change them on an instance.
        assumes: a clause that says what ``Risk.ASSUMES`` means for this fix; empty if its general words fit.
        annotates: a parameter of this file, ``Net.step.size``, which the compiler takes for a Tensor, and to which the
            fix gives another type.
    """

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]
    last_resort: bool = False
    risks: tuple[Risk, ...] = ()
    absent: str = ""
    bypasses: str = ""
    settled: str = ""
    unset: tuple[str, ...] = ()
    assumes: str = ""
    annotates: str = ""

    @property
    def caution(self) -> str:
        """Return what to check before the fix is applied; empty for a safe fix."""
        if self.applicability is Applicability.SAFE:
            return ""
        words = ((risk is Risk.ASSUMES and self.assumes) or risk.words for risk in self.risks)
        return ", and ".join(words) or "look at the result"


@dataclass(frozen=True, slots=True)
class CallStep:
    """One step of the call path to a finding: a function and where it is defined; see :class:`Diagnostic`
    for ``cell``.
    """

    name: str
    filename: str
    position: Position
    cell: int | None = None

    @property
    def place(self) -> str:
        """Return ``row:column``, with the cell of a notebook before it."""
        return _place(self.position, self.cell)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    Args:
        code: ``TS101``.
        name: ``try-block``: names the bad pattern.
        severity: see :class:`Severity`.
        stage: see :class:`Stage`.
        message: one line that says what is wrong, with the names from the user's code.
        filename: the absolute path.
        start, end: the range that the compiler underlines; the end is exclusive.
        compiled_via: the call path from the root to the function that contains the finding; if the compiler stops in an
            installed package, the path continues to that place. Empty for findings about the file.
        help: what to do, or None.
        compiler: the compiler's own words, so that a search for them finds the rule; None if it reports nothing.
        fix: the change that removes the finding, or None.
        cell: the number of the notebook's cell in which positions are counted; None if they are counted in the whole
            file or, before a report is written, in all code of the notebook.
        mistake: the position of the mistake behind the finding; of all findings with the same position here, only the
            most severe one is shown.
        condition: in which constructions it occurs, as at the end of the message; None if it occurs in all.
        rests_on: the parameters without annotation, ``Net.step.size``, from which its code is computed: it may
            disappear when one of them is annotated.
    """

    code: str
    name: str
    severity: Severity
    stage: Stage
    message: str
    filename: str
    start: Position
    end: Position
    compiled_via: tuple[CallStep, ...] = ()
    help: str | None = None
    compiler: str | None = None
    fix: Fix | None = None
    cell: int | None = None
    mistake: Position | None = None
    condition: str | None = None
    rests_on: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Return ``row:column``, with the cell of a notebook before it."""
        return _place(self.start, self.cell)

    @property
    def calls(self) -> tuple[CallStep, ...]:
        """Return the call path if it has several functions, for reports. The constructor of a module at its end is left
        out: Python has run it before.
        """
        *before, last = [step.name.rpartition(".") for step in self.compiled_via] or [("", "", "")]
        constructor = last[2] == "__init__" and bool(before) and before[-1][0] == last[0]
        steps = self.compiled_via[:-1] if constructor else self.compiled_via
        return steps if len(steps) > 1 else ()

    @property
    def holder(self) -> CallStep | None:
        """Return the function that contains the finding; None for findings about the file."""
        return next((step for step in reversed(self.compiled_via) if step.filename == self.filename), None)

    @property
    def sort_key(self) -> tuple[str, Position, str, str]:
        """Return file, position and code: the order of every report."""
        return (self.filename, self.start, self.code, self.message)


def _place(position: Position, cell: int | None) -> str:
    place = f"{position.row}:{position.column}"
    return place if cell is None else f"cell {cell}:{place}"
