"""The methods that a class defines itself."""

from __future__ import annotations

import ast


def method_of(owner: ast.AST, name: str) -> ast.FunctionDef | None:
    """A method of a class by its name; None where the class does not define it."""
    assert isinstance(owner, ast.ClassDef)
    return next((each for each in owner.body if isinstance(each, ast.FunctionDef) and each.name == name), None)
