"""Renames attributes with two leading underscores: ``__x`` of the class ``Net`` to ``_Net__x``, a method to ``_x``."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.private_names import private_methods, uses
from tslint.script.events.modules import MissingAttribute
from tslint.script.private_names import is_private, python_name


def unmangled(match: Match[MissingAttribute]) -> Fix | None:
    """Write the name under which Python stores an attribute: in the class ``Net``, ``_Net__x`` for ``__x``. If it is a
    method of the class, rename the method to ``_x`` instead.
    """
    unit, name = match.event.unit, match.event.attribute
    owner = unit.function.owner if unit is not None else None
    if not is_private(name) or owner is None or owner.module.tree is not match.file.tree:
        return None
    node = match.node
    if not isinstance(node, cst.Attribute):
        return None
    methods = private_methods(owner.node, name)
    in_python = python_name(owner.name, name)
    if not methods:
        return safe(f"Write `{in_python}`, its name in Python", lambda: _renamed(match, node, in_python))
    wished, found = name[1:], uses(match.file.tree, owner.node, name, in_python)
    if len(methods) != 1 or found is None:
        return None
    method, attributes = match.libcst(methods[0]), [match.libcst(each) for each in found]
    return safe(
        f"Call the method `{wished}`",
        lambda: [edit for each in (method, *attributes) for edit in _renamed(match, each, wished)],
    )


def _renamed(match: Match, node: cst.CSTNode, name: str) -> tuple[Edit, ...]:
    if isinstance(node, cst.FunctionDef):
        return match.rewrite(node, node.with_changes(name=cst.Name(name)))
    return match.replace(node, node.with_changes(attr=cst.Name(name)))
