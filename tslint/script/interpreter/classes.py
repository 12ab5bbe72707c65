"""Emits uses of the project's classes: members of the classes and of their instances, and ``with`` items
(``ClassValue``, ``PythonClassValue``, ``EnumClassValue`` and ``NamedTupleConstructor``).
"""

from __future__ import annotations

import ast

from tslint.project.classes import body_names
from tslint.project.definitions import Class, External
from tslint.script.class_declarations import enum_value_event
from tslint.script.classkinds import AUTOGRAD
from tslint.script.events.names import UnsupportedExternalAttribute
from tslint.script.events.types import BackwardMethod, NoSuchMember, ScriptClassMember, WithItem
from tslint.script.frontend.builder import VARIADIC
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.global_data import python_data_type
from tslint.script.project_classes import (
    compile_class,
    enum_members,
    is_classmethod,
    plain_members,
    type_name,
)
from tslint.script.scope import getter_of, is_property, is_staticmethod
from tslint.script.types import ANYTHING, BOOL, FLOAT, INT, STRING, ClassType, Type
from tslint.script.values import UNKNOWN, ClassValue, FunctionValue, PythonValue, Typed, Value
from tslint.util import astwalk


def after_owner(em: Emitter) -> tuple[Class | External, ...]:
    """Return the classes that ``super()`` searches in the current function: those that come after the function's own
    class in that class's resolution order.

    Return an empty tuple if a base is not known.
    """
    owner = em.unit.function.owner
    if owner is None:
        return ()
    hierarchy = em.model.hierarchy(owner)
    return () if hierarchy.open else hierarchy.mro[1:]


def class_member(em: Emitter, owner: ClassValue, name: str, node: ast.Attribute) -> Value | None:
    """Return the value of ``Class.name`` if the class is an Enum, or if the compiler cannot use the member, such as a
    class variable; None in all other cases.
    """
    definition = owner.definition
    kind = em.model.class_kind(definition)
    if kind == "enum":
        type_ = ClassType(type_name(definition), "enum", definition)
        if name in enum_members(em.model, definition):
            refused = enum_value_event(em.model, definition, node)
            return Typed(type_) if refused is None else em.report(refused)
        if not plain_members(em.model, definition) or name.startswith("__"):
            return UNKNOWN
        return em.report(NoSuchMember(node, f"'{type_}' has no attribute '{name}'", type=type_, attribute=name))
    member = body_names(definition.node).get(name)
    if kind == "namedtuple":
        said = f"attribute lookup is not defined on {type_name(definition)}"
        spelled = ast.unparse(node.value)
        return em.report(UnsupportedExternalAttribute(node, said, name=spelled, type_name="type", attribute=name))
    if kind == "script class" or em.model.is_module(definition):
        if name in ("__name__", "__qualname__", "__module__"):
            return PythonValue("str", ast.unparse(node))
        if isinstance(member, (ast.Assign, ast.AnnAssign)) and member.value is not None:
            none = isinstance(member.value, ast.Constant) and member.value.value is None
            data = "NoneType" if none else python_data_type(em, definition.module, member.value)
            if data:
                return PythonValue(data, ast.unparse(node))
    method = em.model.hierarchy(definition).members.get(name) if em.model.is_module(definition) else None
    function = method.function if method is not None and _is_called(em, node) else None
    if kind == "script class" and isinstance(member, ast.FunctionDef):
        function = definition.module.function(member, definition)
    if function is not None and is_classmethod(function):
        return em.report(
            ScriptClassMember(
                node,
                "arg_types.size() == param_names.size() - (moduleSelf_ ? 1 : 0) INTERNAL ASSERT FAILED",
                type=ClassType(type_name(definition)),
                attribute=name,
                owner=ast.unparse(node.value),
                class_variable=False,
                class_method=True,
            )
        )
    return None


def _is_called(em: Emitter, node: ast.expr) -> bool:
    return any(call.func is node for call in astwalk.of_kind(em.unit.function.node, ast.Call))


