"""Replaces ``x.new(...)`` and ``x.new_tensor(...)`` by functions that TorchScript supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import passed_on, positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.plain_types import is_size, plain_type
from tslint.script.dataflow.scopes import module_bindings

_OWN = {"dtype": "{owner}.dtype", "device": "{owner}.device"}
_SHAPE = m.Attribute(attr=m.Name("shape"))
_NEW_TENSOR = m.Call(func=m.Attribute(attr=m.Name("new_tensor")), args=[m.DoNotCare()])
_KEPT = "{torch}.tensor({value}, dtype={dtype}).to({owner})"
_NUMBER = m.Integer() | m.Float()
_NUMBERS = (cst.Integer, cst.Float)
_ZEROED = m.Call(func=m.Attribute(attr=m.Name("zero_")), args=[])
_FILLED = m.Call(
    func=m.Attribute(attr=m.Name("fill_")),
    args=[m.Arg(value=_NUMBER | m.UnaryOperation(m.Minus(), _NUMBER), keyword=None, star="")],
)
_CONSTANT = m.Index(value=m.Integer() | m.SimpleString())


def new_fix(match: Match, call: cst.Call, owner: cst.BaseExpression, method: str) -> Fix | None:
    """Return the fix for a call of ``new`` or ``new_tensor``; None if the result of the call is not known."""
    if not repeatable(owner):
        return None
    if method == "new":
        return _new(match, call, owner)
    if not call.args or not m.matches(call.args[0], m.Arg(keyword=None, star="")):
        return None
    options = {each.keyword.value if each.keyword is not None else "": each.value for each in call.args[1:]}
    return _values(match, call, call.args[0].value, owner, options) if set(options) <= {"dtype", "device"} else None


def _new(match: Match, call: cst.Call, owner: cst.BaseExpression) -> Fix | None:
    sizes = [cst.Arg(cst.Integer("0"))]
    sure = True
    if len(call.args) == 1 and call.args[0].keyword is None:
        first, star = call.args[0].value, call.args[0].star
        if is_size(match.model(first)) and star != "**":
            # The shape of a numpy array is a tuple, whose elements `new` would use as values.
            sizes, sure = [cst.Arg(first)], star == "*" or not m.findall(first, _SHAPE)
        elif not star and plain_type(match.event.variables, match.model(first)) == "int":
            sizes = [cst.Arg(first)]
        else:
            return _values(match, call, first, owner, {}) if not star and isinstance(first, cst.List) else None
    elif call.args:
        values = positional(call)
        if values is None:
            return None
        sizes = passed_on(call.args)
        # If one argument is an int, all arguments are sizes; otherwise, they may be the parts of a sparse tensor.
        sure = any(plain_type(match.event.variables, match.model(each)) == "int" for each in values)
    whole, method, more = _filled(match, call)
    if more:  # `new_full(sizes, 2)` takes the sizes as one argument
        sizes = sizes if len(sizes) == 1 and is_size(match.model(sizes[0].value)) else [cst.Arg(_listed(sizes))]
    made = cst.Call(expression(f"{{owner}}.{method}", owner=owner), [*sizes, *more])
    if sure:
        return safe(f"Write `{method}`", lambda: match.replace(whole, made))
    return either(match, whole, made, f"Write `{method}` in compiled code")


def _filled(match: Match, call: cst.Call) -> tuple[cst.Call, str, Sequence[cst.Arg]]:
    """Return the whole expression around a call of ``new``, such as ``x.new(3).zero_()``, and the method with the same
    effect: ``new_zeros``, ``new_ones``, or ``new_full`` with the number. If nothing fills the tensor, return the call
    and ``new_empty``.
    """
    method = match.parent(call)
    whole = match.parent(method) if isinstance(method, cst.Attribute) else None
    if not isinstance(method, cst.Attribute) or not isinstance(whole, cst.Call) or whole.func is not method:
        return call, "new_empty", ()
    if m.matches(whole, _ZEROED):
        return whole, "new_zeros", ()
    if not m.matches(whole, _FILLED):
        return call, "new_empty", ()
    value = whole.args[0].value
    known = {0.0: "new_zeros", 1.0: "new_ones"}.get(value.evaluated_value) if isinstance(value, _NUMBERS) else None
    return (whole, known, ()) if known is not None else (whole, "new_full", passed_on(whole.args))


def _listed(sizes: Sequence[cst.Arg]) -> cst.List:
    return cst.List([cst.Element(each.value) for each in sizes])


def _values(
    match: Match, call: cst.Call, value: cst.BaseExpression, owner: cst.BaseExpression,
    options: Mapping[str, cst.BaseExpression],
) -> Fix | None:  # fmt: skip
    torch = match.imported("torch")[0]
    parts = {name: options.get(name) or expression(own, owner=owner) for name, own in _OWN.items()}
    if isinstance(value, cst.Call) and m.matches(value.func, m.Name("range")):
        if m.matches(call, _NEW_TENSOR) and not {"list", "range"} & set(module_bindings(match.file.tree)):
            listed = expression("list({value})", value=value)
            kept = expression(_KEPT, torch=torch, value=listed, dtype=parts["dtype"], owner=owner)
            return unsafe(f"Write `{code(kept)}`", lambda: match.replace(call, kept), risks=(Risk.ASSUMES,))
        made = expression("{torch}.arange(dtype={dtype}, device={device})", torch=torch, **parts)
        bounds = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in value.args]
        assert isinstance(made, cst.Call)
        made = made.with_changes(args=[*bounds, *made.args])
        return either(match, call, made, "Write `torch.arange` in compiled code")
    kind = plain_type(match.event.variables, match.model(value))
    if kind == "Tensor":
        copied = expression("{value}.detach().clone().to(dtype={dtype}, device={device})", value=value, **parts)
        return either(match, call, copied, "Copy the tensor in compiled code")
    # With a list, `new` has no other meaning. `.to(x)` would undo a given dtype or device.
    written_out = isinstance(value, cst.List) and kind and not options
    if written_out or ((kind or isinstance(value, cst.Attribute)) and m.matches(call, _NEW_TENSOR)):
        # `.to(x)` also gives the tensor the subclass of `x`, as `new` and `new_tensor` do.
        kept = expression(_KEPT, torch=torch, value=value, dtype=parts["dtype"], owner=owner)
        return unsafe(f"Write `{code(kept)}`", lambda: match.replace(call, kept), risks=(Risk.ASSUMES,))
    if kind or isinstance(value, cst.Attribute):
        made = expression("{torch}.tensor({value}, dtype={dtype}, device={device})", torch=torch, value=value, **parts)
        return either(match, call, made, "Write `torch.tensor` in compiled code")
    return None


def repeatable(node: cst.BaseExpression) -> bool:
    """Return whether an expression can be written twice: a variable, an attribute, or an item with a literal index."""
    if isinstance(node, cst.Subscript):
        return m.matches(node, m.Subscript(slice=[m.SubscriptElement(slice=_CONSTANT)])) and repeatable(node.value)
    return isinstance(node, cst.Name) or (isinstance(node, cst.Attribute) and repeatable(node.value))
