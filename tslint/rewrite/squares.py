"""Squares as products: ``n * n`` is an int in TorchScript where ``n ** 2`` is a float."""

from __future__ import annotations

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.copying import replaced
from tslint.rulekit.template import expression, parenthesized

_PATH = m.Name() | m.Attribute(value=m.Name())
_SIZE = m.Call(func=m.Attribute(value=_PATH, attr=m.Name("size")), args=[m.Arg(m.Integer())])
_ITEM = m.Subscript(value=_PATH, slice=[m.SubscriptElement(slice=m.Index(m.Integer()))])
_FRACTION = m.BinaryOperation(operator=m.Power() | m.Divide())
# What binds tighter than a product, or as tight.
_TIGHTER = (cst.BinaryOperation, cst.UnaryOperation, cst.Attribute, cst.Subscript)
_SQUARE = m.BinaryOperation(left=_PATH | _SIZE | _ITEM, operator=m.Power(), right=m.Integer("2"))


def product(node: cst.CSTNode) -> cst.BaseExpression | None:
    """The product in place of a square; None where it is none, or reading its base twice may do something twice."""
    if not isinstance(node, cst.BinaryOperation) or not m.matches(node, _SQUARE):
        return None
    return expression("{base} * {base}", base=node.left)


def with_products(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """An expression with a product for each of its squares; None where it has none, or something else in it may make
    it a float."""
    if not m.findall(node, _SQUARE):
        return None

    def find(each: cst.CSTNode, around: list[cst.CSTNode]) -> cst.BaseExpression | None:
        new = product(each)
        inner = new is not None and bool(around) and isinstance(around[-1], _TIGHTER)
        return parenthesized(new) if new is not None and inner else new

    whole = replaced(node, find)
    calls = [each for each in m.findall(whole, m.Call()) if not m.matches(each, _SIZE)]
    return None if calls or m.findall(whole, _FRACTION) else whole
