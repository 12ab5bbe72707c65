"""Decides whether compiled code may contain the same computation twice, so that TorchScript runs it only once."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def may_share(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether code that calls a function may compute something that the function computes, too.

    TorchScript inlines calls, and then computes equal operations with equal operands once: where the first one is
    executed. If that is inside ``with torch.no_grad()``, the others have no gradients either.

    Args:
        tree: the tree of the file.
        node: a node in the function, or one of its decorators.
    """
    function = next(each for each in astwalk.around(tree, node) if isinstance(each, _FUNCTION))
    owner = next(astwalk.around(tree, function), None)
    name = owner.name if isinstance(owner, ast.ClassDef) and function.name == "forward" else function.name
    inside = set(map(id, astwalk.walk(function)))
    used = [each for each in astwalk.mentions(tree).get(name, ()) if isinstance(each, (ast.Name, ast.Attribute))]
    if all(id(each) in inside for each in used):
        return False
    own = _operations(function)
    return any(
        own & _operations(each)
        for each in astwalk.of_kind(tree, *_FUNCTION)
        if getattr(each, "name", "") != "__init__" and id(each) not in inside
    )


def _operations(function: ast.AST) -> set[str]:
    """Return the names of the functions that a function calls, and its operators."""
    found = set()
    for node in astwalk.of_kind(function, ast.Call, ast.BinOp, ast.UnaryOp, ast.AugAssign, ast.Compare, ast.Subscript):
        if isinstance(node, ast.Call):
            found.add(node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
        elif isinstance(node, (ast.BinOp, ast.UnaryOp, ast.AugAssign)):
            found.add(type(node.op).__name__)
        else:
            found.add(type(node).__name__)
    return found
