"""Determines which kind of type the compiler makes of a project's class (the counterpart of ``can_compile_class`` of
torch/_jit_internal.py and of the class cases of ``try_ann_to_type``).
"""

from __future__ import annotations

import ast
from typing import Literal

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External
from tslint.project.index import Project

ClassKind = Literal[
    "module",
    "interface",
    "enum",
    "namedtuple",
    "typeddict",
    "dataclass",
    "scripted dataclass",
    "script class",
    "exception",
    "",
]
_ENUMS = {"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"}
_TRANSPARENT = {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"}
_SCRIPT = ("torch.jit.script", "torch.jit._script.script")


def class_kind(project: Project, hierarchy: Hierarchy, *, is_module: bool) -> ClassKind:
    """Return the kind of a class; empty if it is not certain.

    Args:
        project: resolves decorators.
        hierarchy: the class.
        is_module: whether it is an ``nn.Module``.
    """
    definition = hierarchy.definition
    marks = _decorators(project, definition)
    if "torch.jit.interface" in marks:
        return "interface"
    if is_module:
        return "module"
    bases = {base.name for base in hierarchy.externals}
    if bases & _ENUMS:
        return "enum" if not hierarchy.open else ""
    if "typing.NamedTuple" in bases:
        return "namedtuple"
    if bases & {"typing.TypedDict", "typing_extensions.TypedDict"}:
        return "typeddict"
    if any(_is_exception(name) for name in bases):
        return "exception"
    if hierarchy.open or bases - _TRANSPARENT or definition.node.keywords:
        return ""
    if marks & {"dataclasses.dataclass"}:
        return "scripted dataclass" if marks & set(_SCRIPT) else "dataclass"
    return "script class" if marks <= set(_SCRIPT) else ""


def _decorators(project: Project, definition: Class) -> set[str]:
    """Return the full names of a class's decorators; ``?`` for those that are not external."""
    names = set()
    for node in definition.node.decorator_list:
        target = node.func if isinstance(node, ast.Call) else node
        found = project.resolve_expression(definition.module, target)
        names.add(found.name if isinstance(found, External) else "?")
    return names


def _is_exception(name: str) -> bool:
    import builtins

    root, _, last = name.rpartition(".")
    found = getattr(builtins, last, None) if root == "builtins" else None
    return isinstance(found, type) and issubclass(found, BaseException)


def is_scripted_class(project: Project, definition: Class) -> bool:
    """Return whether a class is marked ``@torch.jit.script``."""
    return bool(_decorators(project, definition) & set(_SCRIPT))
