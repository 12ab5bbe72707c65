"""Defines the record of a rule, and the findings that its ``check`` yields.

A rule is a module under ``tslint.rules`` with a docstring (the rule's page), one ``RULE = Rule(...)`` record and one
``check`` generator. No other file registers it: see :mod:`tslint.rulekit.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.diagnostics import Applicability, Edit, Fix, Position, Risk, Severity, Stage
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.events import Event

HEADINGS = ("What it does", "Why TorchScript rejects it", "Example", "Use instead", "Fix safety")
GOES_WRONG = "What goes wrong"
"""The second heading of a page about code that the compiler accepts."""
URL = "https://tslint.readthedocs.io/rules/{name}/"


@record
class Finding:
    """A finding from a rule's ``check``: the texts and the fix; the engine adds file, position and call path.

    Args:
        message: one line, in the author's words.
        help: what to do about it; one or two sentences.
        fix: see :class:`tslint.diagnostics.Fix`.
        start: where it begins, if that is not the event's node.
        end: where it ends.
        severity: the severity, if it is not the rule's. A conditional event is never more than a warning.
        mistake: the position of a mistake that several rules find: of their findings, only the most severe one is
            shown.
    """

    message: str
    help: str | None = None
    fix: Fix | None = None
    start: Position | None = None
    end: Position | None = None
    severity: Severity | None = None
    mistake: Position | None = None


@record
class Rule:
    """The metadata record of a rule.

    Args:
        code: ``TS`` and three digits, unique; the first digit is the family's.
        name: kebab-case, unique; names the bad pattern, so that "ignore <name>" reads well.
        events: the kinds of events that the rule handles, see :mod:`tslint.script.events`; names if they are not
            imported.
        severity: the severity for an event without a condition.
        stage: where the problem occurs.
        since: the first version of torch in which the compiler behaves so; None for no bound.
        until: the last such version; None for no bound.
        default: False for rules that are shown only if they are selected.
    """

    code: str
    name: str
    events: tuple[type[Event] | str, ...]
    severity: Severity = Severity.ERROR
    stage: Stage = Stage.SCRIPT
    since: str | None = None
    until: str | None = None
    default: bool = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds of events that the rule handles."""
        return tuple(each if isinstance(each, str) else each.kind for each in self.events)

    @property
    def opt_in(self) -> bool:
        """Return whether the rule is shown only if it is selected: by its name, code, family or ``ALL``."""
        return not self.default or self.severity is Severity.INFO

    @property
    def url(self) -> str:
        """The address of the rule's page."""
        return URL.format(name=self.name)


Edits = Edit | Callable[[], Iterable[Edit]]
"""An edit, or a function that creates edits: it is only called if an edit is wanted, because building code
takes time.
"""


def safe(message: str, *edits: Edits) -> Fix:
    """Return a fix that changes neither what Python computes nor compiled code that compiled before."""
    return Fix(Applicability.SAFE, message, _made(edits))


def unsafe(message: str, *edits: Edits, risks: tuple[Risk, ...] = (), assumes: str = "") -> Fix:
    """Return a fix that does not change what Python computes, but has at least one risk.

    Args:
        message: what the fix does, in the imperative.
        edits: the edits, or functions that make them.
        risks: what it may change.
        assumes: a clause that says which type or name the fix assumes: a risk, too.
    """
    if assumes and Risk.ASSUMES not in risks:
        risks = (Risk.ASSUMES, *risks)
    return Fix(Applicability.UNSAFE, message, _made(edits) if _all_wanted else (), risks=risks, assumes=assumes)


def display(message: str, *edits: Edits) -> Fix:
    """Return a fix for a person to finish or to decide: it is shown, but never applied."""
    return Fix(Applicability.DISPLAY, message, _made(edits) if _all_wanted else ())


def for_a_person(fix: Fix | None) -> Fix | None:
    """Return a fix as a display fix, because it is too uncertain to be applied automatically; None for None."""
    return fix and replace(fix, applicability=Applicability.DISPLAY, risks=(), assumes="")


_wanted = _all_wanted = True


@contextmanager
def with_edits(wanted: bool, *, all_wanted: bool = True) -> Iterator[None]:
    """Create fixes with or without their edits inside the ``with``: writing edits takes longer than finding that a fix
    is possible.

    Args:
        wanted: whether safe fixes have edits.
        all_wanted: whether unsafe and display fixes have edits, too.
    """
    global _wanted, _all_wanted
    before = _wanted, _all_wanted
    _wanted, _all_wanted = wanted, all_wanted
    try:
        yield
    finally:
        _wanted, _all_wanted = before


def _made(edits: Iterable[Edits]) -> tuple[Edit, ...]:
    if not _wanted:
        return ()
    found: list[Edit] = []
    for each in edits:
        found += [each] if isinstance(each, Edit) else each()
    return tuple(found)


def least_risky(*fixes: Fix | None) -> Fix | None:
    """Return the fix with the least risk: a safe one; otherwise, one after which compiled code computes the same as
    Python; otherwise, the first. Return None if there is no fix.
    """
    known = [fix for fix in fixes if fix is not None]
    ordered = sorted(known, key=lambda fix: (fix.applicability is not Applicability.SAFE, Risk.DIFFERS in fix.risks))
    return ordered[0] if ordered else None
