"""Finds the roots that the compiler would reject, and the functions that cause the rejection, to show what a change
breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tslint.project.definitions import Class
from tslint.script.assumptions import HAS_RUN, Assumption
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.events import Event
    from tslint.script.model import Model
    from tslint.script.scope import Reach, Unit

FRESH = Assumption(HAS_RUN, False).words()
_SOMETIMES, _FILLED, _ALWAYS = range(3)
Scope = tuple[Path, str]
"""A file, and the qualified name of a function or class in it."""


@record
class Refusal:
    """Why a root does not compile.

    Args:
        sure: whether every construction is rejected, also if its module lists are empty. Only modules that have not run
            before count, because modules are built to be scripted.
        used: whether a module that has run before scripting is rejected, too.
        through: the functions that lead to the error, and the classes for which they are compiled, with their bases.
        conditions: the constructions in which the error occurs; empty if it occurs in all of them.
        filled: whether every construction is rejected in which no module list is empty.
    """

    sure: bool
    used: bool
    through: frozenset[Scope]
    conditions: frozenset[str] = frozenset()
    filled: bool = False

    def __or__(self, other: Refusal) -> Refusal:
        return Refusal(
            self.sure or other.sure,
            self.used or other.used,
            self.through | other.through,
            self.conditions | other.conditions,
            self.filled or other.filled,
        )


def refusals(model: Model, refuses: Callable[[Event], bool]) -> dict[Path, dict[str, Refusal]]:
    """Return the roots that the compiler rejects, by their file and name.

    Args:
        model: the static model that has compiled them.
        refuses: returns whether the compiler stops at an event.
    """
    found: dict[Path, dict[str, Refusal]] = {}
    events = [event for group in model.events.values() for event in group] + list(model.class_events)
    stops = {
        (event.unit, event.condition, event.in_loop_over_modules)
        for event in events
        if event.unit is not None and refuses(event)
    }
    for unit, condition, in_loop in stops:
        for root, way, through in _roots(model, unit):
            path, name = _scopes(root)[-1]
            table = found.setdefault(path, {})
            sure, fresh = way == _ALWAYS and not in_loop, condition in (None, FRESH)
            conditions = frozenset([condition] if condition is not None else [])
            filled = way != _SOMETIMES and fresh
            refusal = Refusal(sure and fresh, sure and condition is None, through, conditions, filled)
            table[name] = table[name] | refusal if name in table else refusal
    return found


def worse(before: Mapping[Scope, Refusal], after: Mapping[Scope, Refusal]) -> dict[Scope, Refusal]:
    """Return the roots that are rejected only after a change, or in more constructions than before it."""
    return {
        root: refusal for root, refusal in after.items() if root not in before or _more_often(before[root], refusal)
    }


def _more_often(before: Refusal, after: Refusal) -> bool:
    if before.sure:
        return False
    # A condition that contains a known one is not new: `a and b` is true less often than `a`.
    new = [each for each in after.conditions if not any(known in each for known in before.conditions)]
    return after.sure or bool(new)


def spoiled(before: Mapping[Scope, Refusal], after: Mapping[Scope, Refusal]) -> dict[Scope, Refusal]:
    """Return the roots that were rejected before a change already, but not for a module that has run before scripting,
    and are now rejected for such a module, too.
    """
    return {root: refusal for root, refusal in after.items() if root in before and refusal.used > before[root].used}


def _roots(model: Model, unit: Unit) -> list[tuple[Unit, int, frozenset[Scope]]]:
    """Return the roots that reach a unit: each with ``_ALWAYS`` if it reaches the unit in every construction,
    ``_FILLED`` if in every one without empty containers, otherwise ``_SOMETIMES``; and with the functions and classes
    on the paths. Bases of these classes are included, because their annotations and constructors apply.
    """
    sure: dict[Unit, int] = {}
    uses: dict[Unit, list[Unit]] = {}
    pending = [(unit, _ALWAYS)]
    while pending:
        each, level = pending.pop()
        if sure.get(each, -1) >= level:
            continue
        sure[each] = level
        for way in each.reached:
            if way.caller is not None:
                uses.setdefault(way.caller, []).append(each)
                pending.append((way.caller, min(level, _level(way))))
    found = []
    for root, level in sure.items():
        ways = [way for way in root.reached if way.caller is None]
        if ways:
            between = {root}
            below = [root]
            while below:
                new = [each for each in uses.get(below.pop(), ()) if each not in between]
                between.update(new)
                below += new
            receivers = {each.receiver for each in between if each.receiver is not None}
            lines = [base for each in receivers for base in model.hierarchy(each).mro]
            bases = {(each.module.source.path, each.qualname) for each in lines if isinstance(each, Class)}
            through = bases.union(scope for each in between for scope in _scopes(each))
            found.append((root, min(level, max(map(_level, ways))), frozenset(through)))
    return found


def _level(way: Reach) -> int:
    if not way.assumptions:
        return _ALWAYS
    return _FILLED if all(_excludes_empty(each) for each in way.assumptions) else _SOMETIMES


def _excludes_empty(assumption: Assumption) -> bool:
    """Return whether an assumption only excludes an empty container."""
    return assumption.holds and assumption.text.startswith("len(") and assumption.text.endswith(") > 0")


def _scopes(unit: Unit) -> list[Scope]:
    """Return a unit's function, the class that defines it, and last the class for which it is compiled (or the function
    itself).
    """
    function = unit.function
    path = function.module.source.path
    found = [(path, function.qualname)]
    found += [(path, function.owner.qualname)] if function.owner is not None else []
    found += [(unit.receiver.module.source.path, unit.receiver.qualname)] if unit.receiver is not None else []
    return found
