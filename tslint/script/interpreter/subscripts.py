"""Emits subscripts (``emitSubscript``, ``emitBasicGather``, ``emitTupleIndex``; ModuleList and ModuleDict indices)."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class
from tslint.script.attributes import Instance, PyConst
from tslint.script.events.modules import (
    AttributeCast,
    ContainerIndex,
    ContainerKey,
    ContainerMissingKey,
    ContainerRange,
    ContainerSlice,
)
from tslint.script.events.types import NotSubscriptable, TupleIndex, TupleIndexRange
from tslint.script.interpreter import observers
from tslint.script.interpreter.emitter import Emitter, emits
from tslint.script.interpreter.magic_methods import is_object, magic
from tslint.script.interpreter.operators import operator_type
from tslint.script.interpreter.tensor_indices import cut, index_value, indices, tensor_item
from tslint.script.interpreter.value_kinds import as_typed, first_class_module
from tslint.script.operators import Arg
from tslint.script.project_classes import satisfies
from tslint.script.types import (
    ANY,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STRING,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    Simple,
    TensorType,
    TupleType,
    Type,
    UnionType,
    has_unknowns,
)
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ModuleValue,
    SliceValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)
from tslint.util import astwalk


@emits(ast.Subscript)
def emit_subscript(em: Emitter, node: ast.Subscript, hint: Type | None) -> Value:
    """Emit ``value[index]``."""
    hint = em.hint
    owner = em.expression(node.value)
    em.hint = hint
    return subscript(em, owner, node)


def subscript(em: Emitter, owner: Value, node: ast.Subscript) -> Value:
    """Return a value's item or slice."""
    if isinstance(owner, Alternatives):
        return em.map_alternatives(owner, lambda option: subscript(em, option, node))
    if isinstance(owner, ContainerValue):
        return _container(em, owner, node)
    if isinstance(owner, TupleValue):
        return _tuple(em, list(owner.elements), node)
    if isinstance(owner, Typed):
        return _typed(em, owner.type, node)
    if isinstance(owner, ModuleValue):
        indices(em, node.slice)
        return UNKNOWN
    if not isinstance(owner, Unknown):
        em.type_of(owner, node.value)
    indices(em, node.slice)
    return UNKNOWN


def _several_indices(em: Emitter, node: ast.Subscript, type_: Type) -> Value:
    indices(em, node.slice)
    said = "Unsupported operation: attempted to use multidimensional indexing on a non-tensor type"
    return em.report(NotSubscriptable(node, said, type=type_, many=True))


def constant_integer(value: Value) -> int | None:
    """Return the integer of a value, if the compiler knows it at compile time; otherwise None."""
    if isinstance(value, Typed) and value.type == INT and value.is_constant:
        return int(value.constant)
    return None


def _container(em: Emitter, owner: ContainerValue, node: ast.Subscript) -> Value:
    hint = em.hint  # with an interface as annotation, modules may be accessed by any index
    if isinstance(node.slice, ast.Slice):
        return _slice(em, owner, node, node.slice)
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
        return _several_indices(em, node, ANY_LIST)
    return _contained(em, owner, node, em.expression(node.slice), hint)


def _contained(em: Emitter, owner: ContainerValue, node: ast.Subscript, index: Value, hint: Type | None) -> Value:
    if isinstance(index, Alternatives) and not isinstance(node.slice, ast.BinOp):
        return em.map_alternatives(index, lambda option: _contained(em, owner, node, option, hint))
    if owner.kind in ("ModuleDict", "ParameterDict"):
        return _module_dict(em, owner, index, node)
    if isinstance(index, Unknown) and not isinstance(node.slice, ast.BinOp) and not _is_variable(em, node.slice):
        return owner.element
    if owner.kind == "ParameterList" and constant_integer(index) is not None:
        return owner.element
    # A computed index is not a literal, whatever it is computed from.
    position = constant_integer(index)
    if isinstance(hint, ClassType) and hint.kind == "interface":
        _check_interface(em, owner, hint, node)
        return Typed(hint)
    if position is None:
        em.report(
            ContainerIndex(
                node,
                "Expected integer literal for index but got a variable or non-integer. ModuleList/Sequential indexing"
                " is only supported with integer literals. For example, 'i = 4; self.layers[i](x)' will fail because i"
                " is not a literal. Enumeration is supported, e.g. 'for index, v in enumerate(self): out = v(inp)'",
                container=owner.kind,
                path=owner.path,
                index=node.slice,
                containers=own_containers(em),
            )
        )
        return owner.element
    if owner.items is None:
        return owner.element
    if not -len(owner.items) <= position < len(owner.items):
        em.report(
            ContainerRange(
                node,
                f"Index {position} out of range of length {len(owner.items)}",
                container=owner.kind,
                path=owner.path,
                length=len(owner.items),
            )
        )
        return UNKNOWN
    observers.container_index.tell(em, node, owner, position)
    return owner.items[position]


