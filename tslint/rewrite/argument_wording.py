"""Words for an argument of the wrong type: the accepted types, and what to write instead."""

from __future__ import annotations

import libcst as cst

from tslint.rewrite.numbers_by_name import numbers_by_name
from tslint.rewrite.type_reasons import first_unannotated, not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.wording import a, said
from tslint.script.events.calls import OperatorMismatch
from tslint.script.operators.diagnosis import Diagnosis
from tslint.script.operators.reasons import VARIADIC
from tslint.script.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    holds,
    may_be_none,
    members,
    optional_element,
    tuple_elements,
)

# Parameters whose type is int for the compiler, but not in Python.
_ENUMERATIONS = {"dtype": "torch.dtype", "layout": "torch.layout", "memory_format": "torch.memory_format"}
_TENSORS = ListType(TENSOR)
_MOST_TYPES = 4
# What to write instead of a builtin function that gets a list of tensors.
_OF_TENSORS = {
    m.Call(m.Name("sum")): "Add the tensors up with `torch.stack(…).sum(0)`, or in a loop.",
    m.Call(m.Name("all") | m.Name("any")): "Write `bool(…)` around each element.",
}


def wanted_types(found: Diagnosis) -> str:
    """Return the accepted types in words, ``an int or a List[int]``; without None, unless the argument may be None. For
    a list or tuple, only lists count, if there are any.
    """
    optional = may_be_none(found.actual)
    accepted = list(dict.fromkeys(type_ if optional else optional_element(type_) or type_ for type_ in found.expected))
    lists = [type_ for type_ in accepted if isinstance(type_, ListType)]
    listed = len(lists) == 1 and isinstance(found.actual, (ListType, TupleType))
    accepted = lists if listed else accepted
    types = [a(type_) for type_ in accepted]
    if found.reasons[0].broadcasts and not listed:
        types.insert(0, "an int")
    for kind, word in ((DictType, "Dict"), (ListType, "List")):
        if len(types) == len(accepted) > 1 and all(isinstance(type_, kind) for type_ in accepted):
            return f"a {word}"
    known = _ENUMERATIONS.get(found.parameter)
    if known is not None and any(holds(type_, INT) for type_ in accepted):
        types = [f"a {known}"]
    if "a number" in types:
        types = [each for each in types if each not in ("an int", "a float")]
    types = list(dict.fromkeys(types))
    *others, last = types if len(types) <= _MOST_TYPES else [*types[: _MOST_TYPES - 1], "others"]
    return f"{', '.join(others)} or {last}" if others else last


def only_type(found: Diagnosis) -> Type | None:
    """Return the type that the argument needs; int if it needs a list of ints that one int can replace.

    Return None if several types are accepted, or if the type is an int only for the compiler, as for ``dtype``.
    """
    if found.reasons[0].broadcasts:
        return INT
    return found.expected[0] if len(found.expected) == 1 and found.parameter not in _ENUMERATIONS else None


