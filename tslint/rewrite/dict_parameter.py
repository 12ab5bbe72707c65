"""Parameters without annotation that are used as dicts of tensors."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.statements import function
from tslint.rewrite.type_wording import unannotated
from tslint.rulekit.match import Match

_METHODS = frozenset(["get", "keys", "values", "items"])


def mapping(match: Match, owner: ast.expr, attribute: str) -> Fix | None:
    """Annotate a parameter ``Dict[str, Tensor]`` whose only uses are those of a dict with texts as keys."""
    argument, held = unannotated(match, owner), function(match)
    if argument is None or held is None or attribute not in _METHODS:
        return None
    for node in walking.walk(held):
        if isinstance(node, ast.Name) and node.id == argument.arg and isinstance(node.ctx, ast.Store):
            return None
        if isinstance(node, ast.Attribute) and _is(node.value, argument.arg) and node.attr not in _METHODS:
            return None
        if isinstance(node, ast.Subscript) and _is(node.value, argument.arg) and not _text(node.slice):
            return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is(node.func.value, argument.arg):
            if node.func.attr == "get" and not (node.args and _text(node.args[0])):
                return None
    return annotation_fix(match, held, argument, wanted="Dict[str, Tensor]", likely="Dict[str, Tensor]")


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
