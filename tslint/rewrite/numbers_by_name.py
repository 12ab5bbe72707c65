"""Writes ``x.addmm_(1, -2, a, b)``, torch's deprecated order of arguments, as ``x.addmm_(a, b, beta=1, alpha=-2)``."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import by_keyword
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.events.calls import OperatorMismatch

# Torch's deprecated signatures (tools/autograd/deprecated.yaml): the names of their numbers, each with its position in
# the arguments of a function. Methods take the numbers first.
_SCALED, _VALUE = {"beta": 0, "alpha": 2}, {"value": 1}
_NAMES = {
    **dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), _SCALED),
    **dict.fromkeys(("addcmul", "addcdiv"), _VALUE),
}
_NUMBER = m.Integer() | m.Float() | m.UnaryOperation(m.Minus(), m.Integer() | m.Float())
_PLAIN = m.Arg(keyword=None, star="")


def numbers_by_name(match: Match) -> Fix | None:
    """Pass the numbers of a call in torch's deprecated form by their names, ``addcmul_(a, b, value=0.5)`` for
    ``addcmul_(0.5, a, b)``; None for other calls.
    """
    node = match.node
    if not isinstance(match.event, OperatorMismatch) or not isinstance(node, cst.Call):
        return None
    if not isinstance(node.func, cst.Attribute) or not all(m.matches(each, _PLAIN) for each in node.args):
        return None
    names = _NAMES.get(node.func.attr.value.removesuffix("_"), {})
    places = [place for place, each in enumerate(node.args) if m.matches(each.value, _NUMBER)]
    function = match.event.operator.startswith("torch.")
    taken = list(names.values()) if function else list(range(len(names)))
    tensors = len(node.args) - len(places)
    if not places or places != taken[: len(places)] or tensors != (3 if function else 2):
        return None
    numbers = [node.args[place] for place in places]

    def new() -> cst.Call:
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        others = [each for each in node.args if each not in numbers]
        named = [by_keyword(name, each.value) for each, name in zip(numbers, names)]
        *first, last = [*others, *named]
        return node.with_changes(args=[*(each.with_changes(comma=comma) for each in first), last])

    written = ", ".join(f"{name}={match.code(each.value)}" for each, name in zip(numbers, names))
    return safe(f"Write `{written}` after the tensors", lambda: match.replace(node, new()))
