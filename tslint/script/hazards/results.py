"""Finds methods of tensors that return something else in compiled code than in Python."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.hazards import UniqueConsecutiveMethod
from tslint.script.interpreter import observers
from tslint.script.types import TensorType
from tslint.script.values import OperatorValue, Typed, Value

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter

_ALL = {"return_inverse", "return_counts"}


@observers.value_call.observe
def notice_results(em: Emitter, callee: Value, node: ast.Call, _arguments: list[Value]) -> None:
    """Report ``x.unique_consecutive()``: only the function of that name has the results of Python."""
    if not isinstance(callee, OperatorValue) or not isinstance(callee.receiver, Typed):
        return
    asked = {each.arg for each in node.keywords if isinstance(each.value, ast.Constant) and each.value.value is True}
    named = callee.name.removeprefix("aten::") == "unique_consecutive"
    if named and isinstance(callee.receiver.type, TensorType) and not asked >= _ALL:
        em.notice(UniqueConsecutiveMethod(node, ""))
