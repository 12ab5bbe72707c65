"""Emits ``if`` and ``assert``, and the joins after them (``emitIfElseBlocks``)."""

from __future__ import annotations

import ast

from tslint.script.assumptions import Assumptions
from tslint.script.events.names import UndefinedName
from tslint.script.events.types import BranchTypeMismatch, BranchUndefined
from tslint.script.interpreter import observers
from tslint.script.interpreter.conditions import emit_condition, refine
from tslint.script.interpreter.early_exits import note_exit
from tslint.script.interpreter.emitter import Emitter, emits_statement, join_alternatives
from tslint.script.interpreter.environment import Condition, Environment, Frame
from tslint.script.interpreter.value_kinds import first_class, value_kind
from tslint.script.types import NUMBER, OptionalType, Type, UnionType, unify
from tslint.script.values import UNKNOWN, Alternatives, ContainerValue, ModuleValue, Typed, Unknown, Value
from tslint.util import astwalk


@emits_statement(ast.If)
def emit_if(em: Emitter, node: ast.If) -> bool:
    """Emit an ``if`` statement; return False if no path continues after it."""
    condition = emit_condition(em, node.test)
    if em.recording is not None:
        em.recording.decided(em.unit, node, condition)
    if condition.static is not None:
        branches = (node.body, node.orelse)
        observers.static_branch.tell(em, node, branches[not condition.static], branches[condition.static])
    if condition.static is True:
        refine(em, condition.when_true)
        return em.block(node.body)
    if condition.static is False:
        refine(em, condition.when_false)
        return em.block(node.orelse)
    if condition.split is not None:
        return _either(em, node, condition)
    return _both(em, node, condition)


def _either(em: Emitter, node: ast.If, condition: Condition) -> bool:
    """Emit an ``if`` whose test is decided at compile time, differently for different constructions.

    Each branch is emitted under its own condition, without joins, because an instance has only one of them.
    """
    assert condition.split is not None
    outer = em.assumptions
    before = em.env.snapshot()
    outcomes: list[tuple[Assumptions, bool, list[Frame]]] = []
    for assumptions, body, refinements in (
        (condition.split[0], node.body, condition.when_true),
        (condition.split[1], node.orelse, condition.when_false),
    ):
        em.env.frames = Environment.snapshot(_environment(before))
        em.assumptions = outer | assumptions
        refine(em, refinements)
        outcomes.append((assumptions, em.block(body), em.env.frames))
    em.assumptions = outer
    going = [(assumptions, frames) for assumptions, goes_on, frames in outcomes if goes_on]
    if not going:
        em.env.frames = outcomes[0][2]
        return False
    if len(going) == 1:
        em.env.frames = going[0][1]
        em.assumptions = outer | going[0][0]
        return True
    em.env.frames = _join_constructions(going[0], going[1])
    return True


def _environment(frames: list[Frame]) -> Environment:
    made = Environment()
    made.frames = frames
    return made


def _join_constructions(first: tuple[Assumptions, list[Frame]], second: tuple[Assumptions, list[Frame]]) -> list[Frame]:
    joined: list[Frame] = []
    for a, b in zip(first[1], second[1]):
        frame = Frame({}, {**a.errors, **b.errors}, {**a.declared, **b.declared})
        for name in {*a.values, *b.values}:
            left, right = a.values.get(name), b.values.get(name)
            if left is not None and right is not None:
                if left is right or left == right:
                    frame.values[name] = left
                elif isinstance(left, Unknown) or isinstance(right, Unknown) or not first[0]:
                    frame.values[name] = UNKNOWN
                else:
                    frame.values[name] = join_alternatives([(first[0], left), (second[0], right)])
            else:
                frame.values[name] = UNKNOWN
            frame.errors.pop(name, None)
        joined.append(frame)
    return joined


def _both(em: Emitter, node: ast.If, condition: Condition) -> bool:
    outer = em.assumptions
    em.env.push()
    em.assumptions = outer | condition.compiled[0]
    refine(em, condition.when_true)
    true_goes_on = em.block(node.body)
    after_true, em.assumptions = em.assumptions, outer
    true_frame = em.env.end_branch()
    em.env.push()
    em.assumptions = outer | condition.compiled[1]
    refine(em, condition.when_false)
    false_goes_on = em.block(node.orelse)
    after_false, em.assumptions = em.assumptions, outer
    false_frame = em.env.pop()
    if not true_goes_on and not false_goes_on:
        return False
    if not condition.unsure:
        note_exit(em, node, true_goes_on, false_goes_on)
    # If one branch ends the function, only the constructions in which the other branch is compiled continue here.
    if true_goes_on and not false_goes_on:
        em.assumptions = after_true
    elif false_goes_on and not true_goes_on:
        em.assumptions = after_false
    # If one branch raises or returns, the code below sees the types that the test shows in the other branch.
    _refine_after_exit(em, condition, true_goes_on, false_goes_on)
    if condition.unsure and true_goes_on and false_goes_on and _asks_for_a_type(node.test):
        # The compiler may compile only one branch: values that differ between the two are not known.
        for name in {*true_frame.values, *false_frame.values}:
            left, right = true_frame.values.get(name), false_frame.values.get(name)
            em.env.set(name, left if left is not None and left == right else UNKNOWN)
        return True
    _join(em, node, true_frame, false_frame, true_goes_on, false_goes_on)
    return True


