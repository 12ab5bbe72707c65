"""Classes of the project in compiled code: annotations, construction, context managers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.project.definitions import Class
from tslint.script.types import Type
from tslint.script.values import UNKNOWN, ClassValue, Value

if TYPE_CHECKING:
    from tslint.script.interpreter.calls import Given
    from tslint.script.interpreter.emitter import Emitter


def annotation_type(em: Emitter, definition: Class) -> Type | None | bool:
    """The type that a class stands for in an annotation: False for modules, None where the model is not sure."""
    return False if em.model.is_module(definition) else None


def construct(em: Emitter, callee: ClassValue, node: ast.Call, given: Given) -> Value:
    """``Class(...)``."""
    definition = callee.definition
    if em.model.is_module(definition):
        em.report(
            "module-construction", node, f"Cannot instantiate class '{definition.name}' in a script function",
            name=definition.qualname,
        )
    return UNKNOWN


def emit_with_item(em: Emitter, item: ast.withitem) -> None:
    """One ``with`` item; its target is not known."""
    em.expression(item.context_expr)
    if item.optional_vars is not None:
        for name in ast.walk(item.optional_vars):
            if isinstance(name, ast.Name):
                em.env.set(name.id, UNKNOWN)
