"""Finds tests with ``is`` that compare by value in TorchScript."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External
from tslint.script.events.hazards import Identity
from tslint.script.hazards.context import is_only_traced
from tslint.script.interpreter import observers
from tslint.script.types import STRING, ClassType, Type

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter


@observers.identity_test.observe
def notice_identity(em: Emitter, node: ast.Compare, left: Type | None, right: Type | None) -> None:
    """Report ``a is b`` for strings and Enum members, which compiled code copies; numbers and tensors are compared as
    in Python.
    """
    texts = (each == STRING or (isinstance(each, ClassType) and each.kind == "enum") for each in (left, right))
    if len(node.ops) != 1 or not any(texts):
        return
    enums = [enum for enum in (_compared_by_identity(em, left), _compared_by_identity(em, right)) if enum is not None]
    # Members of `class Mode(str, Enum)` are equal to strings, too, which callers may pass.
    bases = {base.name for enum in enums for base in enum.externals if isinstance(base, External)}
    both = len(enums) == 2
    alone = both and bases <= {"enum.Enum", "builtins.object"}
    if not is_only_traced(em.unit.function.node, node):
        em.notice(Identity(node, "", enum=bool(enums), both=both, alone=alone))


def _compared_by_identity(em: Emitter, type_: Type | None) -> Hierarchy | None:
    """Return the bases and members of an Enum that does not define ``__eq__``; None for other types."""
    if not isinstance(type_, ClassType) or type_.kind != "enum" or not isinstance(type_.definition, Class):
        return None
    hierarchy = em.model.hierarchy(type_.definition)
    return None if "__eq__" in hierarchy.members else hierarchy
