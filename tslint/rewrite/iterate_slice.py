"""Writes loops over slices of a container as loops over the whole container with a test of the index."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.fresh_names import counter
from tslint.rewrite.loops import Loop, Parts, called, every, names_in, paired, under, with_parts
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.changes import may_change
from tslint.script.dataflow.index_proofs import is_proven, looks_integer, may_hold_none, place_of
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.loops import leaves_turn, read_after
from tslint.script.dataflow.slices import is_steady, means_modules

_WITHOUT_STEP = m.Subscript(value=m.Name() | m.Attribute(), slice=[m.SubscriptElement(slice=m.Slice(step=None))])
_NONE = m.Name("None")
_COUNTED = m.Tuple([m.Element(m.Name()), m.DoNotCare()])
_BOUNDS = "only names and annotations say that the bounds are ints"


def walked_slice(match: Match, loop: Loop, node: cst.Subscript) -> Fix | None:
    """Iterate over the whole container, and run the body only for the modules of a slice.

    Args:
        match: provides the file and the function.
        loop: the loop over the slice, or over ``enumerate`` of it.
        node: the slice.

    Returns:
        None if the loop is no ``for`` statement, or has ``break``, ``continue`` or ``else``; if the slice has a step;
        if a bound may not be an int, or a bound or the container may change; or if code below reads its variable.
    """
    pair = called(loop.iterable, "enumerate") is node
    tree, names, around, cut = match.file.tree, names_in(loop.target), loop.node, node.slice[0].slice
    body = around.body if isinstance(around, cst.For) and around.orelse is None else None
    model = match.model(around)
    where = place_of(tree, model)
    if pair and not m.matches(loop.target, _COUNTED):
        return None
    if not isinstance(around, cst.For) or not isinstance(body, cst.IndentedBlock) or where is None:
        return None
    if not m.matches(node, _WITHOUT_STEP) or not isinstance(cut, cst.Slice) or leaves_turn(model):
        return None
    if may_change(tree, [model], match.model(node.value)) or may_hold_none(tree, match.model(node.value)):
        return None  # a slice, as a copy, would not see the changes; None gets no index in compiled code
    if any(read_after(tree, model, name) for name in names):
        return None
    bounds = _bounds(cut)
    if not all(_is_fixed_integer(match, where, model, match.model(bound)) for _, bound in bounds):
        return None
    assumed = not all(is_proven(where, where.value(match.model(bound))) for _, bound in bounds)
    modules = names[1:] if pair else names
    if not bounds or not all(means_modules(tree, model, name, match.event.variables, assumed) for name in modules):
        return None
    counted = pair and any(each.value == names[0] for each in loop.variables)
    if counted and (bounds[0][0] == ">=" or names[0] == "_"):
        return None  # the indices count from the beginning of the slice

    def edits() -> tuple[Edit, ...]:
        index = names[0] if pair and names[0] != "_" else counter(match, "i")
        tests = [
            expression(f"{{i}} {sign} {{bound}}", i=index, bound=_from_the_front(match, where, bound, node.value))
            for sign, bound in bounds
        ]
        header = statement("if {test}:\n    pass", test=every(tests))
        new = with_parts(around, _header(loop, node.value, index))
        return match.rewrite(around, new.with_changes(body=under(body, header)))

    message = f"Iterate over the whole `{match.code(node.value)}`"
    return unsafe(message, edits, assumes=_BOUNDS) if assumed else safe(message, edits)


def index_test(match: Match, node: cst.Subscript, index: str) -> str:
    """Return a test for whether a slice contains an index, ``1 <= i < n``; an empty text if a bound may be negative (it
    then counts from the end), if there are no bounds, or if the slice has a step.
    """
    cut = node.slice[0].slice
    if not isinstance(cut, cst.Slice) or cut.step is not None:
        return ""
    bounds = {sign: match.code(bound) for sign, bound in _bounds(cut)}
    lower, upper = bounds.get(">=", ""), bounds.get("<", "")
    if "-" in lower + upper:
        return ""
    if lower and upper:
        return f"{lower} <= {index} < {upper}"
    return f"{index} >= {lower}" if lower else f"{index} < {upper}" if upper else ""


def _bounds(cut: cst.Slice) -> list[tuple[str, cst.BaseExpression]]:
    """Return the bounds of a slice, each with the operator for an index in the slice: ``i >= 1``, ``i < n``."""
    pairs = ((">=", cut.lower), ("<", cut.upper))
    return [(sign, bound) for sign, bound in pairs if bound is not None and not m.matches(bound, _NONE)]


def _header(loop: Loop, path: cst.BaseExpression, index: str) -> Parts:
    """Return the new target and iterable of a loop that counts the modules of the whole container."""
    target, counted = loop.target, called(loop.iterable, "enumerate") is not None
    one = target.elements[1].value if counted and isinstance(target, cst.Tuple) else target
    return {target: paired(index, [one]), loop.iterable: expression("enumerate({path})", path=path)}


def _is_fixed_integer(match: Match, where: Place, loop: Any, bound: Any) -> bool:
    """Return whether a bound is an int (at least by an annotation), and does not change while the loop runs.

    A slice accepts None, too, so a default value of None does not show the type.
    """
    variables = match.event.variables
    looks = looks_integer(match.file.tree, bound, variables, by_default=False)
    if not looks and not is_proven(where, where.value(bound)):
        return False
    return is_steady(where, loop, bound)


def _from_the_front(
    match: Match, where: Place, bound: cst.BaseExpression, path: cst.BaseExpression
) -> cst.BaseExpression:
    """Return a bound of a slice as an index from the beginning: a negative bound counts from the end."""
    model = match.model(bound)
    if where.is_counted(model):
        return bound
    value = where.value(model)
    if value is not None and value.number is not None:
        return expression("len({path}) - {back}", path=path, back=str(-value.number))
    return expression("{bound} if {bound} >= 0 else {bound} + len({path})", bound=bound, path=path)
