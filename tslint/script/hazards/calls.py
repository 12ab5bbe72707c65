"""Finds calls that compile, but prevent saving, loading elsewhere or running."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, Function
from tslint.script.events.hazards import (
    AutogradCall,
    IgnoredCall,
    LibraryOperator,
    OverriddenCall,
    PythonCall,
    UnusedCall,
)
from tslint.script.hazards.context import path_to
from tslint.script.interpreter import observers
from tslint.script.scope import decorators
from tslint.script.types import TENSOR, TensorType
from tslint.script.values import ExternalValue, Typed, Unknown, Value
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter

EXPORT = "Could not export Python function call '{}'. Remove calls to Python functions before export."
# The namespaces of operators that every libtorch has.
_BUILT_IN = frozenset(
    "aten prim prims quantized _quantized mkldnn mkldnn_prepacked prepacked xnnpack profiler sparse static_runtime"
    " onednn inductor cuda _caffe2 rngprims higher_order".split()
)
_VISION = frozenset("nms batched_nms roi_align roi_pool ps_roi_align ps_roi_pool deform_conv2d".split())
_COMPOUND = (ast.If, ast.For, ast.While, ast.IfExp, ast.BoolOp, ast.Try, ast.ListComp, ast.DictComp, ast.GeneratorExp)


@observers.exempt_call.observe
def notice_ignored(em: Emitter, function: Function, node: ast.Call, word: str) -> None:
    """Report a call of a function whose body is not compiled: it prevents saving, or always raises."""
    if word == "ignore" and not _dropped(em, function):
        compiler = EXPORT.format(function.name)
        em.notice(IgnoredCall(node, compiler, name=function.name))
    elif unconditional(em.unit.function.node, node):
        compiler = "This Python function is annotated to be ignored and cannot be run"
        em.notice(UnusedCall(node, compiler, name=function.name, word=word))


def _dropped(em: Emitter, function: Function) -> bool:
    """Return whether ``@torch.jit.ignore(drop=True)`` makes a function behave like ``@torch.jit.unused``."""
    return any(
        isinstance(mark, ast.Call) and any(keyword.arg in ("drop", "drop_on_export") for keyword in mark.keywords)
        for mark, _ in decorators(function, em.project)
    )


def unconditional(function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.AST) -> bool:
    """Return whether every run of a function reaches a node: the node is under no condition, and comes after no
    statement that may leave the function.
    """
    around = path_to(function, node)
    if not around or any(isinstance(outer, _COMPOUND) for outer in around):
        return False
    statement = next(
        (outer for outer in reversed(around) if isinstance(outer, ast.stmt) and outer is not function), None
    )
    for earlier in function.body:
        if earlier is statement or (statement is None and earlier is node):
            return True
        if any(isinstance(inner, (ast.Return, ast.Raise, ast.Assert)) for inner in astwalk.walk(earlier)):
            return False
    return False


@observers.python_call.observe
def notice_python_call(em: Emitter, name: str, node: ast.Call, values: list[Value]) -> None:
    """Report a callable that the compiler delegates to Python, if it certainly accepts the call: all arguments are
    Tensors.

    For a ``functools.partial`` of the project, unknown values count as Tensors.
    """
    if "." not in name:
        values = [value for value in values if not isinstance(value, Unknown)] or [Typed(TENSOR)] * len(values)
    if not values or not all(isinstance(value, Typed) and isinstance(value.type, TensorType) for value in values):
        return
    short = name.rpartition(".")[2]
    em.notice(PythonCall(node, EXPORT.format(short), name=name))


@observers.autograd_call.observe
def notice_autograd(em: Emitter, node: ast.Call, function: Class) -> None:
    """Report a call of an ``autograd.Function``."""
    em.notice(AutogradCall(node, EXPORT.format(function.name), name=function.name))


@observers.value_call.observe
def notice_library(em: Emitter, callee: Value, node: ast.Call, arguments: list[Value]) -> None:
    """Report an operator of a library: the library must be loaded wherever the archive is loaded."""
    if not isinstance(callee, ExternalValue):
        return
    parts = callee.name.split(".")
    if callee.name.startswith("torch.ops.") and len(parts) >= 4 and parts[2] not in _BUILT_IN:
        operator, library = f"{parts[2]}::{parts[3]}", parts[2]
    elif callee.name.startswith("torchvision.ops.") and parts[-1] in _VISION:
        # The rest of torchvision.ops is plain Python, which becomes part of the archive.
        operator, library = f"torchvision::{parts[-1].removeprefix('batched_')}", "torchvision"
    else:
        return
    compiler = f"Unknown builtin op: {operator}."
    em.notice(LibraryOperator(node, compiler, operator=operator, library=library))


@observers.overridden_call.observe
def notice_call_override(em: Emitter, owner: Class, function: Function, node: ast.Call, path: str) -> None:
    """Report a module whose class has its own ``__call__``: compiled code calls ``forward`` directly."""
    body = [s for s in function.node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    value = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "__call__":
        return  # it only calls that of nn.Module
    if isinstance(value, ast.Call) and _passes_all_on(function, value, len(node.args) + len(node.keywords)):
        return
    em.notice(OverriddenCall(node, "", class_name=owner.name, path=path))


def _passes_all_on(function: Function, call: ast.Call, given: int) -> bool:
    """Return whether a ``__call__`` that gets all its arguments only passes them on to ``forward``."""
    parameters = [each.arg for each in function.node.args.args]
    passed = [each.id for each in call.args if isinstance(each, ast.Name)]
    forward = isinstance(call.func, ast.Attribute) and call.func.attr == "forward" and not call.keywords
    return forward and passed == parameters[1:] and len(call.args) == len(passed) == given
