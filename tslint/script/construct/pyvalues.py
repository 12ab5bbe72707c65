"""Answers small questions about Python values: truth, joins, the cases of a choice."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.attributes import (
    PY_UNKNOWN,
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
    PySequence,
    PyValue,
)
from tslint.script.condition_text import LAMBDA
from tslint.script.construct.narrowing import excludes, is_instance

MOST_CASES = 8


def truth(value: PyValue) -> bool | None:
    """Return the truth of a value in Python; None if it is not known."""
    if isinstance(value, PyConst):
        return bool(value.value)
    if isinstance(value, PySequence) and value.items is not None:
        return bool(value.items)
    if isinstance(value, PyDict) and value.items is not None:
        return bool(value.items)
    if isinstance(value, PyFunction):
        return True
    if (
        isinstance(value, Instance)
        and value.items is None
        and not value.external.endswith(("List", "Dict", "Sequential"))
    ):
        return True if value.external.startswith("torch.nn") else None
    return None


def none_ness(value: PyValue) -> bool | None:
    """Return whether a value is None; None if that is not known."""
    if isinstance(value, PyConst):
        return value.value is None
    if isinstance(value, (PyKind, PySequence, PyDict, Instance, PyFunction)):
        return False
    return None


_EMPTY: dict[str, list[Any] | tuple[Any, ...] | set[Any]] = {"list": [], "tuple": (), "set": set()}


def type_test(value: PyValue, kinds: ast.expr) -> bool | None:
    """Return the result of ``isinstance(value, kinds)``; None if it is not known."""
    if isinstance(value, PyConst):
        return is_instance(value.value, kinds)
    return is_instance(_EMPTY[value.kind], kinds) if isinstance(value, PySequence) and value.kind in _EMPTY else None


def default_assumption(name: str, default: PyValue) -> Assumption | None:
    """Return the test, with its result, which shows that a parameter has a given value (its default, for example); None
    if there is no such test.
    """
    if isinstance(default, (PySequence, PyDict)):
        shown = _literal(default)
        return Assumption(f"{name} == {shown}", True) if shown else None
    if isinstance(default, PyExternal):
        return Assumption(f"{name} is {default.name}", True)
    if isinstance(default, PyClass):
        return Assumption(f"{name} is {default.definition.name}", True)
    if isinstance(default, PyFunction):
        called = f" is {default.function.name}" if default.function is not None else LAMBDA
        return Assumption(f"{name}{called}", True)
    if isinstance(default, Instance) and default.definition is not None:
        return Assumption(f"isinstance({name}, {default.definition.name})", True)
    if not isinstance(default, PyConst):
        return None
    if default.value is None:
        return Assumption(f"{name} is None", True)
    if default.value is True or default.value is False:
        return Assumption(name, default.value)
    return Assumption(f"{name} == {default.value!r}", True)


def _literal(value: PyValue) -> str:
    """Return the code of a constant, or of a dict, tuple, list or set of constants; empty for other values."""
    if isinstance(value, PyConst):
        return repr(value.value)
    if isinstance(value, PyDict):
        pairs = [(_literal(key), _literal(each)) for key, each in value.items or ()]
        plain = value.items is not None and value.kind == "dict" and all(key and each for key, each in pairs)
        return "{" + ", ".join(f"{key}: {each}" for key, each in pairs) + "}" if plain else ""
    if not isinstance(value, PySequence) or value.items is None or not all(isinstance(e, PyConst) for e in value.items):
        return ""
    shown = ", ".join(map(_literal, value.items))
    if value.kind == "tuple":
        return f"({shown}{',' if len(value.items) == 1 else ''})"
    return f"[{shown}]" if value.kind == "list" else f"{{{shown}}}" if value.kind == "set" and shown else ""


def cases(value: PyValue, given: Assumptions = NO_ASSUMPTIONS) -> list[tuple[Assumptions, PyValue]]:
    """Return the possible values, each with the tests that lead to it: the cases of a choice; for a parameter, its
    default, what calls pass, and an unknown value. For other values, return the value itself.

    Args:
        value: the value.
        given: results of tests; a default or passed argument that contradicts them is left out.
    """
    if isinstance(value, PyChoice):
        found: list[tuple[Assumptions, PyValue]] = []
        for assumptions, inner in value.cases:
            for more, leaf in cases(inner, given | assumptions):
                if satisfiable(more, assumptions):
                    found.append((assumptions | more, leaf))
        return found if len(found) <= MOST_CASES else [(NO_ASSUMPTIONS, PY_UNKNOWN)]
    if isinstance(value, PyParameter):
        return _cases_of_parameter(value, given)
    if isinstance(value, PySequence) and value.kind == "tuple" and value.items:
        return _cases_of_tuple(value, value.items, given)
    return [(NO_ASSUMPTIONS, value)]


def _cases_of_parameter(value: PyParameter, given: Assumptions) -> list[tuple[Assumptions, PyValue]]:
    found: list[tuple[Assumptions, PyValue]] = []
    tests: list[Assumption] = []
    for each in value.passed if value.default is None else (value.default, *value.passed):
        test = default_assumption(value.name, each)
        annotated = isinstance(each, Instance) and value.class_ is not None  # the annotated class says more
        if test is None or annotated:
            return [(NO_ASSUMPTIONS, value)]
        if not (isinstance(each, PyConst) and excludes(given, value.name, each.value)):
            found.append((frozenset([test]), each))
            tests.append(test)
    other = PyParameter(value.name, None, value.annotation, value.class_)
    return [*found, (frozenset(test.negated() for test in tests), other)]


def _cases_of_tuple(
    value: PySequence, items: tuple[PyValue, ...], given: Assumptions
) -> list[tuple[Assumptions, PyValue]]:
    """Return the possible values of a tuple that contains one parameter: ``(3, 3)`` for ``(size, size)`` with
    ``size=3``.
    """
    varying = [each for each in items if isinstance(each, PyParameter) and (each.default is not None or each.passed)]
    if not varying or any(each is not varying[0] for each in varying):
        return [(NO_ASSUMPTIONS, value)]  # there would be one case for each combination of their values
    found: list[tuple[Assumptions, PyValue]] = []
    for assumptions, leaf in cases(varying[0], given):
        parts = tuple(leaf if each is varying[0] else each for each in items)
        found.append((assumptions, PySequence(value.kind, parts, common_element(parts))))
    return found


def choose(options: Sequence[tuple[Assumptions, PyValue]]) -> PyValue:
    """Return one value that stands for several cases: a choice, or the value itself if all cases have the same one.
    Return ``PY_UNKNOWN`` for no cases, and for too many (for sequences of one type, one sequence).
    """
    kept: list[tuple[Assumptions, PyValue]] = []
    for assumptions, value in options:
        if not any(value is other or (isinstance(value, (PyConst, PyKind)) and value == other) for _, other in kept):
            kept.append((assumptions, value))
    if not kept:
        return PY_UNKNOWN
    if len(kept) == 1:
        return kept[0][1]
    choice = PyChoice(tuple(kept))
    if len(kept) <= MOST_CASES:
        return choice
    joined = unrolled(choice)
    return PY_UNKNOWN if joined is choice else joined


def forget_items(container: Instance) -> None:
    """Record that the modules in a container are no longer known."""
    container.items, container.keys, container.added = None, None, None
    container.element, container.some = PY_UNKNOWN, ()


def of_any_length(value: PySequence, *, grows: bool = False) -> PySequence:
    """Return what is known of a sequence whose length changes in a loop: what all of its items are, and the items that
    it keeps if it only ``grows``.
    """
    element = value.element if value.items is None else common_element(value.items)
    return PySequence(value.kind, None, element, value.may_be_empty, value.known() if grows else ())


def kind_of(value: PyValue) -> str:
    """Return the name of a value's Python type if it is a plain one; otherwise an empty string."""
    if isinstance(value, PyConst):
        return type(value.value).__name__
    if isinstance(value, PyKind):
        return value.kind
    return ""


