"""Emits assignments to attributes of modules, script class instances, and values without attributes (``setAttr``)."""

from __future__ import annotations

import ast

from tslint.project.classes import body_names
from tslint.project.definitions import Class, Function
from tslint.script.events.modules import AttributeRetyped, SetMissingAttribute
from tslint.script.events.names import ModuleConstruction
from tslint.script.events.types import (
    FirstAssignmentInControlFlow,
    NoSuchMember,
    SetFunctionAttribute,
    SetTensorAttribute,
)
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.modules import lookup
from tslint.script.interpreter.value_kinds import first_class, value_kind
from tslint.script.scope import is_property
from tslint.script.types import (
    ANY,
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_subtype,
)
from tslint.script.values import (
    Alternatives,
    ContainerValue,
    FunctionValue,
    Missing,
    ModuleValue,
    Typed,
    Unknown,
    Value,
)


def set_attribute(em: Emitter, target: ast.Attribute, value: Value, node: ast.AST) -> None:
    """Emit ``x.a = value``."""
    owner = em.expression(target.value)
    if isinstance(owner, ModuleValue):
        _set_module_attribute(em, owner, target, value, node)
    elif isinstance(owner, Typed) and isinstance(owner.type, ClassType):
        _set_instance_attribute(em, owner.type, target, value, node)
    elif isinstance(owner, FunctionValue):
        em.report(
            SetFunctionAttribute(
                target,
                f"attribute assignment is not defined on {value_kind(owner)}",
                attribute=target.attr,
                owner=ast.unparse(target.value),
                what=value_kind(owner),
            )
        )
    elif isinstance(owner, Typed) and _is_plain(owner.type):
        em.report(
            NoSuchMember(
                target,
                f"Tried to set an attribute: {target.attr} on a non-class: {owner.type}",
                type=owner.type,
                attribute=target.attr,
            )
        )
    elif isinstance(owner, Typed) and isinstance(owner.type, TensorType) and not isinstance(value, Unknown):
        em.report(
            SetTensorAttribute(
                target,
                f"Tried to set an attribute: {target.attr} on a non-class: Tensor",
                attribute=target.attr,
                owner=ast.unparse(target.value),
            )
        )


def _is_plain(type_: Type) -> bool:
    """Return whether values of a type have no attributes that can be set."""
    kinds = (TupleType, ListType, DictType, OptionalType, UnionType, FutureType)
    return type_ in (INT, FLOAT, BOOL, STRING, ANY) or isinstance(type_, kinds)


def _set_module_attribute(em: Emitter, owner: ModuleValue, target: ast.Attribute, value: Value, node: ast.AST) -> None:
    """Emit ``self.name = value``: the attribute must exist, and its type must accept the value without conversion."""
    definition = owner.instance.definition
    if definition is None or owner.path != "self":
        return
    facts = em.model.facts(definition)
    member = facts.hierarchy.members.get(target.attr)
    getter = member.function if member is not None and target.attr not in facts.attributes else None
    if getter is not None and is_property(getter, em.project):
        setter = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in getter.node.decorator_list)
        if not setter:
            _report_missing(em, _underlined(target, node), target, Missing("read-only"), first_class(value))
        return
    held = lookup(em, owner, target.attr)
    # If the value is a new module, the compiler has stopped there: it belongs into `__init__`, with the attribute.
    made = [each.node for each in em.events[-1:] if isinstance(each, ModuleConstruction)]
    if getattr(node, "value", None) not in made:
        _check_module_attribute(em, held, target, value, _underlined(target, node), target.attr in facts.constants)
    if not facts.attributes.get(target.attr):
        em.missing.add(target.attr)


