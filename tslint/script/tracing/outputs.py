"""Checks what a traced function returns: the tracer accepts tensors, tuples and lists of tensors and, if not strict,
dicts.
"""

from __future__ import annotations

import ast

from tslint.script.events.tracing import TraceOutput
from tslint.script.tracing.frame import Frame

DICT = (
    "Encountering a dict at the output of the tracer might cause the trace to be incorrect, this is only valid if "
    "the container structure does not change based on the module's inputs"
)
OTHER = "Only tensors, lists, tuples of tensors, or dictionary of tensors can be output from traced functions"
NOTHING = (
    "The traced function didn't return any values! Side-effects are not captured in traces, so it would be a no-op"
)


def check(walk: Frame, node: ast.Return, *, strict: bool, sure: bool) -> None:
    """Check a ``return`` of a function that the tracer calls.

    Args:
        walk: the function.
        node: the statement.
        strict: whether dicts are rejected.
        sure: whether the statement is always reached.
    """
    value = node.value
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        if sure:
            walk.report(TraceOutput(node, NOTHING, what="None", text="None", inside=False, sure=sure))
        return
    kind = walk.evaluate(value)
    if strict and kind.name == "dict":
        walk.report(TraceOutput(value, DICT, what="dict", text=ast.unparse(value), inside=False, sure=sure))
        return
    for item in _items(value):
        what = _refused(item)
        if what:
            inside = item is not value
            walk.report(TraceOutput(item, OTHER, what=what, text=ast.unparse(item), inside=inside, sure=sure))


def _items(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, (ast.Tuple, ast.List)):
        return [inner for item in value.elts for inner in _items(item)]
    return [value]


def _refused(node: ast.expr) -> str:
    """Return the Python type of a literal that a trace cannot return; empty for other expressions."""
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else type(node.value).__name__
    return "str" if isinstance(node, ast.JoinedStr) else ""
