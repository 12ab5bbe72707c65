"""Finds results of tests that exclude each other: ``act == 'relu'`` is true, ``isinstance(act, str)`` is false."""

from __future__ import annotations

import ast
import collections.abc
import numbers
import operator
import typing
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from tslint.script.assumptions import Assumption, Assumptions
from tslint.util import astwalk

_MOST_PARTS = 6
_TYPES: dict[str, type] = {t.__name__: t for t in (int, float, bool, str, complex, bytes, list, tuple, dict, set, type)}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def contradictory(assumptions: Assumptions) -> bool:
    """Return whether no value of the constructor's parameters gives all tests the assumed results."""
    return len(assumptions) > 1 and _contradictory(assumptions)


@cache
def _contradictory(assumptions: Assumptions) -> bool:
    tests = [(tree, assumption) for assumption in assumptions if (tree := _parsed(assumption.text)) is not None]
    parts = dict.fromkeys((_text(part), each.version) for tree, each in tests for part in _parts(tree))
    if not 1 < len(parts) <= _MOST_PARTS:
        return False
    return not any(
        _holds(tests, outcome) and _consistent(outcome)
        for outcome in (dict(zip(parts, row)) for row in product((True, False), repeat=len(parts)))
    )


@cache
def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


@astwalk.kept
def _text(test: ast.expr) -> str:
    return ast.unparse(test)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the operands of the ``and``, ``or`` and ``not`` of a test, at any depth."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _parts(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand)
    else:
        yield test


def _holds(tests: list[tuple[ast.expr, Assumption]], outcome: dict[tuple[str, int], bool]) -> bool:
    """Return whether tests have the assumed results if their parts have the results in ``outcome``."""

    def result(test: ast.expr, version: int) -> bool:
        if isinstance(test, ast.BoolOp):
            join = all if isinstance(test.op, ast.And) else any
            return join(result(value, version) for value in test.values)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return not result(test.operand, version)
        return outcome[_text(test), version]

    return all(result(tree, each.version) is each.holds for tree, each in tests)


def _consistent(outcome: dict[tuple[str, int], bool]) -> bool:
    """Return whether given results of tests of a name are possible together: if the name equals a literal, that decides
    the other tests.
    """
    for (text, version), holds in outcome.items():
        name, value = _equality(text) if holds else ("", None)
        for (other, its_version), expected in outcome.items() if name else ():
            if its_version == version and other != text and _outcome(other, name, value) not in (None, expected):
                return False
    return True


@cache
def _equality(text: str) -> tuple[str, object]:
    """Return the name and the literal of ``name == literal`` or ``name is None``; an empty name for other tests."""
    test = _parsed(text)
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and isinstance(test.ops[0], (ast.Eq, ast.Is)):
        try:
            return (test.left.id, ast.literal_eval(test.comparators[0])) if len(test.ops) == 1 else ("", None)
        except ValueError:
            return "", None
    return "", None


def excludes(assumptions: Assumptions, name: str, value: object) -> bool:
    """Return whether the assumed results of tests exclude that a parameter has a given value."""
    return any(each.version == 0 and _outcome(each.text, name, value) is (not each.holds) for each in assumptions)


def _outcome(text: str, name: str, value: object) -> bool | None:
    """Return the result of a test if a name has the given value; None if the name does not decide the test."""
    test = _parsed(text)
    if isinstance(test, ast.Name):
        return bool(value) if test.id == name else None
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.args and _is_name(test.args[0], name):
        if test.func.id == "isinstance" and len(test.args) == 2:
            return is_instance(value, test.args[1])
        return False if test.func.id == "callable" else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and _is_name(test.left, name):
        try:
            return bool(_COMPARE[type(test.ops[0])](value, ast.literal_eval(test.comparators[0])))
        except (ValueError, TypeError):
            return None
    return None


def is_instance(value: object, kinds: ast.expr) -> bool | None:
    """Return whether a literal is an instance of one of the classes that a test names; None if that is not certain."""
    found = [_is_one(value, kind) for kind in (kinds.elts if isinstance(kinds, ast.Tuple) else [kinds])]
    return any(found) if True in found or None not in found else None


def _is_one(value: object, kind: ast.expr) -> bool | None:
    if isinstance(kind, ast.Name) and kind.id in _TYPES:
        return isinstance(value, _TYPES[kind.id])
    name = kind.attr if isinstance(kind, ast.Attribute) else kind.id if isinstance(kind, ast.Name) else ""
    # A literal may be an instance of an abstract class, such as `Number`. A name in capitals may stand for a builtin
    # type.
    abstract = getattr(collections.abc, name, getattr(numbers, name, None))
    if isinstance(abstract, type):
        return isinstance(value, abstract)
    return None if hasattr(typing, name) or name.isupper() or not name[:1].isupper() else False


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
