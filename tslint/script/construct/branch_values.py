"""Narrows the variables of a constructor in the branches of a test."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tslint.script.attributes import PY_UNKNOWN, PyChoice, PyConst, PyKind, PyParameter, PyValue
from tslint.script.construct.frame import Frame
from tslint.script.construct.pyvalues import none_ness, type_test
from tslint.util import astwalk

_EXAMPLES = {"int": PyConst(1), "float": PyConst(1.5), "bool": PyConst(True), "str": PyConst("")}


@contextmanager
def narrowed(frame: Frame, test: ast.expr, holds: bool) -> Iterator[dict[str, PyValue]]:
    """Narrow the variables while a branch runs: remove the values that its test excludes.

    Yields:
        The narrowed variables; after the branch, only those that it has not bound again.
    """
    before = dict(frame.locals)
    narrow(frame.locals, test, holds)
    inside = {name: value for name, value in frame.locals.items() if value is not before[name]}
    yield inside
    for name, value in list(inside.items()):
        if frame.locals.get(name) is value:
            frame.locals[name] = before[name]
        else:
            del inside[name]


def narrow(variables: dict[str, PyValue], test: ast.expr, holds: bool) -> None:
    """Remove from variables the values for which a test cannot have the given result. Only tests of a type, or for
    None, remove values.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(variables, test.operand, not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
        for part in test.values:
            narrow(variables, part, holds)
    elif isinstance(test, ast.Call) and astwalk.is_name(test.func, "isinstance") and len(test.args) == 2:
        kinds = test.args[1]
        _keep(variables, test.args[0], lambda leaf: type_test(leaf, kinds) in (None, holds))
        name = test.args[0].id if isinstance(test.args[0], ast.Name) else ""
        value = variables.get(name)
        if holds and (value is PY_UNKNOWN or isinstance(value, PyParameter)):
            variables[name] = _of_kind(value, kinds)
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot)) and len(test.ops) == 1:
        if isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None:
            wanted = holds is isinstance(test.ops[0], ast.Is)
            _keep(variables, test.left, lambda leaf: none_ness(leaf) in (None, wanted))


def _of_kind(value: PyValue, kinds: ast.expr) -> PyValue:
    """Return what an unknown value or a parameter is if it is an instance of the types of an ``isinstance`` test."""
    parameter = value if isinstance(value, PyParameter) else None
    if parameter is not None and _is_expected_otherwise(parameter, kinds):
        return PY_UNKNOWN
    flag = parameter is not None and is_flag(parameter)  # True is an instance of int
    return PyKind(kinds.id) if isinstance(kinds, ast.Name) and kinds.id in _EXAMPLES and not flag else value


def _is_expected_otherwise(value: PyParameter, kinds: ast.expr) -> bool:
    """Return whether a parameter's annotation, or its default if it has no annotation, excludes the types of an
    ``isinstance`` test.
    """
    if value.annotation is not None:
        example = _EXAMPLES.get(ast.unparse(value.annotation))
        return example is not None and type_test(example, kinds) is False
    return value.default not in (None, PyConst(None)) and type_test(value.default, kinds) is False


def _keep(variables: dict[str, PyValue], node: ast.expr, fits: Callable[[PyValue], bool]) -> None:
    """Remove the values of a variable that do not fit; if none fits, keep all."""
    name = node.id if isinstance(node, ast.Name) else ""
    value = variables.get(name)
    options = value.cases if isinstance(value, PyChoice) else ()
    kept = tuple((tests, leaf) for tests, leaf in options if fits(leaf))
    if 0 < len(kept) < len(options):
        variables[name] = PyChoice(kept)


def is_flag(parameter: PyParameter) -> bool:
    """Return whether the default or the annotation of a parameter shows that it is a bool."""
    default = parameter.default.value if isinstance(parameter.default, PyConst) else None
    written = parameter.annotation
    return isinstance(default, bool) or (written is not None and astwalk.is_name(written, "bool"))