def _is_variable(em: Emitter, index: ast.expr) -> bool:
    """Return whether an index is an attribute of ``self`` that the constructor sets, and that is not declared constant:
    for the compiler, it is never a literal.
    """
    if not isinstance(index, ast.Attribute) or em.unit.receiver is None or not em.unit.function.node.args.args:
        return False
    facts = em.model.facts(em.unit.receiver)
    own = astwalk.is_name(index.value, em.unit.function.node.args.args[0].arg)
    return own and index.attr in facts.attributes and index.attr not in facts.constants


def _check_interface(em: Emitter, owner: ContainerValue, hint: ClassType, node: ast.Subscript) -> None:
    """Report the first module in a container that does not implement the interface that annotates the item."""
    for position, item in enumerate(owner.items or ()):
        made = item.instance.definition if isinstance(item, ModuleValue) else None
        if made is None or not isinstance(hint.definition, Class):
            return
        if not satisfies(em.model, made, hint.definition):
            said = f"Attribute {position} is not of annotated type {hint}"
            name = f"{owner.path}[{position}]"
            em.report(AttributeCast(node, said, attribute=name, spelled=made.name, wanted=hint))
            return


def own_containers(em: Emitter) -> frozenset[str]:
    """Return the attributes of ``self`` that are lists of modules or parameters in every construction that sets them
    to anything but None.
    """
    if em.unit.receiver is None:
        return frozenset()
    kinds = ("ModuleList", "Sequential", "ParameterList")
    attributes = em.model.facts(em.unit.receiver).attributes
    found = set()
    for name, options in attributes.items():
        values = [each.value for each in options if each.value not in (None, PyConst(None))]
        if values and all(isinstance(v, Instance) and v.external.rpartition(".")[2] in kinds for v in values):
            found.add(f"self.{name}")
    return frozenset(found)


def _slice(em: Emitter, owner: ContainerValue, node: ast.Subscript, cut: ast.Slice) -> Value:
    """Return a slice: a tuple of the modules, which can be iterated and whose items have members, but
    cannot be called.
    """
    bounds = [None if part is None else em.expression(part) for part in (cut.lower, cut.upper, cut.step)]
    for part, bound in zip((cut.lower, cut.upper, cut.step), bounds):
        if part is None or not isinstance(bound, Typed) or bound.type not in (INT, FLOAT, BOOL):
            continue
        if constant_integer(bound) is None:
            em.report(
                ContainerSlice(
                    node.value,
                    "tuple slice indices must be integer constants",
                    container=owner.kind,
                    path=owner.path,
                    subscript=node,
                    bound=part,
                )
            )
            return UNKNOWN
    if owner.kind == "ParameterList":
        said = "Only ModuleList or Sequential modules can be used as tuple"
        return em.report(ContainerSlice(node.value, said, container=owner.kind, path=owner.path, subscript=node))
    element = first_class_module(owner.element)
    if owner.items is not None and all(bound is None or constant_integer(bound) is not None for bound in bounds):
        chosen = slice(*(None if bound is None else constant_integer(bound) for bound in bounds))
        try:
            return TupleValue(tuple(first_class_module(item) for item in owner.items[chosen]))
        except ValueError:
            return UNKNOWN
    return ContainerValue("slice", None, None, element, owner.path)


def _module_dict(em: Emitter, owner: ContainerValue, index: Value, node: ast.Subscript) -> Value:
    if isinstance(index, (Unknown, Alternatives)):  # a sum of alternatives
        return owner.element
    if not (isinstance(index, Typed) and index.type == STRING and index.is_constant):
        em.report(
            ContainerKey(
                node,
                "Unable to extract string literal index. ModuleDict indexing is only supported with string literals."
                " For example, 'i = \"a\"; self.layers[i](x)' will fail because i is not a literal.",
                container=owner.kind,
                path=owner.path,
                index=node.slice,
            )
        )
        return owner.element

    def stored(option: Value) -> Value:
        if not isinstance(option, Typed) or option.type != NONE:  # a dict has no key for None
            return option
        said = f"Key Error, {index.constant}"
        return em.report(ContainerMissingKey(node, said, path=owner.path, key=str(index.constant), keys=owner.keys))

    found = owner.element
    if owner.keys is not None and index.constant not in owner.keys:
        found = Typed(NONE)
    elif owner.keys is not None and owner.items is not None:
        found = owner.items[owner.keys.index(index.constant)]
    for key, tests in owner.added:
        if key == index.constant:
            without = frozenset(each.negated() for each in tests)
            found = Alternatives(((without, Typed(NONE)), (tests, found)))
    return em.map_alternatives(found, stored) if isinstance(found, Alternatives) else stored(found)


def _tuple(em: Emitter, elements: list[Value], node: ast.Subscript) -> Value:
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
        return _several_indices(em, node, ANY_TUPLE)
    if isinstance(node.slice, ast.Slice):
        return _tuple_slice(em, elements, node, node.slice)
    return _element(em, elements, node, index_value(em, node.slice))


