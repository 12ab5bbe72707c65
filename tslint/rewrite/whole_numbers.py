"""Writes powers and rounded numbers as ints: they are ints in Python and floats in TorchScript."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import in_compiled_code, int_of
from tslint.rulekit import matchers as m
from tslint.rulekit.copying import replaced
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import code, expression, parenthesized
from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.nones import reads_alike_twice
from tslint.script.dataflow.whole_numbers import certain_int, is_rounded, whole_in_python

_PATH = m.Name() | m.Attribute(value=m.Name())
_SIZE = m.Call(func=m.Attribute(value=_PATH, attr=m.Name("size")), args=[m.Arg(m.Integer())])
_ITEM = m.Subscript(value=_PATH, slice=[m.SubscriptElement(slice=m.Index(m.Integer()))])
# Expressions that bind at least as tightly as a product.
_TIGHTER = (cst.BinaryOperation, cst.UnaryOperation, cst.Attribute, cst.Subscript)
_SQUARE = m.BinaryOperation(left=_PATH | _SIZE | _ITEM, operator=m.Power(), right=m.Integer("2"))


def product(match: Match, node: cst.CSTNode) -> cst.BaseExpression | None:
    """Return the product for a square; None for other powers, or if the base has effects that would happen twice."""
    if not isinstance(node, cst.BinaryOperation) or not m.matches(node, _SQUARE):
        return None
    path: cst.CSTNode = node.left.func if isinstance(node.left, cst.Call) else node.left
    if not m.matches(node.left, _PATH) and isinstance(path, (cst.Attribute, cst.Subscript)):
        path = path.value
    if not reads_alike_twice(match.file.tree, match.model(path)):
        return None
    return expression("{base} * {base}", base=node.left)


def with_whole_powers(match: Match, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return an expression with a product for each square, and ``int(…)`` around other powers that are certainly ints
    in Python.

    Return None if the expression has no powers, or if another part may make it a float.
    """
    powers: list[cst.BaseExpression] = []
    unsure: list[cst.CSTNode] = []

    def find(each: cst.CSTNode, around: list[cst.CSTNode]) -> cst.BaseExpression | None:
        if not isinstance(each, cst.BinaryOperation) or not isinstance(each.operator, cst.Power):
            divides = isinstance(each, cst.BinaryOperation) and isinstance(each.operator, cst.Divide)
            if divides or (isinstance(each, cst.Call) and not m.matches(each, _SIZE)):
                unsure.append(each)
            return None
        new, value = product(match, each), match.model(each)
        if new is None and certain_int(value, place_of(match.file.tree, value)):
            new = expression("int({power})", power=each)
        if new is None:
            unsure.append(each)
            return None
        powers.append(new)
        inner = around[-1] if around else None
        sum_ = isinstance(inner, cst.BinaryOperation) and isinstance(inner.operator, (cst.Add, cst.Subtract))
        tight = isinstance(inner, _TIGHTER) and not sum_ and isinstance(new, cst.BinaryOperation)
        return parenthesized(new) if tight else new

    whole = replaced(node, find)
    return whole if powers and not unsure else None


def as_int(match: Match, node: cst.CSTNode, *risks: Risk) -> Fix | None:
    """Make an expression an int in TorchScript, too: a product for a square, otherwise ``int(…)``.

    Args:
        match: provides the file.
        node: the expression.
        risks: how compiled code may differ if Python's value may not be an int.

    Returns:
        None if it is a float in Python, too.
    """
    value = match.model(node)
    if not isinstance(node, cst.BaseExpression) or not whole_in_python(value):
        return None
    powers = with_whole_powers(match, node)
    if powers is not None:
        return safe(f"Write `{code(powers)}`", lambda: match.replace(node, powers))
    new, around = int_of(node), f"Write `int(…)` around {match.quote(node)}"
    if certain_int(value, place_of(match.file.tree, value)) or is_rounded(match.file.tree, value):
        return safe(around, lambda: match.replace(node, new()))
    return in_compiled_code(match, node, new, f"{around} in compiled code", *risks)
