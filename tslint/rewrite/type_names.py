"""Compares dtype, device and layout of a tensor instead of the name of its type, which compiled code does not have."""

from __future__ import annotations

import re

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.tensor_new import repeatable
from tslint.rewrite.type_casts import DTYPES
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import expression

TYPE_NAME = m.Call(func=m.Attribute(attr=m.Name("type")), args=[])
_COMPARISON = m.Comparison(comparisons=[m.ComparisonTarget(operator=m.Equal() | m.NotEqual())])
_CLASS = re.compile(r"torch\.(cuda\.)?(\w+)Tensor")
# The name of a type consists of these.
_PARTS = ("dtype", "device.type", "layout")


def comparison_of(match: Match, call: cst.CSTNode) -> cst.Comparison | None:
    """Return the comparison for equality of which ``x.type()`` is an operand."""
    around = match.parent(call)
    around = match.parent(around) if isinstance(around, cst.ComparisonTarget) else around
    return around if isinstance(around, cst.Comparison) and m.matches(around, _COMPARISON) else None


def compared_parts(match: Match, comparison: cst.CSTNode) -> Fix | None:
    """Return the fix for ``x.type() == y.type()`` and ``x.type() == "torch.FloatTensor"``."""
    if not isinstance(comparison, cst.Comparison) or not m.matches(comparison, _COMPARISON):
        return None
    target = comparison.comparisons[0]
    equal = isinstance(target.operator, cst.Equal)
    sides = sorted((comparison.left, target.comparator), key=lambda each: not m.matches(each, TYPE_NAME))
    tensors = [_tensor(each) for each in sides if m.matches(each, TYPE_NAME)]
    if not m.matches(sides[0], TYPE_NAME) or not all(map(repeatable, tensors)):
        return None
    first, other = tensors[0], sides[1]
    torch, imports = match.imported("torch")
    if m.matches(other, TYPE_NAME):
        pairs = [f"{{first}}.{part} {{sign}} {{second}}.{part}" for part in _PARTS]
        parts: dict[str, str | cst.BaseExpression] = {"first": first, "second": tensors[1]}
    else:
        found = _CLASS.fullmatch(str(other.evaluated_value)) if isinstance(other, cst.SimpleString) else None
        dtype = DTYPES.get(found[2]) if found is not None else None
        if found is None or dtype is None or match.binds(torch):
            return None
        wanted = {"dtype": f"{{torch}}.{dtype}", "device.type": f'"{"cuda" if found[1] else "cpu"}"'}
        pairs = [f"{{first}}.{part} {{sign}} {value}" for part, value in wanted.items()]
        pairs.append("{first}.layout {sign} {torch}.strided")
        parts = {"first": first, "torch": torch}
    joined = (" and " if equal else " or ").join(pairs).replace("{sign}", "==" if equal else "!=")
    new = expression(joined, **parts)
    used = imports if "torch" in parts else ()
    return unsafe(
        "Compare the dtypes, devices and layouts instead",
        lambda: match.replace(comparison, new),
        *used,
        risks=(Risk.EXCEPTION,),  # Python raises for a layout without a name, such as that of mkldnn
    )


def _tensor(call: cst.BaseExpression) -> cst.BaseExpression:
    """Return the tensor ``x`` of ``x.type()``; also of ``x.data.type()``, because ``x.data`` has the same type."""
    assert isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute)
    owner = call.func.value
    return owner.value if isinstance(owner, cst.Attribute) and owner.attr.value == "data" else owner
