"""Finds constants of a class body that have a type that constants cannot have: ``sizes: Final = {"a": 1}``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.project.classes import Member
from tslint.project.index import Project
from tslint.script.attributes import ClassFacts
from tslint.script.construct.declared import no_constant
from tslint.script.construct.facts import class_variable


def invalid_class_constants(facts: ClassFacts, project: Project) -> Iterator[tuple[str, Member, str]]:
    """Yield the name, the class member and the invalid type of each constant of the class body whose value has a type
    that constants cannot have. Constants that a constructor sets, or may set, are left out.
    """
    for name in sorted(facts.constants):
        member = facts.hierarchy.members.get(name)
        if member is None or name in facts.attributes or facts.may_have(name):
            continue
        what = no_constant(class_variable(project, facts.hierarchy, member), of_class=True)
        if what and isinstance(member.node, (ast.Assign, ast.AnnAssign)):
            yield name, member, what
