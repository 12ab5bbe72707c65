"""``finfo`` of torch and numpy as a function of the dtype."""

from __future__ import annotations

import ast

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.eager_only import add_before_function
from tslint.rewrite.statements import parent, replace
from tslint.rewrite.when_compiled import either
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe

_LIMITS = {
    "min": ("-65504.0", "-3.3895313892515355e+38", "-3.4028234663852886e+38", "-1.7976931348623157e+308"),
    "max": ("65504.0", "3.3895313892515355e+38", "3.4028234663852886e+38", "1.7976931348623157e+308"),
    "eps": ("0.0009765625", "0.0078125", "1.1920928955078125e-07", "2.220446049250313e-16"),
    "tiny": ("6.103515625e-05", "1.1754943508222875e-38", "1.1754943508222875e-38", "2.2250738585072014e-308"),
}
_LIMITS["smallest_normal"] = _LIMITS["tiny"]


def limit_fix(match: Match, node: ast.expr, which: str, dtype: str) -> Fix | None:
    """``torch.finfo(dtype).min`` → a function of the dtype, or a number where the dtype is written out.

    Args:
        node: the expression to replace.
        which: ``min``, ``max``, ``eps`` …
        dtype: the text of the dtype.
    """
    if which not in _LIMITS or "\n" in dtype:
        return None
    half, brain, single, double = _LIMITS[which]
    torch, imports = match.imported("torch")
    known = {"float32": single, "float": single, "float16": half, "half": half, "bfloat16": brain}
    known |= {"float64": double, "double": double}
    written = dtype.removeprefix(f"{torch}.")
    if written != dtype and written in known:
        number = known[written]
        alone = isinstance(parent(match, node), (ast.BinOp, ast.Attribute, ast.UnaryOp, ast.Subscript))
        return safe("Write the number", replace(match, node, f"({number})" if alone else number))
    name = f"_finfo_{which}"
    helper = add_before_function(
        match,
        f"def {name}(dtype: {torch}.dtype) -> float:\n"
        f"    if dtype == {torch}.float16:\n        return {half}\n"
        f"    if dtype == {torch}.bfloat16:\n        return {brain}\n"
        f"    if dtype == {torch}.float64:\n        return {double}\n"
        f"    if dtype == {torch}.float32:\n        return {single}\n"
        f"    raise TypeError('only four floating dtypes are known here')",
        name,
    )
    if helper is None:
        return None
    words = "Ask a function that knows four floating dtypes where it is compiled"
    return either(match, node, f"{name}({dtype})", words, *helper, *imports, risks=(Risk.RAISES,))


def numpy_limit(match: Match, call: ast.Call) -> Fix | None:
    """``float(np.finfo(torch.tensor(0, dtype=D).numpy().dtype).min)``, the way around ``torch.finfo`` of old."""
    found = parent(match, call)
    if not isinstance(found, ast.Attribute) or not match.event.facts["name"].endswith("finfo") or len(call.args) != 1:
        return None
    asked = call.args[0]
    steps = []
    while isinstance(asked, (ast.Attribute, ast.Call)):
        if isinstance(asked, ast.Attribute):
            steps.append(asked.attr)
            asked = asked.value
        elif isinstance(asked.func, ast.Attribute) and asked.func.attr == "numpy":
            asked = asked.func
        else:
            break
    if steps != ["dtype", "numpy"] or not isinstance(asked, ast.Call) or ast.unparse(asked.func) != "torch.tensor":
        return None
    dtype = next((keyword.value for keyword in asked.keywords if keyword.arg == "dtype"), None)
    around = parent(match, found)
    whole = isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id == "float"
    target = around if whole and isinstance(around, ast.Call) else found
    return limit_fix(match, target, found.attr, match.text(dtype)) if dtype is not None else None
