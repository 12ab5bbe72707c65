"""Finds out how a function uses a parameter that may be None."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tslint.annotate.watched import FunctionNode
from tslint.util import astwalk


@dataclass
class Uses:
    """What a function does with one of its parameters.

    Args:
        truth: whether the parameter is used as a condition; the compiler rejects an Optional there.
        tested: whether the function compares it with None.
        bare: whether it is used where it may be None, other than as an argument of a call.
        unguarded: whether it is used where it may be None, also as an argument of a call.
    """

    truth: bool = False
    tested: bool = False
    bare: bool = False
    unguarded: bool = False


def uses(function: FunctionNode, name: str) -> Uses:
    """Collect the uses of a parameter in a function's body."""
    found = Uses()
    _block(function.body, name, False, found)
    return found


def _block(block: list[ast.stmt], name: str, safe: bool, found: Uses) -> bool:
    """Collect uses in statements.

    Args:
        block: the statements.
        name: the parameter.
        safe: whether the parameter is known not to be None.
        found: is filled with the uses.

    Returns:
        Whether the parameter is known not to be None after the statements.
    """
    for statement in block:
        if isinstance(statement, ast.If):
            _expression(statement.test, name, safe, found, truth=True)
            if_true, if_false = _shown(statement.test, name)
            after = [
                _block(statement.body, name, safe or if_true, found) or _leaves(statement.body),
                _block(statement.orelse, name, safe or if_false, found) or _leaves(statement.orelse),
            ]
            safe = safe or all(after)
        elif isinstance(statement, ast.Assert):
            _expression(statement.test, name, safe, found, truth=True)
            safe = safe or _shown(statement.test, name)[0]
        elif isinstance(statement, (ast.For, ast.While, ast.With, ast.Try)):
            for part in astwalk.children(statement):
                if isinstance(part, ast.expr):
                    _expression(part, name, safe, found, truth=isinstance(statement, ast.While))
            for each in ("body", "orelse", "finalbody"):
                _block(getattr(statement, each, []), name, safe, found)
        else:
            _expression(statement, name, safe, found)
            if isinstance(statement, ast.Assign) and any(astwalk.is_name(target, name) for target in statement.targets):
                safe = not (isinstance(statement.value, ast.Constant) and statement.value.value is None)
    return safe


def _leaves(block: list[ast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _test(node: ast.AST, name: str) -> str:
    """Return the operator of a comparison of the parameter with None: ``is``, ``is not`` or an empty string."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and astwalk.is_name(node.left, name):
        right = node.comparators[0]
        if isinstance(right, ast.Constant) and right.value is None:
            return {ast.Is: "is", ast.IsNot: "is not"}.get(type(node.ops[0]), "")
    return ""


def _shown(test: ast.expr, name: str) -> tuple[bool, bool]:
    """Return two answers: whether a parameter is certainly not None if a test is true, and if the test is false."""
    if isinstance(test, ast.BoolOp):
        parts = [_shown(value, name) for value in test.values]
        if isinstance(test.op, ast.And):
            return any(part[0] for part in parts), False
        return False, any(part[1] for part in parts)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _shown(test.operand, name)[::-1]
    kind = _test(test, name)
    return kind == "is not", kind == "is"


def _expression(node: ast.AST, name: str, safe: bool, found: Uses, *, truth: bool = False) -> None:
    if _test(node, name):
        found.tested = True
    elif isinstance(node, ast.Name):
        if astwalk.is_name(node, name) and isinstance(node.ctx, ast.Load):
            found.truth = found.truth or truth
            found.bare = found.bare or not safe
            found.unguarded = found.unguarded or not safe
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            _expression(value, name, safe, found, truth=True)
            shown = _shown(value, name)
            safe = safe or (shown[0] if isinstance(node.op, ast.And) else shown[1])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _expression(node.operand, name, safe, found, truth=True)
    elif isinstance(node, ast.IfExp):
        _expression(node.test, name, safe, found, truth=True)
        if_true, if_false = _shown(node.test, name)
        _expression(node.body, name, safe or if_true, found)
        _expression(node.orelse, name, safe or if_false, found)
    elif isinstance(node, ast.Call):
        _expression(node.func, name, safe, found)
        for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
            if astwalk.is_name(argument, name):
                found.unguarded = found.unguarded or not safe
            else:
                _expression(argument, name, safe, found)
    else:
        for child in astwalk.children(node):
            _expression(child, name, safe, found)
