"""Declares the attributes in a test as constants, so that the compiler evaluates the test and drops a branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tslint.diagnostics import Fix
from tslint.rewrite.declare_flags import written
from tslint.rulekit.match import Match
from tslint.script.dataflow.decidable import Decider
from tslint.script.dataflow.flags import Plan


def decided(match: Match, node: Any, *, any_truth: bool = False) -> Fix | None:
    """Return a fix after which the compiler drops a node because a constant test excludes it.

    Args:
        match: the event.
        node: the node of the static model.
        any_truth: whether to evaluate values of unknown types as conditions, too; if that raises, the compiler rejects
            the construction as before.
    """
    decider = _decider(match, any_truth)
    return _first(match, decider, decider.dropping(node)) if decider is not None else None


def decided_by_callers(match: Match) -> Fix | None:
    """Return a fix after which the compiler drops all calls that lead to the event's method, because constant tests
    exclude them.

    Return None if one of these calls is under no such test, or if the method is compiled without a call.
    """
    found: Fix | None = None
    pending, seen = [match.event.unit], {id(match.event.unit)}
    while pending:
        unit = pending.pop()
        for reach in unit.reached if unit is not None else ():
            decider = Decider.of(match.file.tree, reach.caller)
            if decider is None or reach.node is None:
                return None
            fix = _first(match, decider, decider.dropping(reach.node))
            if fix is None and id(reach.caller) not in seen:
                pending.append(reach.caller)
                seen.add(id(reach.caller))
            found = found or fix
    return found


def decided_tests(match: Match, tests: Iterable[Any], *, any_truth: bool = False) -> Fix | None:
    """Return a fix after which the compiler takes only one branch of every test that depends on constants only, or at
    least of those that are false.

    Args:
        match: the event.
        tests: the tests, nodes of the static model.
        any_truth: see :func:`decided`.
    """
    decider = _decider(match, any_truth)
    return _first(match, decider, decider.taking_one_branch(tests)) if decider is not None else None


def can_decide(match: Match, tests: Sequence[Any], *, any_truth: bool = False) -> bool:
    """Return whether there are fixes with which the compiler can evaluate every given test, both if it is true and if
    it is false.

    Args:
        match: the event.
        tests: the tests, nodes of the static model; without tests, the result is False.
        any_truth: see :func:`decided`.
    """
    decider = _decider(match, any_truth)
    return decider is not None and bool(tests) and all(map(decider.decides, tests))


def read_once(match: Match, node: Any, name: str) -> Fix | None:
    """Return a fix after which the compiler reads an expression of the static model once, as a constant of the given
    name.
    """
    decider = _decider(match, any_truth=False)
    plan = decider.reading_once(node, name) if decider is not None else None
    return written(match, decider, plan) if decider is not None and plan is not None else None


def _decider(match: Match, any_truth: bool) -> Decider | None:
    found = Decider.of(match.file.tree, match.event.unit)
    if found is not None:
        found.any_truth = any_truth
    return found


def _first(match: Match, decider: Decider, plans: Iterator[Plan]) -> Fix | None:
    fixes = (written(match, decider, plan) for plan in plans)
    return next((fix for fix in fixes if fix is not None), None)
