"""Tensors that are made of lists: the compiler takes lists of what it has in C++, not the list's elements."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.hazards import ElementsOfNoNumber
from tslint.script.types import BOOL, COMPLEX, FLOAT, INT, ListType, Type, UnionType, has_unknowns
from tslint.script.values import Typed

if TYPE_CHECKING:
    from tslint.script.interpreter.arguments import Given
    from tslint.script.interpreter.emitter import Emitter

MAKES_TENSOR = frozenset(["aten::tensor", "aten::as_tensor"])


def notice_elements(em: Emitter, node: ast.Call, given: Given) -> None:
    """``torch.tensor([n, 1.5])``: an int and a float are no list of numbers to it."""
    name, value, part = given.values[0] if given.values else (None, None, node)
    type_ = value.type if isinstance(value, Typed) else None
    if name not in (None, "data") or not isinstance(type_, ListType) or has_unknowns(type_):
        return
    elements: Type = type_
    while isinstance(elements, ListType):
        elements = elements.element
    if elements in (INT, FLOAT, BOOL, COMPLEX):
        return
    inside = {id(each) for each in ast.walk(part)}
    if any(id(event.node) in inside for event in em.events):
        return  # what they are is not sure
    numbers = isinstance(elements, UnionType) and {*elements.order} == {INT, FLOAT} and type_.element is elements
    says = "" if isinstance(elements, UnionType) else f"Input must be of ints, floats, or bools, got {elements}"
    em.notice(ElementsOfNoNumber(part, says, elements=elements, numbers=numbers))
