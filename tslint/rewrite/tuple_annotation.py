"""Annotations of tuples that name one element and mean any number."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.type_wording import function, inside, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe


def longer(match: Match) -> Fix | None:
    """Annotate a parameter as a tuple of as many elements as the function takes out of it."""
    held, node = function(match), match.event.node
    if held is None or not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return None
    name = node.value.id
    argument = next((a for a in [*held.args.args, *held.args.kwonlyargs] if a.arg == name), None)
    tuples = [n for n in walking.walk(argument.annotation) if _single(n)] if argument and argument.annotation else []
    if len(tuples) != 1 or not isinstance(tuples[0], ast.Subscript):
        return None
    places: list[int] = []
    for use in inside(match):
        if isinstance(use, ast.Subscript) and isinstance(use.value, ast.Name) and use.value.id == name:
            if not isinstance(use.slice, ast.Constant) or type(use.slice.value) is not int or use.slice.value < 0:
                return None
            places.append(use.slice.value)
    if max(places, default=0) < 1:
        return None
    element = match.text(tuples[0].slice)
    start, end = place(match, tuples[0].slice)
    count = max(places) + 1
    return unsafe(
        f"Annotate a tuple of {count} elements (callers have to pass as many)",
        Edit(start, end, ", ".join([element] * count)),
        risks=(Risk.ASSUMES, Risk.REFUSES),
    )


def _single(node: ast.AST) -> bool:
    """Whether an annotation is a tuple of one element."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Tuple):
        return False
    named = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    return named in ("Tuple", "tuple")
