"""Parameters without annotation that are used as dicts of tensors."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Fix, Risk
from tslint.rule import unsafe
from tslint.rules.names._common import function
from tslint.rules.types._common import annotate, unannotated

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
    names = [each.arg for each in held.args.args]
    if argument.arg not in names:
        return None
    behind = len(names) - names.index(argument.arg)
    default = held.args.defaults[-behind] if behind <= len(held.args.defaults) else None
    if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
        return None
    type_ = "Dict[str, Tensor]"
    written = annotate(match, argument, type_ if default is None else f"Optional[{type_}]")
    risks = (Risk.ASSUMES, Risk.REFUSES)
    return None if written is None else unsafe(f"Annotate `{argument.arg}: {written[0]}`", *written[1], risks=risks)


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
