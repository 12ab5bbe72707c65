"""Copies functions into a class, as methods that use attributes instead of parameters."""

from __future__ import annotations

import ast
from collections.abc import Container

from tslint.util import astwalk

_SCOPED = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal)


def only_calls(function: ast.AST, parameter: str) -> bool:
    """Return whether a function calls a parameter, and does nothing else with it, except comparing it by ``is`` or
    ``is not``.
    """
    uses = set(uses_of(function, [parameter]))
    called: set[ast.AST] = set()
    asked: set[ast.AST] = set()
    for each in astwalk.walk(function):
        if isinstance(each, ast.Call):
            called.add(each.func)
        elif isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.Is, ast.IsNot)):
            asked.add(each.left)
    return bool(uses & called) and not uses - called - asked


def uses_of(function: ast.AST, names: Container[str]) -> list[ast.Name]:
    """Return the places where a function's code uses the given names."""
    return [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id in names]


def can_be_method(function: ast.FunctionDef, itself: str, bound: bool) -> bool:
    """Return whether a function's code would mean the same in a method.

    Args:
        function: the copied function.
        itself: the method's name for its instance.
        bound: whether the function is already a method of the class.
    """
    inner = [each for each in astwalk.walk(function) if each is not function]
    if any(isinstance(each, _SCOPED) for each in inner):
        return False
    if any(not isinstance(each, ast.Constant) for each in function.args.defaults):
        return False
    if bound and function.args.args[0].arg != itself:
        return False
    names = {each.id for each in inner if isinstance(each, ast.Name)}
    if itself in names and not bound:
        return False
    names |= {each.attr for each in inner if isinstance(each, ast.Attribute)}
    return not any(each.startswith("__") and not each.endswith("__") for each in names)


def first_alike(owner: ast.AST, call: ast.Call, values: Container[str]) -> ast.Call:
    """Return the first call in a class with the same function and the same arguments as a given call; of the arguments,
    only those in ``values`` are compared.

    Args:
        owner: the class.
        call: a call in the class.
        values: some of its arguments, as ``ast.unparse`` writes them.
    """
    calls = [each for each in astwalk.walk(owner) if isinstance(each, ast.Call)]
    for each in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        if ast.unparse(each.func) == ast.unparse(call.func) and _values(each, values) == _values(call, values):
            return each
    return call


def _values(call: ast.Call, wanted: Container[str]) -> set[str]:
    passed = [*call.args, *(each.value for each in call.keywords)]
    return {text for text in map(ast.unparse, passed) if text in wanted}
