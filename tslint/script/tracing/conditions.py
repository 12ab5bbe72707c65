"""Evaluates conditions: the tracer follows one branch and does not record the other one."""

from __future__ import annotations

import ast

from tslint.project.definitions import External
from tslint.script.events.tracing import TraceAssert, TraceBakedBranch, TraceCondition, TraceShapeCondition
from tslint.script.tracing.frame import Frame, evaluates
from tslint.script.tracing.kinds import BAKED, CONSTANT, DEVICE, DIM, DTYPE, SIZE, TENSOR, Kind, join

BOOLEAN = "Converting a tensor to a Python boolean might cause the trace to be incorrect"
# The results of these functions while the tracer runs.
_STATIC = {"is_tracing": True, "is_scripting": False, "is_compiling": False, "_is_tracing": True}


def static(walk: Frame, test: ast.expr) -> bool | None:
    """Return the value of a condition while the tracer runs; None if it may depend on the input."""
    if isinstance(test, ast.Constant) and isinstance(test.value, bool):
        return test.value
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = static(walk, test.operand)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        values = [static(walk, value) for value in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in values:
            return decisive
        return None if None in values else not decisive
    if isinstance(test, ast.Call) and isinstance(test.func, (ast.Name, ast.Attribute)):
        callee = walk.tracing.project.resolve_expression(walk.module, test.func)
        if isinstance(callee, External) and callee.name.startswith("torch."):
            return _STATIC.get(callee.name.rpartition(".")[2])
    return None


def truth(walk: Frame, test: ast.expr, form: str) -> None:
    """Check a value that Python uses as a condition.

    Args:
        walk: the function.
        test: the expression.
        form: the construct that uses it: ``if``, ``while``, ``conditional``, ``not``, ``and``, ``or``, ``bool``,
            ``comprehension``.
    """
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            if static(walk, value) is None:
                truth(walk, value, form)
        return
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        truth(walk, test.operand, form)
        return
    _decide(walk, test, walk.evaluate(test), form)


def _decide(walk: Frame, test: ast.expr, kind: Kind, form: str) -> None:
    if kind == TENSOR:
        if isinstance(test, ast.Name) and walk.is_plain_parameter(test.id):
            return  # probably a flag: code rarely tests a tensor itself
        walk.report(TraceCondition(test, BOOLEAN, form=form))
    elif kind in (DIM, SIZE):
        walk.report(TraceShapeCondition(test, BOOLEAN, form=form))
    elif kind in BAKED:
        walk.report(TraceBakedBranch(test, "", form=form, what=kind.name))


def asserted(walk: Frame, node: ast.Assert) -> None:
    """Report an ``assert`` whose condition depends on an input: the trace does not contain it."""
    found: list[Kind] = []
    pending = [node.test]
    while pending:
        test = pending.pop(0)
        if isinstance(test, ast.BoolOp):
            pending = [*test.values, *pending]
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            pending.insert(0, test.operand)
        else:
            found.append(walk.evaluate(test))
    for kind in found:
        if kind in (TENSOR, DIM, SIZE, *BAKED):
            said = BOOLEAN if kind in (TENSOR, DIM, SIZE) else ""
            walk.report(TraceAssert(node, said))
            return


@evaluates(ast.Compare)
def compared(walk: Frame, node: ast.Compare) -> Kind:
    """Return the kind of the result of a comparison."""
    kinds = [walk.evaluate(each) for each in (node.left, *node.comparators)]
    if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        return CONSTANT
    if any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in (node.left, *node.comparators)):
        # A value that is compared with a string is not a tensor; devices and dtypes stay what they are.
        return DEVICE if DEVICE in kinds else DTYPE if DTYPE in kinds else CONSTANT
    if TENSOR in kinds:
        return CONSTANT if any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops) else TENSOR
    for kind in (DIM, SIZE):
        if kind in kinds:
            return DIM
    for kind in BAKED:
        if kind in kinds:
            return kind
    return CONSTANT


@evaluates(ast.IfExp)
def conditional(walk: Frame, node: ast.IfExp) -> Kind:
    """Evaluate ``a if test else b``."""
    known = static(walk, node.test)
    if known is not None:
        return walk.evaluate(node.body if known else node.orelse)
    truth(walk, node.test, "conditional")
    return join(walk.evaluate(node.body), walk.evaluate(node.orelse))


@evaluates(ast.BoolOp)
def boolean(walk: Frame, node: ast.BoolOp) -> Kind:
    """Evaluate ``a and b`` as a value: all operands except the last are used as conditions."""
    for value in node.values[:-1]:
        if static(walk, value) is None:
            truth(walk, value, "and" if isinstance(node.op, ast.And) else "or")
    found = walk.evaluate(node.values[0])
    for value in node.values[1:]:
        found = join(found, walk.evaluate(value))
    return found
