"""Finds methods that compiled code does not call, such as ``fuse`` or ``switch_to_deploy``."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk


def only_python_calls(tree: ast.Module, method: FunctionNode) -> bool:
    """Return whether compiled code never calls a method: its file calls it only outside of classes, in constructors, or
    in methods for which the same is true.
    """
    return _only_python(tree, method, {method.name})


def _only_python(tree: ast.Module, method: FunctionNode, seen: set[str]) -> bool:
    # A decorator may export it. The compiler itself calls `forward` and operators.
    if method.decorator_list or method.name == "forward" or method.name.startswith("__"):
        return False
    return all(_is_of_python(tree, each, seen) for each in astwalk.mentions(tree)[method.name])


def _is_of_python(tree: ast.Module, mention: ast.AST, seen: set[str]) -> bool:
    inner = [mention, *astwalk.around(tree, mention)]
    place = next((i for i, each in enumerate(inner) if i and isinstance(each, ast.ClassDef)), None)
    if place is None or not isinstance(mention, (ast.Attribute, ast.Name, ast.Constant)):
        return True
    method = inner[place - 1]
    if not isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False  # `forward = fuse`
    if isinstance(mention, ast.Name) or method.name in seen:
        return True
    if method.name == "__init__":
        # A mention that is not a call may register the method as a hook, which the compiler compiles.
        return isinstance(mention, ast.Constant) or getattr(inner[1], "func", None) is mention
    seen.add(method.name)
    return _only_python(tree, method, seen)
