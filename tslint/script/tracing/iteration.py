"""Evaluates loops: the tracer runs them, and records every iteration."""

from __future__ import annotations

import ast

from tslint.script.events.tracing import TraceLoop
from tslint.script.tracing import conditions
from tslint.script.tracing.frame import Frame, evaluates
from tslint.script.tracing.kinds import SIZE, TENSOR, UNKNOWN, Kind, Modules, element, many

ITERATING = "Iterating over a tensor might cause the trace to be incorrect"


def looped(walk: Frame, node: ast.expr, place: ast.AST) -> Kind:
    """Return the kind of a loop's variable; report a loop whose number of iterations depends on the input."""
    kind = walk.evaluate(node)
    if kind == TENSOR:
        walk.report(TraceLoop(node, ITERATING, why="the number of items", loop=isinstance(place, ast.For)))
    elif kind.name == "many":
        walk.report(TraceLoop(node, "", why=kind.why, loop=isinstance(place, ast.For)))
    if isinstance(kind, Modules):
        return members(kind)
    return element(kind)


def members(kind: Modules) -> Kind:
    """Return the kind of a module container's items."""
    held = [
        item
        for instance in kind.instances
        for item in (instance.items if instance.items is not None else (instance.element,))
    ]
    from tslint.script.attributes import Instance

    instances = tuple(item for item in held if isinstance(item, Instance))
    return Modules("modules", instances=instances) if instances and len(instances) == len(held) else UNKNOWN


@evaluates(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
def comprehension(walk: Frame, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Kind:
    """Evaluate a comprehension: a loop in one expression, with variables of its own."""
    before = dict(walk.locals)
    why, varies, sized = "", False, False
    for generator in node.generators:
        item = looped(walk, generator.iter, node)
        source = walk.evaluate(generator.iter)
        sized = source == SIZE
        varies = varies or source == TENSOR or source.name == "many"
        why = source.why or "the number of items"
        walk.assign(generator.target, item, node)
        for test in generator.ifs:
            conditions.truth(walk, test, "comprehension")
    if isinstance(node, ast.DictComp):
        walk.evaluate(node.key)
        found = Kind("dict", walk.evaluate(node.value))
    else:
        inner = walk.evaluate(node.elt)
        found = many(inner, why) if varies else SIZE if sized and inner.name == "dim" else Kind("few", inner)
    walk.locals = before
    return found
