"""Converts the Python values of attributes to compiled values (``infer_type`` of torch/jit/_recursive.py)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tslint.project.definitions import Class
from tslint.script.annotations import Unreadable
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions
from tslint.script.attributes import (
    Attribute,
    ClassFacts,
    Instance,
    PyChoice,
    PyClass,
    PyConst,
    PyDict,
    PyEither,
    PyExternal,
    PyFunction,
    PyKind,
    PyParameter,
    PySeen,
    PySequence,
    PyValue,
)
from tslint.script.classkinds import is_scripted_class, may_be_dict
from tslint.script.construct.expressions import CONTAINERS, is_torch_module
from tslint.script.construct.foreign import FOREIGN, external_type
from tslint.script.construct.pyvalues import modules_of
from tslint.script.interpreter import externals
from tslint.script.interpreter.emitter import Emitter, join_alternatives
from tslint.script.interpreter.value_kinds import first_class
from tslint.script.operators.callables import (
    BooleanDispatch,
    CompiledFunction,
    Constant,
    ExceptionClass,
    Known,
    ModuleClass,
    Operator,
)
from tslint.script.project_classes import class_type, compile_class, enum_member, fields, interface_of, named_tuple
from tslint.script.type_text import parsed, type_of
from tslint.script.types import (
    ANY,
    ANYTHING,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    Simple,
    TensorType,
    TupleType,
    Type,
    type_of_constant,
    unify,
)
from tslint.script.values import (
    CONTAINING,
    EMPTY,
    NO_CONSTANT,
    OVERLOADED,
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    Missing,
    ModuleValue,
    Typed,
    Value,
)

_KINDS: dict[str, Type] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STRING,
    "Tensor": TENSOR,
    "Parameter": TENSOR,
    "device": DEVICE,
    "Generator": GENERATOR,
    "complex": COMPLEX,
    "dtype": INT,
}


def convert(em: Emitter, facts: ClassFacts, name: str, attribute: Attribute, path: str) -> Value:
    """Return the compiled value of an attribute."""
    value = attribute.value
    assert value is not None
    if name in facts.annotations and facts.annotation_owner is not None and not _is_object(em, value):
        reader = em.reader_of(facts.annotation_owner.module)
        annotation = facts.annotations[name]
        bare_final = name in facts.constants and not isinstance(annotation, ast.Subscript)
        if not bare_final:
            found = reader.read(annotation)
            if not isinstance(found, Type) or isinstance(found, Unreadable):
                return UNKNOWN
            constant = name in facts.constants and not attribute.kind  # not a parameter or buffer
            return _constant(em, value, found, attribute, path) if constant else Typed(found)
    if name in facts.annotations and facts.annotation_owner is not None:
        interface = interface_of(em.model, facts.annotation_owner.module, facts.annotations[name])
        if interface is not None:
            return Typed(interface)
    made = convert_value(em, value, path, name in facts.constants, attribute)
    # An attribute that hides a method of the class is compiled as that method; every nn.Module has a `forward`.
    hides = name == "forward" or facts.hierarchy.has_method(name)
    return UNKNOWN if hides and isinstance(made, Missing) else made


def _constant(em: Emitter, value: PyValue, annotated: Type, attribute: Attribute, path: str) -> Value:
    """Return the value of a constant: it has the type of the stored value or, if that is unknown, of the annotation."""
    found = convert_value(em, value, path, True, attribute)
    if isinstance(found, Missing):
        return UNKNOWN  # which is reported as an invalid constant
    exact = isinstance(annotated, Simple) and annotated not in (ANY, NUMBER)
    return Typed(annotated) if found is UNKNOWN and exact else found


def _is_object(em: Emitter, value: PyValue) -> bool:
    """Return whether a value is an object whose type is its class, whatever the attribute's annotation says."""
    if not isinstance(value, Instance):
        return False
    return value.definition is None or em.model.class_kind(value.definition) not in ("namedtuple", "enum")


