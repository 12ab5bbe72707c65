"""Emits loops: once, or unrolled over modules and tuples (``emitFor``, ``emitWhile``, ``emitForInModuleList``)."""

from __future__ import annotations

import ast
from dataclasses import replace

from tslint.script.assumptions import Assumption
from tslint.script.dataflow.naming import used_names
from tslint.script.events.hazards import TensorAsNumber
from tslint.script.events.modules import ContainerIndex
from tslint.script.events.types import VariableRetyped
from tslint.script.interpreter.assignment import assign
from tslint.script.interpreter.conditions import emit_condition, refine
from tslint.script.interpreter.emitter import Emitter, emits_statement
from tslint.script.interpreter.iteration import iteration_of
from tslint.script.interpreter.value_kinds import first_class
from tslint.script.types import NONE
from tslint.script.values import UNKNOWN, Typed, Unknown, Value
from tslint.util import astwalk

MOST_UNROLLED = 3


@emits_statement(ast.While)
def emit_while(em: Emitter, node: ast.While) -> None:
    """Emit a ``while`` loop, which is never static."""
    em.env.push()
    condition = emit_condition(em, node.test)
    refine(em, condition.when_true)
    _forget_constants(em, node.body)
    em.loops.append("loop")
    outer = em.assumptions
    em.block(node.body)
    em.assumptions = outer
    em.loops.pop()
    em.env.end_loop()
    _forget_reassigned(em, node.body)


@emits_statement(ast.For)
def emit_for(em: Emitter, node: ast.For) -> None:
    """Emit a ``for`` loop."""
    iterated = iteration_of(em, node.iter)
    outer = em.assumptions
    if iterated.unrolled:
        # The compiler repeats the body in the same frame. If all items have the same value, emitting it once shows all
        # events.
        items = iterated.items if iterated.items is not None else [iterated.element]
        em.loops.append("unrolled")
        before = len(em.events)
        if iterated.may_be_empty:
            outer = em.assumptions | {Assumption(f"len({iterated.may_be_empty}) > 0", True)}
        entered, em.assumptions = em.assumptions, outer
        for item in _distinct(items)[:MOST_UNROLLED]:
            assign(em, node.target, item, node.iter)
            em.block(node.body)
            em.assumptions = outer
        em.assumptions = entered
        em.loops.pop()
        if iterated.items is None:
            em.events[before:] = [replace(event, in_loop_over_modules=True) for event in em.events[before:]]
        return
    em.env.push()
    _forget_constants(em, node.body)
    assign(em, node.target, iterated.element, node.iter)
    em.loops.append("loop")
    reported, noticed = len(em.events), len(em.noticed)
    em.block(node.body)
    em.assumptions = outer
    em.loops.pop()
    em.env.end_loop()
    _forget_reassigned(em, node.body)
    _forget_retyped(em, node, reported, noticed)


def _forget_retyped(em: Emitter, node: ast.For, reported: int, noticed: int) -> None:
    """Treat variables whose type a loop changes as unknown if the loop's counter indexes modules.

    The author has to write a loop over the modules instead. The compiler unrolls such a loop, so ``out = 0`` may become
    a Tensor in it. Therefore the events about these variables are removed.
    """
    counters = astwalk.bound(node.target)
    indices = [
        place for place, event in enumerate(em.events)
        if place >= reported and isinstance(event, ContainerIndex) and counters & used_names(event.index)
    ]  # fmt: skip
    if not indices:
        return
    retyped = [each for each in em.events[indices[0] :] if isinstance(each, VariableRetyped)]
    numbers = [each for each in em.noticed[noticed:] if isinstance(each, TensorAsNumber) and each.place == "variable"]
    for event in retyped:
        em.events.remove(event)
        em.env.set(event.name, UNKNOWN)
    for number in numbers:
        em.noticed.remove(number)
        em.env.set(number.name, UNKNOWN)


def _distinct(items: list[Value]) -> list[Value]:
    found: list[Value] = []
    for item in items:
        if not any(item == other for other in found):
            found.append(item)
    return found


def stored_names(body: list[ast.stmt]) -> set[str]:
    """Return the names that statements bind."""
    return {name for statement in body for name in astwalk.bound(statement)}


def _forget_constants(em: Emitter, body: list[ast.stmt]) -> None:
    """Treat the variables that a loop binds as not constant inside the loop; they keep their types."""
    for name in stored_names(body):
        value = em.env.find(name)
        if isinstance(value, Typed) and value.is_constant:
            for frame in reversed(em.env.frames):
                if name in frame.values:
                    frame.values[name] = Typed(value.type)
                    break


def _forget_reassigned(em: Emitter, body: list[ast.stmt]) -> None:
    """Forget, after a loop, the values of the variables that it binds. They keep their types; but modules and functions
    become unknown, and so does None if the loop may bind something else.
    """
    for name in stored_names(body):
        value = em.env.find(name)
        if value is None or isinstance(value, Unknown):
            continue
        type_ = first_class(value)
        if type_ == NONE and isinstance(em.env.lost.get(name), Unknown):
            type_ = None
        em.env.set(name, Typed(type_) if type_ is not None else UNKNOWN)
