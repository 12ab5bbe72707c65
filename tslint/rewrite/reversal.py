"""Writes ``reversed(...)`` as a range that counts down, or as a slice of a list."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.dataflow.sequence_reads import keeps_items

_RANGE = m.Call(func=m.Name("range"))
_LISTED_RANGE = m.Call(func=m.Name("list"), args=[m.Arg(_RANGE, keyword=None, star="")])
_REPEATABLE = m.Name() | m.Attribute() | m.Subscript() | m.Call() | m.List()
_TAKES_RANGE = m.Call(func=m.Name("list") | m.Name("enumerate"))
_TAKES_LISTS = m.Call(func=m.Name("zip") | m.Name("enumerate"))
_PATH = m.Name() | m.Attribute()
# A new list has no other reference, so nothing can change it during a loop over it.
_NEW_LIST = m.Call(func=m.Name("list") | m.Name("sorted")) | m.List()
# Methods of tensors that accept a list as well as single numbers.
_SIZED = m.Name("permute") | m.Name("view") | m.Name("reshape") | m.Name("expand") | m.Name("repeat")
_TAKES_SIZES = m.Call(func=m.Attribute(attr=_SIZED), args=[m.Arg(star="*")])


def reversal(match: Match, call: cst.Call, given: cst.BaseExpression, *, of_list: bool) -> Fix | None:
    """Rewrite a call of ``reversed``.

    Args:
        match: the event.
        call: the call.
        given: its argument.
        of_list: whether the compiler sees the argument as a list.
    """
    if m.matches(given, _LISTED_RANGE) and "list" not in module_bindings(match.file.tree):
        given = cst.ensure_type(given, cst.Call).args[0].value
    if m.matches(given, _RANGE):
        return _range_back(match, call, given)
    return _list_back(match, call, given) if of_list else None


def _is_iterated(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether a loop or a comprehension iterates over an expression."""
    around = match.parent(node)
    return isinstance(around, (cst.For, cst.CompFor)) and around.iter is node


def _zipped_in(match: Match, node: cst.BaseExpression) -> cst.For | None:
    """Return the loop over ``zip(…)`` or ``enumerate(…)`` that gets an expression as an argument; None for others."""
    call = match.parent(node)
    loop = match.parent(call) if call is not None and m.matches(call, _TAKES_LISTS) else None
    return loop if isinstance(loop, cst.For) and loop.iter is call else None


def _list_back(match: Match, call: cst.Call, given: cst.BaseExpression) -> Fix | None:
    """Write ``reversed(xs)`` as ``xs[::-1]``; for compiled code only, unless the list is new or stays the same during
    the loop.
    """
    back = expression("{xs}[::-1]", xs=given)
    beside = _zipped_in(match, call)
    if beside is not None and isinstance(given, cst.Name):
        if not keeps_items(match.file.tree, match.model(beside), match.model(given)):
            return None
        # `reversed` also accepts objects without slices.
        return unsafe("Reverse the list", lambda: match.replace(call, back), risks=(Risk.ASSUMES,))
    if not _is_iterated(match, call) or not m.matches(given, _REPEATABLE):
        return None
    if m.matches(given, _NEW_LIST) and not {"list", "sorted"} & set(module_bindings(match.file.tree)):
        return safe("Reverse the list", lambda: match.replace(call, back))
    around = match.parent(call)
    if isinstance(around, cst.For) and m.matches(given, _PATH) and "list" not in module_bindings(match.file.tree):
        if keeps_items(match.file.tree, match.model(around), match.model(given)):
            # `list` is needed, because `reversed` also accepts objects without slices.
            copied = expression("list({xs})[::-1]", xs=given)
            return safe("Reverse the list", lambda: match.replace(call, copied))
    return either(match, call, back, "Reverse the list in compiled code")


def _range_back(match: Match, call: cst.Call, given: cst.BaseExpression) -> Fix | None:
    """Write ``reversed(range(n))`` as ``range(n - 1, -1, -1)``; in ``x.permute(*reversed(range(n)))``, as a list."""
    bounds = positional(given) if isinstance(given, cst.Call) else None
    if bounds is None or len(bounds) not in (1, 2):
        return None
    if len(bounds) == 2 and any(m.findall(each, m.Call()) for each in bounds):
        return None  # the new code would compute the end before the beginning
    from_zero = len(bounds) == 1 or m.matches(bounds[0], m.Integer("0"))
    below = expression("-1") if from_zero else _less_one(bounds[0])
    back = expression("range({last}, {below}, -1)", last=_less_one(bounds[-1]), below=below)
    around = match.parent(call)
    if _is_iterated(match, call) or (around is not None and m.matches(around, _TAKES_RANGE)):
        return safe("Write a `range` that counts down", lambda: match.replace(call, back))
    outer = match.parent(around) if isinstance(around, cst.Arg) else None
    if isinstance(outer, cst.Call) and m.matches(outer, _TAKES_SIZES):
        sizes = expression("{method}(list({back}))", method=outer.func, back=back)
        return either(match, outer, sizes, "Write a `range` that counts down in compiled code")
    return None


def _less_one(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return the expression ``n - 1``, computed as far as possible: ``3`` for 4, and ``n + 2`` for ``n + 3``."""
    if isinstance(node, cst.Integer):
        return expression(str(node.evaluated_value - 1))
    if isinstance(node, cst.BinaryOperation) and isinstance(node.right, cst.Integer) and not node.lpar:
        by = node.right.evaluated_value
        if isinstance(node.operator, cst.Add) and by > 0:
            more = expression("{left} + {by}", left=node.left, by=str(by - 1))
            return node.left if by == 1 else more
        if isinstance(node.operator, cst.Subtract):
            return node.with_changes(right=cst.Integer(str(by + 1)))
    return expression("{node} - 1", node=node)
