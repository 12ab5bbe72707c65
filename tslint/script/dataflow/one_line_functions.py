"""Finds what a call of a one-line function of the file returns."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from tslint.script.dataflow.names import imported_names
from tslint.util import astwalk


def returned_by(tree: ast.Module, call: ast.Call) -> ast.expr | None:
    """Return what a call returns, in terms of its arguments; None if the function does more than return an expression.

    Args:
        tree: the file.
        call: ``clones(layer, n)``, where ``clones`` only returns ``nn.ModuleList([copy(layer) for _ in range(n)])``.
    """
    function = _only_function(tree, call.func.id) if isinstance(call.func, ast.Name) else None
    if function is None or function.decorator_list or not isinstance(function.body[-1], ast.Return):
        return None
    returned = function.body[-1].value
    others = function.body[:-1]
    if returned is None or len(others) > (ast.get_docstring(function, clean=False) is not None):
        return None
    given = _arguments(function, call)
    if given is None or astwalk.bound(returned) & given.keys():
        return None
    found = _Arguments(given).visit(copy.deepcopy(returned))
    return found if isinstance(found, ast.expr) else None


def _only_function(tree: ast.Module, name: str) -> ast.FunctionDef | None:
    """Return the function that a file defines under a name at its top level; None if the name also means something else
    in the file.
    """
    named = [each for each in astwalk.of_kind(tree, ast.FunctionDef) if each.name == name]
    other = (
        name in astwalk.bound(tree)
        or bool(imported_names(tree).get(name))
        or any(each.arg == name for each in astwalk.of_kind(tree, ast.arg))
        or any(each.name == name for each in astwalk.of_kind(tree, ast.ClassDef))
    )
    return named[0] if len(named) == 1 and named[0] in tree.body and not other else None


def _arguments(function: ast.FunctionDef, call: ast.Call) -> dict[str, ast.expr] | None:
    """Return the arguments of a call by parameter; None unless the call passes exactly one for each parameter."""
    spec = function.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    starred = any(isinstance(each, ast.Starred) for each in call.args) or len(call.args) > len(names)
    if starred or spec.vararg or spec.kwarg or spec.kwonlyargs:
        return None
    found = dict(zip(names, call.args))
    found.update((each.arg, each.value) for each in call.keywords if each.arg in names)
    return found if len(found) == len(names) == len(call.args) + len(call.keywords) else None


class _Arguments(ast.NodeTransformer):
    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.given.get(node.id, node)
