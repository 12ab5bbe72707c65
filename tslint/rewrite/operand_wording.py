"""Words for operators that do not take the types of their operands."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.rewrite.annotate import as_written
from tslint.rewrite.annotate_parameter import inferred_type
from tslint.rewrite.none_test import by_identity
from tslint.rewrite.type_names import TYPE_NAME
from tslint.rewrite.type_reasons import list_instead, not_annotated, type_first, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.template import code
from tslint.rulekit.wording import a, said, short
from tslint.script.types import (
    ANYTHING,
    FLOAT,
    INT,
    NONE,
    STRING,
    DictType,
    ListType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    may_be_none,
    tuple_elements,
)

_SHORT = 20
_NONE = m.ComparisonTarget(m.Equal() | m.NotEqual(), m.Name("None"))
_WITH_NONE = m.Comparison(comparisons=[_NONE])
_BY_TEXT = m.Subscript(slice=[m.SubscriptElement(m.Index(m.SimpleString() | m.FormattedString()))])


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


def is_none_comparison(node: cst.CSTNode) -> bool:
    """Return whether a node is ``x == None`` or ``x != None``."""
    return m.matches(node, _WITH_NONE)


def none_by_identity(match: Match) -> str | None:
    """Return the advice to write ``x == None`` as ``x is None``; None for other operations."""
    node = match.node
    if not isinstance(node, cst.Comparison) or not m.matches(node, _WITH_NONE):
        return None
    written = f"Write {short(code(by_identity(node)))}."
    argument = unannotated(match, node.left)
    return f"{written} {not_annotated(argument, NONE)}" if argument is not None else written


def membership_advice(
    match: Match, operands: Sequence[cst.BaseExpression], types: Sequence[Type], word: str
) -> str | None:
    """Return what to do about ``in``: test for None before, or annotate a parameter that is searched for a text."""
    if len(operands) != len(types) or len(types) != 2:
        return None
    if NONE in tuple_elements(types[1]) and may_be_none(types[0]):
        left = match.code(operands[0])
        tests = f"{left} is None or {left} in (…)" if word == "in" else f"{left} is not None and {left} not in (…)"
        return f"Test for None separately: `{tests}`."
    argument = unannotated(match, operands[1]) if isinstance(types[1], TensorType) else None
    if argument is None or types[0] not in (INT, FLOAT, STRING):
        return None
    if types[0] != STRING:
        return not_annotated(argument, ListType(types[0]))
    name, shown = argument.name.value, inferred_type(match, argument)
    if shown is not None:
        return not_annotated(argument, annotation=as_written(match, shown))
    return f"{not_annotated(argument).removesuffix('.')}, such as `{name}: Dict[str, torch.Tensor]` or `{name}: str`."


def advice(match: Match, types: Sequence[Type]) -> str:
    """Return what to do about operands of the given types."""
    if isinstance(match.node, cst.Subscript) and isinstance(types[0], DictType):
        return f"Use a key of type {said(types[0].key)}, or annotate the dict with other types where it is created."
    if any(isinstance(each, ListType) and getattr(each.element, "kind", "") == "module" for each in types):
        return "TorchScript cannot add lists of modules: put them into one `nn.ModuleList` in `__init__`."
    if is_assigned(match) and isinstance(types[0], TensorType):
        owner = unannotated(match, match.node.value) if isinstance(match.node, cst.Subscript) else None
        if owner is not None and m.matches(match.node, _BY_TEXT):
            return not_annotated(owner, DictType(STRING, types[-1]))
        values = "a Tensor or a number"
        return f"Assign {values}." if owner is None else not_annotated(owner, advice=f"assign {values}")
    if NONE in types and isinstance(match.node, cst.Comparison):
        return "Compare with None by `is None` or `is not None`."
    if isinstance(match.node, cst.Comparison) and m.matches(match.node.left, TYPE_NAME):
        return "Compare `dtype` and `device` instead: TorchScript has no names of tensor types."
    several = [node for node, type_ in zip(operands_of(match.node), types) if isinstance(type_, UnionType)]
    if len(types) == 2 and several:
        return type_first(match.quote(several[0]))
    left = match.node.left if isinstance(match.node, cst.Comparison) else None
    if match.event.condition is not None and m.matches(left, m.Attribute(m.Name(match.self_name or ""))):
        return "Compare in `__init__`, and store the result in an attribute: its type is then the same in all cases."
    if len(types) == 1:
        return f"Convert {match.quote(operands_of(match.node)[0])} to a type that has this operator."
    if isinstance(match.node, cst.AugAssign) and all(isinstance(each, TupleType) for each in types):
        return f"A tuple has a fixed length in TorchScript: {list_instead(match.code(match.node.target), types)}."
    if len(set(types)) == 1:
        return "TorchScript has no such operator for this type: use Tensors, or write the operation as a loop."
    return "Convert one operand to the type of the other, or annotate the operand that should have another type."
