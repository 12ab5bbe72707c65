"""Emits assignments to items (``emitSubscriptAssign``)."""

from __future__ import annotations

import ast

from tslint.script.events.annotation import ItemType
from tslint.script.events.types import ItemAssignment
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.magic_methods import is_object, magic
from tslint.script.interpreter.operators import binary, operator_type
from tslint.script.interpreter.subscripts import subscript
from tslint.script.interpreter.tensor_indices import index_value
from tslint.script.interpreter.value_kinds import first_class
from tslint.script.operators import Arg
from tslint.script.types import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    ClassType,
    DictType,
    ListType,
    TensorType,
    TupleType,
    Type,
    convertible,
    has_unknowns,
    is_subtype,
)
from tslint.script.values import UNKNOWN, Alternatives, TupleValue, Typed, Value
from tslint.util import astwalk


def augment_item(em: Emitter, node: ast.AugAssign, target: ast.Subscript) -> None:
    """Emit ``x[i] += value``: in place for tensors, as ``x[i] = x[i] + value`` for lists and dicts; else an error."""
    owner = em.expression(target.value)
    if not isinstance(owner, Typed) or not isinstance(owner.type, (TensorType, ListType, DictType)):
        em.expression(node.value)
        type_ = em.type_of(owner, target.value) if isinstance(owner, (Typed, TupleValue)) else None
        if type_ is not None and type_ != ANY and not isinstance(type_, ClassType) and not has_unknowns(type_):
            em.report(ItemAssignment(target, f"{type_} does not support augmented assignment.", type=type_))
        return
    load = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    current = em.expression(load)
    value = binary(em, node, node.op, current, em.expression(node.value), in_place=True)
    if isinstance(owner.type, (ListType, DictType)) and isinstance(value, (Typed, Alternatives)):
        set_item(em, target, value, node)


def set_item(em: Emitter, target: ast.Subscript, value: Value, node: ast.AST) -> None:
    """Emit ``x[i] = value``."""
    owner = em.expression(target.value)
    if isinstance(owner, Typed) and isinstance(owner.type, TensorType):
        subscript(em, owner, target)
        given = first_class(value)
        if given is None and isinstance(node, ast.Assign):
            em.type_of(value, node.value)
        if given is not None and not has_unknowns(given) and given not in (INT, FLOAT, BOOL, COMPLEX, NUMBER):
            operator_type(em, target, "aten::copy_", [Arg(owner.type), Arg(given)])
        return
    key: Value = UNKNOWN
    for part in astwalk.children(target.slice) if isinstance(target.slice, (ast.Slice, ast.Tuple)) else [target.slice]:
        if isinstance(part, ast.expr) and not isinstance(part, (ast.Slice, ast.Starred)):
            key = index_value(em, part) if isinstance(owner, Typed) else em.expression(part)
    if not isinstance(owner, Typed):
        return
    type_ = owner.type
    if is_object(type_):
        magic(em, type_, "__setitem__", target, target.value)
    if isinstance(type_, (ListType, DictType)) and isinstance(target.slice, ast.Tuple):
        said = "Unsupported operation: attempted to use multidimensional indexing on a non-tensor type"
        em.report(ItemAssignment(target, said, type=type_, many=True))
    elif said := _refusal(type_, target.slice):
        em.report(ItemAssignment(target, said, type=type_))
    elif isinstance(type_, (ListType, DictType)):
        _set_element(em, type_, key, target, value, node)


def _refusal(type_: Type, index: ast.expr) -> str:
    """Return the compiler's message if it cannot assign to items of a type; empty if it can."""
    if isinstance(index, ast.Slice) and not isinstance(type_, DictType):
        return "Sliced expression not yet supported for subscripted assignment"
    if isinstance(type_, TupleType):
        return f"{type_} does not support subscripted assignment"
    if type_ in (INT, FLOAT, BOOL, STRING):
        return "Arguments for call are not valid. The following variants are available:"
    return ""


def _set_element(
    em: Emitter, type_: ListType | DictType, key: Value, target: ast.Subscript, value: Value, node: ast.AST
) -> None:
    """Emit ``aten::_set_item``: the key and the value must have the types of the list or dict."""
    if isinstance(key, Alternatives) or isinstance(value, Alternatives):

        def look(option: Value) -> Value:
            one, other = (option, value) if isinstance(key, Alternatives) else (key, option)
            _set_element(em, type_, one, target, other, node)
            return UNKNOWN

        em.map_alternatives(key if isinstance(key, Alternatives) else value, look)  # type: ignore[arg-type]
        return
    given, found = first_class(value), first_class(key)
    if given is None:
        return
    wanted = type_.element if isinstance(type_, ListType) else type_.value
    index: Type = type_.key if isinstance(type_, DictType) else INT
    key_known = found is not None and not has_unknowns(found)
    sure = not (isinstance(value, Typed) and value.empty) and not has_unknowns(wanted) and not has_unknowns(given)
    if found is not None and key_known and not convertible(found, index, allow_conversions=True):
        em.report(
            ItemType(
                node,
                "Arguments for call are not valid. The following variants are available:",
                container=type_,
                actual=given,
                target=target,
                key=found,
            )
        )
    elif sure and given != ANY and not is_subtype(given, wanted):
        em.report(
            ItemType(
                node,
                f"Could not match type {given} to t in argument: Type variable 't' previously matched to type {wanted}"
                f" but now matched to type {given}",
                container=type_,
                actual=given,
                target=target,
                key_known=key_known,
            )
        )
    else:
        return
    if isinstance(target.value, ast.Name):
        em.env.forget(target.value.id)
