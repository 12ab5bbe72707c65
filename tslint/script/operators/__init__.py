"""Operator and functional signatures (generated data) and overload resolution. Never imports torch."""

from __future__ import annotations

from tslint.script.operators.callables import (
    BooleanDispatch,
    Cast,
    CompiledFunction,
    Constant,
    ExceptionClass,
    Known,
    ModuleClass,
    Operator,
    PythonData,
    PythonModule,
    PythonOperator,
    Special,
    Unsupported,
    canonical,
    python_callable,
    torch_attribute,
)
from tslint.script.operators.matching import Arg, Matched, Mismatch, match
from tslint.script.operators.schema import Argument, Schema, parse, parse_type
from tslint.script.operators.tables import schemas, torch_version

__all__ = [
    "Arg",
    "Argument",
    "BooleanDispatch",
    "Cast",
    "CompiledFunction",
    "Constant",
    "ExceptionClass",
    "Known",
    "Matched",
    "Mismatch",
    "ModuleClass",
    "Operator",
    "PythonData",
    "PythonModule",
    "PythonOperator",
    "Schema",
    "Special",
    "Unsupported",
    "canonical",
    "match",
    "parse",
    "parse_type",
    "python_callable",
    "schemas",
    "torch_attribute",
    "torch_version",
]
