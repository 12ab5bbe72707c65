"""Determines how the compiler treats the project's classes: types in annotations, fields, members and methods."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.project.classes import body_names
from tslint.project.definitions import Class, External, Function, Module, Undefined
from tslint.script.annotations import AnnotationReader, Unreadable
from tslint.script.assumptions import Assumptions
from tslint.script.attributes import PyKind
from tslint.script.compilation import Compilation
from tslint.script.construct.results import torch_result
from tslint.script.scope import Unit, exemption, is_staticmethod
from tslint.script.types import (
    ANYTHING,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    ClassType,
    TupleType,
    Type,
    has_unknowns,
    is_subtype,
)
from tslint.script.values import UNKNOWN, Typed, Value

_MIXED: dict[Type, frozenset[str]] = {
    STRING: frozenset(["builtins.str", "enum.StrEnum"]),
    INT: frozenset(["builtins.int", "enum.IntEnum", "enum.IntFlag"]),
    FLOAT: frozenset(["builtins.float"]),
}


def type_name(definition: Class) -> str:
    """Return the name that the compiler prints for a class."""
    return f"__torch__.{definition.module.name}.{definition.qualname}"


def class_type(model: Compilation, definition: Class, depth: int = 0) -> Type | None | bool:
    """Return the type of a class in an annotation: False for modules and classes that the compiler never compiles, None
    if the type is not known.
    """
    kind = model.class_kind(definition)
    if kind in ("module", "excluded class"):
        return False
    if kind == "namedtuple":
        return named_tuple(model, definition, depth)
    if kind in ("script class", "typeddict", "interface", "enum"):
        return object_type(definition, {"interface": "interface", "enum": "enum"}.get(kind, "class"))
    return None


def object_type(definition: Class, kind: str = "class") -> ClassType:
    """Return the type of the objects of a class, or of those that implement an interface."""
    body = body_names(definition.node)
    names = frozenset(name for name, node in body.items() if isinstance(node, ast.FunctionDef))
    return ClassType(type_name(definition), kind, definition, names)


def interface_of(model: Compilation, module: Module, annotation: ast.expr) -> ClassType | None:
    """Return the type of the class marked ``@torch.jit.interface`` that an annotation names; None if it names no such
    class.
    """
    found = model.project.resolve_expression(module, annotation)
    if isinstance(found, Class) and model.class_kind(found) == "interface":
        return object_type(found, "interface")
    return None


def satisfies(model: Compilation, definition: Class, interface: Class) -> bool:
    """Return whether a class implements an interface: it has the methods, with the same parameter names and with types
    that fit. What the source does not show counts as fitting.
    """
    members = model.hierarchy(definition).members
    for name, node in body_names(interface.node).items():
        if isinstance(node, ast.FunctionDef):
            member = members.get(name)
            if member is None and model.hierarchy(definition).open:
                continue
            if member is None:
                return False
            wanted = interface.module.function(node, interface)
            if member.function is not None and not _takes(model, member.function, wanted):
                return False
    return True


def _takes(model: Compilation, function: Function, wanted: Function) -> bool:
    """Return whether a method accepts and returns what an interface's method does, as far as annotations show it."""
    own, asked = function.node.args, wanted.node.args
    if own.vararg or own.kwarg or own.kwonlyargs or "# type:" in function.module.source.text:
        return True
    if len(own.args) != len(asked.args):
        return False
    for mine, other in zip(own.args[1:], asked.args[1:]):
        if mine.arg != other.arg:
            return False
        given, taken = (_read(model, f, a.annotation) for f, a in ((wanted, other), (function, mine)))
        if given is not None and taken is not None and not is_subtype(given, taken):
            return False
    if function.node.returns is None or wanted.node.returns is None:
        return True
    gives, needed = (_read(model, each, each.node.returns) for each in (function, wanted))
    return gives is None or needed is None or is_subtype(gives, needed)


def _read(model: Compilation, function: Function, annotation: ast.expr | None) -> Type | None:
    if annotation is None:
        return TENSOR
    reader = AnnotationReader(
        lambda node: model.project.resolve_expression(function.module, node), lambda other: class_type(model, other)
    )
    found = reader.read(annotation)
    return found if isinstance(found, Type) and not has_unknowns(found) else None


def named_tuple(model: Compilation, definition: Class, depth: int = 0) -> TupleType | None:
    """Return the type of a ``typing.NamedTuple``; a field whose type cannot be read has an unknown type. Return None if
    NamedTuples are nested too deeply.
    """
    if depth > 4:
        return None
    owner = next((c for c in model.hierarchy(definition).mro if isinstance(c, Class) and fields(c)), definition)
    module = owner.module
    reader = AnnotationReader(
        lambda node: model.project.resolve_expression(module, node), lambda other: class_type(model, other, depth + 1)
    )
    types: list[Type] = []
    for _, annotation in fields(owner):
        found = reader.read(annotation)
        types.append(found if isinstance(found, Type) else ANYTHING)
    return TupleType(tuple(types), type_name(definition), tuple(name for name, _ in fields(owner)))


