"""Writes ``map(f, xs)`` as a comprehension, if all its values are used at once."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.callees import raises_no_stop
from tslint.script.dataflow.names import full_name, names_read
from tslint.script.dataflow.scopes import module_bindings

_LONGEST = 80
_CONVERSIONS = frozenset("int float bool str len abs".split())
_PLAIN = m.Arg(keyword=None, star="")
_TAKEN = m.Call(func=m.Name("list") | m.Name("tuple"), args=[_PLAIN])
_UNPACKED = m.Assign(targets=[m.AssignTarget(m.Tuple())])
_ONE = m.Parameters(params=[m.Param()], posonly_params=[], kwonly_params=[], star_kwarg=None, star_arg=~m.Param())
_OF_LAMBDA = m.Call(func=m.Name("map"), args=[m.Arg(m.Lambda(params=_ONE), keyword=None, star=""), _PLAIN])


def as_comprehension(match: Match, mapped: cst.Call, value: cst.BaseExpression, name: cst.Name) -> Fix | None:
    """Write ``list(map(f, xs))`` as ``[f(x) for x in xs]``, also ``map(f, xs)`` in ``tuple(…)`` or if it is unpacked.

    Args:
        match: the match of the finding.
        mapped: the call of ``map`` with a function and one more argument.
        value: the result of the function for one element.
        name: the variable for the element in this result.

    Returns:
        None if the values are not all used at once, because other code could run in between.
    """
    around = match.parent(mapped)
    taken = isinstance(around, cst.Call) and m.matches(around, _TAKEN)
    if not taken and (around is None or not m.matches(around, _UNPACKED)):
        return None
    hidden = {"list", "tuple", "map"} & module_bindings(match.file.tree).keys()
    if hidden or any(match.binds(each) for each in ("list", "tuple", "map")):
        return None
    whole: cst.BaseExpression = mapped
    if isinstance(around, cst.Call) and m.matches(around.func, m.Name("list")):
        whole = around
    new = expression("[{value} for {name} in {values}]", value=value, name=name, values=mapped.args[1].value)
    if taken:
        return safe("Write a comprehension", lambda: match.replace(whole, new))
    # Unpacking the list only raises for too many values after all of them are computed.
    return unsafe("Write a comprehension", lambda: match.replace(whole, new), risks=(Risk.EXCEPTION,))


def of_named_function(
    match: Match, mapped: cst.Call, function: cst.Name | cst.Attribute, values: cst.BaseExpression
) -> Fix | None:
    """Write ``map(torch.sigmoid, xs)`` as ``[torch.sigmoid(item) for item in xs]``; in compiled code only, if Python
    might not compute the same.

    Args:
        match: the match of the finding.
        mapped: the call of ``map``.
        function: its function.
        values: its other argument.

    Returns:
        None if the code already uses the name ``item``.
    """
    if "item" in names_read(match.model(mapped)):
        return None
    result = expression("{f}(item)", f=function)
    if _raises_no_stop(match, mapped, code(function)):
        plain = as_comprehension(match, mapped, result, cst.Name("item"))
        if plain is not None:
            return plain
    made = expression("[{value} for item in {xs}]", value=result, xs=values)
    around = match.parent(mapped)
    listed = isinstance(around, cst.Call) and m.matches(around, m.Call(func=m.Name("list"), args=[m.Arg()]))
    node = around if isinstance(around, cst.Call) and listed else mapped
    return either(match, node, made, "Write a comprehension in compiled code")


def _raises_no_stop(match: Match, mapped: cst.Call, name: str) -> bool:
    """Return whether a function never raises StopIteration, which ``map`` takes for the end: it is one of torch or a
    conversion, and its name is not bound again. If the values are unpacked, a function of the file will do, too, if it
    cannot raise StopIteration itself.
    """
    bound = module_bindings(match.file.tree)
    known = (name in _CONVERSIONS and name not in bound) or full_name(match.file.tree, name).startswith("torch.")
    if bound.get(name) == 1 and isinstance(match.parent(mapped), cst.Assign):
        known = known or raises_no_stop(match.file.tree, name)
    return known and not match.binds(name.partition(".")[0])


def comprehension_instead(match: Match, mapped: cst.CSTNode | None) -> str | None:
    """Return the advice to write a comprehension instead of ``map(lambda t: …, xs)``; None for other code."""
    if not isinstance(mapped, cst.Call) or not m.matches(mapped, _OF_LAMBDA):
        return None
    function, items = mapped.args[0].value, match.code(mapped.args[1].value)
    if not isinstance(function, cst.Lambda) or "\n" in items:
        return None
    text = f"[… for {function.params.params[0].name.value} in {items}]"
    return f"Write a comprehension: {f'`{text}`' if len(text) <= _LONGEST else short(text)}."
