"""Calls the ``__…__`` methods of script class objects for operators and functions (``MagicMethod::call``).

Containers of ``torch.nn`` have only some of these methods.
"""

from __future__ import annotations

import ast

from tslint.script.events.types import NoSuchMember
from tslint.script.interpreter.classes import instance_member
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.value_kinds import as_typed, first_class, first_class_module
from tslint.script.types import ANY, ClassType, Type
from tslint.script.values import UNKNOWN, ContainerValue, FunctionValue, ModuleValue, Typed, Value

OF_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.Mod: "__mod__",
    ast.Pow: "__pow__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
    ast.USub: "__neg__",
    ast.Invert: "__invert__",
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
    ast.In: "__contains__",
    ast.NotIn: "__contains__",
}
_FUNCTIONS = ("len", "int", "float", "bool", "str", "complex", "hex", "oct", "round")
OF_FUNCTIONS = {f"builtins.{name}": f"__{name}__" for name in _FUNCTIONS}


# The methods that containers have in the compiler (ModuleValue of python_sugared_value.cpp).
_OF_CONTAINERS = {"__len__": ("Sequential", "ModuleList", "ModuleDict"), "__contains__": ("ModuleDict",)}


def lacks(em: Emitter, value: Value, name: str) -> bool:
    """Return whether a container, or ``self``, has no method for ``len`` or ``in``."""
    if isinstance(value, ContainerValue):
        return not value.view and value.kind not in (*_OF_CONTAINERS[name], "slice")
    # In the methods of its class, a container is an object: `len(self)` works only if `__len__` is compiled, too.
    made = value.instance.definition if isinstance(value, ModuleValue) and value.path == "self" else None
    if made is None or em.model.hierarchy(made).open:
        return False
    member = em.model.hierarchy(made).member(name)
    return member is None or (member.function is not None and not member.function.node.decorator_list)


def report_lacking(em: Emitter, owner: Value, name: str, node: ast.AST) -> Value:
    """Report a member of a container or of ``self`` that the compiler does not have."""
    type_ = first_class(first_class_module(owner)) or ANY
    return em.report(
        NoSuchMember(node, f"'{type_}' object has no attribute or method '{name}'.", type=type_, attribute=name)
    )


def is_object(type_: Type | None) -> bool:
    """Return whether a type is a script class."""
    return isinstance(type_, ClassType) and type_.kind == "class"


def magic(em: Emitter, type_: Type, name: str, node: ast.AST, owner: ast.AST) -> Value:
    """Return the result of an object's method; report an event if its class does not have the method.

    Args:
        em: the emitter.
        type_: the type of the object.
        name: the name of the method.
        node: the operation.
        owner: the object.
    """
    found = instance_member(em, Typed(type_), name, node, owner)
    if not isinstance(found, FunctionValue) or not isinstance(type_, ClassType):
        return UNKNOWN
    receiver = found.function.owner
    _, returned = em.model.reach(found.function, receiver, "script class", em.unit, node, em.assumptions)
    return as_typed(returned)
