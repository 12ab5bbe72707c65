"""Emits attributes and methods of values (``SugaredValue::attr``)."""

from __future__ import annotations

import ast
from functools import cache

from tslint.script import operators
from tslint.script.attributes import Instance
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.events.names import NoTensorMember, SuperCall, UnsupportedExternalAttribute
from tslint.script.events.types import NoSuchMember
from tslint.script.interpreter.classes import after_owner, class_member, instance_member, use_class
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.function import is_static
from tslint.script.interpreter.known_classes import while_not_compiled
from tslint.script.interpreter.magic_methods import report_lacking
from tslint.script.interpreter.modules import module_attribute
from tslint.script.interpreter.value_kinds import as_typed, value_kind
from tslint.script.operators import schemas
from tslint.script.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    Simple,
    TensorType,
    TupleType,
    Type,
    TypeVariable,
    UnionType,
    has_unknowns,
    has_variables,
    is_of_code,
    is_subtype,
)
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ClassValue,
    ContainerValue,
    FunctionValue,
    IterableValue,
    ModuleValue,
    OperatorValue,
    PythonValue,
    SuperValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)

_CASTS = frozenset("byte char double float int long short half cfloat cdouble".split())

# A ParameterDict is no ModuleDict for the compiler, and the source of these methods does not compile.
_OF_MODULE_DICTS = frozenset(["items", "keys", "values", "get"])


def attribute_of(em: Emitter, owner: Value, name: str, node: ast.Attribute) -> Value:
    """Return the value of ``owner.name``."""
    if isinstance(owner, Unknown):
        return UNKNOWN
    if isinstance(owner, Alternatives):
        return em.map_alternatives(owner, lambda option: attribute_of(em, option, name, node))
    if isinstance(owner, ModuleValue):
        return module_attribute(em, owner, name, node)
    if isinstance(owner, ContainerValue):
        if owner.kind == "ParameterDict" and name in _OF_MODULE_DICTS:
            return report_lacking(em, owner, name, node)
        if name in ("items", "keys", "values", "named_children", "children", "named_modules", "modules"):
            return OperatorValue(f"container::{name}", owner, name)
        # Python may have set other attributes of the object.
        itself = ModuleValue(Instance(None, f"torch.nn.{owner.kind}"), owner.path)
        return module_attribute(em, itself, name, node) if name in OF_MODULES else UNKNOWN
    if isinstance(owner, Typed):
        return _typed(em, owner, name, node)
    if isinstance(owner, TupleValue):
        type_ = em.type_of(owner, node.value)
        return _absent(em, type_, name, node) if type_ is not None and not has_unknowns(type_) else UNKNOWN
    if isinstance(owner, SuperValue):
        said = f"'Tensor' object has no attribute or method '{name}'."
        em.report(SuperCall(node, said, method=name, following=after_owner(em)))
        return UNKNOWN
    if isinstance(owner, PythonValue):
        em.report(
            UnsupportedExternalAttribute(
                node,
                f"attribute lookup is not defined on python value of type '{owner.type_name}'",
                name=owner.spelled,
                type_name=owner.type_name,
                attribute=name,
            )
        )
        return UNKNOWN
    if isinstance(owner, (FunctionValue, IterableValue, OperatorValue)):
        em.report(
            UnsupportedExternalAttribute(
                node,
                f"attribute lookup is not defined on {value_kind(owner)}",
                name=ast.unparse(node.value),
                type_name=value_kind(owner),
                attribute=name,
            )
        )
        return UNKNOWN
    if isinstance(owner, ClassValue):
        return class_attribute(em, owner, name, node)
    return UNKNOWN


def class_attribute(em: Emitter, owner: ClassValue, name: str, node: ast.Attribute) -> Value:
    """Return the value of ``Class.name``: a static method, or an Enum's member; for modules, also ``Base.forward``."""
    found = class_member(em, owner, name, node)
    if found is not None:
        return found
    if em.model.class_kind(owner.definition) == "script class":
        use_class(em, owner.definition, node)
    hierarchy = em.model.hierarchy(owner.definition)
    member = hierarchy.members.get(name)
    if member is not None and member.function is not None:
        if is_static(member.function.node):
            _check_known(em, owner, name, node)
            return FunctionValue(member.function)
        if em.model.is_module(owner.definition):
            return OperatorValue("unbound::method", None, f"{owner.definition.name}.{name}")
    return UNKNOWN


