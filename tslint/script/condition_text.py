"""Writes the results of the constructor's tests as conditions for messages, after "when"."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

from tslint.util import astwalk

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.Is: ast.IsNot,
    ast.Lt: ast.GtE,
    ast.Gt: ast.LtE,
    ast.In: ast.NotIn,
}
_OPPOSITE |= {value: key for key, value in _OPPOSITE.items()}


LAMBDA = " is a lambda"
"""The end of the text of a test: whether a parameter has its default, which is a lambda."""

COMPILED = " was compiled before"
"""The end of the text of a test: whether the compiler has compiled a module class before."""


@cache
def written(text: str, holds: bool) -> str:
    """Return a test and its result as a condition, such as "`x` is not None" if ``x is None`` is false."""
    if text.endswith(LAMBDA):
        return f"`{text.removesuffix(LAMBDA)}` is {'' if holds else 'not '}a lambda"
    if text.endswith(COMPILED):
        return f"`{text.removesuffix(COMPILED)}` is {'already compiled' if holds else 'not compiled yet'}"
    test = _parsed(text)
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    if isinstance(test, ast.Call) and astwalk.is_name(test.func, "isinstance") and len(test.args) == 2:
        value, kind = map(ast.unparse, test.args)
        if isinstance(test.args[1], (ast.Name, ast.Attribute)):
            article = "an" if kind[0] in "aeiouAEIOU" else "a"
            return f"`{value}` is {'' if holds else 'not '}{article} `{kind}`"
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        shown = text if test is None else ast.unparse(test)
        return f"`{shown}` is {'true' if holds else 'false'}"
    op = type(test.ops[0]) if holds else _OPPOSITE[type(test.ops[0])]
    left, right = ast.unparse(test.left), ast.unparse(test.comparators[0])
    if issubclass(op, (ast.Eq, ast.Is, ast.NotEq, ast.IsNot)):
        negation = " not" if issubclass(op, (ast.NotEq, ast.IsNot)) else ""
        return f"`{left}` is{negation} {right if _is_literal(test.comparators[0]) else f'`{right}`'}"
    return f"`{ast.unparse(ast.Compare(test.left, [op()], test.comparators))}`"


def follows(text: str, holds: bool, known: Callable[[str], bool]) -> bool:
    """Return whether the result of ``a and b`` or ``a or b`` follows from results of its parts; False for other tests.

    Args:
        text: the test.
        holds: its result.
        known: returns whether a condition, as :func:`written` returns it, is true.
    """
    test = _parsed(text)
    return isinstance(test, ast.BoolOp) and _follows(test, holds, known)


def _follows(test: ast.expr, holds: bool, known: Callable[[str], bool]) -> bool:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _follows(test.operand, not holds, known)
    if isinstance(test, ast.BoolOp):
        every = all if isinstance(test.op, ast.And) is holds else any
        return every(_follows(each, holds, known) for each in test.values)
    return known(written(ast.unparse(test), holds))


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


@cache
def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
