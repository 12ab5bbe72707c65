"""Attributes of module instances (``ModuleValue::attr``, ``setAttr``; ``infer_type`` of torch/jit/_recursive.py)."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class
from tslint.script.annotations import AnnotationReader, Unreadable
from tslint.script.attributes import (
    HAS_RUN,
    NO_ATOMS,
    Atom,
    Atoms,
    Attribute,
    ClassFacts,
    Instance,
    PyConst,
    PyDict,
    PyExternal,
    PyFunction,
    PyKind,
    PyParameter,
    PySequence,
    PyValue,
    consistent,
)
from tslint.script.construct.expressions import is_torch_module
from tslint.script.construct.foreign import FOREIGN
from tslint.script.interpreter import externals
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.value_kinds import first_class
from tslint.script.operators import module_class
from tslint.script.operators.callables import Constant
from tslint.script.private_names import is_private
from tslint.script.project_classes import class_type
from tslint.script.scope import decorators, exemption, is_property
from tslint.script.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TensorType,
    TupleType,
    Type,
    is_subtype,
)
from tslint.script.values import (
    NO_CONSTANT,
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    Missing,
    ModuleValue,
    Typed,
    Unknown,
    Value,
)

CONTAINERS = ("ModuleList", "ModuleDict", "Sequential", "ParameterList", "ParameterDict")
_KINDS: dict[str, Type] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STRING,
    "Tensor": TENSOR,
    "Parameter": TENSOR,
    "device": DEVICE,
    "complex": COMPLEX,
    "dtype": INT,
}
# Methods of nn.Module that are not compiled, but that the compiler knows to iterate (ModuleValue::attr).
_MODULE_METHODS = frozenset(
    "named_modules modules children named_children named_buffers keys values items extend append insert".split()
)
_HIDDEN = frozenset("_modules _parameters _buffers __dict__ _forward_hooks _forward_pre_hooks __class__".split())


def module_attribute(em: Emitter, owner: ModuleValue, name: str, node: ast.AST) -> Value:
    """``module.name``; an event where the compiler does not find it."""
    value = lookup(em, owner, name)
    return settle(em, owner, name, value, node)


def settle(em: Emitter, owner: ModuleValue, name: str, value: Value, node: ast.AST) -> Value:
    """Report what is missing, alternative by alternative."""
    if isinstance(value, Alternatives):
        return em.each(value, lambda option: settle(em, owner, name, option, node))
    if isinstance(value, Missing):
        return report_missing(em, owner, name, value, node)
    return value


def report_missing(em: Emitter, owner: ModuleValue, name: str, missing: Missing, node: ast.AST) -> Value:
    """The event for an attribute that is not there."""
    definition = owner.instance.definition
    class_name = definition.qualname if definition is not None else owner.instance.external.rpartition(".")[2]
    text = f"Module '{class_name}' has no attribute '{name}'"
    if missing.why == "inconvertible":
        text += (
            f" (This attribute exists on the Python module, but we failed to convert Python type: '{missing.detail}' to"
            " a TorchScript type.)"
        )
    if missing.why == "module-method":
        text = missing.detail or f"'{class_name}.{name}' is being compiled since it was called from '{em.unit.name}'"
    kind = {
        "module-method": "module-method",
        "inconvertible": "attribute-inconvertible",
        "class-variable": "class-variable",
    }.get(missing.why, "missing-attribute")
    return em.report(
        kind,
        node,
        text,
        attribute=name,
        owner=owner.path,
        class_name=class_name,
        detail=missing.detail,
        definition=missing.node,
        **_class_words(em, definition),
    )


def _class_words(em: Emitter, definition: Class | None) -> dict[str, object]:
    """What a rule needs to annotate a class: ``class_`` of the instance, ``annotated`` (the class whose body
    annotations count), ``members`` (the names that its instances have)."""
    if definition is None:
        return {"class_": None, "annotated": None, "members": ()}
    facts = em.model.facts(definition)
    members = tuple(sorted({*facts.attributes, *facts.hierarchy.members}))
    return {"class_": definition, "annotated": facts.annotation_owner, "members": members}


def lookup(em: Emitter, owner: ModuleValue, name: str) -> Value:
    """What an attribute is, without complaints: maybe Missing, maybe Alternatives of which some are."""
    definition = owner.instance.definition
    if definition is None:
        return _external_attribute(owner, name)
    facts = em.model.facts(definition)
    if name in _HIDDEN:
        return Missing("hidden")
    if is_private(name):
        # Python writes `self.__x` to `_Class__x`; the compiler does not mangle (pytorch/pytorch#17411).
        return UNKNOWN if name in facts.attributes and facts.open else Missing("private")
    if name == "training":
        return Typed(BOOL)
    if name in facts.ignored:
        return Missing("ignored")
    if name in em.missing:
        return UNKNOWN
    stored = facts.attributes.get(name)
    if name in facts.elsewhere:
        return _set_by_running(em, owner, facts, name, stored or [])
    if stored:
        live = [attribute for attribute in stored if consistent(attribute.atoms, em.atoms)]
        options: list[tuple[Atoms, Value]] = []
        for attribute in live:
            if attribute.value is None:
                options.append((attribute.atoms, _unset(em, owner, facts, name)))
            else:
                options.append((attribute.atoms, convert(em, facts, name, attribute, f"{owner.path}.{name}")))
        if owner.path != "self":
            # Another instance of the class was made with arguments of its own: its tests are not this function's.
            options = [(NO_ATOMS, value) for _, value in options]
        return _alternatives(options, owner.path == "self")
    return _unset(em, owner, facts, name)


def _set_by_running(em: Emitter, owner: ModuleValue, facts: ClassFacts, name: str, stored: list[Attribute]) -> Value:
    """An attribute that methods set too: what the constructor leaves holds until the module has run once."""
    fresh = frozenset([Atom(HAS_RUN, False)])
    if facts.open or owner.path != "self":
        return UNKNOWN
    options: list[tuple[Atoms, Value]] = [(frozenset([Atom(HAS_RUN, True)]), UNKNOWN)]
    annotated = name in facts.annotations
    for attribute in stored:
        if consistent(attribute.atoms, em.atoms):
            if attribute.value is None:
                options.append((attribute.atoms | fresh, Missing("absent")))
            else:
                value = convert(em, facts, name, attribute, f"{owner.path}.{name}")
                if (
                    annotated
                    or (isinstance(value, Typed) and value.type != NONE)
                    or not isinstance(value, (Typed, Missing))
                ):
                    # What a run puts there must have the same type, or the assignment is refused.
                    options = [option for option in options if option[0] != frozenset([Atom(HAS_RUN, True)])]
                    options.append((attribute.atoms, value))
                else:
                    options.append((attribute.atoms | fresh, value))
    if not stored:
        if name in facts.hierarchy.members or _externally(facts, name) is not None:
            return UNKNOWN
        options.append((fresh, Missing("absent")))
    return _alternatives(options, True)


def _alternatives(options: list[tuple[Atoms, Value]], own: bool) -> Value:
    if not options:
        return UNKNOWN
    first = options[0][1]
    if len(options) == 1:
        return first
    if all(value is first or (value == first and not isinstance(value, Missing)) for _, value in options):
        return first
    if all(isinstance(value, Missing) for _, value in options):
        return first
    if not own:
        return UNKNOWN
    return Alternatives(tuple(options))


def _unset(em: Emitter, owner: ModuleValue, facts: ClassFacts, name: str) -> Value:
    """An attribute that the constructor does not set: a member of the class, or nothing."""
    member = facts.hierarchy.members.get(name)
    if member is not None:
        if member.function is not None:
            if is_property(member.function, em.project):
                return _property(em, owner, facts, member.function, name)
            if any("property" in getattr(d, "name", "") for _, d in decorators(member.function, em.project)):
                return UNKNOWN  # a value that Python computes on first use: `functools.cached_property`
            return FunctionValue(member.function, owner)
        if name in facts.constants and isinstance(member.node, (ast.Assign, ast.AnnAssign)):
            return _class_constant(member.node)
        if isinstance(member.node, (ast.Assign, ast.AnnAssign)) and member.node.value is not None:
            value = member.node.value
            if isinstance(value, (ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.UnaryOp, ast.BinOp)):
                if name in facts.elsewhere or facts.open:
                    return UNKNOWN
                return Missing("class-variable", ast.unparse(value), member.node)
        elif isinstance(member.node, ast.AnnAssign) and name not in facts.elsewhere and not facts.open:
            return _externally(facts, name) or Missing(
                "absent", "annotated in the class body, but never set", member.node
            )
        return UNKNOWN
    if facts.open or name in facts.elsewhere or name in _MODULE_METHODS:
        return UNKNOWN
    return _externally(facts, name) or Missing("absent")


def _externally(facts: ClassFacts, name: str) -> Value | None:
    """What a base class outside the project may provide."""
    for base in facts.hierarchy.externals:
        found = module_class(base.name)
        if base.name in ("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"):
            if externals.is_module_member(name):
                return externals.base_member(name)
        elif found is not None and not found.container and found.error is None:
            return externals.member_of(found, name, None)
        elif base.name not in ("builtins.object", "abc.ABC", "typing.Generic"):
            return UNKNOWN
    return None


def _class_constant(node: ast.Assign | ast.AnnAssign) -> Value:
    value = node.value
    kinds: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STRING, type(None): NONE}
    if isinstance(value, ast.Constant) and type(value.value) in kinds:
        return Typed(kinds[type(value.value)], value.value)
    return UNKNOWN


def _property(em: Emitter, owner: ModuleValue, facts: ClassFacts, function: object, name: str) -> Value:
    from tslint.project.definitions import Function

    assert isinstance(function, Function)
    if name in facts.unused_properties or exemption(function, em.project):
        return UNKNOWN
    if function.node.returns is not None:
        reader = _reader(em, function)
        found = reader.read(function.node.returns)
        return Typed(found) if isinstance(found, Type) else UNKNOWN
    _, returned = em.model.reach(function, owner.instance.definition, "property", em.unit, function.node, em.atoms)
    return Typed(returned) if returned is not None else UNKNOWN


def _reader(em: Emitter, function: object) -> AnnotationReader:
    from tslint.project.definitions import Function

    assert isinstance(function, Function)
    module = function.module
    return AnnotationReader(lambda node: em.project.resolve_expression(module, node), em.class_type)


def _external_attribute(owner: ModuleValue, name: str) -> Value:
    return externals.module_attribute(owner.instance, name)


def convert(em: Emitter, facts: ClassFacts, name: str, attribute: Attribute, path: str) -> Value:
    """What the compiler makes of an attribute's Python value."""
    value = attribute.value
    assert value is not None
    if name in facts.annotations and facts.annotation_owner is not None and not isinstance(value, Instance):
        module = facts.annotation_owner.module
        reader = AnnotationReader(lambda node: em.project.resolve_expression(module, node), em.class_type)
        annotation = facts.annotations[name]
        bare_final = name in facts.constants and not isinstance(annotation, ast.Subscript)
        if not bare_final:
            found = reader.read(annotation)
            if not isinstance(found, Type) or isinstance(found, Unreadable):
                return UNKNOWN
            constant = value.value if isinstance(value, PyConst) and name in facts.constants else NO_CONSTANT
            return Typed(found, constant)
    return convert_value(em, value, path, name in facts.constants, attribute)


