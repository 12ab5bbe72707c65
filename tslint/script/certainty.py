"""Finds sets of conditional errors that cover all constructions of a module, so that each construction has an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, satisfiable
from tslint.script.construct.narrowing import contradictory
from tslint.script.events import Event
from tslint.script.scope import Unit

_MOST_CASES = 8


def with_certainty(events: Sequence[Event], refuses: Callable[[Event], bool]) -> list[Event]:
    """Return the events. If each construction of a class has an error, the errors that show this are marked as certain.

    Args:
        events: all events of a run.
        refuses: returns whether the compiler stops at an event.
    """
    certain: set[int] = set()
    for group in _by_class(events):
        cases: dict[Assumptions, list[Event]] = {}
        for event in group:
            for given in _ways(event.unit) if event.unit is not None else ():
                whole = given | (event.assumptions or NO_ASSUMPTIONS)
                if not contradictory(whole):
                    cases.setdefault(whole, []).append(event)
        # `refuses` asks the rules, so it is only called for groups that may cover all constructions.
        if NO_ASSUMPTIONS in cases or not _cover_all(list(cases)[:_MOST_CASES]):
            continue
        refused = {whole: [each for each in found if refuses(each)] for whole, found in cases.items()}
        needed = _needed([whole for whole, found in refused.items() if found][:_MOST_CASES])
        certain.update(id(each) for whole in needed for each in refused[whole])
    return [replace(each, certain=True) if id(each) in certain else each for each in events] if certain else [*events]


def _by_class(events: Sequence[Event]) -> Iterator[list[Event]]:
    """Yield lists of the conditional events whose tests are known: one for each class with several such events."""
    found: dict[int, list[Event]] = {}
    for event in events:
        if event.condition is not None and event.assumptions is not None and not event.in_loop_over_modules:
            if event.unit is not None and event.unit.receiver is not None:
                found.setdefault(id(event.unit.receiver), []).append(event)
    return (group for group in found.values() if len(group) > 1)


def _ways(unit: Unit) -> Iterator[Assumptions]:
    """Yield the tests under which a unit is compiled, once for each call path from a root. Paths with tests of another
    class's constructor are left out.
    """
    pending: list[tuple[Unit, Assumptions]] = [(unit, NO_ASSUMPTIONS)]
    seen: set[tuple[int, Assumptions]] = set()
    while pending and len(seen) < _MOST_CASES:
        each, given = pending.pop()
        if (id(each), given) in seen:
            continue
        seen.add((id(each), given))
        for reach in each.reached:
            if reach.caller is None:
                if not reach.assumptions:
                    yield given
            elif not reach.assumptions or reach.caller.receiver is unit.receiver:
                pending.append((reach.caller, given | reach.assumptions))


def is_compiled_under(unit: Unit, given: Assumptions) -> bool:
    """Return whether the unit may be compiled for a construction in which tests have the given results: the tests
    around the calls that lead to it do not contradict them.
    """
    pending: list[tuple[Unit, Assumptions]] = [(unit, given)]
    seen: set[tuple[int, Assumptions]] = set()
    while pending:
        each, known = pending.pop()
        if (id(each), known) in seen:
            continue
        seen.add((id(each), known))
        if not each.reached:
            return True
        for reach in each.reached:
            # Tests of another class's constructor say nothing about this one.
            if reach.caller is None or reach.caller.receiver is not unit.receiver or len(seen) > _MOST_CASES:
                return True
            together = known | reach.assumptions
            if satisfiable(reach.assumptions, known) and not contradictory(together):
                pending.append((reach.caller, together))
    return False


def _needed(cases: list[Assumptions]) -> list[Assumptions]:
    """Return cases that together cover every construction, without those that earlier cases cover completely; an empty
    list if some construction is in no case.
    """
    if not _cover_all(cases):
        return []
    return [case for position, case in enumerate(cases) if not _cover_all(cases[:position], case)]


def _cover_all(cases: list[Assumptions], given: Assumptions = NO_ASSUMPTIONS) -> bool:
    """Return whether each construction for which ``given`` is true belongs to one of the cases."""
    if not cases:
        return False
    first, *others = cases
    for assumption in first:
        other = assumption.negated()
        possible = satisfiable([other], given) and not contradictory(given | {other})
        if possible and not _cover_all(others, given | {other}):
            return False
    return True
