"""Determines which values can be iterated, and their items (``SugaredValue::iter``, IterableTree)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from itertools import repeat

from tslint.script.events.modules import NotIterable, UnrolledWithUnknownLength
from tslint.script.interpreter import observers
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.own_container import own_container
from tslint.script.interpreter.value_kinds import as_typed
from tslint.script.operators import module_class
from tslint.script.project_classes import class_type
from tslint.script.types import (
    ANYTHING,
    GENERATED,
    INT,
    STRING,
    ClassType,
    DictType,
    ListType,
    Simple,
    TensorType,
    TupleType,
)
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ClassValue,
    ContainerValue,
    IterableValue,
    ModuleValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)


@dataclass
class Iteration:
    """The items of a loop.

    Args:
        element: the value of each item.
        unrolled: whether the compiler repeats the body for every item.
        items: the items of an unrolled loop, None if their number is not known.
        may_be_empty: the author's expression for the container, if the constructor's defaults may leave it empty.
    """

    element: Value
    unrolled: bool = False
    items: list[Value] | None = None
    may_be_empty: str = ""


def iteration_of(em: Emitter, node: ast.expr) -> Iteration:
    """Emit an iterable expression."""
    return iterate(em, em.expression(node), node)


def iterate(em: Emitter, value: Value, node: ast.expr, part: ast.expr | None = None) -> Iteration:
    """Return the iteration over a value; report an event if it cannot be iterated.

    Args:
        em: the emitter.
        value: the iterable.
        node: the node that the compiler underlines.
        part: the argument of ``zip`` or ``enumerate``, if the value is one.
    """
    if isinstance(value, ContainerValue):
        if value.kind == "ParameterDict":
            type_ = em.type_of(value, node)
            em.report(NotIterable(node, "false INTERNAL ASSERT FAILED", type=type_, part=part))
        return _container(value)
    if isinstance(value, TupleValue):
        return Iteration(value.elements[0] if value.elements else UNKNOWN, True, list(value.elements))
    if isinstance(value, IterableValue):
        return _tree(em, value, node)
    if isinstance(value, Typed):
        return _typed(em, value, node, part)
    if isinstance(value, Alternatives):
        return Iteration(em.map_alternatives(value, lambda option: iterate(em, option, node, part).element))
    if isinstance(value, ModuleValue):
        if not _may_be_container(em, value):
            em.report(
                NotIterable(
                    node,
                    "Only constant Sequential, ModuleList, ModuleDict, or ParameterList can be used as an iterable",
                    module=value.path,
                    part=part,
                )
            )
        return _own_items(em, value)
    if isinstance(value, ClassValue) and em.model.class_kind(value.definition) == "enum":
        found = class_type(em.model, value.definition)
        return Iteration(as_typed(found if isinstance(found, ClassType) else None))
    if not isinstance(value, Unknown):
        em.type_of(value, node)
    return Iteration(UNKNOWN)


def _may_be_container(em: Emitter, value: ModuleValue) -> bool:
    definition = value.instance.definition
    if definition is None:
        found = module_class(value.instance.external)
        return found is None or found.container
    if definition.module.name == "torch.nn.modules.container":
        return True
    hierarchy = em.model.hierarchy(definition)
    names = {base.name.rpartition(".")[2] for base in hierarchy.externals}
    return hierarchy.open or bool(names & {"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})


def _own_items(em: Emitter, value: ModuleValue) -> Iteration:
    """Return the items of a module that is a container itself. If its class has no constructor of its own, it may have
    no items.
    """
    definition = value.instance.definition
    container = own_container(em, value)
    if container is not None:
        return _container(container)
    inherited = definition is not None and "__init__" not in em.model.hierarchy(definition).members
    if value.path != "self" or not inherited or definition is None or em.model.hierarchy(definition).open:
        return Iteration(UNKNOWN)
    return Iteration(UNKNOWN, True, None, value.path)


def _container(value: ContainerValue) -> Iteration:
    return replace(_items(value), may_be_empty=value.path if value.may_be_empty else "")


def _items(value: ContainerValue) -> Iteration:
    if value.kind == "ModuleDict" and value.view in ("", "keys"):
        keys = value.keys
        items: list[Value] | None = [Typed(STRING) for _ in keys] if keys is not None else None
        return Iteration(Typed(STRING), True, items)
    if value.view == "items":
        pairs: list[Value] | None = None
        if value.items is not None and value.keys is not None:
            pairs = [TupleValue((Typed(STRING), item)) for item in value.items]
        return Iteration(TupleValue((Typed(STRING), value.element)), True, pairs)
    return Iteration(value.element, True, list(value.items) if value.items is not None else None)


def _typed(em: Emitter, value: Typed, node: ast.expr, part: ast.expr | None) -> Iteration:
    type_ = value.type
    if isinstance(type_, TensorType):
        return Iteration(Typed(TensorType()))
    if isinstance(type_, ListType):
        return Iteration(as_typed(type_.element))
    if isinstance(type_, DictType):
        return Iteration(as_typed(type_.key))
    if isinstance(type_, TupleType):
        elements: list[Value] = [as_typed(element) for element in type_.elements]
        return Iteration(elements[0] if elements else UNKNOWN, True, elements)
    if type_ == STRING:
        return Iteration(Typed(STRING))
    if type_ == ANYTHING:
        return Iteration(UNKNOWN)
    if not (isinstance(type_, ClassType) and type_.kind == "module"):
        said = "Yield aren't supported" if type_ == GENERATED else f"'{type_}' object is not iterable"
        em.report(NotIterable(node, said, type=type_, part=part))
    return Iteration(UNKNOWN)


def _alike(value: Value) -> bool:
    """Return whether a value is, or may be, a tuple whose elements have one type."""
    if isinstance(value, Alternatives):
        return any(_alike(option) for _, option in value.cases)
    if isinstance(value, Unknown):
        return True
    return isinstance(value, Typed) and isinstance(value.type, TupleType) and len(set(value.type.elements)) == 1


def _look_at_each(
    em: Emitter, value: IterableValue, unrolled: list[bool], position: int, child: Alternatives, node: ast.expr
) -> None:
    """Check an argument of ``zip`` in each construction separately: the compiler may unroll the loop, or know the
    length of the argument, only in some constructions.
    """

    def look(option: Value) -> Value:
        children = (*value.children[:position], option, *value.children[position + 1 :])
        repeated = [*unrolled[:position], _is_unrolled(option), *unrolled[position + 1 :]]
        if any(repeated):
            _of_unknown_length(em, replace(value, children=children), repeated, node)
        return UNKNOWN

    em.map_alternatives(child, look)


def _is_unrolled(value: Value) -> bool:
    """Return whether the compiler repeats the body of a loop over a value for every item."""
    return isinstance(value, (ContainerValue, TupleValue)) or (
        isinstance(value, Typed) and isinstance(value.type, TupleType)
    )


def _of_unknown_length(em: Emitter, value: IterableValue, unrolled: list[bool], node: ast.expr) -> bool:
    """Report the first argument of an unrolled ``zip`` whose length is not known; return whether there is one."""
    for child, repeated in zip(value.children, unrolled):
        if not repeated and not isinstance(child, (Unknown, Alternatives)):
            message = (
                "Can not iterate over a module list or tuple with a value that does not have a statically"
                " determinable length"
            )
            em.report(
                UnrolledWithUnknownLength(
                    node,
                    message,
                    type=child.type if isinstance(child, Typed) else Simple("range"),
                    unrolled=tuple(unrolled),
                    of_modules=any(isinstance(each, ContainerValue) for each in value.children),
                    alike=tuple(map(_alike, value.children)),
                )
            )
            return True
    return False


def _tree(em: Emitter, value: IterableValue, node: ast.expr) -> Iteration:
    if value.kind == "range":
        return Iteration(Typed(INT))
    observers.view_iteration.tell(em, node, value)
    parts = node.args if isinstance(node, ast.Call) and len(node.args) >= len(value.children) else repeat(None)
    columns = [iterate(em, child, node, part) for child, part in zip(value.children, parts)]
    unrolled = [column.unrolled for column in columns]
    element: Value = TupleValue(tuple(column.element for column in columns))
    if value.kind == "enumerate":
        element = TupleValue((Typed(INT), columns[0].element))
    for position, child in enumerate(value.children):
        if isinstance(child, Alternatives) and len(columns) > 1:
            _look_at_each(em, value, unrolled, position, child, node)
    if not any(unrolled):
        return Iteration(element)
    if _of_unknown_length(em, value, unrolled, node):
        return Iteration(element, True)  # what follows from a loop that is not unrolled is no mistake of its own
    known = [column.items for column in columns if column.unrolled]
    if any(items is None for items in known):
        empty = next((column.may_be_empty for column in columns if column.may_be_empty), "")
        return Iteration(element, True, None, empty)
    length = min(len(items) for items in known if items is not None)
    rows: list[Value] = []
    for position in range(length):
        cells: list[Value] = []
        for column in columns:
            cells.append(column.items[position] if column.unrolled and column.items is not None else column.element)
        rows.append(TupleValue((Typed(INT), cells[0])) if value.kind == "enumerate" else TupleValue(tuple(cells)))
    return Iteration(element, True, rows)
