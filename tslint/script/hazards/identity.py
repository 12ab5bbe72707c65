"""Finds tests with ``is`` that compare by value in TorchScript."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

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
    if len(node.ops) != 1 or not any(type_ == STRING or _is_enum(type_) for type_ in (left, right)):
        return
    sides = (left, right)
    enums, plain = [_compares_members(em, each) for each in sides], [_is_plain_enum(em, each) for each in sides]
    if not is_only_traced(em.unit.function.node, node):
        em.notice(Identity(node, "", enum=any(enums), both=all(plain)))


def _is_enum(type_: Type | None) -> bool:
    return isinstance(type_, ClassType) and type_.kind == "enum"


def _compares_members(em: Emitter, type_: Type | None) -> bool:
    """Return whether a type is an Enum that does not define ``__eq__``."""
    if not isinstance(type_, ClassType) or type_.kind != "enum" or not isinstance(type_.definition, Class):
        return False
    return "__eq__" not in em.model.hierarchy(type_.definition).members


def _is_plain_enum(em: Emitter, type_: Type | None) -> bool:
    """Return whether a type is an Enum whose members are equal only to themselves: those of ``class Mode(str, Enum)``
    and of an IntEnum are also equal to strings and ints, which callers may pass.
    """
    if not isinstance(type_, ClassType) or not isinstance(type_.definition, Class) or not _compares_members(em, type_):
        return False
    bases = {base.name for base in em.model.hierarchy(type_.definition).externals if isinstance(base, External)}
    return bases <= {"enum.Enum", "builtins.object"}
