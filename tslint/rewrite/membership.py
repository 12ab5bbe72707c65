"""Writes ``x in (None, "a")`` for TorchScript: a test for None, and strings or numbers of one type."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.type_reasons import unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import expression
from tslint.script.types import TENSOR, Type, optional_element

_NOTHING = m.Name("None")
_KINDS: tuple[tuple[m.Pattern, str], ...] = (
    (m.SimpleString() | m.ConcatenatedString(m.SimpleString(), m.SimpleString()), "str"),
    (m.Integer(), "int"),
    (m.Float(), "float"),
    (m.Name("True") | m.Name("False"), "bool"),
)


def membership(match: Match, node: cst.Comparison, types: Sequence[Type]) -> Fix | None:
    """Return the fix for ``x in (None, "a")``; None if there is none.

    Args:
        match: provides the file.
        node: the comparison.
        types: the types of the item and of the container.
    """
    container, item = node.comparisons[0].comparator, node.left
    if len(node.comparisons) != 1 or not isinstance(container, (cst.Tuple, cst.List)) or not isinstance(item, cst.Name):
        return None
    values = [each.value for each in container.elements]
    kinds = {_kind(value) for value in values if not m.matches(value, _NOTHING)}
    kind = kinds.pop() if len(kinds) == 1 else None
    if kind is None:
        return None
    argument = unannotated(match, item)
    if argument is not None and types[0] == TENSOR:
        return annotate_parameter(match, argument, wanted=kind)
    inner = optional_element(types[0])
    if kind not in (str(types[0]), str(inner)):
        return None
    return _split(match, node, container, inner is not None)


def _kind(value: cst.BaseExpression) -> str | None:
    return next((kind for pattern, kind in _KINDS if m.matches(value, pattern)), None)


def _split(match: Match, node: cst.Comparison, container: cst.Tuple | cst.List, may_be_none: bool) -> Fix:
    rest = [each for each in container.elements if not m.matches(each.value, _NOTHING)]
    nothing = len(rest) < len(container.elements)
    target = node.comparisons[0]
    absent = isinstance(target.operator, cst.NotIn)
    # `or` if the comparison is true for None, `and` if it is false for None.
    pattern = "{name} is None or {test}" if nothing != absent else "{name} is not None and {test}"

    def new() -> cst.BaseExpression:
        alone = isinstance(container, cst.Tuple) and len(rest) == 1
        last = rest[-1].with_changes(comma=cst.Comma() if alone else cst.MaybeSentinel.DEFAULT)
        closed = container.with_changes(elements=[*rest[:-1], last])
        test = node.with_changes(comparisons=[target.with_changes(comparator=closed)])
        return expression(pattern, name=node.left, test=test) if may_be_none or nothing else test

    return safe("Test for None separately", lambda: match.replace(node, new()))