def convert_value(em: Emitter, value: PyValue, path: str, constant: bool, attribute: Attribute | None = None) -> Value:
    """What the compiler makes of a Python value that an attribute holds."""
    node = attribute.node if attribute is not None else None
    if isinstance(value, PyConst):
        kinds: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STRING, type(None): NONE}
        type_ = kinds.get(type(value.value))
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
    if isinstance(value, PyParameter):
        if isinstance(value.annotation, ast.Name) and value.annotation.id in ("int", "bool", "str"):
            return Typed(_KINDS[value.annotation.id])
        return UNKNOWN
    if isinstance(value, PySequence):
        return _sequence(em, value, path, constant, node)
    if isinstance(value, PyDict):
        return _dict(em, value, path, node)
    if isinstance(value, PyFunction):
        if value.function is None:
            return Missing("inconvertible", "function", node)
        if value.bound:
            return Missing("inconvertible", "method", node)
        return FunctionValue(value.function)
    if isinstance(value, PyExternal):
        entry = externals.known(value.name)
        if isinstance(entry, Constant):
            return externals.constant_value(entry)  # an attribute holds the value: a dtype is an int there
        return (
            ExternalValue(value.name)
            if value.name.startswith("torch.") and value.name.rpartition(".")[2].islower()
            else UNKNOWN
        )
    if isinstance(value, Instance):
        return instance_value(em, value, path)
    return UNKNOWN