def unreadable_field(model: Compilation, definition: Class) -> str:
    """Return the compiler's message about the first field of a ``typing.NamedTuple`` whose type cannot be read; empty
    if all types can be read.
    """
    resolve = model.project.resolve_expression
    reader = AnnotationReader(lambda node: resolve(definition.module, node), lambda other: class_type(model, other))
    for _, annotation in fields(definition):
        text = annotation.value if isinstance(annotation, ast.Constant) else None
        if isinstance(text, str):
            if text.isidentifier() and isinstance(resolve(definition.module, ast.Name(text, ast.Load())), Undefined):
                return f"Unknown type annotation: 'ForwardRef('{text}')' in NamedTuple {definition.name}."
        elif not definition.module.postponed_annotations:
            found = reader.read(annotation)
            if isinstance(found, Unreadable):
                return found.compiler
            if any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(annotation)):
                return f"Unsupported annotation {ast.unparse(annotation)} could not be resolved"
    return ""


def tensor_default(model: Compilation, definition: Class) -> str:
    """Return the name of a ``typing.NamedTuple``'s first field whose default is a Tensor; empty if there is none."""
    for node in definition.node.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Call):
            made = model.project.resolve_expression(definition.module, node.value.func)
            given = len(node.value.args), [keyword.arg or "**" for keyword in node.value.keywords]
            if isinstance(made, External) and torch_result(made.name, *given) == PyKind("Tensor"):
                return node.target.id
    return ""


def fields(definition: Class) -> list[tuple[str, ast.expr]]:
    """Return the annotated names of a class body, with their annotations."""
    return [
        (node.target.id, node.annotation)
        for node in definition.node.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]


def enum_members(model: Compilation, definition: Class) -> dict[str, ast.expr]:
    """Return the members of an Enum, with the expressions of their values."""
    found: dict[str, ast.expr] = {}
    for owner in model.hierarchy(definition).mro:
        if isinstance(owner, Class):
            for node in owner.node.body:
                targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
                name = targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else "_"
                value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
                if value is not None and not name.startswith("_") and not _is_alias(value, found.values()):
                    found.setdefault(name, value)
    return found


def _is_alias(value: ast.expr, before: Iterable[ast.expr]) -> bool:
    """Return whether a member has the value of an earlier one: then it is just another name of that member."""
    if not isinstance(value, ast.Constant):
        return False
    return any(isinstance(other, ast.Constant) and other.value == value.value for other in before)


def plain_members(model: Compilation, definition: Class) -> bool:
    """Return whether the members of an Enum can be read from its body."""
    return not any(
        (isinstance(node, (ast.If, ast.For, ast.Try, ast.Expr)) and not _is_docstring(node))
        or (isinstance(node, ast.Assign) and not all(isinstance(target, ast.Name) for target in node.targets))
        for owner in model.hierarchy(definition).mro
        if isinstance(owner, Class)
        for node in owner.node.body
    )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def methods(model: Compilation, definition: Class) -> list[Function]:
    """Return the functions that are compiled for a script class: all of its own methods and properties, except static
    and ignored ones; ``__init__`` first.
    """
    body = [n for n in body_names(definition.node).values() if isinstance(n, ast.FunctionDef)]
    found = [definition.module.function(n, definition) for n in sorted(body, key=lambda n: n.name != "__init__")]
    return [function for function in found if not is_staticmethod(function) and not exemption(function, model.project)]


def is_classmethod(function: Function) -> bool:
    """Return whether a method is a class method."""
    return any(isinstance(d, ast.Name) and d.id == "classmethod" for d in function.node.decorator_list)


def compile_class(model: Compilation, definition: Class, unit: Unit, node: ast.AST, assumptions: Assumptions) -> None:
    """Compile a script class: all of its methods, used or not, ``__init__`` first.

    Args:
        model: the static model of the run.
        definition: the class.
        unit: the function that uses it.
        node: the node that uses it.
        assumptions: the tests of the constructor that lead to the use.
    """
    if id(definition) in model.class_attributes:
        return
    model.class_attributes[id(definition)] = {}
    for function in methods(model, definition):
        model.reach(function, definition, "script class", unit, node, assumptions)


def enum_member(model: Compilation, definition: Class) -> Value:
    """Return a member of an Enum. It is a str, an int or a float if the Enum also derives from that type, because the
    compiler checks for these types first.
    """
    bases = {base.name for base in model.hierarchy(definition).externals}
    mixed = next((type_ for type_, names in _MIXED.items() if names & bases), None)
    if mixed is not None:
        return Typed(mixed)
    made = class_type(model, definition)
    return Typed(made) if isinstance(made, ClassType) else UNKNOWN
