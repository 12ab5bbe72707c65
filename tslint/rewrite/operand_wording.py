"""Words for operators that do not take the types of their operands."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.rewrite.type_names import TYPE_NAME
from tslint.rewrite.type_reasons import list_instead, not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.wording import a, said
from tslint.script.types import ANYTHING, NONE, DictType, TensorType, TupleType, Type

_SHORT = 20


def operands_of(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """Return the operands of an operator; none for other nodes, and for comparisons of more than two values."""
    if isinstance(node, cst.BinaryOperation):
        return [node.left, node.right]
    if isinstance(node, cst.AugAssign):
        return [node.target, node.value]
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        return [node.left, node.comparisons[0].comparator]
    return [node.expression] if isinstance(node, cst.UnaryOperation) else []


def is_assigned(match: Match) -> bool:
    """Return whether the event is about an item that gets a value, ``x[i] = value``."""
    line = match.statement()
    targets = line.targets if isinstance(line, cst.Assign) else []
    return isinstance(match.node, cst.Subscript) and any(each.target is match.node for each in targets)


def with_article(type_: Type) -> str:
    """Return a type with its article; "another type" if it is not known."""
    return a(type_) if type_ != ANYTHING else "another type"


def operand_with_type(match: Match, node: cst.BaseExpression, type_: Type) -> str:
    """Return an operand with its type, unless the operand is a constant or its type is unknown."""
    shown = match.quote(node)
    if type_ == ANYTHING or (is_constant(node) and len(shown) < _SHORT):
        return shown
    return f"{shown} ({a(type_).removeprefix('a value of ')})"


def advice(match: Match, types: Sequence[Type]) -> str:
    """Return what to do about operands of the given types."""
    if isinstance(match.node, cst.Subscript) and isinstance(types[0], DictType):
        return f"Use a key of type {said(types[0].key)}, or annotate the dict with other types where it is created."
    if is_assigned(match) and isinstance(types[0], TensorType):
        owner = unannotated(match, match.node.value) if isinstance(match.node, cst.Subscript) else None
        values = "a Tensor or a number"
        return f"Assign {values}." if owner is None else not_annotated(owner, advice=f"assign {values}")
    if NONE in types and isinstance(match.node, cst.Comparison):
        return "Compare with None by `is None` or `is not None`."
    if isinstance(match.node, cst.Comparison) and m.matches(match.node.left, TYPE_NAME):
        return "Compare `dtype` and `device` instead: TorchScript has no names of tensor types."
    if len(types) == 1:
        return f"Convert {match.quote(operands_of(match.node)[0])} to a type that has this operator."
    if isinstance(match.node, cst.AugAssign) and all(isinstance(each, TupleType) for each in types):
        return f"A tuple has a fixed length in TorchScript: {list_instead(match.code(match.node.target), types)}."
    if len(set(types)) == 1:
        return "TorchScript has no such operator for this type: use Tensors, or write the operation as a loop."
    return "Convert one operand to the type of the other, or annotate the operand that should have another type."
