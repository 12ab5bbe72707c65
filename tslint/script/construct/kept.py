"""Lists the modules that an instance stores, each with the tests of the constructor on which it depends."""

from __future__ import annotations

from collections.abc import Iterator

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, satisfiable
from tslint.script.attributes import Instance, PyChoice, PyEither, PyValue

_DEPTH = 8


def stored_modules(container: Instance) -> tuple[PyValue, ...]:
    """Return the items of a container; if their number is not known, one value for each class that an item may have."""
    if container.items is not None:
        return container.items
    one = container.element
    return (*(one.options if isinstance(one, PyEither) else (one,)), *container.some)


def kept_instances(value: PyValue | None, depth: int = 0) -> Iterator[tuple[Assumptions, Instance]]:
    """Yield the instances in an attribute's value, each with the tests under which the attribute contains it.

    The value is an instance itself, a choice, or a container. If the number of a container's items is not known, an
    item is in it under the tests under which the constructor creates the item.
    """
    if isinstance(value, PyChoice):
        for assumptions, option in value.cases:
            for more, instance in kept_instances(option, depth):
                if satisfiable(more, assumptions):
                    yield assumptions | more, instance
    elif isinstance(value, Instance) and depth < _DEPTH:
        yield NO_ASSUMPTIONS, value
        sure = value.some if value.items is None else value.items
        for item in stored_modules(value):
            certain = any(item is each for each in sure)
            under = item.under if isinstance(item, Instance) and not certain else NO_ASSUMPTIONS
            yield from ((under | more, each) for more, each in kept_instances(item, depth + 1))