def advice(match: Match, found: Diagnosis, argument: cst.CSTNode | None) -> str:
    """Return what to write instead of an argument of the wrong type."""
    actual, expected = found.actual, found.expected[0]
    listed = isinstance(argument, (cst.List, cst.Tuple)) and holds(actual, TENSOR)
    quoted = match.quote(argument) if argument is not None else "the argument"
    plain_name = isinstance(argument, (cst.Name, cst.Attribute))
    text = match.code(argument) if argument is not None and plain_name else ""
    if expected == _TENSORS and actual == TENSOR:
        x = text or "x"
        return f"Pass a list of tensors: `[{x}]` for the tensor itself, or `{x}.unbind(0)` for its rows."
    if numbers_by_name(match) is not None:
        return "Pass the numbers after the tensors, as keyword arguments."
    if expected == TENSOR and actual in (INT, FLOAT, BOOL):
        return "Make it a tensor with `torch.tensor(…)`. To compute with a plain number, use `math` or operators."
    if actual == _TENSORS and (called := next((each for each in _OF_TENSORS if m.matches(match.node, each)), None)):
        return _OF_TENSORS[called]
    if expected == TENSOR and (actual == _TENSORS or TENSOR in tuple_elements(actual)):
        return "Use one of its tensors, or join them with `torch.stack` or `torch.cat`."
    if found.empty_list and actual == _TENSORS and not listed:
        type_ = next((each for each in members(expected) if isinstance(each, ListType)), expected)
        written = f"`{text if text.isidentifier() else 'name'}: {said(type_)} = []`"
        return f"Annotate the empty list where it is created, {written}: without an annotation, it is a List[Tensor]."
    if isinstance(actual, ListType) and actual.element == NUMBER:
        return "Write `float(…)` or `int(…)` instead of `….item()`, whose type TorchScript does not know."
    if is_float_for_int(match, found):
        return f"Write `int(…)` around {quoted}; `int ** int`, `/` and `round` give a float in TorchScript."
    if listed or (actual == TENSOR and isinstance(argument, cst.BinaryOperation)):
        first = first_unannotated(match, argument)
        if first is not None:
            wanted = only_type(found)
            return not_annotated(first, wanted.element if listed and isinstance(wanted, ListType) else wanted)
    if expected == _TENSORS and actual == ListType(OptionalType(TENSOR)):
        return "Test each element for None before you put it into the list."
    if (owner := _text(match)) is not None and (actual == STRING or found.parameter == VARIADIC):
        return not_annotated(owner, STRING if actual == STRING else None)
    if listed and expected == ListType(INT):
        return "Write `int(…)` around each element that is a Tensor."
    if isinstance(argument, cst.Tuple) and NONE in (parts := tuple_elements(actual)):
        written = len(parts) == len(argument.elements)  # no element is starred
        none = match.quote(argument.elements[parts.index(NONE)].value) if written else "One of its elements"
        return f"{none} is None: test it for None first."
    if isinstance(argument, (cst.List, cst.Tuple)) and holds(actual, INT) and holds(expected, ListType(FLOAT)):
        return "Write `float(…)` around each element that is an int."
    if found.parameter == VARIADIC and expected == INT and isinstance(actual, (ListType, TupleType)):
        return "Write `int(…)` around each element that is not an int."
    if actual == ANY:
        return "Annotate the variable or parameter that the value comes from with its type."
    # Whether None is accepted, too, does not help here.
    plain = optional_element(expected) or expected
    several = len(found.expected) > 1 or found.reasons[0].broadcasts
    accepted = wanted_types(found) if several else f"{'a value of type ' if str(plain).endswith(']') else ''}{a(plain)}"
    if isinstance(actual, UnionType):
        return f"Test its type first, with `torch.jit.isinstance`, and pass only {accepted}."
    if m.matches(match.node, m.Call(func=m.Attribute())) and found.parameter == "self":
        if isinstance(match.node, cst.Call) and getattr(match.node.func, "value", None) is argument:
            return f"Call the method on {accepted}, or write what it does with other operations."
    if said(actual) in ("list", "dict", "tuple"):
        return f"Annotate the types of its elements, so that it is {accepted}."
    return f"Pass {accepted}{' for each of them' if found.parameter == VARIADIC else ''}."


def _text(match: Match) -> cst.Param | None:
    """Return the parameter without annotation whose method is called, if strings have a method of that name."""
    func = match.node.func if isinstance(match.node, cst.Call) else None
    named = isinstance(func, cst.Attribute) and hasattr(str, func.attr.value)
    return unannotated(match, func.value) if named and isinstance(func, cst.Attribute) else None


def is_float_for_int(match: Match, found: Diagnosis) -> bool:
    """Return whether a float is passed for an int, for one of ``*sizes``, or for a list of ints that one int can
    replace.
    """
    reason = found.reasons[0]
    enumeration = found.parameter in _ENUMERATIONS or found.parameter.endswith("dtype")
    maybe = isinstance(match.event, OperatorMismatch) and reason.expected == OptionalType(INT)
    whole = ((maybe or reason.expected == INT) and not enumeration) or reason.broadcasts
    return found.actual == FLOAT and (whole or found.parameter == VARIADIC)
