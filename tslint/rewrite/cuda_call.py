"""Writes ``x.cuda(...)`` with arguments, which compiled code does not accept, as ``x.to(...)``."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.plain_types import plain_type
from tslint.script.events.calls import OperatorMismatch

_OPTIONS = ("device", "non_blocking")
_NONE = m.Name("None")
_SURE = _NONE | m.Integer() | m.Call()
_CUDA = m.Call(func=m.Attribute(attr=m.Name("cuda")))


def moved(match: Match) -> Fix | None:
    """Return the fix for a call of ``cuda``; None for other calls, and for a device other than None or a known int."""
    event, call = match.event, match.node
    if not isinstance(event, OperatorMismatch) or event.operator != "aten::cuda" or not m.matches(call, _CUDA):
        return None
    assert isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
    passed = {each.keyword.value if each.keyword else name: each for name, each in zip(_OPTIONS, call.args)}
    if len(passed) != len(call.args) or not set(passed) <= set(_OPTIONS) or any(each.star for each in call.args):
        return None
    device: cst.BaseExpression = cst.SimpleString('"cuda"')
    index = passed["device"].value if "device" in passed else cst.Name("None")
    if not m.matches(index, _NONE):
        if plain_type(event.variables, match.model(index)) != "int":
            return None
        torch, imports = match.imported("torch")
        if imports or match.binds(torch):
            return None
        device = expression('{torch}.device("cuda", {index})', torch=torch, index=index)
    new = cst.Call(call.func.with_changes(attr=cst.Name("to")), [cst.Arg(device)])
    if "non_blocking" in passed:
        option = expression("f(non_blocking={value})", value=passed["non_blocking"].value)
        assert isinstance(option, cst.Call)
        new = new.with_changes(args=[*new.args, *option.args])
    message = "Write `.to(…)`, which takes a device in compiled code"
    if not m.matches(index, _SURE):
        assumes = f"only an annotation says that {match.quote(index)} is an int"
        return unsafe(message, lambda: match.replace(call, new), assumes=assumes)
    return safe(message, lambda: match.replace(call, new))