def convert_value(em: Emitter, value: PyValue, path: str, constant: bool, attribute: Attribute | None = None) -> Value:
    """Return the compiled value for a Python value of an attribute."""
    node = attribute.node if attribute is not None else None
    if isinstance(value, PyConst):
        # torch converts bytes to a str in an attribute, but not in compiled code.
        type_ = STRING if isinstance(value.value, bytes) else type_of_constant(value.value)
        if type_ is None:
            return Missing("inconvertible", type(value.value).__name__, node)
        return Typed(type_, value.value if constant or type_ == NONE else NO_CONSTANT)
    if isinstance(value, PyKind):
        if value.kind == "partial":
            return Missing("inconvertible", "functools.partial", node)
        if value.kind in FOREIGN:
            return Missing("inconvertible", value.kind, node)
        known = _KINDS.get(value.kind)
        return Typed(known) if known is not None else UNKNOWN
    if isinstance(value, PySeen):
        return _seen(value, node)
    if isinstance(value, PyParameter):
        return _parameter(em, value, node)
    if isinstance(value, PySequence):
        return _sequence(em, value, path, constant, node)
    if isinstance(value, PyDict):
        return _dict(em, value, path, node)
    if isinstance(value, PyFunction):
        if value.function is None or value.bound:
            return Missing("inconvertible", "function" if value.function is None else "method", node)
        return FunctionValue(value.function)
    if isinstance(value, PyChoice):
        return join_alternatives([(tests, convert_value(em, each, path, constant)) for tests, each in value.cases])
    if isinstance(value, PyClass):
        return Missing("inconvertible", "type", node)
    if isinstance(value, PyExternal):
        entry = externals.known(value.name)
        foreign = "type" if isinstance(entry, (ModuleClass, ExceptionClass)) else external_type(value.name)
        foreign = OVERLOADED if _is_overloaded(entry) else foreign
        if foreign:
            return Missing("inconvertible", foreign, node)
        if isinstance(entry, Constant):
            return externals.constant_value(entry)  # the attribute stores the value itself: for a dtype, that is an int
        is_function = value.name.startswith("torch.") and value.name.rpartition(".")[2].islower()
        return ExternalValue(value.name) if is_function else UNKNOWN
    if isinstance(value, Instance):
        return instance_value(em, value, path)
    return UNKNOWN


def _parameter(em: Emitter, value: PyParameter, node: ast.AST | None) -> Value:
    """Return the value of a parameter of the constructor, as far as its annotation shows it."""
    if isinstance(value.annotation, ast.Name) and value.annotation.id in ("int", "bool", "str"):
        return Typed(_KINDS[value.annotation.id])
    if value.class_ is not None and em.model.class_kind(value.class_) == "dataclass":
        return _dataclass(em, value.class_, node)
    if value.class_ is not None and em.model.class_kind(value.class_) == "namedtuple":
        made = named_tuple(em.model, value.class_)
        return Typed(TupleType(made.elements)) if made is not None else UNKNOWN
    return UNKNOWN


def _seen(value: PySeen, node: ast.AST | None) -> Value:
    if value.failed:
        return Missing("inconvertible", value.failed, node)
    found = type_of(parsed(value.type))
    return Typed(found) if found is not None else UNKNOWN


