"""Evaluates lookups in dictionaries by a parameter, as tests of the parameter: ``{"relu": nn.ReLU, …}[act]``."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.attributes import PY_UNKNOWN, PyChoice, PyConst, PyDict, PyParameter, PySequence, PyValue
from tslint.script.construct.pyvalues import MOST_CASES, choose, common_element, default_assumption, kind_of
from tslint.util import astwalk

_READING = frozenset(["get", "keys", "values", "items"])


def looked_up(
    table: PyDict, key: PyValue, otherwise: PyValue | None = None, fails: Callable[[Assumptions], object] | None = None
) -> PyValue:
    """Return the value of a key in a dictionary whose keys are known.

    Args:
        table: the dictionary.
        key: the key; for a parameter, each key of the dictionary is a case, under the test that the parameter is equal
            to it.
        otherwise: the value for other keys; None if Python raises then.
        fails: called with the tests under which Python raises.
    """
    items = [(each, value) for each, value in table.items or ()]
    if isinstance(key, PyConst):
        return next((value for each, value in items if each == key), otherwise or PY_UNKNOWN)
    options: list[tuple[Assumptions, PyValue]] = []
    for given, leaf in key.cases if isinstance(key, PyChoice) else [(NO_ASSUMPTIONS, key)]:
        if isinstance(leaf, PyParameter):
            for more, value in _cases(items, leaf, otherwise):
                if value is None and fails is not None:
                    fails(given | more)
                elif satisfiable(more, given):
                    options.append((given | more, value or PY_UNKNOWN))
        else:
            found = looked_up(table, leaf, otherwise) if isinstance(leaf, PyConst) else _any_of(items, otherwise)
            options.append((given, found))
    return choose(options)


def _any_of(items: list[tuple[PyValue, PyValue]], otherwise: PyValue | None) -> PyValue:
    """Return what is known of a value whose key is not known: its type, if all values are plain and of one type;
    otherwise ``PY_UNKNOWN``.
    """
    common = common_element([*(value for _, value in items), *([otherwise] if otherwise is not None else [])])
    return common if kind_of(common) else PY_UNKNOWN


def _cases(
    items: list[tuple[PyValue, PyValue]], key: PyParameter, otherwise: PyValue | None
) -> list[tuple[Assumptions, PyValue | None]]:
    if len(items) >= MOST_CASES:
        items, otherwise = [each for each in items if each[0] == key.default], PY_UNKNOWN
    tests: list[Assumption] = []
    found: list[tuple[Assumptions, PyValue | None]] = []
    for each, value in items:
        test = default_assumption(key.name, each) if isinstance(each, PyConst) else None
        if test is None:
            return [(NO_ASSUMPTIONS, PY_UNKNOWN)]
        tests.append(test)
        found.append((frozenset([test]), value))
    return [*found, (frozenset(test.negated() for test in tests), otherwise)]


def read(table: PyDict, method: str, arguments: list[PyValue]) -> PyValue:
    """Return the result of a method that reads a dictionary; ``PY_UNKNOWN`` if it is not known."""
    if table.items is None:
        return PY_UNKNOWN
    if method == "values":
        return PySequence("list", tuple(v for _, v in table.items), common_element(v for _, v in table.items))
    if method == "items":
        return PySequence("list", tuple(PySequence("tuple", pair) for pair in table.items))
    if method == "get" and 1 <= len(arguments) <= 2:
        return looked_up(table, arguments[0], arguments[1] if arguments[1:] else PyConst(None))
    return PY_UNKNOWN


def is_only_read(tree: ast.Module, name: str) -> bool:
    """Return whether a file only looks up keys in a global dictionary, and does not change it or pass it on."""
    parents = astwalk.parents(tree)
    for node in astwalk.mentions(tree).get(name, ()):
        around = parents.get(node)
        if not isinstance(node, ast.Name) or (isinstance(node.ctx, ast.Store) and around in tree.body):
            continue
        reads = isinstance(around, ast.Attribute) and around.attr in _READING
        looks = isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Load)
        if not reads and not looks and not isinstance(around, ast.Compare):
            return False
    return True
