"""Decides whether a value in a function comes from callers, so that the function itself does not show its type."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk

# Functions whose result has the same elements as their arguments.
_WALKS = ("enumerate", "zip", "reversed", "list", "tuple")


def from_caller(tree: ast.Module, value: ast.expr) -> bool:
    """Return whether a value is a parameter, or a part of a parameter, whose type only the callers decide."""
    around = astwalk.around(tree, value)
    function = next((each for each in around if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))), None)
    return function is not None and _from_caller(function, value, set())


def _from_caller(function: FunctionNode, value: ast.expr, seen: set[str]) -> bool:
    while isinstance(value, (ast.Subscript, ast.Starred)):
        value = value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _WALKS:
        return any(_from_caller(function, argument, seen) for argument in value.args)
    if not isinstance(value, ast.Name) or value.id in seen:
        return False
    name = value.id
    seen.add(name)
    return _is_open(function, name) or any(
        _from_caller(function, source, seen)
        for node in astwalk.walk(function)
        for source in _sources(node)
        if any(isinstance(n, ast.Name) and n.id == name for target in _targets(node) for n in astwalk.walk(target))
    )


def _sources(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.iter]
    return [node.value] if isinstance(node, ast.Assign) else []


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign) else []


def _is_open(function: FunctionNode, name: str) -> bool:
    """Return whether a name is a parameter that may be something other than a Tensor: it has a default, or is not
    annotated as a Tensor.
    """
    spec = function.args
    required = spec.args[: len(spec.args) - len(spec.defaults)]
    sure = {a.arg for a in required if a.annotation is not None and ast.unparse(a.annotation).endswith("Tensor")}
    names = {argument.arg for argument in astwalk.walk(spec) if isinstance(argument, ast.arg)}
    return name in names - sure
