"""Emits assignments (``emitAssignment``, ``emitTupleAssign``, ``emitAugAssignment``, ``setSugaredVar``)."""

from __future__ import annotations

import ast

from tslint.script.assumptions import Assumptions
from tslint.script.events.annotation import AnnotatedTwice
from tslint.script.events.hazards import ReboundModuleName
from tslint.script.events.modules import ContainerUnpacked
from tslint.script.events.names import ClosedOverGlobal, ReassignedNonValue
from tslint.script.events.types import AnnotationMismatch, NotATuple, StarredUnknownLength, UnpackCount, VariableRetyped
from tslint.script.interpreter import observers
from tslint.script.interpreter.attribute_assignment import set_attribute
from tslint.script.interpreter.emitter import Emitter, emits_statement, join_alternatives
from tslint.script.interpreter.item_assignment import augment_item, set_item
from tslint.script.interpreter.operators import binary
from tslint.script.interpreter.value_kinds import as_typed, first_class, value_kind
from tslint.script.types import (
    ANY,
    NONE,
    NUMBER,
    ClassType,
    ListType,
    OptionalType,
    Simple,
    TupleType,
    UnionType,
    convertible,
    is_subtype,
)
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ContainerValue,
    IterableValue,
    ModuleValue,
    PythonValue,
    SuperValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)

# Containers whose modules the compiler does not unpack.
_NO_TUPLES = frozenset(["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"])


@emits_statement(ast.Assign)
def emit_assign(em: Emitter, node: ast.Assign) -> None:
    """Emit ``a = b = value``."""
    value = em.expression(node.value)
    for target in node.targets:
        assign(em, target, value, node)


@emits_statement(ast.AnnAssign)
def emit_ann_assign(em: Emitter, node: ast.AnnAssign) -> None:
    """Emit ``a: T = value``, without conversions."""
    if node.value is None:
        return
    declared = em.read_annotation(node.annotation)
    value = em.expression(node.value, declared)
    if not isinstance(node.target, ast.Name):
        assign(em, node.target, value, node)
        return
    if declared is None:
        em.env.set(node.target.id, UNKNOWN)
        return
    if em.env.find_in_parents(node.target.id) is not None:
        em.report(
            AnnotatedTwice(
                node.target,
                f"Attempting to declare and annotate the type of variable '{node.target.id}' but it is already defined"
                " in an outer block",
                name=node.target.id,
            )
        )
    is_module = isinstance(value, (ModuleValue, ContainerValue)) and not isinstance(declared, ClassType)
    if isinstance(value, (PythonValue, SuperValue)) or is_module or value_kind(value):
        # The value is not a first-class one: the compiler ignores the annotation, and reports an error only where the
        # name is used.
        em.env.set(node.target.id, value)
        return
    actual = em.type_of(value, node.value)
    temporary = isinstance(value, Typed) and value.empty
    if actual is not None and not temporary and not is_subtype(actual, declared):
        em.report(
            AnnotationMismatch(
                node.value,
                f"Variable '{node.target.id}' is annotated with type {declared} but is being assigned to a value of"
                f" type {actual}",
                name=node.target.id,
                declared=declared,
                actual=actual,
            )
        )
    em.env.set(node.target.id, Typed(declared))
    em.record(node.target, node.target.id, "variable", Typed(declared))
    em.env.top.declared[node.target.id] = declared


@emits_statement(ast.AugAssign)
def emit_aug_assign(em: Emitter, node: ast.AugAssign) -> None:
    """Emit ``a += value``: for tensors the in-place operator, for other values the plain one."""
    if isinstance(node.op, (ast.MatMult, ast.FloorDiv)):
        em.expression(node.value)
        return  # the front end has already rejected these
    if isinstance(node.target, ast.Name):
        load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        current = em.expression(load)
        value = binary(em, node, node.op, current, em.expression(node.value), in_place=True)
        set_variable(em, node.target.id, value, node)
        em.record(node.target, node.target.id, "variable", em.env.top.values[node.target.id])
    elif isinstance(node.target, ast.Attribute):
        load_attribute = ast.copy_location(ast.Attribute(node.target.value, node.target.attr, ast.Load()), node.target)
        current = em.expression(load_attribute)
        value = binary(em, node, node.op, current, em.expression(node.value), in_place=True)
        if not isinstance(current, Unknown):
            assign(em, node.target, value, node)
    elif isinstance(node.target, ast.Subscript):
        augment_item(em, node, node.target)