def _asks_for_a_type(test: ast.expr) -> bool:
    """Return whether a test contains a call of ``isinstance``, which the compiler evaluates at compile time if it
    can.
    """
    calls = [child.func for child in astwalk.walk(test) if isinstance(child, ast.Call)]
    return any(isinstance(func, ast.Name) and func.id == "isinstance" for func in calls)


def _refine_after_exit(em: Emitter, condition: Condition, true_goes_on: bool, false_goes_on: bool) -> None:
    if not true_goes_on:
        refine(em, condition.when_false)
    elif not false_goes_on:
        refine(em, condition.when_true)


def _join(em: Emitter, node: ast.If, true: Frame, false: Frame, true_goes_on: bool, false_goes_on: bool) -> None:
    for name in sorted({*true.values, *false.values}):
        in_true, in_false = true.values.get(name), false.values.get(name)
        if _no_value(in_true) or _no_value(in_false):
            # Only first-class values still exist after a branch (definedVariables ignores all others).
            if isinstance(in_true, Typed) or isinstance(in_false, Typed):
                em.env.set(name, UNKNOWN)
            continue
        if not true_goes_on:
            if in_false is not None:
                em.env.set(name, in_false)
            continue
        if not false_goes_on:
            if in_true is not None:
                em.env.set(name, in_true)
            continue
        outside = em.env.find(name)
        left = in_true if in_true is not None else outside
        right = in_false if in_false is not None else outside
        if left is None or right is None:
            missing = "false" if right is None else "true"
            lazy = em.env.error(name)
            em.env.fail(
                name,
                lazy
                if lazy is not None and name not in true.values and name not in false.values
                else BranchUndefined(
                    node,
                    f"{name} is not defined in the {missing} branch",
                    name=name,
                    statement=node,
                    type=_type_of(left or right),
                ),
            )
            continue
        _join_values(em, node, name, left, right, outside)
    for name, error in {**true.errors, **false.errors}.items():
        if name not in true.values and name not in false.values and em.env.find(name) is None:
            em.env.fail(name, error)


def _type_of(value: Value | None) -> Type | None:
    return value.type if isinstance(value, Typed) else None


def _no_value(value: Value | None) -> bool:
    return isinstance(value, (ModuleValue, ContainerValue)) or (value is not None and bool(value_kind(value)))


def _join_values(em: Emitter, node: ast.If, name: str, left: Value, right: Value, outside: Value | None) -> None:
    if left is right or left == right:
        constant_free = Typed(left.type) if isinstance(left, Typed) and left is not outside else left
        em.env.set(name, constant_free)
        return
    if isinstance(left, (Unknown, Alternatives)) or isinstance(right, (Unknown, Alternatives)):
        em.env.set(name, UNKNOWN)
        return
    a, b = first_class(left), first_class(right)
    if a is None and b is None and outside is None:
        # Only first-class values are joined: functions and modules that branches bind no longer exist after them.
        em.env.fail(name, UndefinedName(node, f"undefined value {name}", name=name))
        return
    if a is None or b is None:
        em.env.set(name, UNKNOWN)
        return
    full = first_class(outside) if outside is not None else None
    union_wanted = isinstance(full, (UnionType, OptionalType)) or full == NUMBER
    joined = unify(a, b, default_to_union=union_wanted)
    if joined is not None:
        em.env.set(name, Typed(joined))
        return
    message = f"Type mismatch: {name} is set to type {a} in the true branch and type {b} in the false branch"
    mismatch = BranchTypeMismatch(node, message, name=name, true=a, false=b, statement=node)
    if outside is not None:
        em.report(mismatch)
        em.env.set(name, UNKNOWN)
    else:
        em.env.fail(name, mismatch)


@emits_statement(ast.Assert)
def emit_assert(em: Emitter, node: ast.Assert) -> bool:
    """Emit ``assert``, which is compiled like an ``if`` that raises if the test is false."""
    condition = emit_condition(em, node.test)
    if condition.static is False and not condition.unsure:
        return False
    decided = condition.static is not None or condition.split is not None or condition.unsure
    if node.msg is not None and not decided:  # if the test is static, the message may not be compiled
        outer = em.events
        em.events = []
        em.type_of(em.expression(node.msg), node.msg)
        em.events = outer + em.events
    if condition.split is not None and condition.split[0]:
        em.assumptions = em.assumptions | condition.split[0]
    refine(em, condition.when_true)
    return True