def _element(em: Emitter, elements: list[Value], node: ast.Subscript, index: Value) -> Value:
    if isinstance(index, Alternatives):
        return em.map_alternatives(index, lambda option: _element(em, elements, node, option))
    position = constant_integer(index)
    if position is None:
        return _computed_tuple_index(em, elements, node, index)
    if not -len(elements) <= position < len(elements):
        return em.report(
            TupleIndexRange(
                node,
                f"Tuple index out of range. Tuple is length {len(elements)} and index is {position}",
                length=len(elements),
                position=position,
            )
        )
    return elements[position]


def _tuple_slice(em: Emitter, elements: list[Value], node: ast.Subscript, cut: ast.Slice) -> Value:
    bounds = [None if part is None else index_value(em, part) for part in (cut.lower, cut.upper, cut.step)]
    if all(b is None or constant_integer(b) is not None for b in bounds):
        try:
            return TupleValue(tuple(elements[slice(*(None if b is None else constant_integer(b) for b in bounds))]))
        except ValueError:
            return UNKNOWN
    if any(isinstance(b, Typed) and b.type != NONE and constant_integer(b) is None for b in bounds):
        said = "tuple slice indices must be integer constants"
        return em.report(TupleIndex(node, said))
    return UNKNOWN


def _computed_tuple_index(em: Emitter, elements: list[Value], node: ast.Subscript, index: Value) -> Value:
    """Return the item for an index that is not a constant: TorchScript accepts an int if all elements have one type."""
    type_ = index.type if isinstance(index, Typed) else None
    if type_ in (FLOAT, STRING, BOOL) or isinstance(type_, (TensorType, ListType, DictType)):
        said = "tuple index must be an integer"
        return em.report(TupleIndex(node, said, type=type_))
    if type_ != INT or not elements:
        return UNKNOWN
    first = elements[0]
    if all(element == first for element in elements):
        return first
    if isinstance(first, Typed) and all(isinstance(e, Typed) and e.type == first.type for e in elements):
        return Typed(first.type)
    if any(isinstance(element, (Unknown, Alternatives)) for element in elements):
        return UNKNOWN
    tuple_type = em.type_of(TupleValue(tuple(elements)), node.value) or "tuple"
    said = f"Cannot index into a {tuple_type} with a non-integer literal because we cannot resolve the output type"
    return em.report(TupleIndex(node, said))


def _typed(em: Emitter, type_: Type, node: ast.Subscript) -> Value:
    if isinstance(type_, TensorType):
        return tensor_item(em, node)
    if isinstance(type_, TupleType):
        return _tuple(em, [as_typed(element) for element in type_.elements], node)
    if isinstance(node.slice, ast.Slice) and (isinstance(type_, (ListType, DictType)) or type_ == STRING):
        return cut(em, type_, node, node.slice)
    keys = indices(em, node.slice)
    if isinstance(type_, (ListType, DictType)) or type_ == STRING:
        return _item(em, type_, node, keys)
    if is_object(type_):
        return magic(em, type_, "__getitem__", node, node.value)
    plain = (INT, FLOAT, BOOL, COMPLEX, Simple("NoneType"), ANY, Simple("list"), Simple("tuple"))
    if isinstance(type_, (OptionalType, UnionType)) or type_ in plain:
        em.report(NotSubscriptable(node, f"'{type_}' object is not subscriptable", type=type_))
    # Go on as if an `assert` before this line excluded None.
    return subscript(em, Typed(type_.element), node) if isinstance(type_, OptionalType) else UNKNOWN


def _item(em: Emitter, type_: Type, node: ast.Subscript, keys: list[Value]) -> Value:
    """Emit ``aten::__getitem__``: the item of a list or string by an int, or of a dict by a key."""
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
        said = "Unsupported operation: attempted to use multidimensional indexing on a non-tensor type"
        return em.report(NotSubscriptable(node, said, type=type_, many=True))
    held: Type = STRING
    if isinstance(type_, (ListType, DictType)):
        held = type_.element if isinstance(type_, ListType) else type_.value
    if keys and isinstance(keys[0], SliceValue):
        return Typed(type_)
    if len(keys) != 1 or isinstance(node.slice, ast.Tuple) or has_unknowns(type_):
        return as_typed(held)

    def item(index: Value) -> Value:
        if isinstance(index, (Typed, TupleValue)):
            key = em.type_of(index, node.slice)
            if key is not None and not has_unknowns(key):
                found = operator_type(em, node, "aten::__getitem__", [Arg(type_), Arg(key)], "[]")
                return Typed(held) if isinstance(found, Typed) else UNKNOWN
        return Typed(held)

    return em.map_alternatives(keys[0], item) if isinstance(keys[0], Alternatives) else item(keys[0])
