"""Reports errors that only depend on syntax but come from the emitter (ir_emitter.cpp), so that they only occur in code
that is emitted.

Code that is certainly pruned or dead has no events; code that may be pruned has conditional events.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tslint.script.events import Event
from tslint.script.events.syntax import (
    DelSlice,
    DelTarget,
    EllipsisValue,
    IntegerOutOfRange,
    ListTarget,
    PositionalOnlyParameter,
    StarredIndex,
    StarredTarget,
)
from tslint.script.frontend.reach import CONDITION, Reach, emitted, is_dots
from tslint.util import astwalk

DOTS = "Cannot emit expr for: (dots)"
_REFUSABLE = frozenset(
    [ast.Constant, ast.Name, ast.Subscript, ast.Delete, ast.Assign, ast.For, ast.comprehension]
)  # the nodes for which :func:`_refusals` may yield errors
LEFT_HAND = "unexpected expression on left-hand side of assignment"
LEFT_ELEMENT = "lhs of assignment must be a variable, subscript, or starred expression"
ONLY_STARRED = "A Starred expression may only appear on the lhs within the presence of another non-starred expression"


def emission_events(function: ast.FunctionDef, *, is_method: bool) -> Iterator[Event]:
    """Yield the errors of the emitter in a function that only depend on syntax."""
    vanished = {argument.arg for argument in function.args.posonlyargs}
    if vanished and is_method and not function.args.args:
        # The compiler ignores positional-only parameters, so the method has not even a `self`.
        name = function.args.posonlyargs[0].arg
        yield PositionalOnlyParameter(function, "methods must have a self argument", name=name, instance=True)
        vanished = set()
    if not vanished and not _candidates(function):
        return
    used = False
    for node, reach in emitted(function.body):
        condition = None if reach is Reach.LIVE else CONDITION
        if isinstance(node, ast.Name) and node.id in vanished and not used:
            if isinstance(node.ctx, ast.Load):
                used = True
                message = f"undefined value {node.id}"
                yield PositionalOnlyParameter(node, message, name=node.id, condition=condition)
            else:
                vanished.discard(node.id)
        if node.__class__ in _REFUSABLE:
            for event in _refusals(node):
                yield replace(event, condition=condition)
    left = sorted(vanished - {"self"})
    if left and not used:
        message = f"{function.name}() expected at most {len(function.args.args)} argument(s)"
        place = next(argument for argument in function.args.posonlyargs if argument.arg == left[0])
        yield PositionalOnlyParameter(place, message, name=left[0], condition=f"`{left[0]}` is passed")


def _candidates(function: ast.FunctionDef) -> bool:
    """Return whether a function contains syntax that the emitter may reject, so that it must be searched."""
    return bool(
        astwalk.of_kind(function, ast.Starred, ast.Delete)
        or any(node.value is Ellipsis or _too_big(node.value) for node in astwalk.of_kind(function, ast.Constant))
        or any(node.id == "Ellipsis" for node in astwalk.of_kind(function, ast.Name))
        or any(isinstance(node.ctx, ast.Store) for node in astwalk.of_kind(function, ast.List))
    )


def _too_big(value: object) -> bool:
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _refusals(node: ast.AST) -> Iterator[Event]:
    """Yield the errors of the emitter at one node."""
    if isinstance(node, ast.Constant) and _too_big(node.value):
        yield IntegerOutOfRange(node, "Integral constant out of range (must fit in a signed 64 bit integer)")
    elif is_dots(node):
        yield EllipsisValue(node, DOTS)
    elif isinstance(node, ast.Subscript):
        yield from _index(node)
    elif isinstance(node, ast.Delete):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                message = "del statements only support deletion at a single index, slicing is not supported"
                yield DelSlice(target, message)
            elif not isinstance(target, (ast.Name, ast.Subscript)) or (
                isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Tuple)
            ):
                message = "del statements are only supported for deleting list and dict items and variables"
                yield DelTarget(target, message)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _target(target, top=True)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from _target(node.target, top=False)


def _index(node: ast.Subscript) -> Iterator[Event]:
    elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for element in elements:
        if isinstance(element, ast.Starred):
            yield StarredIndex(element, "Unexpected starred expansion. File a bug report")
    if sum(is_dots(element) for element in elements) > 1:
        yield EllipsisValue(node, "An index can only have a single ellipsis ('...')")


def _target(target: ast.expr, *, top: bool) -> Iterator[Event]:
    """Yield the errors in a target of an assignment: it may be a tuple, a subscript or an attribute, but not a list."""
    pending = [(target, top)]
    while pending:
        node, outermost = pending.pop(0)
        if isinstance(node, ast.List):
            yield ListTarget(node, LEFT_HAND if outermost else LEFT_ELEMENT)
        elif isinstance(node, ast.Tuple):
            starred = [element for element in node.elts if isinstance(element, ast.Starred)]
            if starred and len(node.elts) == 1:
                yield StarredTarget(starred[0], ONLY_STARRED)
            elif starred and not isinstance(starred[0].value, ast.Name):
                yield StarredTarget(starred[0].value, "Cannot pack a tuple into a non-variable")
            pending += [(element, False) for element in node.elts if not isinstance(element, ast.Starred)]
