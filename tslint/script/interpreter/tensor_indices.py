"""Emits the indices between brackets, and items and slices of tensors (``emitMultidimSlicing``)."""

from __future__ import annotations

import ast
from functools import partial

from tslint.script.events.calls import FormArguments
from tslint.script.events.names import NoTensorMember
from tslint.script.events.types import TensorAfterEllipsis, TensorIndex
from tslint.script.frontend.reach import is_dots
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, typed_arguments
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.operators import operator_type
from tslint.script.operators import Arg
from tslint.script.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    has_unknowns,
    is_subtype,
)
from tslint.script.values import UNKNOWN, Alternatives, SliceValue, TupleValue, Typed, Unknown, Value

_REFUSED = (BOOL, FLOAT, COMPLEX, STRING, DEVICE, ANY)


def get_item(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    """Call ``x.__getitem__(index)`` of a Tensor, which accepts only Tensors; None for another value."""
    func = node.func
    if not isinstance(owner.type, TensorType) or not given.whole or not isinstance(func, ast.Attribute):
        return None
    count = len(given.values)
    if count != 1:
        said = f"__getitem__ expected exactly 1 arguments, got {count}"
        return em.report(FormArguments(node, said, function="__getitem__", least=1, most=1, count=count))
    (index,) = typed_arguments(em, given)
    if index.type is None or has_unknowns(index.type) or is_subtype(index.type, OptionalType(TENSOR)):
        return Typed(TENSOR)
    said = f"Expected a list element that subtypes 'Optional[Tensor]' but got an element of type '{index.type}'"
    inferred = owner.type.inferred
    return em.report(NoTensorMember(func, said, attribute=func.attr, owner=ast.unparse(func.value), inferred=inferred))


def indices(em: Emitter, node: ast.expr) -> list[Value]:
    """Emit the indices between the brackets."""
    if isinstance(node, ast.Slice):
        return [index_value(em, part) for part in (node.lower, node.upper, node.step) if part is not None]
    if isinstance(node, ast.Tuple):
        return [value for element in node.elts for value in indices(em, element)]
    return [index_value(em, node)]


def index_value(em: Emitter, node: ast.expr) -> Value:
    """Emit an index, a key or a bound of a slice; report one that is not a value, such as a global variable."""
    value = em.expression(node)
    if isinstance(value, (Typed, TupleValue, SliceValue, Unknown, Alternatives)):
        return value
    em.type_of(value, node)
    return UNKNOWN


def cut(em: Emitter, type_: Type, node: ast.Subscript, part: ast.Slice) -> Value:
    """Emit ``aten::slice``, whose bounds are ints."""
    bounds = ((part.lower, NONE), (part.upper, NONE), (part.step, INT))
    given = [(Typed(missing) if bound is None else index_value(em, bound), bound or node) for bound, missing in bounds]
    return _cut(em, type_, node, given)


def _cut(em: Emitter, type_: Type, node: ast.Subscript, given: list[tuple[Value, ast.expr]]) -> Value:
    for place, (value, _) in enumerate(given):
        if isinstance(value, Alternatives):
            return em.map_alternatives(value, partial(_with_bound, em, type_, node, given, place))
    if has_unknowns(type_):
        return Typed(type_)
    arguments = [Arg(type_), Arg(INT)] if isinstance(type_, TensorType) else [Arg(type_)]
    for value, bound in given:
        found = em.type_of(value, bound) if isinstance(value, (Typed, TupleValue)) else None
        arguments.append(Arg(None if found is None or has_unknowns(found) else found))
    return Typed(type_) if isinstance(operator_type(em, node, "aten::slice", arguments, "[]"), Typed) else UNKNOWN


def _with_bound(
    em: Emitter, type_: Type, node: ast.Subscript, given: list[tuple[Value, ast.expr]], place: int, option: Value
) -> Value:
    return _cut(em, type_, node, [*given[:place], (option, given[place][1]), *given[place + 1 :]])


def tensor_item(em: Emitter, node: ast.Subscript) -> Value:
    """Index a tensor: by integers, slices, tensors, lists of integers, None and one ellipsis."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    refused = False
    for part in parts:
        if isinstance(part, ast.Slice):
            cut(em, TensorType(), node, part)
            continue
        value = em.expression(part)
        dotted = any(is_dots(each) for each in parts[: parts.index(part)])
        if isinstance(value, Alternatives):
            em.map_alternatives(value, partial(_dimension, em, node, part, dotted))
        elif not refused:
            refused = isinstance(_dimension(em, node, part, dotted, value), Typed)
    return Typed(TensorType())


def _dimension(em: Emitter, node: ast.Subscript, part: ast.expr, dotted: bool, value: Value) -> Value:
    """Check one index of a tensor; return a Tensor value if the compiler rejects the index, otherwise Unknown.

    Args:
        em: the emitter.
        node: the subscript.
        part: the index.
        dotted: whether an ellipsis comes before it.
        value: the value of the index.
    """
    if isinstance(value, (Unknown, SliceValue)):
        return UNKNOWN
    type_ = em.type_of(value, part)
    if type_ is None or (isinstance(part, ast.Constant) and part.value in (None, Ellipsis)):
        return UNKNOWN
    may_be_none = isinstance(type_, OptionalType) and not isinstance(type_.element, TensorType)
    if type_ in _REFUSED or isinstance(type_, (TupleType, DictType, UnionType)) or may_be_none:
        said = f"Unsupported operation: indexing tensor with unsupported index type '{type_}'."
        em.report(TensorIndex(part, f"{said} Only ints, slices, lists and tensors are supported", type=type_))
        return Typed(TensorType())
    if _is_dimensional(type_) and dotted:
        said = "Ellipses followed by tensor indexing is currently not supported"
        em.report(TensorAfterEllipsis(node, said, type=type_, index=part))
        return Typed(TensorType())
    if isinstance(type_, TensorType):
        observers.tensor_index.tell(em, node, part)
    return UNKNOWN


def _is_dimensional(type_: Type) -> bool:
    """Return whether an index of a type must not follow an ellipsis: the compiler needs the number of its dimension."""
    inner = type_.element if isinstance(type_, OptionalType) else type_
    return isinstance(inner, TensorType) or isinstance(type_, ListType)