def instance_value(em: Emitter, instance: Instance, path: str) -> Value:
    """A module instance as a value: a container, or a module."""
    if instance.definition is not None:
        if not em.model.is_module(instance.definition):
            if em.model.class_kind(instance.definition) == "enum":
                made = class_type(em.model, instance.definition)
                return Typed(made) if isinstance(made, ClassType) else UNKNOWN
            return UNKNOWN
        return ModuleValue(instance, path)
    last = instance.external.rpartition(".")[2]
    if last in CONTAINERS:
        items = None
        if instance.items is not None:
            items = tuple(convert_value(em, item, f"{path}[{i}]", False) for i, item in enumerate(instance.items))
        element = convert_value(em, instance.element, f"{path}[…]", False) if instance.element is not None else UNKNOWN
        if isinstance(element, Missing):
            element = UNKNOWN
        if items is not None and any(isinstance(item, Missing) for item in items):
            items = tuple(UNKNOWN if isinstance(item, Missing) else item for item in items)
        return ContainerValue(last, items, instance.keys, element, path)
    if is_torch_module(instance.external):
        return ModuleValue(instance, path)
    return UNKNOWN


def _is_module_value(em: Emitter, value: PyValue) -> bool:
    if not isinstance(value, Instance):
        return False
    if value.definition is not None:
        return em.model.is_module(value.definition)
    return is_torch_module(value.external)


