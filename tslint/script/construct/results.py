"""Determines what functions of torch and ``math``, methods of tensors and Python's builtins return in a constructor."""

from __future__ import annotations

import builtins
import math
from collections.abc import Mapping, Sequence
from typing import Any

from tslint.script.attributes import PY_UNKNOWN, PyConst, PyKind, PySequence, PyValue
from tslint.script.construct.arithmetic import python_type
from tslint.script.construct.foreign import ARRAY
from tslint.script.construct.pyvalues import kind_of
from tslint.script.operators import BooleanDispatch, CompiledFunction, Operator, Schema, python_callable, schemas
from tslint.script.types import BOOL, INT, TENSOR, ListType, Type

_PURE = frozenset(["builtins.abs", "builtins.max", "builtins.min", "builtins.round", "builtins.sum"])
_LARGEST = 10**6  # the factorial of a larger number takes long
_CASTS = frozenset("float double half bfloat16 long int short char byte bool".split())
_SAMPLES = {"int": (2, 3), "float": (2.5, 3.5)}
# INT is missing, because an int in the tables may be a dtype in Python.
_NAMES: dict[Type, str] = {TENSOR: "Tensor", BOOL: "bool"}


def torch_result(name: str, given: int | None, keywords: Sequence[str]) -> PyValue:
    """Return what a function of torch returns in Python, if all overloads that take the arguments agree; otherwise
    ``PY_UNKNOWN``.

    Args:
        name: its full name.
        given: the number of positional arguments; None if that is not known.
        keywords: the names of the keyword arguments.
    """
    found = python_callable(name) if name.startswith("torch.") else None
    if isinstance(found, BooleanDispatch):
        found = None if found.argument in keywords or given is None or given > found.index else found.if_false
    if isinstance(found, Operator):
        return _agreed(schemas(found.operator), given, keywords)
    return _agreed(found.schemas, given, keywords) if isinstance(found, CompiledFunction) else PY_UNKNOWN


def tensor_method(owner: PyValue, name: str, given: int | None, keywords: Sequence[str]) -> PyValue:
    """Return what a method of a tensor returns in Python: the tensor itself if the method changes it. Return
    ``PY_UNKNOWN`` if the overloads do not agree.
    """
    if name == "numpy":
        return PyKind(ARRAY)
    if name in _CASTS:
        return PyKind("Tensor")
    overloads = [each for each in schemas(f"aten::{name}") if each.arguments and each.arguments[0].type == TENSOR]
    if overloads and name.endswith("_") and not name.startswith("_"):
        return owner
    return _agreed(overloads, None if given is None else given + 1, keywords, {**_NAMES, INT: "int"})


def _agreed(
    overloads: Sequence[Schema], given: int | None, keywords: Sequence[str], names: Mapping[Type, str] = _NAMES
) -> PyValue:
    # Overloads for numbers only serve compiled code: in Python, functions of torch take or make tensors.
    kinds = {
        names.get(each.returns[0], "") if len(each.returns) == 1 else ""
        for each in overloads
        if TENSOR in (*each.returns, *(argument.type for argument in each.arguments)) and _takes(each, given, keywords)
    }
    kind = kinds.pop() if len(kinds) == 1 else ""
    return PyKind(kind) if kind else PY_UNKNOWN


def _takes(schema: Schema, given: int | None, keywords: Sequence[str]) -> bool:
    """Return whether an overload accepts arguments, by their number and names; a list parameter may take several
    positional ones. True if the number is not known.
    """
    names = [argument.name for argument in schema.arguments]
    if any(keyword != "**" and keyword not in names for keyword in keywords) or given is None:
        return given is None
    if given > len(names) and not schema.vararg and not any(isinstance(a.type, ListType) for a in schema.arguments):
        return False
    required = [a for a in schema.arguments[given:] if a.default is None and a.name not in keywords]
    return not required or "**" in keywords


def python_result(name: str, arguments: Sequence[PyValue]) -> PyValue:
    """Return what a function of ``math``, or a builtin such as ``max``, returns for numbers; ``PY_UNKNOWN`` in other
    cases.

    If all arguments are constants, the value is computed. Otherwise, only its type is known: the function is called
    with example numbers of the arguments' types.

    Args:
        name: its full name.
        arguments: its arguments, all positional.
    """
    owner, _, short = name.rpartition(".")
    function = getattr(math if owner == "math" else builtins, short, None)
    if function is None or not (owner == "math" or name in _PURE):
        return PY_UNKNOWN
    columns = [_items(each) for each in arguments]
    flat = [each for column in columns for each in (column if isinstance(column, tuple) else (column,))]
    kinds = {_number_type(each) for each in flat}
    if "" in kinds or not flat or (short in ("max", "min") and len(kinds) > 1):
        return PY_UNKNOWN
    rows = [[_sample(column, place) for column in columns] for place in (0, 1)]
    try:
        results = [function(*row) for row in rows]
    except (TypeError, ValueError, ArithmeticError):
        return PY_UNKNOWN
    if {type(each) for each in results} not in ({int}, {float}, {bool}):
        return PY_UNKNOWN
    constant = all(isinstance(each, PyConst) for each in flat)
    return PyConst(results[0]) if constant else PyKind(type(results[0]).__name__)


def _items(value: PyValue) -> PyValue | tuple[PyValue, ...]:
    """Return the items of a list or tuple (two ints for an unknown number of ints); return other values unchanged."""
    if not isinstance(value, PySequence):
        return value
    if value.items is None and kind_of(value.element) == "int":
        return (PyKind("int"), PyKind("int"))
    return value.items or (PY_UNKNOWN,)


def _number_type(value: PyValue) -> str:
    if isinstance(value, PyConst) and type(value.value) in (int, float) and abs(value.value) > _LARGEST:
        return ""
    found = python_type(value)
    return found if found in _SAMPLES else ""


def _sample(value: PyValue | tuple[PyValue, ...], place: int) -> Any:
    if isinstance(value, tuple):
        return [_sample(each, place) for each in value]
    return value.value if isinstance(value, PyConst) else _SAMPLES[python_type(value)][place]
