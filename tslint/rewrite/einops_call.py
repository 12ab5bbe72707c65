"""Writes calls of einops' functions as methods of their Tensor."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.einops_pattern import methods
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.plain_tensors import Tensors
from tslint.script.events.names import PackageCall
from tslint.script.types import ANYTHING, INT, TENSOR

_POSITIONAL = {"rearrange": 2, "repeat": 2, "reduce": 3}
# Sizes whose evaluation has no effect: they may be evaluated in another order.
_SIZE = m.Name() | m.Integer() | m.Attribute(value=m.Name()) | m.Subscript(value=m.Attribute(value=m.Name()))


def as_methods(match: Match[PackageCall]) -> Fix | None:
    """Return a fix that writes the call as methods of the Tensor: ``x.permute(0, 2, 3, 1).flatten(1, 2)``.

    Returns:
        None if the pattern is not constant, if the argument may be a list, or if the methods would not raise wherever
        einops does.
    """
    call, event = match.node, match.event
    function = event.short
    count = _POSITIONAL.get(function) if event.package == "einops" else None
    if count is None or not isinstance(call, cst.Call) or len(event.types) != len(call.args):
        return None
    plain, named = call.args[:count], call.args[count:]
    if (
        len(plain) < count
        or any(each.star or each.keyword for each in plain)
        or any(each.star or not each.keyword for each in named)
    ):
        return None
    # einops and torch accept the same sizes, so that their types need not be known.
    if event.types[0] != TENSOR or any(each not in (INT, ANYTHING) for each in event.types[count:]):
        return None
    sizes = {each.keyword.value: each.value for each in named if each.keyword is not None}
    texts = [each.value.evaluated_value for each in plain[1:] if isinstance(each.value, cst.SimpleString)]
    strings = [each for each in texts if isinstance(each, str)]
    if len(strings) != count - 1 or not all(m.matches(each, _SIZE) for each in sizes.values()):
        return None
    # Axes with the names of einops' parameters cannot be passed.
    if sizes.keys() & {"tensor", "tensors", "pattern", "reduction"}:
        return None
    written = methods(function, strings[0], sizes, *strings[1:])
    if written is None:
        return None
    tensor = plain[0].value
    known = Tensors(match.file.tree, event.variables).is_plain(match.model(tensor))
    return unsafe(
        "Write it with methods of the Tensor",
        lambda: match.replace(call, expression(f"{{_}}{written}", _=tensor, **sizes)),
        risks=(Risk.EXCEPTION,),
        assumes="" if known else f"nothing shows that {match.quote(tensor)} is a Tensor",
    )
