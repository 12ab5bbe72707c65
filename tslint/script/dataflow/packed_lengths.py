"""Decides whether a value is only used as the lengths for ``pack_padded_sequence``."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_PACK = "pack_padded_sequence"


def only_packed(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether an expression is only used as the lengths for ``pack_padded_sequence``, also through a
    variable.
    """
    around = astwalk.parents(tree).get(node)
    if _packing(tree, node):
        return True
    if not isinstance(around, ast.Assign) or len(around.targets) != 1 or not isinstance(around.targets[0], ast.Name):
        return False
    name, last = around.targets[0].id, around.end_lineno or around.lineno
    function = next((each for each in astwalk.around(tree, node) if isinstance(each, ast.FunctionDef)), tree)
    later = [
        each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == name and each.lineno > last
    ]
    return bool(later) and all(_packing(tree, each) for each in later)


def _packing(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether an expression is the lengths of ``pack_padded_sequence(x, lengths)``."""
    around = astwalk.parents(tree).get(node)
    keyword = around if isinstance(around, ast.keyword) and around.arg == "lengths" else None
    call = around if keyword is None else astwalk.parents(tree).get(keyword)
    if not isinstance(call, ast.Call):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name == _PACK and (keyword is not None or (len(call.args) > 1 and call.args[1] is node))
