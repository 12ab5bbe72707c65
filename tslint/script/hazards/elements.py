"""Finds lists whose elements compiled code cannot sort, or from which it cannot make a tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tslint.script.events.hazards import ElementsOfNoNumber, TensorAsNumber, UnsortableElements
from tslint.script.interpreter import observers
from tslint.script.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    has_unknowns,
)
from tslint.script.values import Typed

if TYPE_CHECKING:
    from tslint.script.interpreter.arguments import Given
    from tslint.script.interpreter.emitter import Emitter

_MAKES_TENSOR = frozenset(["aten::tensor", "aten::as_tensor"])


@observers.operator_call.observe
def notice_elements(em: Emitter, operator: str, node: ast.Call, given: Given) -> None:
    """Report ``torch.tensor([n, 1.5])``: a list with both an int and a float is rejected; and ``torch.tensor(x)`` of a
    Tensor, which compiled code converts to a number.
    """
    if operator not in _MAKES_TENSOR:
        return
    name, value, part = given.values[0] if given.values else (None, None, node)
    type_ = value.type if isinstance(value, Typed) else None
    if name not in (None, "data"):
        return
    if operator == "aten::tensor" and isinstance(type_, TensorType):
        written = ast.unparse(node.func)
        em.notice(TensorAsNumber(part, "", type=FLOAT, place="constructor", name=written, tensor=True))
    _notice_no_numbers(em, part, type_, "torch.tensor")


def _notice_no_numbers(em: Emitter, part: ast.AST, type_: Type | None, name: str) -> None:
    """Report a list from which a constructor of tensors cannot make one."""
    if not isinstance(type_, ListType) or has_unknowns(type_):
        return
    elements: Type = type_
    while isinstance(elements, ListType):
        elements = elements.element
    if elements in (INT, FLOAT, BOOL):
        return
    inside = {id(each) for each in ast.walk(part)}
    if any(id(event.node) in inside for event in em.events):
        return  # an error in the elements makes their types uncertain
    numbers = isinstance(elements, UnionType) and {*elements.order} == {INT, FLOAT} and type_.element is elements
    says = "" if isinstance(elements, UnionType) else f"Input must be of ints, floats, or bools, got {elements}"
    if elements == COMPLEX:
        says = "Add new condition, expected Float, Complex, Int, or Bool but gotcomplex"
    em.notice(ElementsOfNoNumber(part, says, elements=elements, numbers=numbers, name=name))


@observers.sort_call.observe
def notice_sorted(em: Emitter, node: ast.Call, type_: Type | None) -> None:
    """Report ``sorted(d.items())``: compiled code only compares tuples of one type (including shapes, strides and
    dtypes of tensors), and cannot order lists, dicts and None.
    """
    if not isinstance(type_, ListType) or has_unknowns(type_):
        return
    fields = list(_fields(type_.element))
    never = any(each == NONE or isinstance(each, (ListType, DictType, OptionalType)) for each in fields)
    tensors = isinstance(type_.element, TupleType) and any(isinstance(each, TensorType) for each in fields)
    if never or tensors:
        says = "" if never else "Only values of same type can be compared"
        em.notice(UnsortableElements(node, says, elements=type_.element, tensors=not never))


def _fields(type_: Type) -> Iterator[Type]:
    """Yield the types that are compared for an element; for a tuple, the types of all its parts."""
    if isinstance(type_, TupleType):
        for each in type_.elements:
            yield from _fields(each)
    else:
        yield type_


@observers.old_constructor_call.observe
def notice_old_constructor(em: Emitter, node: ast.Call, given: Given) -> None:
    """Report ``torch.LongTensor(x)`` of a Tensor, which compiled code converts to a number, or of a list that is not of
    numbers.
    """
    _, value, part = given.values[0] if len(given.values) == 1 else (None, None, None)
    if not isinstance(value, Typed) or part is None:
        return
    name = ast.unparse(node.func)
    if isinstance(value.type, TensorType):
        em.notice(TensorAsNumber(part, "", type=FLOAT, place="constructor", name=name, tensor=True))
    _notice_no_numbers(em, part, value.type, name)
