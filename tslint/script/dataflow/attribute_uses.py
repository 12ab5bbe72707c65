"""How a file uses the attributes of its instances."""

from __future__ import annotations

import ast

from tslint import walking


@walking.kept
def properties(tree: ast.Module) -> frozenset[str]:
    """The functions of a file that a decorator may make properties."""
    functions = (each for each in walking.walk(tree) if isinstance(each, ast.FunctionDef))
    return frozenset(each.name for each in functions if each.decorator_list)


@walking.kept
def no_numbers(tree: ast.Module) -> frozenset[str]:
    """The attributes that a file calls, goes over, or asks for something, as no number allows."""
    found = set()
    for each in walking.walk(tree):
        inner: ast.AST | None = None
        if isinstance(each, ast.Call):
            inner = each.func
        elif isinstance(each, (ast.Attribute, ast.Subscript)):
            inner = each.value
        elif isinstance(each, (ast.For, ast.comprehension)):
            inner = each.iter
        if isinstance(inner, ast.Attribute):
            found.add(inner.attr)
    return frozenset(found)
