"""Replaces limits from ``finfo`` of torch and numpy by numbers, or by code that computes them."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import expression
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import NumpyCall

_LIMITS = {
    "min": ("-65504.0", "-3.3895313892515355e+38", "-3.4028234663852886e+38", "-1.7976931348623157e+308"),
    "max": ("65504.0", "3.3895313892515355e+38", "3.4028234663852886e+38", "1.7976931348623157e+308"),
    "eps": ("0.0009765625", "0.0078125", "1.1920928955078125e-07", "2.220446049250313e-16"),
    "tiny": ("6.103515625e-05", "1.1754943508222875e-38", "1.1754943508222875e-38", "2.2250738585072014e-308"),
}
_LIMITS["smallest_normal"] = _LIMITS["tiny"]
# `nan_to_num` replaces infinity by the largest finite number of the dtype, and minus infinity by the smallest.
_OF_DTYPE_AT_RUN_TIME = {
    "min": 'float({torch}.tensor(float("-inf"), dtype={dtype}).nan_to_num())',
    "max": 'float({torch}.tensor(float("inf"), dtype={dtype}).nan_to_num())',
}
_MADE = m.SaveMatchedNode(m.Call(func=m.Attribute(value=m.Name("torch"), attr=m.Name("tensor"))), "made")
_NUMPY_DTYPE = m.Attribute(value=m.Call(func=m.Attribute(value=_MADE, attr=m.Name("numpy"))), attr=m.Name("dtype"))
_OF_DTYPE = m.Arg(keyword=m.Name("dtype"))


def limit_fix(match: Match, node: cst.BaseExpression, which: str, dtype: cst.BaseExpression) -> Fix | None:
    """Replace ``torch.finfo(dtype).min`` by a number if the dtype is a constant. For another dtype, compute ``min`` or
    ``max`` in compiled code; return None for other limits.

    Args:
        match: the match of the finding.
        node: the expression to replace.
        which: ``min``, ``max``, ``eps`` …
        dtype: the dtype of the limit.
    """
    if which not in _LIMITS:
        return None
    half, brain, single, double = _LIMITS[which]
    torch, imports = match.imported("torch")
    known = {"float32": single, "float": single, "float16": half, "half": half, "bfloat16": brain}
    known |= {"float64": double, "double": double}
    if isinstance(dtype, cst.Attribute) and match.code(dtype.value) == torch and dtype.attr.value in known:
        number = known[dtype.attr.value]
        return safe(f"Write `{number}`", lambda: match.replace(node, expression(number)))
    pattern = _OF_DTYPE_AT_RUN_TIME.get(which)
    if pattern is None or match.binds("float") or "float" in module_bindings(match.file.tree):
        return None
    limit = expression(pattern, torch=torch, dtype=dtype)
    # In compiled code, the expression also has a value for integer dtypes, for which `torch.finfo` raises.
    risks = (Risk.DIFFERS, Risk.RAISES)
    return either(
        match, node, limit, f"Compute `{match.code(node)}` with Tensors in compiled code", *imports, risks=risks
    )


def numpy_limit(match: Match[NumpyCall], call: cst.Call) -> Fix | None:
    """Replace ``float(np.finfo(torch.tensor(0, dtype=D).numpy().dtype).min)``, which some authors write instead of
    ``torch.finfo``.
    """
    limit = match.parent(call)
    if not isinstance(limit, cst.Attribute) or match.event.short != "finfo" or len(call.args) != 1:
        return None
    made = (m.extract(call.args[0].value, _NUMPY_DTYPE) or {}).get("made")
    if not isinstance(made, cst.Call):
        return None
    dtype = next((each.value for each in made.args if m.matches(each, _OF_DTYPE)), None)
    around = match.parent(limit)
    whole = isinstance(around, cst.Call) and m.matches(around.func, m.Name("float"))
    node = around if isinstance(around, cst.Call) and whole else limit
    return limit_fix(match, node, limit.attr.value, dtype) if dtype is not None else None