def instance_value(em: Emitter, instance: Instance, path: str) -> Value:
    """Return the compiled value of an object that a constructor created: a module, a container, or another object."""
    if instance.definition is not None:
        if not em.model.is_module(instance.definition):
            if _is_enum_member(em, instance):
                return enum_member(em.model, instance.definition)
            if em.model.class_kind(instance.definition) == "namedtuple":
                return _named_tuple(em, instance, instance.definition)
            if em.model.class_kind(instance.definition) == "dataclass":
                return _dataclass(em, instance.definition, instance.node)
            if em.model.class_kind(instance.definition) == "excluded class":
                other = em.model.hierarchy(instance.definition).externals
                return UNKNOWN if other else _no_object(instance, instance.definition)
            if is_scripted_class(em.project, instance.definition):
                made = class_type(em.model, instance.definition)
                return Typed(made) if isinstance(made, ClassType) else UNKNOWN
            return _plain_object(em, instance, instance.definition)
        return ModuleValue(instance, path)
    last = instance.external.rpartition(".")[2]
    if last in CONTAINERS:
        items = None
        nones: tuple[tuple[int, Assumptions], ...] = ()
        if instance.items is not None:
            items = tuple(convert_value(em, item, f"{path}[{i}]", False) for i, item in enumerate(instance.items))
            if last != "ModuleDict":  # the compiler leaves out None
                nones = tuple(_nones(items))
                items = tuple(item for item in items if not _is_none(item))
        one = instance.element  # if the value has cases, the items may belong to different cases
        element = UNKNOWN if isinstance(one, PyChoice) else convert_value(em, one, f"{path}[…]", False)
        element = UNKNOWN if isinstance(element, Missing) else element
        if items is not None and any(isinstance(item, Missing) for item in items):
            items = tuple(UNKNOWN if isinstance(item, Missing) else item for item in items)
        options = modules_of(one) if not isinstance(one, Instance) else ()
        either = tuple(convert_value(em, option, f"{path}[…]", False) for option in options)
        added = tuple((key, tests) for key, tests in (instance.added or {}).items() if tests)
        empty = instance.may_be_empty
        return ContainerValue(last, items, instance.keys, element, path, "", nones, empty, either, added)
    if is_torch_module(instance.external):
        return ModuleValue(instance, path)
    return UNKNOWN


def _is_enum_member(em: Emitter, instance: Instance) -> bool:
    return instance.definition is not None and em.model.class_kind(instance.definition) == "enum"


def _named_tuple(em: Emitter, instance: Instance, definition: Class) -> Value:
    """Return a NamedTuple: a tuple without names, because the compiler only looks at the values."""
    made = named_tuple(em.model, definition)
    if made is None or not instance.known or len(made.fields) != len(fields(definition)):
        return UNKNOWN
    given = {**dict(zip(made.fields, instance.arguments)), **dict(instance.keywords)}
    values = [given.get(name) for name in made.fields]
    parts = [None if value is None else first_class(convert_value(em, value, "", False)) for value in values]
    return Typed(TupleType(tuple(ANYTHING if part is None else part for part in parts)))


def _dataclass(em: Emitter, definition: Class, node: ast.AST | None) -> Value:
    """Return Missing for an attribute that holds an object of a dataclass, because the compiler cannot convert it.
    Return Unknown if the object may be a dict.
    """
    return UNKNOWN if may_be_dict(em.model.hierarchy(definition)) else Missing("inconvertible", "dataclass", node)


def _plain_object(em: Emitter, instance: Instance, definition: Class) -> Value:
    """Return an object of a plain class. The compiler tries to compile the class, and drops the attribute if that
    fails.
    """
    refused = em.model.refuses(definition) if em.model.class_kind(definition) == "script class" else None
    if refused:
        if may_be_dict(em.model.hierarchy(definition)):
            return UNKNOWN
        return _no_object(instance, definition)
    made = class_type(em.model, definition) if refused is False and instance.node is not None else None
    if not isinstance(made, ClassType) or instance.node is None:
        return UNKNOWN
    compile_class(em.model, definition, em.unit, instance.node, em.assumptions)
    return Typed(made)


def _no_object(instance: Instance, definition: Class) -> Missing:
    return Missing("inconvertible", f"object of {definition.name}", instance.node)


def _is_none(value: Value) -> bool:
    return isinstance(value, Typed) and value.type == NONE


def _nones(items: tuple[Value, ...]) -> Iterator[tuple[int, Assumptions]]:
    for position, item in enumerate(items):
        cases = item.cases if isinstance(item, Alternatives) else [(NO_ASSUMPTIONS, item)]
        yield from ((position, assumptions) for assumptions, case in cases if _is_none(case))


def _is_module_value(em: Emitter, value: PyValue) -> bool:
    if isinstance(value, PyEither):
        return any(_is_module_value(em, option) for option in value.options)
    if not isinstance(value, Instance):
        return False
    known = value.definition
    return em.model.is_module(known) if known is not None else is_torch_module(value.external)


