"""Finds constants of a class body that have a type that constants cannot have: ``sizes: Final = {"a": 1}``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.project.classes import Member
from tslint.project.definitions import External
from tslint.project.index import Project
from tslint.script.attributes import ClassFacts

_DISPLAYS: dict[type[ast.AST], str] = {
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Lambda: "method",
}
_BUILTINS = ("set", "frozenset", "dict", "slice")


def invalid_class_constants(facts: ClassFacts, project: Project) -> Iterator[tuple[str, Member, str]]:
    """Yield the name, the class member and the value's type of each such constant, if no constructor replaces its
    value.
    """
    for name in sorted(facts.constants):
        member = facts.hierarchy.members.get(name)
        if member is None or name in facts.attributes or facts.may_have(name):
            continue
        if isinstance(member.node, (ast.Assign, ast.AnnAssign)):
            what = _invalid(project, member, member.node.value)
            if what:
                yield name, member, what


def _invalid(project: Project, member: Member, value: ast.expr | None) -> str:
    """Return the type of a value that cannot be a constant, or of an item of it; empty for others."""
    if isinstance(value, (ast.List, ast.Tuple)):
        return next(filter(None, (_invalid(project, member, item) for item in value.elts)), "")
    if isinstance(value, ast.Call):
        found = project.resolve_expression(member.owner.module, value.func)
        called = found.name.removeprefix("builtins.") if isinstance(found, External) else ""
        return called if called in _BUILTINS else ""
    return _DISPLAYS.get(type(value), "") if value is not None else ""
