"""``tolist`` where the list is not needed, or its type can be told."""

from __future__ import annotations

import ast

from tslint.diagnostics import Fix
from tslint.rewrite.scripted_form import either_fix
from tslint.rewrite.type_wording import inside, parent, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe

_PACK = "pack_padded_sequence"


def tolist_fix(match: Match, node: ast.AST) -> Fix | None:
    """The fix for ``x.tolist()``: lengths for packing stay a tensor on the CPU, and sizes are what they are."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.args or node.keywords:
        return None
    owner = node.func.value
    if isinstance(owner, ast.Call) and ast.unparse(owner.func) == "torch.tensor" and len(owner.args) == 1:
        if _is_size(owner.args[0]) and not owner.keywords:
            text = f"list({match.text(owner.args[0])})"
            return safe("Take the sizes", replace(match, node, text))
    around = parent(match, node)
    packed = _packing(around, node)
    if not packed and isinstance(around, ast.Assign) and len(around.targets) == 1:
        packed = isinstance(around.targets[0], ast.Name) and _only_packed(match, around, around.targets[0].id)
    if not packed:
        return None
    return either_fix(
        match, node, f"{match.text(owner)}.cpu()", "Pass compiled code the lengths as a tensor on the CPU"
    )


def _packing(around: ast.AST | None, node: ast.AST) -> bool:
    """Whether an expression is the lengths of ``pack_padded_sequence(x, lengths)``."""
    if not isinstance(around, ast.Call):
        return isinstance(around, ast.keyword) and around.arg == "lengths"
    name = around.func.attr if isinstance(around.func, ast.Attribute) else getattr(around.func, "id", "")
    return name == _PACK and len(around.args) > 1 and around.args[1] is node


def _only_packed(match: Match, assigned: ast.Assign, name: str) -> bool:
    later = [
        each for each in inside(match)
        if isinstance(each, ast.Name) and each.id == name and each.lineno > (assigned.end_lineno or assigned.lineno)
    ]  # fmt: skip
    return bool(later) and all(_packing(parent(match, each), each) for each in later)


def _is_size(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _is_size(node.value)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not node.args
    return isinstance(node, ast.Attribute) and node.attr == "shape"