def _sequence(em: Emitter, value: PySequence, path: str, constant: bool, node: ast.AST | None) -> Value:
    if value.kind == "set":
        return Missing("inconvertible", "set", node)
    everything = value.items if value.items is not None else (value.element,)
    if any(_is_module_value(em, item) for item in everything):
        return Missing("inconvertible", f"{value.kind} of modules", node)
    if value.items is None:
        return UNKNOWN
    if not value.items:
        return Missing("inconvertible", value.kind, node) if value.kind == "list" and not constant else UNKNOWN
    parts = [convert_value(em, item, path, False) for item in value.items]
    if any(isinstance(part, Missing) for part in parts):
        return Missing("inconvertible", value.kind, node)
    types = [first_class(part) for part in parts]
    if any(type_ is None for type_ in types):
        return UNKNOWN
    known = [type_ for type_ in types if type_ is not None]
    if value.kind == "tuple" or constant:
        return Typed(TupleType(tuple(known)))
    if all(type_ == known[0] for type_ in known):
        return Typed(ListType(known[0]))
    if NONE in known or any(isinstance(type_, TensorType) for type_ in known):
        return UNKNOWN
    return Missing("inconvertible", value.kind, node)


def _dict(em: Emitter, value: PyDict, path: str, node: ast.AST | None) -> Value:
    if value.items is None:
        return UNKNOWN
    if not value.items:
        return Missing("inconvertible", value.kind, node)
    if any(_is_module_value(em, item) for _, item in value.items):
        return Missing("inconvertible", "dict of modules", node)
    keys = [first_class(convert_value(em, key, path, False)) for key, _ in value.items]
    values = [first_class(convert_value(em, item, path, False)) for _, item in value.items]
    if all(k is not None and k == keys[0] for k in keys) and all(v is not None and v == values[0] for v in values):
        assert keys[0] is not None and values[0] is not None
        return Typed(DictType(keys[0], values[0]))
    return UNKNOWN