def assign(em: Emitter, target: ast.expr, value: Value, node: ast.AST) -> None:
    """Assign a value to a target of any form: a name, a tuple, an attribute or an item."""
    if isinstance(target, ast.Name):
        set_variable(em, target.id, value, node)
        em.record(target, target.id, "variable", em.env.top.values[target.id])
    elif isinstance(target, (ast.Tuple, ast.List)):
        assign_tuple(em, target, value, node)
    elif isinstance(target, ast.Attribute):
        set_attribute(em, target, value, node)
    elif isinstance(target, ast.Subscript):
        set_item(em, target, value, node)
    elif isinstance(target, ast.Starred):
        assign(em, target.value, value, node)


def set_variable(em: Emitter, name: str, value: Value, node: ast.AST) -> None:
    """Bind a name (``setSugaredVar``); a name of an outer block keeps the type that it has there."""
    place = (
        node.value if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None else node
    )
    value = bound(value)
    in_top = name in em.env.top.values
    parent = None if in_top else em.env.find_in_parents(name)
    if parent is not None:
        checked = _against_parent(em, name, parent, value, place)
        em.env.set(name, checked)
        return
    if in_top and isinstance(value, (Typed, TupleValue)):
        # A test may have refined the type of the variable in this block, but the type in the outer block decides what
        # can be assigned.
        outer = em.env.find_in_parents(name)
        if isinstance(outer, Typed) and isinstance(_against_parent(em, name, outer, value, place), Unknown):
            em.env.set(name, UNKNOWN)
            return
    held = em.env.top.values.get(name)
    given = first_class(value)
    if isinstance(held, (ModuleValue, ContainerValue)) and given is not None:
        # The compiler keeps modules and values in two tables, and searches that of the modules first.
        em.report(ReboundModuleName(place, "", name=name, path=held.path))
        return
    em.env.set(name, value)


def bound(value: Value) -> Value:
    """Return a value as it is after it is bound to a name.

    ``[]`` becomes a List[Tensor], and a constant is no longer constant: the emitter stores and loads variables, and
    constants are propagated only later.
    """
    if isinstance(value, Typed) and (value.empty or (value.is_constant and value.type != NONE)):
        return Typed(value.type)
    if isinstance(value, TupleValue):
        return TupleValue(tuple(bound(element) for element in value.elements))
    if isinstance(value, Alternatives):
        return Alternatives(tuple((assumptions, bound(option)) for assumptions, option in value.cases))
    return value


def _keeps_its_type(parent: Value) -> bool:
    """Return whether a variable of an outer block certainly keeps its type if an unknown value is assigned to it.

    An Optional may get the narrower type of the new value in this block. For a variable that is None, nothing is
    assumed.
    """
    several = (ClassType, OptionalType, UnionType)
    return isinstance(parent, Typed) and not isinstance(parent.type, several) and parent.type not in (NONE, NUMBER, ANY)


def _against_parent(em: Emitter, name: str, parent: Value, value: Value, place: ast.AST) -> Value:
    if isinstance(parent, (Unknown, Alternatives)) or isinstance(value, (Unknown, Alternatives)):
        return parent if _keeps_its_type(parent) else UNKNOWN
    old, new = first_class(parent), first_class(value)
    if old is None or new is None:
        kind = "module" if isinstance(value, (ModuleValue, ContainerValue)) else value_kind(value)
        before = "module" if isinstance(parent, (ModuleValue, ContainerValue)) else value_kind(parent)
        if new is None and kind:
            em.report(
                ReassignedNonValue(
                    place,
                    f"Cannot re-assign '{name}' to a value of type {kind} because {name} is not a first-class value.",
                    name=name,
                    what=kind,
                    before=before or str(old or ""),
                )
            )
        elif new is not None and before:
            em.report(
                ReassignedNonValue(
                    place,
                    f"Cannot re-assign '{name}' because it has type value of type '{new}' and {name} is not a"
                    " first-class value.",
                    name=name,
                    what=str(new),
                    before=before,
                )
            )
        return UNKNOWN
    if not convertible(new, old, allow_conversions=True):
        em.report(
            VariableRetyped(
                place,
                f"Variable '{name}' previously had type {old} but is now being assigned to a value of type {new}",
                name=name,
                previous=old,
                actual=new,
            )
        )
        em.env.forget(name)
        return UNKNOWN
    observers.conversion.tell(em, place, new, old, "variable", name)
    # In this block the variable has the assigned type: an Optional with a value need not be tested again.
    return Typed(new) if isinstance(old, (OptionalType, UnionType)) and is_subtype(new, old) else Typed(old)


