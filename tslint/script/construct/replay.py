"""Records a call of a method in a constructor: what the method reads of the instance, what it changes, and what it
returns.

The record is reused for other classes that inherit the method, if the method reads the same values there.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tslint.project.classes import Member
from tslint.project.definitions import Class
from tslint.script.assumptions import Assumption, Assumptions
from tslint.script.attributes import (
    Attribute,
    PyChoice,
    PyClass,
    PyConst,
    PyDict,
    PyExternal,
    PyFunction,
    PyKind,
    PyParameter,
    PySequence,
    PyUnknown,
    PyValue,
)
from tslint.script.construct.pyvalues import kind_of
from tslint.util.record import record

_EQUAL = (PyConst, PyKind, PyExternal, PyUnknown)
# The kind and value of a class attribute as a constructor sees it: a method or a constant; anything else is unknown.
Seen = tuple[str, object]


@record
class Effect:
    """A change of an attribute of the instance.

    Args:
        name: the name of the attribute.
        value: the value; None if the attribute is deleted.
        assumptions: the tests under which the attribute is set.
        node: the statement.
        kind: see :class:`Attribute`.
        implied: for each test in ``assumptions``, with the opposite result: the tests that follow from that result.
            None if all earlier values of the attribute are discarded.
    """

    name: str
    value: PyValue | None
    assumptions: Assumptions
    node: ast.AST
    kind: str
    implied: dict[Assumption, Assumptions] | None


@dataclass(eq=False)
class Trace:
    """The record of what one call of a method reads and does.

    Args:
        outer: the functions that were running when the method was called.
        parameters: the constructor's parameters, by name.
        level: :attr:`Run.level` when the record began.
        attributes: the attributes of the instance, as they were when the call first read or set them; None if not set.
        members: the class members that it looked up, by name and by the class after which the search in the MRO began.
        running: for each function that it calls, whether the function was running before the method was called.
        implied: by test, the tests that were known to follow from it before the call; None if none were known.
        declared: for parameters and names of types: whether the parameter is annotated with one of them.
        methods: the methods of the instance that it calls.
        deepest, cut: how deeply its calls are nested, and whether a call was left out because it would be too deep.
        parts: this record, and the records of cached calls inside the call.
        effects: the effects, in order.
        unfit: whether something was read or done that cannot be compared or repeated.
    """

    outer: tuple[ast.AST, ...]
    parameters: Mapping[str, PyParameter]
    level: int
    attributes: dict[str, tuple[Attribute, ...] | None] = field(default_factory=dict)
    members: dict[tuple[str, Class | None], Seen | None] = field(default_factory=dict)
    running: dict[ast.AST, bool] = field(default_factory=dict)
    implied: dict[Assumption, Assumptions | None] = field(default_factory=dict)
    declared: dict[tuple[str, frozenset[str]], bool] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)
    deepest: int = 0
    cut: bool = False
    parts: set[Trace] = field(default_factory=set)
    effects: list[Effect] = field(default_factory=list)
    unfit: bool = False

    def touch(self, name: str, stored: list[Attribute] | None) -> None:
        """Record the state of an attribute before the call first reads or changes it."""
        if name not in self.attributes:
            self.attributes[name] = None if stored is None else tuple(stored)
            self.unfit = self.unfit or not all(_comparable(each.value) for each in stored or ())

    def declare(self, parameter: PyParameter, names: frozenset[str]) -> None:
        """Record whether a parameter is annotated with one of the names."""
        self.unfit = self.unfit or self.parameters.get(parameter.name) is not parameter
        self.declared[parameter.name, names] = is_declared(parameter, names)

    def can_keep(self, value: PyValue | None) -> bool:
        """Return whether a value can be reused in another run: it is a parameter of the constructor, or it contains no
        parameter, no lambda and no object that a constructor created.
        """
        return value is None or _alike(value, value, parameters=False) or value in self.parameters.values()


@record(eq=False)
class Replay:
    """A call of a method that can be repeated for another class, without running the method again.

    Args:
        trace: what it reads and does.
        value: its result.
        impossible: sets of test results that never occur together, because the method raises then.
        implied: by test, the tests that follow from it.
        opened: whether the instance may have attributes that the source does not show, because of this call.
    """

    trace: Trace
    value: PyValue
    impossible: list[Assumptions]
    implied: dict[Assumption, Assumptions]
    opened: bool


def seen(member: Member | None) -> Seen | None:
    """Return what a constructor sees of a class attribute; None if there is none."""
    if member is None:
        return None
    if member.function is not None:
        return "function", member.function
    if isinstance(member.node, (ast.Assign, ast.AnnAssign)) and isinstance(member.node.value, ast.Constant):
        return "constant", PyConst(member.node.value.value)
    return "unknown", None


def same_attributes(one: tuple[Attribute, ...] | None, other: list[Attribute] | None) -> bool:
    """Return whether an attribute has the same values in two instances."""
    if one is None or other is None:
        return one is None and other is None
    return len(one) == len(other) and all(
        first.kind == second.kind
        and first.assumptions == second.assumptions
        and _alike(first.value, second.value, parameters=True)
        for first, second in zip(one, other)
    )


def identity(value: PyValue) -> object | None:
    """Return a key for an argument: a method does the same for arguments with equal keys. Return None if no such key
    exists.
    """
    if isinstance(value, PyParameter):
        known = value.default is None or isinstance(value.default, _EQUAL)
        return (PyParameter, value.name, value.default) if known else None
    return value if isinstance(value, _EQUAL) else None


def is_declared(parameter: PyParameter, names: frozenset[str]) -> bool:
    """Return whether a parameter is annotated with one of the names, and its default and the arguments that calls pass
    have no other type.
    """
    annotation, given = parameter.annotation, (parameter.default, *parameter.passed)
    if not isinstance(annotation, ast.Name) or annotation.id not in names:
        return False
    return all(each is None or kind_of(each) == annotation.id for each in given)


def _comparable(value: PyValue | None) -> bool:
    return value is None or _alike(value, value, parameters=True)


def _alike(one: PyValue | None, other: PyValue | None, *, parameters: bool) -> bool:
    """Return whether two values of different runs are equivalent; False if that is not known. Unless ``parameters`` is
    true, a value that contains a parameter of the constructor is equivalent to none.
    """
    if one is None or other is None:
        return one is other
    if type(one) is not type(other):
        return False
    if isinstance(one, _EQUAL):
        return one == other
    compare = _COMPARE.get(type(one))
    return compare is not None and compare(one, other, parameters)


def _parameters(one: PyParameter, other: PyParameter, parameters: bool) -> bool:
    if one.class_ is None or other.class_ is None:
        alike = getattr(one.annotation, "id", "") == getattr(other.annotation, "id", "")
    else:
        alike = True  # the name of a project's class matters only in ``isinstance``, see :meth:`Trace.declare`
    same = one.name == other.name and _all(one.passed, other.passed, parameters)
    return parameters and alike and same and _alike(one.default, other.default, parameters=parameters)


def _all(one: tuple[PyValue, ...] | None, other: tuple[PyValue, ...] | None, parameters: bool) -> bool:
    if one is None or other is None:
        return one is other
    return len(one) == len(other) and all(_alike(a, b, parameters=parameters) for a, b in zip(one, other))


def _sequences(one: PySequence, other: PySequence, parameters: bool) -> bool:
    return (
        one.kind == other.kind
        and _all(one.items, other.items, parameters)
        and _all(one.some, other.some, parameters)
        and _alike(one.element, other.element, parameters=parameters)
    )


def _dicts(one: PyDict, other: PyDict, parameters: bool) -> bool:
    if one.kind != other.kind or one.items is None or other.items is None:
        alike = _alike(one.element, other.element, parameters=parameters)
        return one.kind == other.kind and one.items is other.items and alike
    flat = [tuple(part for item in each.items or () for part in item) for each in (one, other)]
    return _all(flat[0], flat[1], parameters)


def _choices(one: PyChoice, other: PyChoice, parameters: bool) -> bool:
    return len(one.cases) == len(other.cases) and all(
        tests == others and _alike(first, second, parameters=parameters)
        for (tests, first), (others, second) in zip(one.cases, other.cases)
    )


_COMPARE: dict[type, Callable[..., bool]] = {
    PyParameter: _parameters,
    PySequence: _sequences,
    PyDict: _dicts,
    PyChoice: _choices,
    PyClass: lambda one, other, _: one.definition is other.definition,
    PyFunction: lambda one, other, _: (
        one.function is not None and one.function is other.function and one.bound == other.bound
    ),
}