def is_absent_property(em: Emitter, definition: Class, name: str) -> bool:
    """Whether a name is a property alone: ``hasattr`` does not see those."""
    facts = em.model.facts(definition)
    member = facts.hierarchy.members.get(name)
    return (
        member is not None
        and member.function is not None
        and name not in facts.attributes
        and is_property(member.function, em.project)
    )


def has_attribute(em: Emitter, owner: ModuleValue, name: str) -> bool | tuple[Atoms, Atoms] | None:
    """``hasattr(module, 'name')`` as the compiler decides it; None where the model cannot tell."""
    definition = owner.instance.definition
    if definition is not None and is_absent_property(em, definition, name):
        return False
    value = lookup(em, owner, name)
    if isinstance(value, FunctionValue) and isinstance(value.receiver, ModuleValue) and definition is not None:
        # The compiler answers by making the attribute, and to make a method is to compile it.
        em.model.reach(value.function, definition, "method", em.unit, value.function.node, em.atoms)
        return True
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Missing):
        return False if value.why in ("absent", "class-variable", "inconvertible") else None
    if isinstance(value, Alternatives):
        there = [atoms for atoms, option in value.cases if not isinstance(option, Missing)]
        absent = [atoms for atoms, option in value.cases if isinstance(option, Missing)]
        if not absent:
            return True
        common_there, common_absent = there[0], absent[0]
        for atoms in there:
            common_there &= atoms
        for atoms in absent:
            common_absent &= atoms
        return (common_there - em.atoms, common_absent - em.atoms)
    return True


def set_module_attribute(em: Emitter, owner: ModuleValue, target: ast.Attribute, value: Value, node: ast.AST) -> None:
    """``self.name = value`` in compiled code: the attribute must exist, and hold that very type."""
    definition = owner.instance.definition
    if definition is None or owner.path != "self":
        return
    facts = em.model.facts(definition)
    name = target.attr
    held = lookup(em, owner, name)
    _check_set(em, held, target, value, node, name in facts.constants)
    if not facts.attributes.get(name):
        em.missing.add(name)


def _check_set(em: Emitter, held: Value, target: ast.Attribute, value: Value, node: ast.AST, constant: bool) -> None:
    if isinstance(held, Alternatives):

        def look(option: Value) -> Value:
            _check_set(em, option, target, value, node, constant)
            return option

        em.each(held, look)
        return
    if isinstance(held, (Missing, Unknown)) and not constant:
        if isinstance(held, Unknown):
            return
    if isinstance(held, Missing) or constant:
        em.report(
            "set-missing-attribute",
            _assignment(target, node),
            f"Tried to set nonexistent attribute: {target.attr}. Did you forget to initialize it in __init__()?",
            attribute=target.attr,
            owner=ast.unparse(target.value),
            definition=None,
            why=getattr(held, "why", "constant"),
            detail=getattr(held, "detail", ""),
            target=target,
            given=first_class(value),
            **_class_words(em, em.unit.receiver),
        )
        return
    if isinstance(held, (ModuleValue, ContainerValue)):
        type_ = em.type_of(held, target)
        held = held if type_ is None or isinstance(first_class(value), ClassType) else Typed(type_)
    if isinstance(value, Alternatives) or not isinstance(held, Typed):
        return
    actual = first_class(value)
    if actual is None or (isinstance(value, Typed) and value.empty):
        return
    if not is_subtype(actual, held.type):
        em.report(
            "attribute-retyped",
            _assignment(target, node),
            f"Wrong type for attribute assignment. Expected {held.type} but got {actual}",
            attribute=target.attr,
            expected=str(held.type),
            actual=str(actual),
            target=target,
            held=held.type,
            given=actual,
            **_class_words(em, em.unit.receiver),
        )
        em.missing.add(target.attr)


def _assignment(target: ast.Attribute, node: ast.AST) -> ast.AST:
    """What the compiler underlines of an assignment to an attribute: the statement, or what is unpacked."""
    own = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if any(target is candidate for candidate in own):
        return node
    return node.value if isinstance(node, ast.Assign) else node
