"""Emits literal tuples, lists and dicts, and comprehensions (``emitListComprehension``)."""

from __future__ import annotations

import ast

from tslint.script.events.types import DictKeys, DictKeyType, LiteralElements
from tslint.script.interpreter.arguments import starred_parts
from tslint.script.interpreter.assignment import assign
from tslint.script.interpreter.conditions import emit_condition
from tslint.script.interpreter.emitter import Emitter, emits, spread
from tslint.script.interpreter.iteration import iteration_of
from tslint.script.interpreter.value_kinds import first_class_module
from tslint.script.types import (
    DICT_KEYS,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    Type,
    UnionType,
    has_unknowns,
    is_subtype,
    unify,
)
from tslint.script.values import UNKNOWN, Alternatives, TupleValue, Typed, Value


@emits(ast.Tuple)
def _tuple(em: Emitter, node: ast.Tuple, hint: Type | None) -> Value:
    elements: list[Value] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            inner = em.expression(element.value)
            parts = starred_parts(em, inner, element, "tuple")
            if parts is None:
                return UNKNOWN
            elements += parts
        else:
            elements.append(em.expression(element))
    return TupleValue(tuple(first_class_module(element) for element in elements))


@emits(ast.List)
def _list(em: Emitter, node: ast.List, hint: Type | None) -> Value:
    wanted = _list_hint(hint)
    if not node.elts:
        return Typed(wanted if wanted is not None else ListType(TENSOR), empty=True)
    values: list[tuple[Value, ast.expr]] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            parts = starred_parts(em, em.expression(element.value), element, "list")
            values += [(part, element) for part in ([UNKNOWN] if parts is None else parts)]
        else:
            values.append((em.expression(element, wanted.element if wanted is not None else None), element))

    def of(elements: Value) -> Value:
        assert isinstance(elements, TupleValue)
        types = [em.type_of(part, place) for part, (_, place) in zip(elements.elements, values)]
        return _list_of(em, node, types, wanted)

    whole = spread(em, TupleValue(tuple(value for value, _ in values)))
    return em.map_alternatives(whole, of) if isinstance(whole, Alternatives) else of(whole)


def _list_hint(hint: Type | None) -> ListType | None:
    if isinstance(hint, OptionalType):
        hint = hint.element
    if isinstance(hint, UnionType):
        lists = [member for member in hint.order if isinstance(member, ListType)]
        hint = lists[0] if len(lists) == 1 else None
    return hint if isinstance(hint, ListType) else None


def _list_of(em: Emitter, node: ast.expr, types: list[Type | None], wanted: ListType | None) -> Value:
    if any(type_ is None or has_unknowns(type_) for type_ in types):
        return Typed(wanted) if wanted is not None else UNKNOWN
    known_types = [type_ for type_ in types if type_ is not None]
    if wanted is not None:
        if all(is_subtype(type_, wanted.element) for type_ in known_types):
            return Typed(wanted)
        found: Type | None = known_types[0]
        for type_ in known_types[1:]:
            found = unify(found, type_, default_to_union=True) if found is not None else None
        return _other_elements(em, node, wanted, "elements", found)
    joined: Type | None = known_types[0]
    for type_ in known_types[1:]:
        joined = unify(joined, type_, default_to_union=True) if joined is not None else None
    if joined is None:
        return UNKNOWN
    return Typed(ListType(TENSOR if isinstance(joined, TensorType) else joined))


def _other_elements(em: Emitter, node: ast.expr, wanted: Type, what: str, found: Type | None) -> Value:
    """Report a literal or comprehension whose items do not have the required type."""
    said = "not of one type" if found is None else str(found)
    em.report(
        LiteralElements(
            node,
            f"List type annotation `{wanted}` did not match the types of the given list elements, which were unified to"
            f" {said}"
            if isinstance(wanted, ListType)
            else f"Type annotation was inferred to be `{wanted}`, but the type of {what} given by the dict literal is"
            f" {said}",
            wanted=wanted,
            found=found,
            what=what,
        )
    )
    return Typed(wanted)


