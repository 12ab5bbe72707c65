"""Finds where lists are changed in place, and where they get another name through which they may be changed."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.stores import CHANGING
from tslint.util import astwalk

LISTS = ("ModuleList", "ParameterList", "Sequential", "list", "tuple")
_LOOKING = ("len", "enumerate", "zip", "reversed", "range", "iter", "list", "tuple", "sum", "isinstance", "print")


def change_at(function: FunctionNode | ast.Module, node: ast.Name) -> ast.AST | None:
    """Return the node that changes the list of a local variable in place, if a given use of the variable is part of
    such a node; otherwise None.
    """
    around = astwalk.parents(function).get(node)
    if isinstance(around, ast.Attribute) and around.attr in CHANGING:
        return astwalk.parents(function).get(around)
    if isinstance(around, ast.Subscript) and around.value is node and not isinstance(around.ctx, ast.Load):
        return around
    return around if isinstance(around, ast.AugAssign) and around.target is node else None


def escapes(tree: ast.AST, node: ast.AST) -> bool:
    """Return whether a use of a list gives it another name, through which the list may be changed later."""
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Call) and around.func is not node:
        name = around.func.attr if isinstance(around.func, ast.Attribute) else getattr(around.func, "id", "")
        return name not in (*_LOOKING, *LISTS)
    if isinstance(around, ast.Assign) and [ast.unparse(each) for each in around.targets] == [ast.unparse(node)]:
        return False
    if isinstance(around, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        return around.value is node
    return isinstance(around, (ast.Tuple, ast.List, ast.Dict, ast.keyword, ast.Return, ast.Yield, ast.IfExp))


@astwalk.kept
def escaping(tree: ast.AST) -> dict[str, list[ast.Attribute]]:
    """Return the reads by which the values of attributes get another name anywhere in a file, through which they may be
    changed: the file assigns, passes, returns or collects them.
    """
    found: dict[str, list[ast.Attribute]] = {}
    for node in astwalk.of_kind(tree, ast.Attribute):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and escapes(tree, node):
            found.setdefault(node.attr, []).append(node)
    return found
