"""Replaces ``finfo`` of torch and numpy by a function of the dtype."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import Line, code, expression, statement
from tslint.script.dataflow.callers import callers
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import NumpyCall

_LIMITS = {
    "min": ("-65504.0", "-3.3895313892515355e+38", "-3.4028234663852886e+38", "-1.7976931348623157e+308"),
    "max": ("65504.0", "3.3895313892515355e+38", "3.4028234663852886e+38", "1.7976931348623157e+308"),
    "eps": ("0.0009765625", "0.0078125", "1.1920928955078125e-07", "2.220446049250313e-16"),
    "tiny": ("6.103515625e-05", "1.1754943508222875e-38", "1.1754943508222875e-38", "2.2250738585072014e-308"),
}
_LIMITS["smallest_normal"] = _LIMITS["tiny"]
_FUNCTION = """\
def {name}(dtype: {torch}.dtype) -> float:
    if dtype == {torch}.float16:
        return {half}
    if dtype == {torch}.bfloat16:
        return {brain}
    if dtype == {torch}.float64:
        return {double}
    if dtype == {torch}.float32:
        return {single}
    raise TypeError('only four floating dtypes are known here')
"""
_MADE = m.SaveMatchedNode(m.Call(func=m.Attribute(value=m.Name("torch"), attr=m.Name("tensor"))), "made")
_NUMPY_DTYPE = m.Attribute(value=m.Call(func=m.Attribute(value=_MADE, attr=m.Name("numpy"))), attr=m.Name("dtype"))
_OF_DTYPE = m.Arg(keyword=m.Name("dtype"))


def limit_fix(match: Match, node: cst.BaseExpression, which: str, dtype: cst.BaseExpression) -> Fix | None:
    """Replace ``torch.finfo(dtype).min`` by a function of the dtype, or by a number if the dtype is a constant.

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
        return safe("Write the number", lambda: match.replace(node, expression(number)))
    name = f"_finfo_{which}"
    limits = {"half": half, "brain": brain, "single": single, "double": double}
    helper = _defined(match, name, statement(_FUNCTION, name=name, torch=torch, **limits))
    if helper is None:
        return None
    asked = expression("{name}({dtype})", name=name, dtype=dtype)
    words = "Call a function that supports four floating dtypes in compiled code"
    return either(match, node, asked, words, *helper, *imports, risks=(Risk.RAISES,))


def _defined(match: Match, name: str, definition: cst.CSTNode) -> tuple[Edit, ...] | None:
    """Return the edits that put a function above the definition that contains the event; none if the function exists
    already.

    Returns:
        None if its name is used for something else.
    """
    if name in module_bindings(match.file.tree):
        there = callers(match.file.tree).functions.get(name)
        same = there is not None and _alike(match, match.libcst(there), definition)
        return () if same else None
    *_, around = match.ancestors(match.node)
    assert isinstance(around, Line) and isinstance(definition, cst.FunctionDef)
    two_lines = [cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)]
    return (match.insert_before(around, definition.with_deep_changes(definition.body, footer=two_lines)),)


def _alike(match: Match, one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Return whether two functions only differ in white space."""
    return match.code(one).split() == code(other).split()


def numpy_limit(match: Match[NumpyCall], call: cst.Call) -> Fix | None:
    """Replace ``float(np.finfo(torch.tensor(0, dtype=D).numpy().dtype).min)``, which some write for ``torch.finfo``."""
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
