"""Evaluates Python's builtin functions on traced values."""

from __future__ import annotations

import ast

from tslint.script.events.tracing import TraceCondition, TraceLen, TraceNumber, TracePrint, TraceShapeNumber
from tslint.script.tracing import conditions
from tslint.script.tracing.frame import Frame
from tslint.script.tracing.iteration import looped, members
from tslint.script.tracing.kinds import (
    CONSTANT,
    DIM,
    RANK,
    SIZE,
    TENSOR,
    UNKNOWN,
    Kind,
    Modules,
    element,
    few,
    holds,
    many,
)

LEN = "Using len to get tensor shape might cause the trace to be incorrect"
CONVERTING = "Converting a tensor to a Python {} might cause the trace to be incorrect"
_NUMBERS = {"int": "integer", "float": "float", "complex": "number", "bool": "boolean"}
_ASKS = frozenset("isinstance hasattr type id callable str repr issubclass format hash".split())


def called(walk: Frame, node: ast.Call, name: str) -> Kind:
    """Return the kind of the result of a call of a builtin."""
    if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
        return _each(walk, node.args[0])
    kinds = [walk.evaluate(argument) for argument in node.args]
    for keyword in node.keywords:
        walk.evaluate(keyword.value)
    if name == "print":
        walk.report(TracePrint(node, ""))
        return CONSTANT
    if not kinds or name in _ASKS:
        return CONSTANT if name in _ASKS else UNKNOWN
    first = kinds[0]
    if name == "len":
        return _len(walk, node, first)
    if name in _NUMBERS and len(kinds) == 1:
        if first in (TENSOR, DIM):
            _number(walk, node, first, name)
            return CONSTANT
        return first if first == RANK else CONSTANT
    if name in ("max", "min", "sorted"):
        return _choice(walk, node, name, kinds)
    if name == "range":
        return many(CONSTANT, "the shape") if DIM in kinds else Kind("few", CONSTANT)
    if name in ("enumerate", "zip", "reversed", "list", "tuple", "iter"):
        return _wrapped(name, kinds)
    if name == "round":
        if first in (DIM, TENSOR):
            _number(walk, node, first, name)
        return CONSTANT
    if name in ("sum", "abs", "pow", "divmod"):
        found = DIM if SIZE in kinds or DIM in kinds else TENSOR if any(holds(k, "tensor") for k in kinds) else UNKNOWN
        return few((found, found)) if name == "divmod" else found
    return UNKNOWN


def _each(walk: Frame, node: ast.GeneratorExp) -> Kind:
    """Evaluate ``any(test for …)``, which tests each element."""
    before = dict(walk.locals)
    for generator in node.generators:
        walk.assign(generator.target, looped(walk, generator.iter, node), node)
        for test in generator.ifs:
            conditions.truth(walk, test, "comprehension")
    conditions.truth(walk, node.elt, "comprehension")
    walk.locals = before
    return CONSTANT


def _len(walk: Frame, node: ast.Call, kind: Kind) -> Kind:
    if kind == TENSOR:
        walk.report(TraceLen(node, LEN))
        return CONSTANT
    return RANK if kind == SIZE else CONSTANT


def _number(walk: Frame, node: ast.Call, kind: Kind, name: str) -> None:
    said = CONVERTING.format(_NUMBERS.get(name, "integer")) if name != "round" else ""
    if name == "round":
        said = "type Tensor doesn't define __round__ method"
    if kind == TENSOR:
        walk.report(TraceNumber(node, said))
    else:
        walk.report(TraceShapeNumber(node, said, function=name))


def _choice(walk: Frame, node: ast.Call, name: str, kinds: list[Kind]) -> Kind:
    """Evaluate ``max(a, b)``, which compares its arguments, and uses the result of the comparison as a condition."""
    if DIM in kinds or SIZE in kinds:
        walk.report(TraceShapeNumber(node, conditions.BOOLEAN, function=name))
        return CONSTANT
    if TENSOR in kinds and len(kinds) > 1:
        walk.report(TraceCondition(node, conditions.BOOLEAN, form=name))
        return TENSOR
    return UNKNOWN if TENSOR in kinds else CONSTANT if all(kind == CONSTANT for kind in kinds) else UNKNOWN


def _wrapped(name: str, kinds: list[Kind]) -> Kind:
    """Evaluate functions such as ``enumerate``, whose result has the length of their arguments."""
    if name in ("list", "tuple", "reversed", "iter") and len(kinds) == 1 and not isinstance(kinds[0], Modules):
        return many(TENSOR, "the number of items") if kinds[0] == TENSOR else kinds[0]
    elements = tuple(members(kind) if isinstance(kind, Modules) else element(kind) for kind in kinds)
    if name == "reversed":
        return kinds[0]
    item = few((CONSTANT, elements[0])) if name == "enumerate" else few(elements)
    for kind in kinds:
        if kind == TENSOR or kind.name == "many":
            return many(item, kind.why or "the number of items")
    return Kind("few", item)
