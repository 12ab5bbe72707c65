"""Replaces a numpy array by a tensor, if the array is only created to make a float tensor of it."""

from __future__ import annotations

from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.names import full_name
from tslint.script.events.names import NumpyCall
from tslint.script.types import FLOAT, INT, ListType

_LISTS = (ListType(INT), ListType(FLOAT))
# For each function of numpy: the code that makes the same tensor, and the types that an argument may have.
_MADE = {
    "array": ('{torch}.tensor({values}, dtype={torch}.float32, device="cpu")', _LISTS),
    "eye": ('{torch}.eye({values}, dtype={torch}.float32, device="cpu")', (INT,)),
    "arange": ('{torch}.arange({values}, device="cpu").float()', (INT,)),
}
_FLOAT32 = m.Attribute(m.Name(), m.Name("float32")) | m.SimpleString("'float32'") | m.SimpleString('"float32"')


def as_tensor(match: Match[NumpyCall], call: cst.Call, short: str) -> Fix | None:
    """Write ``torch.from_numpy(np.array([1, 0]).astype(np.float32))`` as ``torch.tensor([1, 0], dtype=torch.float32)``.

    Args:
        match: the match of the call.
        call: makes the array.
        short: the name of numpy's function.
    """
    form, allowed = _MADE.get(short, ("", ()))
    values, types = positional(call), match.event.types
    if not values or len(types) != len(values) or not all(each in allowed for each in types):
        return None
    flat = _called(match, call, "flatten", None)
    cast = _called(match, flat or call, "astype", _FLOAT32)
    whole = match.parent(cast or flat or call)
    if not isinstance(whole, cst.Call) or len(whole.args) != 1:
        return None
    maker = full_name(match.file.tree, code(whole.func))
    last = _called(match, whole, "float", None)
    # `torch.Tensor` has the default dtype; with `.float()`, it is certainly float32.
    known = {"torch.from_numpy": cast or last, "torch.Tensor": last, "torch.FloatTensor": whole}.get(maker)
    if known is None:
        return None
    torch, imports = match.imported("torch")
    made = expression(form, torch=torch, values=", ".join(map(match.code, values)))
    new = expression("{made}.flatten()", made=made) if flat is not None else made
    # The edit covers the whole expression, so that the finding about its function is also gone.
    replaced = partial(match.replace, last or whole, new, copied=True)
    return unsafe(f"Write `{code(new)}`", replaced, *imports, risks=(Risk.ASSUMES,))


def _called(match: Match, node: cst.CSTNode, name: str, argument: m.Pattern | None) -> cst.Call | None:
    """Return the call of a named method of an expression, with the given argument or none; None if there is no such
    call.
    """
    method = match.parent(node)
    call = match.parent(method) if isinstance(method, cst.Attribute) and method.attr.value == name else None
    args = [] if argument is None else [m.Arg(argument, keyword=None, star="")]
    return call if isinstance(call, cst.Call) and call.func is method and m.matches(call, m.Call(args=args)) else None