def _check_module_attribute(
    em: Emitter, held: Value, target: ast.Attribute, value: Value, place: ast.AST, constant: bool
) -> None:
    if isinstance(held, Alternatives):

        def look(option: Value) -> Value:
            _check_module_attribute(em, option, target, value, place, constant)
            return option

        em.map_alternatives(held, look)
        return
    if isinstance(value, Alternatives):

        def give(option: Value) -> Value:
            _check_module_attribute(em, held, target, option, place, constant)
            return option

        em.map_alternatives(value, give)
        return
    if isinstance(held, Missing) or constant:
        missing = held if isinstance(held, Missing) else Missing("constant")
        _report_missing(em, place, target, missing, first_class(value))
        return
    if isinstance(held, (ModuleValue, ContainerValue)):
        type_ = em.type_of(held, target)
        held = held if type_ is None or isinstance(first_class(value), ClassType) else Typed(type_)
    if isinstance(held, Typed) and _differs(value, held.type):
        _report_retyped(em, place, target, held.type, first_class(value) or ANYTHING, em.unit.receiver)
        em.missing.add(target.attr)


def _underlined(target: ast.Attribute, node: ast.AST) -> ast.AST:
    """Return the node that the compiler underlines for an assignment to an attribute: the statement, or the unpacked
    value.
    """
    own = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if any(target is candidate for candidate in own):
        return node
    return node.value if isinstance(node, ast.Assign) else node


def _set_instance_attribute(em: Emitter, type_: ClassType, target: ast.Attribute, value: Value, node: ast.AST) -> None:
    """Emit ``instance.name = value``: in ``__init__`` outside of control flow, it creates the attribute."""
    definition = type_.definition
    if type_.kind != "class" or not isinstance(definition, Class):
        return
    attributes = em.model.class_attributes.setdefault(id(definition), {})
    name, given = target.attr, first_class(value)
    if isinstance(given, TensorType):
        given = TENSOR
    if name in attributes:
        held = attributes[name]
        if held is not None and _differs(value, held):
            _report_retyped(em, node, target, held, given or ANYTHING, None)
        return
    if em.unit.receiver is not definition or em.unit.function.name != "__init__":
        setter = _setter(em, definition, name)
        if setter is not None:
            em.model.reach(setter, definition, "script class", em.unit, node, em.assumptions)
            return
        if not em.model.is_class_in_progress(definition) or em.unit.receiver is definition:
            _report_missing(em, node, target, Missing(), given)
        return
    if len(em.env.frames) > 1:
        em.report(
            FirstAssignmentInControlFlow(
                node,
                "First assignment cannot be in a control-flow block. Initialize the field at the top level first",
                attribute=name,
            )
        )
        attributes[name] = None
        return
    declared = em.read_annotation(node.annotation) if isinstance(node, ast.AnnAssign) else given
    attributes[name] = None if declared == ANYTHING else declared


def _setter(em: Emitter, definition: Class, name: str) -> Function | None:
    """Return the setter of a property of a script class; None if there is no such setter."""
    member = body_names(definition.node).get(name)
    marks = member.decorator_list if isinstance(member, ast.FunctionDef) else []
    is_setter = any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in marks)
    return definition.module.function(member, definition) if isinstance(member, ast.FunctionDef) and is_setter else None


def _differs(value: Value, held: Type) -> bool:
    """Return whether a value certainly does not match the type of an attribute."""
    given = first_class(value)
    return given is not None and not is_subtype(given, held) and not (isinstance(value, Typed) and value.empty)


def _report_missing(em: Emitter, place: ast.AST, target: ast.Attribute, missing: Missing, given: Type | None) -> None:
    em.report(
        SetMissingAttribute(
            place,
            f"Tried to set nonexistent attribute: {target.attr}. Did you forget to initialize it in __init__()?",
            attribute=target.attr,
            owner=ast.unparse(target.value),
            why=missing.why,
            detail=missing.detail,
            given=given,
        )
    )


def _report_retyped(
    em: Emitter, place: ast.AST, target: ast.Attribute, held: Type, given: Type, class_: Class | None
) -> None:
    em.report(
        AttributeRetyped(
            place,
            f"Wrong type for attribute assignment. Expected {held} but got {given}",
            attribute=target.attr,
            target=target,
            held=held,
            given=given,
            annotated=em.model.facts(class_).annotation_owner if class_ is not None else None,
        )
    )