def same_class(a: PyValue, b: PyValue) -> bool:
    """Return whether two instances are of one class."""
    return (
        isinstance(a, Instance)
        and isinstance(b, Instance)
        and a.definition is b.definition
        and a.external == b.external
        and bool(a.definition or a.external)
    )


def as_set(values: PySequence) -> PySequence:
    """Return a set with the items of a list or tuple; its items are not known if some of several may be equal."""
    items = values.items
    if items is not None and all(isinstance(each, PyConst) for each in items):
        items = tuple({each.value: each for each in items if isinstance(each, PyConst)}.values())
    elif items is not None and len(items) > 1:
        items = None
    return PySequence("set", items, values.element)


def either(first: PyValue, second: PyValue) -> PyValue:
    """Return one value that stands for either of two; two sequences of one type become one of unknown length."""
    choice = PyChoice(((NO_ASSUMPTIONS, first), (NO_ASSUMPTIONS, second)))
    found = unrolled(choice)
    return common_element([first, second]) if found is choice else found


def common_element(items: Iterable[PyValue]) -> PyValue:
    """Return one value that stands for each of several items; it has only what all items have in common."""
    found: PyValue | None = None
    for item in items:
        found = item if found is None or found is item else _both(found, item)
    return PY_UNKNOWN if found is None else found


