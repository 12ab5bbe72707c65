"""Determines which kind of type the compiler makes of a project's class (the counterpart of ``can_compile_class`` of
torch/_jit_internal.py and of the class cases of ``try_ann_to_type``).
"""

from __future__ import annotations

import ast
import builtins
import collections
from typing import Literal

from tslint.project.classes import Hierarchy, body_names
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
    "excluded class",
    "",
]
_ENUMS = {"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"}
_TRANSPARENT = {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"}
AUTOGRAD = frozenset(
    ["torch.autograd.Function", *(f"torch.autograd.function.{kind}" for kind in ("Function", "InplaceFunction"))]
)
_OBJECTS: tuple[ClassKind, ...] = ("dataclass", "scripted dataclass", "script class")
_EXCLUDES = frozenset(["torch.jit.ignore", "torch.jit.unused"])
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
    if marks & _EXCLUDES or any(_is_sequence(name) or _is_distribution(name) for name in bases):
        return "excluded class"
    if "dataclasses.dataclass" in marks and not marks & set(_SCRIPT) and _has_generated_methods(definition):
        return "dataclass"  # whatever its bases are
    if hierarchy.open or definition.node.keywords or not all(_is_compiled(name) for name in bases):
        return ""
    if "dataclasses.dataclass" in marks:
        return "scripted dataclass"
    return "script class" if marks <= set(_SCRIPT) else ""


def makes_objects(hierarchy: Hierarchy, kind: ClassKind) -> bool:
    """Return whether the compiler certainly treats the instances of a class as plain objects, and not as modules,
    numbers or other values with a type of their own.
    """
    transparent = {base.name for base in hierarchy.externals} <= _TRANSPARENT
    return kind in _OBJECTS and transparent and not hierarchy.open


def _decorators(project: Project, definition: Class) -> set[str]:
    """Return the full names of a class's decorators; ``?`` stands for a decorator that is not external."""
    names = set()
    for node in definition.node.decorator_list:
        target = node.func if isinstance(node, ast.Call) else node
        found = project.resolve_expression(definition.module, target)
        names.add(found.name if isinstance(found, External) else "?")
    return names


def _has_generated_methods(definition: Class) -> bool:
    """Return whether ``dataclass`` certainly generates methods in a class; they have no source."""
    marks = [mark for mark in definition.node.decorator_list if isinstance(mark, ast.Call)]
    given = {keyword.arg: keyword.value for mark in marks for keyword in mark.keywords}
    generated = [each for each in ("init", "repr", "eq") if f"__{each}__" not in body_names(definition.node)]
    values = [given.get(each, ast.Constant(True)) for each in generated]
    return None not in given and any(isinstance(value, ast.Constant) and value.value is True for value in values)


def _is_exception(name: str) -> bool:
    found = _python_class(name)
    return found is not None and issubclass(found, BaseException)


def _is_compiled(name: str) -> bool:
    """Return whether a class with this base class can be compiled. The compiler then only looks at the methods of the
    class itself.
    """
    return name in _TRANSPARENT or name in AUTOGRAD or _python_class(name) is not None


def _is_sequence(name: str) -> bool:
    found = _python_class(name)
    return found is not None and issubclass(found, (tuple, list))


def _is_distribution(name: str) -> bool:
    """Return whether a class is a distribution: the compiler fails on its property ``batch_shape``."""
    return name.startswith("torch.distributions.") and not name.endswith(("Transform", "Constraint"))


def may_be_dict(hierarchy: Hierarchy) -> bool:
    """Return whether an object of a class may be a dict or a module. If so, an attribute that holds the object may have
    a type, even if the compiler cannot compile the class.
    """
    found = [_python_class(base.name) for base in hierarchy.externals if base.name not in _TRANSPARENT]
    return hierarchy.open or any(base is None or issubclass(base, dict) for base in found)


def _python_class(name: str) -> type | None:
    """Return the class of ``builtins`` or ``collections`` with a full name; None if there is none."""
    root, _, last = name.rpartition(".")
    found = getattr({"builtins": builtins, "collections": collections}.get(root), last, None)
    return found if isinstance(found, type) else None


def is_scripted_class(project: Project, definition: Class) -> bool:
    """Return whether a class is marked ``@torch.jit.script``."""
    return bool(_decorators(project, definition) & set(_SCRIPT))
