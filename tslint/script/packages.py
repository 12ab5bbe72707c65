"""Reports errors in installed packages at the calls in the author's code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tslint.script.assumptions import NO_ASSUMPTIONS, in_words
from tslint.script.events import Event
from tslint.script.events.hazards import LibraryOperator
from tslint.script.events.names import PackageCall
from tslint.script.model import Model
from tslint.script.scope import Reach, Unit


def package_events(
    model: Model, installed: Callable[[Path], bool], refuses: Callable[[Event], bool]
) -> Iterator[Event]:
    """Yield an event for each call that leads into an installed package and certainly fails, or needs a library, there.

    Errors that depend on how an object of a package was built are left out, because the author cannot change that.

    Args:
        model: the static model that has compiled everything.
        installed: returns whether a file belongs to an installed package.
        refuses: returns whether the compiler stops at an event.
    """
    ways = {
        id(unit): list(_ways(unit, installed))
        for unit in model.units.values()
        if installed(unit.function.module.source.path)
    }
    found = [
        (event, reach, through)
        for events in model.events.values()
        for event in events
        if event.condition is None and not event.in_loop_over_modules
        for reach, through in ways.get(id(event.unit), ())
    ]
    said: set[tuple[int, int, bool]] = set()
    # Errors in the called function itself come first.
    for event, reach, through in sorted(found, key=lambda each: len(each[2])):
        needs = isinstance(event, LibraryOperator)
        key = (id(reach.caller), id(reach.node), needs)
        if key not in said and (needs or refuses(event)):
            said.add(key)
            yield _at_call(event, reach, through)


def _ways(unit: Unit, installed: Callable[[Path], bool]) -> Iterator[tuple[Reach, tuple[Unit, ...]]]:
    """Yield the calls in the author's code that lead to a unit, however the package's objects are constructed. Each
    comes with the units on the way, from the called unit to the given one.
    """
    pending: list[tuple[Unit, ...]] = [(unit,)]
    seen = {id(unit)}
    for way in pending:
        for reach in way[0].reached:
            caller = reach.caller
            if caller is None or id(caller) in seen:
                continue
            if not installed(caller.function.module.source.path):
                yield reach, way
            elif not reach.assumptions:
                seen.add(id(caller))
                pending.append((caller, *way))


def _at_call(event: Event, reach: Reach, through: tuple[Unit, ...]) -> Event:
    caller, node, called = reach.caller, reach.node, through[0].function
    assert caller is not None and isinstance(node, ast.AST)
    condition = in_words(reach.assumptions or caller.conditions() or NO_ASSUMPTIONS)
    if isinstance(event, LibraryOperator):
        return replace(event, node=node, unit=caller, condition=condition)
    name = f"{called.module.name}.{called.qualname}"
    return PackageCall(
        node, event.compiler, name=name, refused=event, through=through, unit=caller, condition=condition
    )
