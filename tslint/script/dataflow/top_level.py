"""What stands at the top level of a file, and what its names may mean."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def top_function(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """The function of a name that a file defines at its top level."""
    return next((each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name), None)


def first_definition(tree: ast.Module) -> ast.stmt | None:
    """The first function or class of a file."""
    return next((each for each in tree.body if isinstance(each, _DEFINITIONS)), None)


def is_mentioned(tree: ast.Module, name: str) -> bool:
    """Whether a name means something anywhere in a file, or a text may be it."""
    return bool(astwalk.mentions(tree).get(name))


def is_top_method(tree: ast.Module, function: ast.FunctionDef) -> bool:
    """Whether a function is a method of a class at the top level."""
    holder = astwalk.parents(tree).get(function)
    return isinstance(holder, ast.ClassDef) and astwalk.parents(tree).get(holder) is tree


def is_top_function(tree: ast.Module, function: ast.FunctionDef) -> bool:
    """Whether a function stands at the top level, or is a method of a class there."""
    return astwalk.parents(tree).get(function) is tree or is_top_method(tree, function)
