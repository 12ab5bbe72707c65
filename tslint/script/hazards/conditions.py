"""Finds conditions that are numbers from floating-point tensors: compiled code converts them to int before the test."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.dataflow.items import is_floating_item
from tslint.script.events.hazards import TruncatedCondition
from tslint.script.interpreter import observers
from tslint.script.types import NUMBER, Type

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter


@observers.condition.observe
def notice_truncation(em: Emitter, node: ast.expr, type_: Type) -> None:
    """Report ``if x.mean().item():``, which is false for 0.5 and raises for NaN."""
    if type_ == NUMBER and is_floating_item(em.unit.function.node, node):
        em.notice(TruncatedCondition(node, ""))
