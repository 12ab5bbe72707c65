"""The modules that an instance keeps, each with the tests of the constructor that it depends on."""

from __future__ import annotations

from collections.abc import Iterator

from tslint.script.attributes import NO_ATOMS, Atoms, Instance, PyChoice, PyValue, consistent

_DEPTH = 8


def kept_instances(value: PyValue | None, depth: int = 0) -> Iterator[tuple[Atoms, Instance]]:
    """The instances that an attribute's value holds: itself, one of its cases, or the items of a container."""
    if isinstance(value, PyChoice):
        for atoms, option in value.cases:
            for more, instance in kept_instances(option, depth):
                if consistent(more, atoms):
                    yield atoms | more, instance
    elif isinstance(value, Instance) and depth < _DEPTH:
        yield NO_ATOMS, value
        for item in value.items if value.items is not None else (value.element,):
            yield from kept_instances(item, depth + 1)