def _both(first: PyValue, second: PyValue) -> PyValue:
    """Return one value that stands for either of two values; it has only what both have in common."""
    if isinstance(first, (PyConst, PyKind)) and kind_of(first) and kind_of(first) == kind_of(second):
        return first if first == second else PyKind(kind_of(first))
    kept: list[Instance] = []
    for made in (*_modules_in(first), *_modules_in(second)):
        place = next((i for i, other in enumerate(kept) if same_class(made, other)), None)
        if place is None:
            kept.append(made)
        else:
            kept[place] = _alike(kept[place], made)
    others = not modules_of(first) or not modules_of(second)
    if not kept or len(kept) > MOST_CASES:
        return PY_UNKNOWN
    return kept[0] if len(kept) == 1 and not others else PyEither(tuple(kept), others)


def _modules_in(value: PyValue) -> tuple[Instance, ...]:
    """Return the modules that a value may be, also if it may be something other than a module."""
    return value.options if isinstance(value, PyEither) else modules_of(value)


def modules_of(value: PyValue) -> tuple[Instance, ...]:
    """Return the modules that a value may be; none if it may be something other than a module."""
    if isinstance(value, PyEither):
        return () if value.others else value.options
    if isinstance(value, PyChoice):
        leaves = [leaf for _, leaf in cases(value)]
        return tuple(leaf for leaf in leaves if isinstance(leaf, Instance)) if all(map(modules_of, leaves)) else ()
    return (value,) if isinstance(value, Instance) else ()


def _alike(first: Instance, second: Instance) -> Instance:
    """Return one instance that stands for two instances of the same class."""
    if first is second or not first.known:
        return first
    norm = first.norm if second.norm is not None else None
    return Instance(first.definition, first.external, known=False, node=first.node, items=None, norm=norm)


def unrolled(value: PyValue) -> PyValue:
    """Return one sequence that stands for a choice between sequences of the same type; other values unchanged."""
    options = [leaf for _, leaf in value.cases] if isinstance(value, PyChoice) else []
    listed = [leaf for leaf in options if isinstance(leaf, PySequence)]
    if len(listed) < len(options) or len({each.kind for each in listed}) != 1:
        return value
    first, *others = (each.known() for each in listed)
    some = tuple(item for item in first if all(any(item is each for each in other) for other in others))
    return PySequence(listed[0].kind, None, common_element(e.element for e in listed if e.items != ()), some=some)
