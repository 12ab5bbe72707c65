"""Finds the methods that a class itself defines, and definitions by their names."""

from __future__ import annotations

import ast

from tslint.util import astwalk


def method_of(owner: ast.AST, name: str) -> ast.FunctionDef | None:
    """Return a method of a class by its name; None if the class does not define it."""
    assert isinstance(owner, ast.ClassDef)
    return next((each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == name), None)


def itself(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the method's name for its instance; empty if it has no parameter."""
    places = [*function.args.posonlyargs, *function.args.args]
    return places[0].arg if places else ""


def is_itself(node: ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a node is a method's own instance."""
    return isinstance(node, ast.Name) and node.id == itself(function)


def hands_over(owner: ast.AST, old: str, new: str) -> bool:
    """Return whether the method ``old`` of a class only returns a call of the method ``new``, and both have the same
    parameters.
    """
    one, other = method_of(owner, old), method_of(owner, new)
    if one is None or other is None or len(one.body) != 1 or ast.dump(one.args) != ast.dump(other.args):
        return False
    only = one.body[0]
    value = only.value if isinstance(only, ast.Return) else None
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(f".{new}")


def definitions_of(tree: ast.Module, name: str) -> list[ast.AST]:
    """Return the functions, classes, imports and exception handlers of a file that bind a name."""
    return [each for each in astwalk.mentions(tree).get(name, ()) if getattr(each, "name", "") == name]
