"""Determines the context of an expression, to see whether a difference in its value matters."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = frozenset([ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda])


def path_to(function: _FunctionNode, node: ast.AST) -> list[ast.AST]:
    """Return the ancestors of a node, the nearest first; empty if it is not in the function."""
    row = getattr(node, "lineno", 0)
    pending: list[tuple[ast.AST, list[ast.AST]]] = [(statement, [function]) for statement in function.body]
    while pending:
        candidate, around = pending.pop()
        if candidate is node:
            return around
        first, last = getattr(candidate, "lineno", None), getattr(candidate, "end_lineno", None)
        if first is not None and last is not None and not first <= row <= last:
            continue
        pending += [(child, [candidate, *around]) for child in astwalk.children(candidate)]
    return []


def called(node: ast.AST) -> str:
    """Return the last name of a call's callee; empty for other nodes."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_message(around: list[ast.AST]) -> bool:
    """Return whether a value is only text for a person: printed, or part of an exception."""
    return any(isinstance(node, (ast.Raise, ast.Assert)) or called(node) in ("print", "warn") for node in around)


def is_truth(around: list[ast.AST], node: ast.AST) -> bool:
    """Return whether only the truth of a value matters in its context."""
    nearest = around[0] if around else None
    if isinstance(nearest, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return nearest.test is node
    if isinstance(nearest, (ast.BoolOp, ast.Expr)) or called(nearest or ast.Pass()) == "bool":
        return True
    return isinstance(nearest, ast.UnaryOp) and isinstance(nearest.op, ast.Not)


def is_only_traced(function: _FunctionNode, node: ast.AST) -> bool:
    """Return whether a node is inside ``if torch.jit.is_tracing():``."""
    if not any("is_tracing" in each for each in astwalk.mentions(function)):
        return False
    inner = node
    for outer in path_to(function, node):
        if isinstance(outer, ast.If) and inner in outer.body and called(outer.test) == "is_tracing":
            return True
        inner = outer
    return False


def only_tested(function: _FunctionNode, name: str) -> bool:
    """Return whether only the truth of a variable is used."""
    uses = [
        node
        for node in astwalk.walk(function)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    return all(_ends_in_truth(path_to(function, use), use) for use in uses)


def _ends_in_truth(around: list[ast.AST], node: ast.AST) -> bool:
    """Return whether code only uses the truth of a value, or the truth of an ``and`` or ``or`` with this value as an
    operand.
    """
    while around and isinstance(around[0], ast.BoolOp):
        node, around = around[0], around[1:]
    return is_truth(around, node)


def is_computed_with(function: _FunctionNode, node: ast.expr) -> bool:
    """Return whether a value, or a variable to which it is assigned, is an operand of arithmetic. The value is then a
    number, not a bool.
    """
    names = {
        target.id
        for statement in astwalk.of_kind(function, ast.Assign)
        if statement.value is node
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return any(
        each is node or (isinstance(each, ast.Name) and each.id in names)
        for operation in astwalk.of_kind(function, ast.BinOp)
        for each in (operation.left, operation.right)
    )


@astwalk.kept
def unguarded(function: _FunctionNode) -> list[ast.AST]:
    """Return the nodes of a function's body that are under no test of ``is_scripting()`` and in no nested function."""
    found: list[ast.AST] = []
    pending: list[ast.AST] = list(reversed(function.body))
    while pending:
        node = pending.pop()
        kind = node.__class__
        if kind in _SCOPES:
            continue
        test = getattr(node, "test", None) if kind is ast.If or kind is ast.IfExp else None
        if test is not None and any("is_scripting" in each for each in astwalk.mentions(test)):
            continue
        found.append(node)
        pending += reversed(astwalk.children(node))
    return found
