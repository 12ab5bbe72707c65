"""Words for an argument of the wrong type: the accepted types, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from tslint.rewrite.compiled_form import as_float
from tslint.rewrite.numbers_by_name import numbers_by_name
from tslint.rewrite.type_reasons import first_unannotated, not_annotated, unannotated, without_none
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.template import code
from tslint.rulekit.wording import a, said, short
from tslint.script.events.calls import OperatorMismatch
from tslint.script.operators.diagnosis import Diagnosis
from tslint.script.operators.reasons import VARIADIC
from tslint.script.types import (
    ANY,
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
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
from tslint.util.record import record

# Parameters whose type is int for the compiler, but not in Python.
_ENUMERATIONS = {"dtype": "torch.dtype", "layout": "torch.layout", "memory_format": "torch.memory_format"}
_TENSORS = ListType(TENSOR)
_MOST_TYPES = 4
# What to write instead of a builtin function that gets a list of tensors.
_OF_TENSORS = (
    (m.Call(m.Name("sum")), "Add the tensors up with `torch.stack(…).sum(0)`, or in a loop."),
    (m.Call(m.Name("all") | m.Name("any")), "Write `bool(…)` around each element."),
)


def wanted_types(found: Diagnosis) -> str:
    """Return the accepted types in words, ``an int or a List[int]``; without None, unless the argument may be None. For
    a list or tuple, only lists count, if there are any.
    """
    optional = may_be_none(found.actual)
    accepted = list(dict.fromkeys(type_ if optional else optional_element(type_) or type_ for type_ in found.expected))
    lists: list[Type] = [type_ for type_ in accepted if isinstance(type_, ListType)]
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


def wrong_element(found: Diagnosis, argument: cst.CSTNode | None) -> tuple[cst.BaseExpression, Type, Type] | None:
    """Return the first element of a tuple with a wrong type, that type, and the one that is needed; None for other
    arguments.
    """
    types, expected = tuple_elements(found.actual), found.expected[0]
    if not isinstance(argument, cst.Tuple) or not types or len(argument.elements) != len(types):
        return None
    element = expected.element if isinstance(expected, ListType) else None
    if found.parameter == VARIADIC:
        element = expected
    elif any(each == INT or holds(each, ListType(INT)) for each in found.expected):
        element = INT
    needed = tuple_elements(expected) if element is None else (element,) * len(types)
    if len(needed) != len(types) or any(isinstance(each, cst.StarredElement) for each in argument.elements):
        return None
    every = zip((each.value for each in argument.elements), types, needed)
    return next((each for each in every if each[1] not in (ANYTHING, each[2])), None)


def element_instead(match: Match, node: cst.BaseExpression, type_: Type, needed: Type) -> str:
    """Return what to write instead of an element of a tuple with a wrong type."""
    param = first_unannotated(match, node) if type_ == TENSOR else None
    if param is not None and not m.findall(node, m.Call()):
        return not_annotated(param, ListType(needed) if m.matches(node, m.Subscript(m.Name())) else needed)
    if may_be_none(type_):
        return without_none(match, node, type_)
    if (type_, needed) == (INT, FLOAT):
        return f"Write `{code(as_float(node))}`."
    if needed in (INT, FLOAT):
        powers = "; `int ** int`, `/` and `round` give a float in TorchScript" if type_ == FLOAT else ""
        return f"Write `{needed}(…)` around {match.quote(node)}{powers}."
    if needed == TENSOR and type_ in (INT, FLOAT, BOOL):
        return f"Write {short(f'torch.tensor({match.code(node)})')}."
    return f"Write {a(needed)} instead of {match.quote(node)}."


def advice(match: Match, found: Diagnosis, argument: cst.CSTNode | None) -> str:
    """Return what to write instead of an argument of the wrong type."""
    passed = _Passed(match, found, argument)
    given = (each(passed) for each in _ADVICE)
    return next((text for text in given if text is not None), None) or _other_value(passed)


@record
class _Passed:
    """An argument of the wrong type.

    Attributes:
        match: the call.
        found: why no overload fits.
        argument: the argument; None if the call has none.
    """

    match: Match
    found: Diagnosis
    argument: cst.CSTNode | None

    @property
    def actual(self) -> Type:
        """Return its type."""
        return self.found.actual

    @property
    def expected(self) -> Type:
        """Return the type that the first overload needs."""
        return self.found.expected[0]

    @property
    def name(self) -> str:
        """Return the variable or attribute that is passed; an empty text for another expression."""
        named = self.argument if isinstance(self.argument, (cst.Name, cst.Attribute)) else None
        return self.match.code(named) if named is not None else ""

    @property
    def lists_tensors(self) -> bool:
        """Return whether it is written as a list or tuple with a tensor among its elements."""
        return isinstance(self.argument, (cst.List, cst.Tuple)) and holds(self.actual, TENSOR)

    @property
    def variadic(self) -> bool:
        """Return whether it is one of ``*sizes``."""
        return self.found.parameter == VARIADIC


def _tensor_for_tensors(passed: _Passed) -> str | None:
    if passed.expected != _TENSORS or passed.actual != TENSOR:
        return None
    x = passed.name or "x"
    return f"Pass a list of tensors: `[{x}]` for the tensor itself, or `{x}.unbind(0)` for its rows."


def _number_for_tensor(passed: _Passed) -> str | None:
    if numbers_by_name(passed.match) is not None:
        return "Pass the numbers after the tensors, as keyword arguments."
    if passed.expected != TENSOR or passed.actual not in (INT, FLOAT, BOOL):
        return None
    number = passed.match.quote(passed.argument).strip("`") if passed.argument is not None else "…"
    return f"Write `torch.tensor({number})`. To compute with a plain number, use `math` or operators."


def _tensors(passed: _Passed) -> str | None:
    if passed.actual == _TENSORS:
        called = next((text for each, text in _OF_TENSORS if m.matches(passed.match.node, each)), None)
        if called is not None:
            return called
    if passed.expected != TENSOR or (passed.actual != _TENSORS and TENSOR not in tuple_elements(passed.actual)):
        return None
    whole = "tuple" if isinstance(passed.actual, TupleType) else "list"
    return f"Pass one tensor of the {whole}, or join them with `torch.stack` or `torch.cat`."


def _empty_list(passed: _Passed) -> str | None:
    if not passed.found.empty_list or passed.actual != _TENSORS or passed.lists_tensors:
        return None
    type_ = next((each for each in members(passed.expected) if isinstance(each, ListType)), passed.expected)
    written = f"`{passed.name if passed.name.isidentifier() else 'name'}: {said(type_)} = []`"
    return f"Annotate the empty list where it is created, {written}: without an annotation, it is a List[Tensor]."


def _number_of_unknown_type(passed: _Passed) -> str | None:
    if isinstance(passed.actual, ListType) and passed.actual.element == NUMBER:
        return "Write `float(…)` or `int(…)` instead of `….item()`, whose type TorchScript does not know."
    return None


def _float_for_int(passed: _Passed) -> str | None:
    counted = passed.actual == FLOAT and INT in passed.found.expected and passed.found.parameter not in _ENUMERATIONS
    if not counted and not is_float_for_int(passed.match, passed.found):
        return None
    quoted = passed.match.quote(passed.argument) if passed.argument is not None else "the argument"
    return f"Write `int(…)` around {quoted}; `int ** int`, `/` and `round` give a float in TorchScript."


def _operand_without_annotation(passed: _Passed) -> str | None:
    computed = passed.actual == TENSOR and isinstance(passed.argument, cst.BinaryOperation)
    if not passed.lists_tensors and not computed:
        return None
    first = first_unannotated(passed.match, passed.argument)
    if first is None:
        return None
    wanted = only_type(passed.found)
    return not_annotated(first, wanted.element if passed.lists_tensors and isinstance(wanted, ListType) else wanted)


def _optional_elements(passed: _Passed) -> str | None:
    if passed.expected == _TENSORS and passed.actual == ListType(OptionalType(TENSOR)):
        return "Test each element for None before you put it into the list."
    return None


def _mixed_elements(passed: _Passed) -> str | None:
    element = passed.actual.element if isinstance(passed.actual, ListType) else None
    if not isinstance(element, UnionType):
        return None
    if passed.expected == ListType(INT) and FLOAT in element.order:
        return "Write `int(…)` around the floats: in TorchScript, `int ** int`, `/` and `round` give a float."
    if passed.expected != _TENSORS:
        return None
    other = next((each for each in element.order if each != TENSOR), None)
    return f"Every element must be a Tensor, but one is {a(other)}." if other is not None else None


def _text_without_annotation(passed: _Passed) -> str | None:
    owner = _text(passed.match)
    if owner is None or (passed.actual != STRING and not passed.variadic):
        return None
    return not_annotated(owner, STRING if passed.actual == STRING else None)


def _ints_for_floats(passed: _Passed) -> str | None:
    displayed = isinstance(passed.argument, (cst.List, cst.Tuple))
    if displayed and holds(passed.actual, INT) and holds(passed.expected, ListType(FLOAT)):
        return "Write `float(…)` around each element that is an int."
    return None


def _elements_that_are_no_int(passed: _Passed) -> str | None:
    if passed.lists_tensors and passed.expected == ListType(INT):
        return "Write `int(…)` around each element that is a Tensor."
    if passed.name and passed.expected == ListType(INT) and TENSOR in tuple_elements(passed.actual):
        return f"Where `{passed.name}` is set, write `int(…)` around each element that is a Tensor."
    if passed.name and passed.actual == TENSOR and only_type(passed.found) == INT:
        return f"Pass an int, such as `int({passed.name})`."
    if passed.variadic and passed.expected == INT and isinstance(passed.actual, (ListType, TupleType)):
        return "Write `int(…)` around each element that is not an int."
    return None


def _any(passed: _Passed) -> str | None:
    if passed.actual != ANY:
        return None
    return "Annotate the variable or parameter that the value comes from with its type."


_ADVICE: tuple[Callable[[_Passed], str | None], ...] = (
    _tensor_for_tensors,
    _float_for_int,
    _number_for_tensor,
    _tensors,
    _empty_list,
    _number_of_unknown_type,
    _operand_without_annotation,
    _optional_elements,
    _mixed_elements,
    _text_without_annotation,
    _ints_for_floats,
    _elements_that_are_no_int,
    _any,
)


def _other_value(passed: _Passed) -> str:
    """Return the advice to pass a value of an accepted type."""
    match, found, actual = passed.match, passed.found, passed.actual
    # Whether None is accepted, too, does not help here.
    plain = optional_element(passed.expected) or passed.expected
    several = len(found.expected) > 1 or found.reasons[0].broadcasts
    accepted = wanted_types(found) if several else f"{'a value of type ' if str(plain).endswith(']') else ''}{a(plain)}"
    if isinstance(actual, UnionType):
        shown = match.quote(passed.argument) if passed.argument is not None else "the value"
        return f"Test the type of {shown} first, with `torch.jit.isinstance`, and pass only {accepted}."
    if m.matches(match.node, m.Call(func=m.Attribute())) and found.parameter == "self":
        if isinstance(match.node, cst.Call) and getattr(match.node.func, "value", None) is passed.argument:
            return f"Call the method on {accepted}, or write what it does with other operations."
    if said(actual) in ("list", "dict", "tuple"):
        return f"Annotate the types of its elements, so that it is {accepted}."
    return f"Pass {accepted}{' for each of them' if passed.variadic else ''}."


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
