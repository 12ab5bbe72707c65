"""Builds code for fixes from patterns and the author's expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

import libcst as cst

from tslint.rulekit.copying import clone, holds_line_end, replaced

Part = str | cst.BaseExpression
Line = cst.SimpleStatementLine | cst.BaseCompoundStatement
_Node = TypeVar("_Node", bound=cst.CSTNode)

# From the loosest to the tightest; classes that are not listed bind as tightly as a name.
_BINDING: tuple[tuple[type[cst.CSTNode], ...], ...] = (
    (cst.NamedExpr, cst.Yield, cst.Tuple),
    (cst.Lambda,),
    (cst.IfExp,),
    (cst.BooleanOperation,),
    (cst.Comparison,),
    (cst.BinaryOperation, cst.UnaryOperation),
    (cst.Await,),
)
_RANKS = {kind: rank for rank, kinds in enumerate(_BINDING) for kind in kinds}
_TIGHTEST = len(_BINDING)
_OPERATORS: dict[object, int] = {
    cst.Or: 0, cst.And: 1, cst.BitOr: 0, cst.BitXor: 1, cst.BitAnd: 2, cst.LeftShift: 3, cst.RightShift: 3, cst.Add: 4,
    cst.Subtract: 4, cst.Multiply: 5, cst.Divide: 5, cst.FloorDivide: 5, cst.Modulo: 5, cst.MatrixMultiply: 5,
    cst.Plus: 6, cst.Minus: 6, cst.BitInvert: 6, cst.Power: 7,
}  # fmt: skip
# An operand of these nodes must bind as tightly as a name.
_HOLDERS = (cst.Attribute, cst.Call, cst.Subscript, cst.Await, cst.StarredElement, cst.StarredDictElement)


def binding(node: cst.CSTNode) -> tuple[int, int]:
    """Return how tightly an expression binds; an expression needs no parentheses inside another one that binds less
    tightly.
    """
    if isinstance(node, cst.BaseExpression) and node.lpar:
        return (_TIGHTEST, 0)
    operator = getattr(node, "operator", None)
    if isinstance(operator, cst.Not):
        return (_RANKS[cst.BooleanOperation], 2)
    return (_RANKS.get(type(node), _TIGHTEST), _OPERATORS.get(operator.__class__, 0))


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression in parentheses."""
    return node if node.lpar else node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def bare(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression without parentheses around it; a tuple or a generator keeps its own."""
    own = isinstance(node, (cst.Tuple, cst.GeneratorExp))
    return node if own or not node.lpar else node.with_changes(lpar=[], rpar=[])


def whole(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression without parentheses around it, unless it spans several lines because of them."""
    found = bare(node)
    if not holds_line_end(found):
        return found
    try:
        cst.parse_expression(code(found))
    except cst.ParserSyntaxError:
        return parenthesized(node)
    return found


def fitting(node: cst.BaseExpression, around: cst.CSTNode | None) -> cst.BaseExpression:
    """Return an expression, in parentheses if its new parent requires them.

    Args:
        node: the expression.
        around: its new parent; None for a place where no expression needs parentheses.
    """
    if isinstance(around, _HOLDERS):
        return node if binding(node)[0] == _TIGHTEST and not isinstance(node, cst.Integer) else parenthesized(node)
    if isinstance(around, (cst.CompFor, cst.CompIf)):
        return parenthesized(node) if binding(node)[0] <= _RANKS[cst.IfExp] else node
    if around is None or type(around) not in _RANKS or isinstance(around, (cst.Tuple, cst.Lambda, cst.Yield)):
        return parenthesized(node) if isinstance(node, (cst.NamedExpr, cst.Yield)) else node
    # The parent's own parentheses do not count: they are around the parent, not around the expression.
    inside = bare(around) if isinstance(around, cst.BaseExpression) else around
    # `a and (b and c)` and `(a and b) and c` evaluate the same in the same order.
    chained = isinstance(node, cst.BooleanOperation) and binding(node) == binding(inside)
    return node if binding(node) > binding(inside) or chained else parenthesized(node)


def holder(node: cst.BaseExpression, parent: cst.CSTNode | None) -> cst.CSTNode | None:
    """Return the argument ``around`` of :func:`fitting` for a node: its parent; None for an argument of a call or an
    index, which needs no parentheses.
    """
    if isinstance(parent, cst.Call) and parent.func is not node:
        return None
    if isinstance(parent, cst.Subscript) and parent.value is not node:
        return None
    return parent


def expression(pattern: str, **parts: Part) -> cst.BaseExpression:
    """Return an expression from a pattern: ``expression("{x} is None", x=node)``; parentheses are added if needed.

    Args:
        pattern: the code, with a name in braces for each part.
        parts: the author's nodes, or names and short expressions as text.
    """
    return _filled(_expression(_named(pattern, parts)), parts)


def statement(pattern: str, **parts: Part) -> Line:
    """Return a statement from a pattern, see :func:`expression`; set the body of a compound one by ``with_changes``."""
    return _filled(_statement(_named(pattern, parts)), parts)


def code(node: cst.CSTNode) -> str:
    """Return the text of a node that a fix has made, for messages."""
    return cst.Module([]).code_for_node(node)


def block(lines: Sequence[Line]) -> cst.IndentedBlock:
    """Return a block of statements; an empty one contains ``pass``."""
    return cst.IndentedBlock(list(lines) or [cst.SimpleStatementLine([cst.Pass()])])


_MARK = "__part_{}__"


def _named(pattern: str, parts: dict[str, Part]) -> str:
    for name in parts:
        pattern = pattern.replace(f"{{{name}}}", _MARK.format(name))
    return pattern


@lru_cache(maxsize=512)
def _expression(pattern: str) -> cst.BaseExpression:
    return cst.parse_expression(pattern)


@lru_cache(maxsize=512)
def _statement(pattern: str) -> Line:
    return cst.parse_statement(pattern)


def _filled(node: _Node, parts: dict[str, Part]) -> _Node:
    nodes = {
        _MARK.format(name): _expression(part) if isinstance(part, str) else whole(part) for name, part in parts.items()
    }

    def find(each: cst.CSTNode, around: list[cst.CSTNode]) -> cst.CSTNode | None:
        return _placed(nodes.get(each.value), each, around) if isinstance(each, cst.Name) else None

    return replaced(node, find)


def substituted(node: _Node, parts: Mapping[cst.CSTNode, cst.BaseExpression]) -> _Node:
    """Return a node in which the given nodes are replaced; parentheses are added if needed."""
    nodes = {each: whole(part) for each, part in parts.items()}
    new = replaced(node, lambda each, around: _placed(nodes.get(each), each, around))
    if isinstance(node, Line) and isinstance(new, Line):
        # A rewritten statement is recognized by its leading lines, so the copy must share them.
        return new.with_changes(leading_lines=node.leading_lines)  # type: ignore[return-value]
    return new


def _placed(
    found: cst.BaseExpression | None, original: cst.CSTNode, above: list[cst.CSTNode]
) -> cst.BaseExpression | None:
    """Return the expression that replaces another one, in parentheses if the nodes above it require them."""
    if found is None or not isinstance(original, cst.BaseExpression):
        return None
    node = clone(found)
    around = above[-1] if above else None
    if original.lpar:
        return parenthesized(node)
    if isinstance(around, cst.ComparisonTarget):
        around = above[-2]
    if isinstance(around, cst.Attribute) and around.attr is original:
        return node
    if isinstance(around, (cst.Call, cst.Subscript)):
        around = holder(original, around)
    return fitting(node, around)