@emits(ast.Dict)
def _dict(em: Emitter, node: ast.Dict, hint: Type | None) -> Value:
    wanted = hint.element if isinstance(hint, OptionalType) else hint
    if not isinstance(wanted, DictType):
        wanted = None
    keys = [em.typed_expression(key) for key in node.keys if key is not None]
    values = [em.typed_expression(value, wanted.value if wanted else None) for value in node.values]
    if wanted is not None:
        for what, types, declared in (("keys", keys, wanted.key), ("values", values, wanted.value)):
            sure = [t for t in types if t is not None and not has_unknowns(t)]
            odd = next((t for t in sure if not is_subtype(t, declared)), None)
            if odd is not None and None not in node.keys:
                return _other_elements(em, node, wanted, what, odd)
        return Typed(wanted)
    if not node.keys:
        return Typed(DictType(STRING, TENSOR), empty=True)
    if any(key is None for key in node.keys) or any(t is None or has_unknowns(t) for t in (*keys, *values)):
        return UNKNOWN
    odd = next((key for key in keys if key != keys[0]), None)
    if odd is not None and keys[0] is not None:
        place = node.keys[keys.index(odd)]
        return em.report(
            DictKeys(
                place if place is not None else node,
                f"Dict keys must contain only a single type. Expected: {keys[0]} but found {odd} instead",
                expected=keys[0],
                found=odd,
            )
        )
    key_type, value_type = keys[0], values[0]
    for key in keys[1:]:
        key_type = unify(key_type, key) if key_type is not None and key is not None else None
    for value in values[1:]:
        value_type = (
            unify(value_type, value, default_to_union=True) if value_type is not None and value is not None else None
        )
    if key_type is not None and key_type not in DICT_KEYS:
        return em.report(
            DictKeyType(
                node,
                f"Cannot create dict for key type '{key_type}', only int, float, complex, Tensor, device and string"
                " keys are supported",
                type=key_type,
            )
        )
    if key_type is None or value_type is None:
        return UNKNOWN
    return Typed(DictType(key_type, TENSOR if isinstance(value_type, TensorType) else value_type))


@emits(ast.ListComp, ast.GeneratorExp)
def _comprehension(em: Emitter, node: ast.ListComp | ast.GeneratorExp, hint: Type | None) -> Value:
    if len(node.generators) != 1:
        return UNKNOWN
    generator = node.generators[0]
    iterated = iteration_of(em, generator.iter)
    wanted = _list_hint(hint)
    em.env.push()
    items = iterated.items if iterated.unrolled and iterated.items else [iterated.element]
    types: list[Type | None] = []
    for item in items[:3]:
        assign(em, generator.target, item, generator.iter)
        for test in generator.ifs:
            emit_condition(em, test)
        types.append(em.typed_expression(node.elt, wanted.element if wanted is not None else None))
    em.env.pop()
    return _list_of(em, node, types, wanted)


@emits(ast.DictComp)
def _dict_comprehension(em: Emitter, node: ast.DictComp, hint: Type | None) -> Value:
    if len(node.generators) != 1:
        return UNKNOWN
    em.env.push()
    assign(em, node.generators[0].target, iteration_of(em, node.generators[0].iter).element, node)
    wanted = hint.element if isinstance(hint, OptionalType) else hint
    wanted = wanted if isinstance(wanted, DictType) else None
    key, value = em.typed_expression(node.key), em.typed_expression(node.value, wanted.value if wanted else None)
    em.env.pop()
    if key is None or value is None or has_unknowns(value):
        return UNKNOWN
    if wanted is not None and is_subtype(key, wanted.key) and is_subtype(value, wanted.value):
        return Typed(wanted)
    return Typed(DictType(key, value))
