"""Evaluates operators of a constructor: ``dim * 4``, ``[64] + sizes``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from tslint.script.assumptions import satisfiable
from tslint.script.attributes import PY_UNKNOWN, PyChoice, PyConst, PyKind, PyParameter, PySequence, PyValue
from tslint.script.construct.pyvalues import MOST_CASES, cases, choose, common_element, kind_of

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)  # operators that return an int for two ints
_BASE = 10**6
SMALL = 64
"""The length up to which sequences are followed item by item."""
_MOST_CHARACTERS, _MOST_BITS = 10_000, 4_000


def combined(op: ast.operator, left: PyValue, right: PyValue) -> PyValue:
    """Return the result of an operator: a choice if an operand is a choice or a parameter, ``PY_UNKNOWN`` if there are
    too many cases.
    """
    if not isinstance(left, (PyChoice, PyParameter)) and not isinstance(right, (PyChoice, PyParameter)):
        return _result(op, left, right)
    options = [
        (first | second, _result(op, a, b))
        for first, a in cases(left)
        for second, b in cases(right)
        if satisfiable(first, second)
    ]
    return choose(options) if len(options) <= MOST_CASES else PY_UNKNOWN


def _result(op: ast.operator, left: PyValue, right: PyValue) -> PyValue:
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if isinstance(left, PyConst) and isinstance(right, PyConst):
        return fold(_ARITHMETIC.get(type(op)), left.value, right.value)
    if isinstance(left, PySequence) and isinstance(right, PySequence) and isinstance(op, ast.Add):
        element = common_element(each.element for each in (left, right) if each.items != ())
        if left.items is None or right.items is None:
            return PySequence(left.kind, None, element, some=left.known() + right.known())
        return PySequence(left.kind, left.items + right.items, element)
    if isinstance(left, PySequence) and isinstance(op, ast.Mult) and left.items is not None:
        times = right.value if isinstance(right, PyConst) and isinstance(right.value, int) else -1
        if 0 <= times * len(left.items) <= SMALL:
            return PySequence(left.kind, left.items * times, left.element)
        return PySequence(left.kind, None, left.element)
    return _of_kinds(op, python_type(left), python_type(right))


def _power(left: PyValue, right: PyValue) -> PyValue:
    """Return the value of ``left ** right``; unknown for ints without a known exponent, because a negative one gives a
    float.
    """
    a, b = python_type(left), python_type(right)
    if "Tensor" in (a, b) or "Parameter" in (a, b):
        return PyKind("Tensor")
    if isinstance(left, PyConst) and isinstance(right, PyConst) and {a, b} <= {"int", "float"}:
        known = (
            fold(operator.pow, left.value, right.value)
            if abs(left.value) <= _BASE and abs(right.value) <= SMALL
            else None
        )
        return known if isinstance(known, PyConst) and isinstance(known.value, (int, float)) else PY_UNKNOWN
    if not {a, b} <= {"int", "float"}:
        return PY_UNKNOWN
    if "float" in (a, b):
        return PyKind("float")
    return PyKind("float" if right.value < 0 else "int") if isinstance(right, PyConst) else PY_UNKNOWN


def _of_kinds(op: ast.operator, a: str, b: str) -> PyValue:
    if "Tensor" in (a, b) or "Parameter" in (a, b):
        return PyKind("Tensor")
    if a == b == "int":
        return PyKind("float" if isinstance(op, ast.Div) else "int")
    if {a, b} == {"int", "numpy.int64"} and isinstance(op, _WHOLE):
        return PyKind("numpy.int64")
    if {a, b} <= {"int", "float"} and "float" in (a, b):
        return PyKind("float")
    return PY_UNKNOWN


def python_type(value: PyValue) -> str:
    """Return the name of a plain value's Python type; for a parameter, ``int`` if it is annotated as int. Return an
    empty string for other values.
    """
    if isinstance(value, PyParameter):
        return "int" if isinstance(value.annotation, ast.Name) and value.annotation.id == "int" else ""
    return kind_of(value)


def fold(function: Callable[[Any, Any], Any] | None, left: Any, right: Any) -> PyValue:
    """Return the result of an operator for two ints, floats, bools or strings; only the type for ``*`` and ``%`` with a
    string. Return ``PY_UNKNOWN`` for other values, or if the operator raises.
    """
    simple = (int, float, str)
    if function is None or not isinstance(left, simple) or not isinstance(right, simple):
        return PY_UNKNOWN
    if function is operator.mul and (isinstance(left, str) or isinstance(right, str)):
        return PyKind("str") if isinstance(left, int) or isinstance(right, int) else PY_UNKNOWN
    if function is operator.mod and isinstance(left, str):
        return PyKind("str")
    try:
        return constant(function(left, right))
    except (TypeError, ValueError, ArithmeticError):
        return PY_UNKNOWN


def constant(value: Any) -> PyValue:
    """Return a computed value as a constant; only its type if it is so long that more steps could fill the memory."""
    if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
        return PyKind("str")
    return PyKind("int") if isinstance(value, int) and value.bit_length() > _MOST_BITS else PyConst(value)
