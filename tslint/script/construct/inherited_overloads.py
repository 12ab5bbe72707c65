"""Finds classes that inherit an overloaded ``forward`` of ``torch.nn``.

The compiler stores overloads by the name of their class, so that a subclass has none: unannotated parameters are
Tensors, and their default None does not count (``_get_class_overloads`` of torch/_jit_internal.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class
from tslint.project.index import Project
from tslint.script.operators import module_class
from tslint.script.operators.schema import Argument
from tslint.script.types import OptionalType, TensorType
from tslint.util.record import record


@record
class Inherited:
    """An overloaded ``forward`` that is inherited from a class of ``torch.nn``.

    Args:
        base: the name of the class of ``torch.nn``.
        optional: the parameters that are Optional in the overloads, with their positions: without overloads, calls
            cannot omit them.
        compiles: whether ``forward`` compiles if these parameters are Tensors.
    """

    base: str
    optional: tuple[tuple[int, Argument], ...]
    compiles: bool


def inherited_overloads(hierarchy: Hierarchy) -> Inherited | None:
    """Return the overloaded ``forward`` that a class of the project inherits from ``torch.nn``; None if it inherits
    none.
    """
    if "forward" in hierarchy.members or hierarchy.open or not hierarchy.externals:
        return None
    found = module_class(hierarchy.externals[0].name)
    if found is None or not isinstance(found.forward, tuple) or len(found.forward) < 2:
        return None
    arguments = tuple(enumerate(found.forward[0].arguments[1:]))
    optional = tuple((position, each) for position, each in arguments if isinstance(each.type, OptionalType))
    types = [each.type.element for _, each in optional if isinstance(each.type, OptionalType)]
    return Inherited(found.name.rpartition(".")[2], optional, all(isinstance(type_, TensorType) for type_ in types))


def base_expression(project: Project, hierarchy: Hierarchy) -> Iterator[tuple[Class, ast.expr]]:
    """Yield the project's class whose base is the class of ``torch.nn``, and the expression that names this base."""
    for owner in hierarchy.mro:
        for base in owner.node.bases if isinstance(owner, Class) else ():
            if isinstance(base, (ast.Name, ast.Attribute)) and isinstance(owner, Class):
                if project.resolve_expression(owner.module, base) == hierarchy.externals[0]:
                    yield owner, base
                    return
