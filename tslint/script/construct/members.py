"""Recognises class members that constructors read: methods of other objects, ``apply`` of an ``autograd.Function``,
members of an Enum.
"""

from __future__ import annotations

import ast

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External
from tslint.project.index import Project
from tslint.script.attributes import Instance
from tslint.script.classkinds import AUTOGRAD, class_kind
from tslint.util import astwalk


def is_bound_method(project: Project, owner: Instance, name: str) -> bool:
    """Return whether the given attribute of an object is certainly a method, which is bound to the object."""
    if owner.definition is None:
        return name == "forward" and owner.external.startswith("torch.nn.")
    hierarchy = Hierarchy(project, owner.definition)
    member = hierarchy.member(name)
    if member is None or not isinstance(member.node, ast.FunctionDef) or member.node.decorator_list:
        return False
    bodies = [each.node for each in hierarchy.mro if isinstance(each, Class)]
    return not any(
        node.attr == name and isinstance(node.ctx, ast.Store)  # an attribute of the instance hides the method
        for body in bodies
        for node in astwalk.of_kind(body, ast.Attribute)
    )


def is_applied(project: Project, definition: Class, name: str) -> bool:
    """Return whether ``Class.name`` is the class method ``apply`` of an ``autograd.Function``."""
    bases = Hierarchy(project, definition).mro
    return name == "apply" and any(isinstance(base, External) and base.name in AUTOGRAD for base in bases)


def is_enum_member(project: Project, definition: Class, name: str) -> bool:
    """Return whether ``Class.name`` is a member of an Enum."""
    if class_kind(project, Hierarchy(project, definition), is_module=False) != "enum":
        return False
    return any(
        isinstance(target, ast.Name) and target.id == name
        for statement in definition.node.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    )
