"""Updates every variable and attribute that contains a list or dict when a constructor changes the list or dict through
one of them.
"""

from __future__ import annotations

import ast

from tslint.script.attributes import PY_UNKNOWN, Instance, PyChoice, PyDict, PySequence, PyValue
from tslint.script.construct.frame import Frame
from tslint.script.construct.pyvalues import forget_items

GROWING = frozenset("append extend insert update pop clear remove add setdefault popitem".split())


def change(frame: Frame, old: PyValue, new: PyValue, node: ast.AST) -> None:
    """Replace a container in the variables of the active functions, and in the attributes; an attribute that may have
    other values is forgotten.

    Args:
        frame: the function that changes the container.
        old: the container before the change; only this object is replaced, and no copy of it.
        new: the container after the change.
        node: what changes it.
    """
    if new is old:  # PY_UNKNOWN is one object for all unknown values, so it identifies no container
        return
    active: Frame | None = frame
    while active is not None:
        for name, held in active.locals.items():
            if held is old:
                active.locals[name] = new
            elif isinstance(held, PySequence) and any(each is old for each in (*held.known(), held.element)):
                active.locals[name] = _with_item(held, old, new)
        active = active.caller
    for name, stored in [*frame.run.attributes.items()]:
        if any(each.value is old for each in stored):
            frame.run.unfit()
            if len(stored) == 1:
                frame.run.set(name, new, frame.assumptions, node)
            else:
                frame.run.forget(name, node)


def _with_item(holder: PySequence, old: PyValue, new: PyValue) -> PySequence:
    """Return a list of containers after a change of one of them."""
    items = None if holder.items is None else tuple(new if each is old else each for each in holder.items)
    some = tuple(new if each is old else each for each in holder.some)
    # The element stands for several containers, of which only one has changed.
    grown = isinstance(new, PySequence) and new.items is None
    element = holder.element if holder.element is not old else new if grown else PY_UNKNOWN
    return PySequence(holder.kind, items, element, holder.may_be_empty, some)


def forget_options(frame: Frame, choice: PyChoice, node: ast.AST) -> None:
    """Forget the items of all containers in a choice, because one of them is changed: ``(a if c else b).append(x)``."""
    for _, option in choice.cases:
        if isinstance(option, Instance):
            forget_items(option)
        change(frame, option, changed(option), node)


def changed(value: PyValue) -> PyValue:
    """Return a list, set or dict after an unknown change: its items are not known. Return other values as they are."""
    if isinstance(value, PySequence) and value.kind != "tuple":
        return PySequence(value.kind, None)
    return PyDict(None, value.kind) if isinstance(value, PyDict) else value