def _check_known(em: Emitter, owner: ClassValue, name: str, node: ast.Attribute) -> None:
    """Report a static method of a module's class unless the compiler knows the class."""
    unknown = while_not_compiled(em, owner.definition) if em.model.is_module(owner.definition) else None
    if unknown is not None:
        said = "attribute lookup is not defined on python value of type 'type'"
        spelled = ast.unparse(node.value)
        with em.assume(unknown):
            em.report(UnsupportedExternalAttribute(node, said, name=spelled, type_name="type", attribute=name))


def _typed(em: Emitter, owner: Typed, name: str, node: ast.Attribute) -> Value:
    type_ = owner.type
    if isinstance(type_, TensorType):
        return tensor_member(em, owner, name, node)
    if isinstance(type_, TupleType):
        if name in type_.fields:
            return as_typed(type_.elements[type_.fields.index(name)])
        return _absent(em, type_, name, node)
    if isinstance(type_, ClassType):
        # A module in a tuple is an object with compiled methods.
        if name == "forward" and type_.kind == "module" and isinstance(type_.definition, Instance):
            return module_attribute(em, ModuleValue(type_.definition, ast.unparse(node.value)), name, node)
        if name == "forward" and isinstance(type_.definition, ContainerValue) and type_.definition.kind == "Sequential":
            return type_.definition  # its call runs `forward`
        return instance_member(em, owner, name, node)
    plain = (ANY, NONE, INT, FLOAT, BOOL, Simple("list"), Simple("tuple"))
    if isinstance(type_, (UnionType, OptionalType)) or type_ in plain:
        if type_ in (INT, FLOAT, BOOL) and has_method(type_, name):
            return OperatorValue(f"aten::{name}", owner, name)
        return _absent(em, type_, name, node)
    if type_ in (COMPLEX, DEVICE, GENERATOR):
        if name in ("type", "index") and type_ == DEVICE:
            return Typed(STRING if name == "type" else OptionalType(INT))
        return UNKNOWN if has_method(type_, name) else _absent(em, type_, name, node)
    if isinstance(type_, (ListType, DictType)) or type_ == STRING:
        if has_method(type_, name):
            return OperatorValue(f"aten::{name}", owner, name)
        return _absent(em, type_, name, node)
    if isinstance(type_, FutureType) and type_.name == "Future":
        return OperatorValue("aten::wait", owner, name) if name == "wait" else _absent(em, type_, name, node)
    return UNKNOWN


def has_method(type_: Type, name: str) -> bool:
    """Return whether an overload of ``aten::name`` accepts a value of a type as ``self``
    (``BuiltinFunction::tryCreate``).
    """
    return _takes(type_, name) if is_of_code(type_) else _known_to_take(type_, name)


@cache
def _known_to_take(type_: Type, name: str) -> bool:
    return _takes(type_, name)


def _takes(type_: Type, name: str) -> bool:
    for schema in schemas(f"aten::{name}"):
        formal = schema.argument("self")
        if formal is None:
            continue
        if has_variables(formal.type):
            if isinstance(formal.type, TypeVariable) or type(formal.type) is type(type_):
                return True
        elif is_subtype(type_, formal.type):
            return True
    return False


def _absent(em: Emitter, type_: Type, name: str, node: ast.Attribute) -> Value:
    em.report(NoSuchMember(node, f"'{type_}' object has no attribute or method '{name}'.", type=type_, attribute=name))
    # Go on as if an `assert` before this line excluded None.
    return attribute_of(em, Typed(type_.element), name, node) if isinstance(type_, OptionalType) else UNKNOWN


def tensor_member(em: Emitter, owner: Typed, name: str, node: ast.Attribute) -> Value:
    """Return a tensor's property or method."""
    finder = getattr(operators, "tensor_attribute", None)
    found = finder(name) if finder is not None else None
    if isinstance(found, Type):
        return Typed(found)
    if has_method(TENSOR, name) or name in _CASTS:
        return OperatorValue(f"aten::{name}", owner, name)
    if schemas(f"prim::{name}") or (found is None and finder is None):
        return UNKNOWN
    if name in ("type", "tolist", "to", "item", "__getitem__"):
        return OperatorValue(f"aten::{name}", owner, name)
    return em.report(
        NoTensorMember(
            node,
            f"'{owner.type}' object has no attribute or method '{name}'.",
            attribute=name,
            owner=ast.unparse(node.value),
            inferred=isinstance(owner.type, TensorType) and owner.type.inferred,
        )
    )