def use_class(em: Emitter, definition: Class, node: ast.AST) -> bool:
    """Compile a script class that code names; return False, and report why, if its ``backward`` prevents that."""
    backward = body_names(definition.node).get("backward")
    bases = {base.name for base in em.model.hierarchy(definition).externals}
    if bases & AUTOGRAD and isinstance(backward, ast.FunctionDef):
        if not is_staticmethod(definition.module.function(backward, definition)):
            em.report(BackwardMethod(node, VARIADIC, name=definition.name))
            return False
    compile_class(em.model, definition, em.unit, node, em.assumptions)
    return True


def instance_member(em: Emitter, owner: Typed, name: str, node: ast.AST, place: ast.AST | None = None) -> Value:
    """Return the value of ``instance.name`` for instances of enums, interfaces and script classes; Unknown for others.

    Args:
        em: the emitter.
        owner: the instance.
        name: the name of the member.
        node: the node that reads it.
        place: the node of the instance, if ``node`` is not an attribute.
    """
    type_ = owner.type
    assert isinstance(type_, ClassType)
    definition = type_.definition
    if not isinstance(definition, Class):
        return UNKNOWN
    if type_.kind == "enum":
        return _enum_member(em, type_, definition, name, node)
    if type_.kind == "interface":
        return _declared_member(em, owner, definition, name, node)
    if type_.kind != "class":
        return UNKNOWN
    compile_class(em.model, definition, em.unit, node, em.assumptions)
    attributes = em.model.class_attributes[id(definition)]
    if name in attributes:
        found = attributes[name]
        return UNKNOWN if found is None else Typed(found)
    member = body_names(definition.node).get(name)
    if isinstance(member, ast.FunctionDef):
        function = definition.module.function(member, definition)
        if is_property(function, em.project):
            getter = getter_of(function) or function
            _, returned = em.model.reach(getter, definition, "script class", em.unit, node, em.assumptions)
            return UNKNOWN if returned is None else Typed(returned)
        if not is_staticmethod(function):
            return UNKNOWN if is_classmethod(function) else FunctionValue(function, owner)
    if not _has_all_attributes(em, definition):
        return UNKNOWN
    return _report_no_member(em, type_, definition, name, node, place)


def _declared_member(em: Emitter, owner: Typed, definition: Class, name: str, node: ast.AST) -> Value:
    """Return a method that an interface declares; report any other name, because interfaces have no other members."""
    member = body_names(definition.node).get(name)
    if isinstance(member, ast.FunctionDef):
        return FunctionValue(definition.module.function(member, definition), owner)
    if not isinstance(node, ast.Attribute):
        return UNKNOWN
    said = f"'{owner.type}' object has no attribute or method '{name}'."
    return em.report(NoSuchMember(node, said, type=owner.type, attribute=name))


def _has_all_attributes(em: Emitter, definition: Class) -> bool:
    """Return whether all attributes of a script class are known at this point, because its ``__init__``, which creates
    them, is already compiled.
    """
    if not em.model.is_class_in_progress(definition):
        return True
    init = body_names(definition.node).get("__init__")
    if em.unit.receiver is not definition:
        return False
    if not isinstance(init, ast.FunctionDef):
        return True  # without an `__init__` there are no attributes
    return (id(definition.module.function(init, definition)), id(definition)) in em.model.events


