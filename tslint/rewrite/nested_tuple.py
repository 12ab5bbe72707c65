"""Annotations of tuples of tuples whose elements are used as tensors."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.type_wording import function, inside, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe


def flat(match: Match, argument: ast.expr) -> Fix | None:
    """``p: Tuple[Tuple[Tensor]]`` → ``p: Tuple[Tensor, Tensor]``, where its elements are joined with tensors."""
    held = function(match)
    if held is None or not isinstance(argument, (ast.List, ast.Tuple)):
        return None
    named = {
        each.value.id for each in argument.elts
        if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name)
    }  # fmt: skip
    for parameter in [*held.args.args, *held.args.kwonlyargs]:
        if parameter.arg not in named or parameter.annotation is None:
            continue
        outer = [each for each in walking.walk(parameter.annotation) if _single(each) is not None]
        inner = _single(outer[0]) if len(outer) == 2 else None
        places = [
            each.slice.value for each in inside(match)
            if isinstance(each, ast.Subscript) and isinstance(each.value, ast.Name) and each.value.id == parameter.arg
            and isinstance(each.slice, ast.Constant) and isinstance(each.slice.value, int)
        ]  # fmt: skip
        element = _single(inner) if inner is not None else None
        if inner is None or element is None or not places or min(places) < 0:
            continue
        text = ", ".join([match.text(element)] * (max(places) + 1))
        edit = Edit(*place(match, inner), text)
        risks = (Risk.ASSUMES, Risk.REFUSES)
        return unsafe(f"Annotate `{parameter.arg}` as a tuple of tensors", edit, risks=risks)
    return None


def _single(node: ast.AST) -> ast.expr | None:
    """The element of an annotation that is a tuple of one."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Tuple):
        return None
    name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return node.slice if name in ("Tuple", "tuple") else None
