"""Finds errors in the declaration of a class, which the compiler reports before it compiles a method
(``torch.jit.script`` and ``torch.jit.interface`` of torch/jit/_script.py, ``define_interface`` of ir_emitter.cpp).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External, Module
from tslint.script.events import Event
from tslint.script.events.types import EnumValue, InterfaceMethod, ScriptedClass
from tslint.script.project_classes import enum_members, plain_members
from tslint.script.scope import Unit
from tslint.script.types import ANY, FLOAT, INT, STRING, TENSOR, Type, type_of_constant

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_OBJECT = "builtins.object"
_MODULES = ("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module")
_DECLARATIONS = {
    "body": "interfaces declarations should contain 'pass' statement.",
    "return": "interface declarations must have a return type annotated.",
}
_CHANGING = frozenset(["__new__", "__init__", "_generate_next_value_", "_missing_", "_ignore_"])


def interface_events(model: Compilation, definition: Class) -> Iterator[Event]:
    """Yield the errors in the declaration of an interface."""
    bases = _known_bases(model, definition)
    if bases and not (len(bases) == 1 and bases[0] in _MODULES):
        said = "TorchScript interface does not support inheritance yet. Please directly inherit from 'object' or"
        yield _scripted(definition, definition.node.bases[0], f"{said} 'nn.Module'.", "interface")
    for node in definition.node.body:
        if isinstance(node, ast.FunctionDef):
            unit = Unit(definition.module.function(node, definition), definition, "interface", [])
            body = [each for each in node.body if not _is_text(each)]
            wrong = "return" if node.returns is None and "# type:" not in definition.module.source.text else ""
            if len(body) != 1 or not isinstance(body[0], ast.Pass):
                wrong = "body"
            if wrong:
                yield InterfaceMethod(node, _DECLARATIONS[wrong], name=node.name, what=wrong, unit=unit)


def scripted_class_events(model: Compilation, definition: Class, node: ast.AST | None, module: Module) -> list[Event]:
    """Return the errors in a class that is passed to ``torch.jit.script``, as a decorator or by a call.

    Args:
        model: the static model of the run.
        definition: the class.
        node: the argument of the call; None for a decorator.
        module: the file that contains the call or the decorator.
    """
    kind = model.class_kind(definition)
    if kind == "module":
        said = f"Type '{definition.name}' cannot be compiled since it inherits from nn.Module, pass an instance instead"
        place = node or next(iter(definition.node.decorator_list), definition.node)
        return [_scripted(definition, place, said, "module", module)]
    if kind in ("enum", "interface") or not definition.node.bases or not _known_bases(model, definition):
        return []
    said = "TorchScript classes does not support inheritance yet. Please directly inherit from 'object'."
    return [_scripted(definition, node or definition.node.bases[0], said, "class", module)]


def _scripted(definition: Class, node: ast.AST, said: str, what: str, module: Module | None = None) -> Event:
    from tslint.script.construct.instances import module_level

    unit = Unit(module_level(module or definition.module), None, "constructor", [])
    return ScriptedClass(node, said, name=definition.qualname, what=what, unit=unit)


def _known_bases(model: Compilation, definition: Class) -> list[str]:
    """Return the names of a class's bases except ``object``; empty if one of them is not known."""
    names: list[str] = []
    for base in definition.node.bases:
        node = base.value if isinstance(base, ast.Subscript) else base
        found = model.project.resolve_expression(definition.module, node)
        if isinstance(found, Class):
            names.append(found.name)
        elif not isinstance(found, External):
            return []
        elif found.name != _OBJECT:
            names.append(found.name)
    return names


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def enum_value_event(model: Compilation, definition: Class, node: ast.AST) -> EnumValue | None:
    """Return the error because of which the compiler rejects the values of an Enum; None if none is known."""
    hierarchy = model.hierarchy(definition)
    if hierarchy.open or not plain_members(model, definition) or _CHANGING & set(hierarchy.members):
        return None
    types: list[Type] = []
    for value in enum_members(model, definition).values():
        type_ = _value_type(model, definition, value)
        if type_ is None:
            return None
        if type_ not in (INT, FLOAT, STRING):
            said = f"Cannot create Enum with value type '{type_}', only int, float and string are supported"
            return EnumValue(node, said, name=definition.qualname, value=ast.unparse(value), mixed=False)
        types.append(type_)
        if type_ != types[0]:
            said = f"Could not unify type list since element 1 of type {type_} did not match the types before it"
            return EnumValue(
                node, f"{said} ({types[0]})", name=definition.qualname, value=ast.unparse(value), mixed=True
            )
    return None


def _value_type(model: Compilation, definition: Class, value: ast.expr) -> Type | None:
    """Return the type of the value of an Enum's member; None if the type is not known."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if isinstance(value, ast.Constant):
        return type_of_constant(value.value)
    if isinstance(value, (ast.Tuple, ast.List, ast.Dict, ast.Set)):
        return ANY
    if isinstance(value, ast.Call):
        made = model.project.resolve_expression(definition.module, value.func)
        if isinstance(made, External):
            return {"enum.auto": INT, "torch.tensor": TENSOR}.get(made.name)
    return None