def _is_overloaded(entry: Known | None) -> bool:
    """Return whether a function of torch stands for several functions: the compiler rejects it as an attribute."""
    overloaded = isinstance(entry, CompiledFunction) and len(entry.schemas) > 1
    return overloaded or isinstance(entry, BooleanDispatch)


def _is_function(value: Value) -> bool:
    """Return whether a value is certainly a function: TorchScript accepts one as an attribute, but not in a list."""
    if isinstance(value, Missing):
        return value.detail == OVERLOADED
    if isinstance(value, FunctionValue):
        return not value.function.node.decorator_list  # a decorator may return anything
    entry = externals.known(value.name) if isinstance(value, ExternalValue) else None
    return isinstance(entry, (Operator, CompiledFunction))


def _sequence(em: Emitter, value: PySequence, path: str, constant: bool, node: ast.AST | None) -> Value:
    if value.kind in ("set", "generator"):
        return Missing("inconvertible", value.kind, node)
    everything = value.items if value.items is not None else (value.element,)
    if any(_is_module_value(em, item) for item in everything):
        return Missing("inconvertible", f"{value.kind} of modules", node)
    if value.items is None:
        if value.kind != "list" or constant:
            return UNKNOWN
        made = convert_value(em, value.element, path, False)
        if isinstance(made, Missing) and made.why == "inconvertible" and not _is_function(made):
            return _mixed(value.kind, [made], node)  # an empty list cannot be converted, either
        part = first_class(made)
        return Typed(ListType(ANYTHING if part is None or part == NONE else part))
    if not value.items:
        missing = Missing("inconvertible", f"{EMPTY}{value.kind}", node)
        return missing if value.kind == "list" and not constant else UNKNOWN
    parts = [convert_value(em, item, path, False) for item in value.items]
    if any(map(_is_function, parts)):
        return Missing("inconvertible", f"{value.kind} of functions", node)
    if any(isinstance(part, Missing) for part in parts):
        return _mixed(value.kind, parts, node)
    types = [first_class(part) for part in parts]
    if any(type_ is None for type_ in types):
        return UNKNOWN
    known = [type_ for type_ in types if type_ is not None]
    if value.kind == "tuple" or constant:
        return Typed(TupleType(tuple(known)))
    joined = _joined(known)
    if joined is not None:
        return Typed(ListType(joined))
    if NONE in known or any(isinstance(type_, TensorType) for type_ in known):
        return UNKNOWN
    return Missing("inconvertible", value.kind, node)


def _mixed(kind: str, parts: Sequence[Value], node: ast.AST | None) -> Missing:
    """Return a container for items that cannot be converted: if these are tuples or lists with modules, it says so."""
    details = [part.detail for part in parts if isinstance(part, Missing)]
    with_modules = any(each.endswith(("tuple of modules", "list of modules", CONTAINING)) for each in details)
    return Missing("inconvertible", f"{kind}{CONTAINING}" if with_modules else kind, node)


def _dict(em: Emitter, value: PyDict, path: str, node: ast.AST | None) -> Value:
    if value.items is None:
        return UNKNOWN
    if not value.items:
        return Missing("inconvertible", f"{EMPTY}{value.kind}", node)
    if any(_is_module_value(em, item) for _, item in value.items):
        return Missing("inconvertible", "dict of modules", node)
    parts = [convert_value(em, each, path, False) for pair in value.items for each in pair]
    types = [type_ for type_ in map(first_class, parts) if type_ is not None]
    if any(map(_is_function, parts)):
        return Missing("inconvertible", "dict of functions", node)
    if any(isinstance(part, Missing) for part in parts):
        return Missing("inconvertible", value.kind, node)
    if len(types) < len(parts):
        return UNKNOWN
    key, held = _joined(types[::2]), _joined(types[1::2])
    if key is not None and held is not None:
        return Typed(DictType(key, held))
    return UNKNOWN if NONE in types else Missing("inconvertible", value.kind, node)


def _joined(types: list[Type]) -> Type | None:
    """Return the common type of the items of a container; None if there is none."""
    joined: Type | None = types[0]
    for type_ in types[1:]:
        joined = None if joined is None else unify(joined, type_)
    return joined