def _is_variable(definition: Class, name: str) -> bool:
    """Return whether a class body assigns a name, also by unpacking."""
    targets = [
        target
        for node in definition.node.body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return any(isinstance(each, ast.Name) and each.id == name for target in targets for each in astwalk.walk(target))


def _report_no_member(
    em: Emitter, type_: Type, definition: Class, name: str, node: ast.AST, place: ast.AST | None
) -> Value:  # fmt: skip
    """Report a member that a script class does not have."""
    class_variable = _is_variable(definition, name)
    place = place or (node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None)
    text = f"'{type_}' object has no attribute or method '{name}'. "
    text += (
        f"'{name}' is defined as a class attribute which currently is not supported. Consider converting this to an"
        " instance attribute."
        if class_variable
        else "Did you forget to initialize an attribute in __init__()?"
    )
    owner = ast.unparse(place) if place is not None else str(type_)
    autograd = any(base.name in AUTOGRAD for base in em.model.hierarchy(definition).externals)
    return em.report(
        ScriptClassMember(
            node,
            text,
            type=type_,
            attribute=name,
            owner=owner,
            class_variable=class_variable,
            class_method=False,
            static_method=isinstance(body_names(definition.node).get(name), ast.FunctionDef),  # it has all others
            autograd=autograd,
        )
    )


def _enum_member(em: Emitter, type_: ClassType, definition: Class, name: str, node: ast.AST) -> Value:
    if name == "name":
        return Typed(STRING)
    if name == "value":
        kinds: dict[type, Type] = {int: INT, float: FLOAT, str: STRING, bool: BOOL}
        values = list(enum_members(em.model, definition).values())
        types = {kinds.get(type(v.value)) if isinstance(v, ast.Constant) else None for v in values}
        only = types.pop() if len(types) == 1 else None
        return UNKNOWN if only is None else Typed(only)
    if name.startswith("__") or not isinstance(node, ast.Attribute):
        return UNKNOWN
    return em.report(
        NoSuchMember(node, f"'{type_}' object has no attribute or method '{name}'.", type=type_, attribute=name)
    )


def emit_with_item(em: Emitter, item: ast.withitem) -> None:
    """Emit one ``with`` item: its value must be an object with ``__enter__`` and ``__exit__``."""
    node = item.context_expr
    value = em.expression(node)
    entered: Value = UNKNOWN
    if isinstance(value, Typed) and value.type != ANYTHING:
        if not isinstance(value.type, ClassType):
            em.report(WithItem(node, "With item expression must return an object", type=value.type, missing=""))
        elif isinstance(value.type.definition, Class) and value.type.kind == "class":
            entered = _entered(em, value, value.type, value.type.definition, node)
    if item.optional_vars is not None:
        if isinstance(item.optional_vars, ast.Name):
            em.env.set(item.optional_vars.id, entered)
            return
        for name in astwalk.walk(item.optional_vars):
            if isinstance(name, ast.Name):
                em.env.set(name.id, UNKNOWN)


def _entered(em: Emitter, value: Typed, type_: ClassType, definition: Class, node: ast.expr) -> Value:
    body = body_names(definition.node)
    missing = [name for name in ("__enter__", "__exit__") if not isinstance(body.get(name), ast.FunctionDef)]
    if missing:
        return em.report(
            WithItem(
                node,
                "Object returned by with item expression does not define __enter__ and __exit__ methods",
                type=type_,
                missing=" and ".join(f"`{name}`" for name in missing),
            )
        )
    enter, leave = body["__enter__"], body["__exit__"]
    assert isinstance(enter, ast.FunctionDef) and isinstance(leave, ast.FunctionDef)
    wrong = _wrong_signature(em, definition, enter, leave)
    if wrong:
        missing_form = f"`{wrong}` with suitable parameters"
        return em.report(WithItem(node, f"{wrong} must have other arguments", type=type_, missing=missing_form))
    _, returned = em.model.reach(
        definition.module.function(enter, definition), definition, "script class", em.unit, node, em.assumptions
    )
    return UNKNOWN if returned is None else Typed(returned)


def _wrong_signature(em: Emitter, definition: Class, enter: ast.FunctionDef, leave: ast.FunctionDef) -> str:
    """Return the name of ``__enter__`` or ``__exit__`` if the compiler cannot call that method; empty if it can call
    both.
    """
    if len(enter.args.args) != 1:
        return enter.name
    given = [each.annotation for each in leave.args.args[1:]]
    named = [em.qualified(each) if isinstance(each, (ast.Name, ast.Attribute)) else "" for each in given]
    plain = ("typing.Any", "")
    if len(given) != 3 or any(name not in plain for name in named) or None in given:
        # The compiler may read the types from a comment, anywhere in the method.
        return "" if "# type:" in definition.module.source.text else leave.name
    return ""
