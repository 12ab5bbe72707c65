"""Tells which code may change the list in an attribute of a class's instances."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.list_changes import escaping
from tslint.script.dataflow.methods import is_itself
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk


def may_escape(tree: ast.Module, owner: ast.ClassDef, attribute: str) -> bool:
    """Return whether the list in an attribute gets another name, through which it may be changed."""
    return not all(is_of_another(tree, owner, read) for read in escaping(tree).get(attribute, ()))


def is_of_another(tree: ast.Module, owner: ast.ClassDef, use: ast.AST) -> bool:
    """Return whether a read or a change of an attribute is in a method of an unrelated class, and only affects that
    method's instance.
    """
    around = list(astwalk.around(tree, use))
    other = next((each for each in around if isinstance(each, ast.ClassDef)), None)
    inside = around[: around.index(other)] if other is not None else around
    function = next((each for each in reversed(inside) if isinstance(each, ast.FunctionDef)), None)
    called = getattr(use, "func", use)
    held = use.target if isinstance(use, ast.AugAssign) else getattr(called, "value", None)
    held = use if isinstance(use, ast.Attribute) else held
    own = function is not None and isinstance(held, ast.Attribute) and is_itself(held.value, function)
    return own and other is not None and not any(other is each for each in file_facts(tree).related(owner))


def is_own(function: FunctionNode, change: ast.AST, attribute: str) -> bool:
    """Return whether a change is a call in this function, on this attribute of its instance: ``self.a.append(x)``."""
    called = change.func if isinstance(change, ast.Call) else None
    held = called.value if isinstance(called, ast.Attribute) else None
    own = isinstance(held, ast.Attribute) and held.attr == attribute and is_itself(held.value, function)
    return own and function in astwalk.around(function, change)
