"""Names with two underscores: Python puts the class in front of them, and the compiler does not."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import safe
from tslint.rules.modules._common import place


def unmangled(match: Match) -> Fix | None:
    """Write the name that Python gives an attribute, or give a method another name."""
    unit, node = match.event.unit, match.event.node
    name = match.event.facts["attribute"]
    if not name.startswith("__") or name.endswith("__") or unit is None or unit.function.owner is None:
        return None
    owner = unit.function.owner
    if owner.module.source.path != match.source.path or not isinstance(node, ast.Attribute):
        return None
    methods = [s for s in owner.node.body if isinstance(s, ast.FunctionDef) and s.name == name]
    prefix = "_" + owner.name.lstrip("_")
    if not methods:
        return safe(f"Write `{prefix}{name}`, its name in Python", _renamed(match, node, prefix + name))
    wished = name[1:]
    used = {n.attr for n in walking.walk(match.border.tree) if isinstance(n, ast.Attribute)}
    used |= {n.name for n in walking.walk(match.border.tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    constants = [node for node in walking.walk(match.border.tree) if isinstance(node, ast.Constant)]
    texts = {constant.value for constant in constants if isinstance(constant.value, str)}
    if len(methods) != 1 or wished in used or {prefix + name, name} & texts or prefix + name in used:
        return None
    start, _ = place(match, methods[0])
    line = match.source.lines[start.row - 1]
    column = line.find(name, start.column - 1)
    if column < 0:
        return None
    edits = [Edit(Position(start.row, column + 1), Position(start.row, column + 1 + len(name)), wished)]
    for use in walking.walk(owner.node):
        if isinstance(use, ast.Attribute) and use.attr == name:
            edits.append(_renamed(match, use, wished))
    return safe(f"Call the method `{wished}`", *edits)


def _renamed(match: Match, node: ast.Attribute, name: str) -> Edit:
    _, end = place(match, node)
    return Edit(Position(end.row, end.column - len(node.attr)), end, name)
