"""Recognises an ``if`` chain that has a branch for every value that the constructor accepts for an attribute."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.local_bindings import is_parameter
from tslint.script.dataflow.scopes import FunctionNode, function_around
from tslint.script.dataflow.stores import Store, file_facts, instance_stores
from tslint.util import astwalk

_Values = frozenset[tuple[str, object]]


def is_closed(tree: ast.Module, tests: Sequence[ast.expr]) -> bool:
    """Return whether one of some tests is always true: each compares the same attribute of ``self`` with constants, and
    the constructor rejects all others.
    """
    function = function_around(tree, tests[0])
    owner = astwalk.parents(tree).get(function) if function is not None else None
    parts = [_compared(test) for test in tests]
    asked = {ast.dump(part[0]) for part in parts if part is not None}
    if function is None or not isinstance(owner, ast.ClassDef) or None in parts or len(asked) != 1:
        return False
    attribute = parts[0][0] if parts[0] is not None else None
    if not isinstance(attribute, ast.Attribute) or not astwalk.is_name(attribute.value, _first_parameter(function)):
        return False
    stores = instance_stores(file_facts(tree), owner, attribute.attr)
    possible = [_possible(store) for store in stores or ()]
    covered = frozenset[tuple[str, object]]().union(*(part[1] for part in parts if part is not None))
    return bool(possible) and all(values is not None and values <= covered for values in possible)


def _first_parameter(function: FunctionNode) -> str:
    places = [*function.args.posonlyargs, *function.args.args]
    return places[0].arg if places else ""


def _compared(test: ast.expr) -> tuple[ast.expr, _Values] | None:
    """Return what a test compares, and the constants for which it is true."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    if isinstance(test.ops[0], ast.Eq):
        values = _constants([test.comparators[0]])
    elif isinstance(test.ops[0], ast.In) and isinstance(test.comparators[0], (ast.List, ast.Tuple, ast.Set)):
        values = _constants(test.comparators[0].elts)
    else:
        return None
    return (test.left, values) if values is not None else None


def _constants(nodes: Sequence[ast.expr]) -> _Values | None:
    """Return the texts, ints and bools that nodes are; None if one is something else."""
    values = [each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, (str, int))]
    return frozenset((type(each).__name__, each) for each in values) if len(values) == len(nodes) else None


def _possible(store: Store) -> _Values | None:
    """Return the constants that an attribute may get; None if it may get others."""
    function, value = store.function, store.value
    if value is None or function is None:
        return None
    if not isinstance(value, ast.Name):
        return _constants([value])
    if not is_parameter(function, value.id) or value.id in astwalk.bound(function):
        return None
    names = (value.id, f"{_first_parameter(function)}.{store.attribute}")
    found = [_accepted(statement, names) for statement in function.body]
    return next((values for values in found if values is not None), None)


def _accepted(statement: ast.stmt, names: Sequence[str]) -> _Values | None:
    """Return the values that ``assert name in (…)``, or ``if name not in (…): raise …``, lets pass."""
    if isinstance(statement, ast.Assert):
        test: ast.expr = statement.test
    elif isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Raise) and not statement.orelse:
        test = ast.UnaryOp(ast.Not(), statement.test)
        if isinstance(statement.test, ast.Compare) and isinstance(statement.test.ops[0], ast.NotIn):
            test = ast.Compare(statement.test.left, [ast.In()], statement.test.comparators)
        elif isinstance(statement.test, ast.UnaryOp) and isinstance(statement.test.op, ast.Not):
            test = statement.test.operand
    else:
        return None
    compared = _compared(test)
    return compared[1] if compared is not None and ast.unparse(compared[0]) in names else None
