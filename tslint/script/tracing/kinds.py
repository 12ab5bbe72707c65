"""Defines kinds of Python values: whether the tracer records a value, or makes it a constant of the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.project.definitions import Class, Function
    from tslint.script.attributes import Instance


@record
class Kind:
    """The kind of a value: how the tracer treats it.

    Args:
        name: ``tensor`` (computed from the inputs), ``state`` (parameters, buffers, constants: a tensor that no input
            changes), ``dim`` (a number of a shape, which the tracer records as a tensor), ``size`` (a whole shape),
            ``rank``, ``device``, ``dtype`` (Python values that the tracer does not record), ``many`` (a sequence whose
            length depends on the input), ``few`` (a sequence whose length does not depend on it), ``dict``,
            ``constant``, ``unknown``.
        element: the kind of the elements of a sequence, or of the values of a dict.
        items: the kinds of the items of a tuple or list literal.
        why: for ``many``, what its length depends on.
    """

    name: str
    element: Kind | None = None
    items: tuple[Kind, ...] | None = None
    why: str = ""


UNKNOWN, CONSTANT, TENSOR, STATE = Kind("unknown"), Kind("constant"), Kind("tensor"), Kind("state")
DIM, SIZE, RANK, DEVICE, DTYPE = Kind("dim"), Kind("size"), Kind("rank"), Kind("device"), Kind("dtype")
BAKED = (RANK, DEVICE, DTYPE)
TENSORS = Kind("few", TENSOR)


@record
class Modules(Kind):
    """Modules that an attribute may contain."""

    instances: tuple[Instance, ...] = ()


@record
class Method(Kind):
    """A method of the class that is traced."""

    function: Function | None = None
    receiver: Class | None = None


def many(element: Kind, why: str) -> Kind:
    """Return the kind of a sequence whose length depends on the input."""
    return Kind("many", element, why=why)


def few(items: tuple[Kind, ...]) -> Kind:
    """Return the kind of a tuple or list literal."""
    return Kind("few", join_all(items) if items else UNKNOWN, items)


def join(first: Kind, second: Kind) -> Kind:
    """Return the kind of a variable after two branches, from its kind in each: unknown if these do not fit together."""
    if first == second:
        return first
    if {first, second} == {TENSOR, STATE}:
        return TENSOR
    if {first, second} == {DIM, CONSTANT}:
        return DIM
    if first.name == second.name == "few":
        return Kind("few", join(first.element or UNKNOWN, second.element or UNKNOWN))
    return UNKNOWN


def join_all(kinds: tuple[Kind, ...]) -> Kind:
    """Return the join of one or more kinds."""
    found = kinds[0]
    for kind in kinds[1:]:
        found = join(found, kind)
    return found


def element(kind: Kind) -> Kind:
    """Return the kind of an element of a sequence or tensor."""
    if kind in (TENSOR, STATE):
        return kind
    if kind == SIZE:
        return DIM
    return kind.element if kind.name in ("few", "many", "dict") and kind.element is not None else UNKNOWN


def holds(kind: Kind, name: str) -> bool:
    """Return whether a kind has a given name, or the kind of an item in a tuple or list literal has it."""
    if kind.name == name:
        return True
    if kind.items is not None:
        return any(holds(item, name) for item in kind.items)
    return kind.name in ("few", "many") and kind.element is not None and holds(kind.element, name)
