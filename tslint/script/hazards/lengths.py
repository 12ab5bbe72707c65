"""Finds ``len`` of values without a length in compiled code, which counts the arguments of ``len`` instead."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.hazards import CountedArguments
from tslint.script.interpreter import observers
from tslint.script.types import NONE, STRING, DictType, ListType, TensorType, TupleType, has_unknowns
from tslint.script.values import Typed

if TYPE_CHECKING:
    from tslint.script.interpreter.arguments import Given
    from tslint.script.interpreter.emitter import Emitter

_HAVE_LENGTH = (TensorType, ListType, DictType, TupleType)


@observers.operator_call.observe
def notice_length(em: Emitter, operator: str, node: ast.Call, given: Given) -> None:
    """Report ``len(sizes)`` of an Optional: only ``len.any(Any[] a)`` accepts it, which counts the arguments."""
    if operator != "aten::len" or len(given.values) != 1:
        return
    _, value, part = given.values[0]
    if not isinstance(value, Typed) or value.type in (None, NONE, STRING) or has_unknowns(value.type):
        return
    if not isinstance(value.type, _HAVE_LENGTH):
        em.notice(CountedArguments(node, "", value=part, type=value.type))