def assign_tuple(em: Emitter, target: ast.Tuple | ast.List, value: Value, node: ast.AST) -> None:
    """Emit an assignment to several targets (``emitTupleAssign``)."""
    if isinstance(value, Alternatives):
        for element, part in zip(target.elts, _unpack_alternatives(em, target, value, node)):
            assign(em, element.value if isinstance(element, ast.Starred) else element, part, node)
        return
    if isinstance(value, ContainerValue) and value.kind in _NO_TUPLES and value.view in ("", "items"):
        _container_unpacked(em, target, value, node)  # continue with the modules, to find further errors
    starred = [i for i, element in enumerate(target.elts) if isinstance(element, ast.Starred)]
    needed = len(target.elts) - len(starred)
    parts = unpacked(em, value, node, needed, bool(starred))
    if parts is None:
        for element in target.elts:
            assign(em, element, UNKNOWN, node)
        return
    if len(parts) < needed or (len(parts) > needed and not starred):
        few = len(parts) < needed
        text = (
            f"need {'at least ' if starred else ''}{needed} values to unpack but found only {len(parts)}"
            if few
            else f"too many values to unpack: need {needed} but found {len(parts)}"
        )
        em.report(UnpackCount(target, text, needed=needed, found=len(parts)))
        for element in target.elts:
            assign(em, element, UNKNOWN, node)
        return
    position = 0
    for element in target.elts:
        if isinstance(element, ast.Starred):
            taken = len(parts) - needed
            assign(em, element.value, TupleValue(tuple(parts[position : position + taken])), node)
            position += taken
        else:
            assign(em, element, parts[position], node)
            position += 1


def _container_unpacked(em: Emitter, target: ast.Tuple | ast.List, value: ContainerValue, node: ast.AST) -> None:
    """Report a container that is unpacked: for the compiler, a container is a module, which has no ``asTuple``."""
    text = f"{'iterabletree' if value.view else 'module'} cannot be used as a tuple"
    em.report(
        ContainerUnpacked(
            node.value if isinstance(node, ast.Assign) else target,
            text,
            container=value.kind,
            target=target,
            length=len(value.items) if value.items is not None else None,
            items=bool(value.view),
        )
    )


def _unpack_alternatives(em: Emitter, target: ast.Tuple | ast.List, value: Alternatives, node: ast.AST) -> list[Value]:
    """Unpack each alternative of a value: return, for each target, the alternatives of its value. If unpacking fails
    for one construction, report that with its condition.
    """
    columns: list[list[tuple[Assumptions, Value]]] = [[] for _ in target.elts]

    def look(option: Value) -> Value:
        parts = unpacked(em, option, node, len(target.elts), False)
        if parts is not None and len(parts) != len(target.elts):
            few = len(parts) < len(target.elts)
            text = (
                f"need {len(target.elts)} values to unpack but found only {len(parts)}"
                if few
                else "too many values to unpack"
            )
            em.report(UnpackCount(target, text, needed=len(target.elts), found=len(parts)))
            parts = None
        for position, column in enumerate(columns):
            column.append((em.assumptions, parts[position] if parts is not None else UNKNOWN))
        return UNKNOWN

    if any(isinstance(element, ast.Starred) for element in target.elts):
        return [UNKNOWN] * len(target.elts)
    em.map_alternatives(value, look)
    return [
        join_alternatives([(assumptions - em.assumptions, part) for assumptions, part in column]) for column in columns
    ]


def unpacked(em: Emitter, value: Value, node: ast.AST, needed: int, starred: bool) -> list[Value] | None:
    """Return the parts of an unpacked value (``asTuple``); None if they are not known, or an event is reported."""
    if isinstance(value, TupleValue):
        return list(value.elements)
    if isinstance(value, ContainerValue):
        return list(value.items) if value.items is not None else None
    if isinstance(value, Typed):
        if isinstance(value.type, TupleType):
            return [as_typed(element) for element in value.type.elements]
        if isinstance(value.type, ListType):
            if starred:
                em.report(
                    StarredUnknownLength(
                        node,
                        "cannot statically infer the expected size of a list in this context",
                        what="unpack",
                        type=value.type,
                    )
                )
                return None
            return [as_typed(value.type.element)] * needed
        source = node.value if isinstance(node, ast.Assign) else node
        em.report(NotATuple(source, f"{value.type} cannot be used as a tuple", type=value.type, needed=needed))
    source = node.value if isinstance(node, ast.Assign) else node
    kind = value_kind(value) or ("module" if isinstance(value, ModuleValue) else "")
    if isinstance(value, PythonValue) and value.type_name:
        said = f"python value of type '{value.type_name}' cannot be used as a tuple"
        em.report(ClosedOverGlobal(source, said, name=value.spelled, type_name=value.type_name))
    elif kind:
        type_ = Simple(value.kind if isinstance(value, IterableValue) else kind)
        em.report(NotATuple(source, f"{kind} cannot be used as a tuple", type=type_, needed=needed))
    return None
