"""Provides signatures of operators and functions (generated data), and overload resolution. Never imports torch."""

from __future__ import annotations

from tslint.script.operators.attributes import builtin_attribute, tensor_attribute
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
from tslint.script.operators.modules import InitParameter, ModuleAttribute, NNModule, Variant, module_class
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
    "InitParameter",
    "Known",
    "Matched",
    "Mismatch",
    "ModuleAttribute",
    "ModuleClass",
    "NNModule",
    "Operator",
    "PythonData",
    "PythonModule",
    "PythonOperator",
    "Schema",
    "Special",
    "Unsupported",
    "Variant",
    "builtin_attribute",
    "canonical",
    "match",
    "module_class",
    "parse",
    "parse_type",
    "python_callable",
    "schemas",
    "tensor_attribute",
    "torch_attribute",
    "torch_version",
]
