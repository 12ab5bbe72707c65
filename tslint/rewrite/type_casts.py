"""Replaces ``x.type(torch.FloatTensor)`` by the device and dtype of that tensor class."""

from __future__ import annotations

import re

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import code, expression

# There is no fix for CUDA's classes: a tensor stays on its current GPU, which `to("cuda")` may change.
_NAME = re.compile(r"torch\.(\w+)Tensor")
DTYPES = {
    "Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Byte": "uint8",
    "Char": "int8", "Short": "int16", "Int": "int32", "Long": "int64", "Bool": "bool",
}  # fmt: skip


def to_device_and_dtype(match: Match, call: cst.CSTNode, name: str) -> Fix | None:
    """Write ``x.type(torch.FloatTensor)`` as ``x.to("cpu", torch.float32)``, which has the same result.

    Args:
        match: provides the file.
        call: the call of the method ``type``, with one argument.
        name: the name of the class: ``torch.FloatTensor``.
    """
    found = _NAME.fullmatch(name)
    dtype = DTYPES.get(found[1]) if found is not None else None
    if dtype is None or not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None
    if call.func.attr.value != "type" or len(call.args) != 1 or call.args[0].star:
        return None
    value = call.func.value
    torch, imports = match.imported("torch")
    quote = '"cpu"'
    shown = code(expression("to({device}, {torch}.{dtype})", device=quote, torch=torch, dtype=dtype))

    def edits() -> tuple[Edit, ...]:
        parts = {"device": quote, "torch": torch, "dtype": dtype}
        return match.replace(call, expression("{value}.to({device}, {torch}.{dtype})", value=value, **parts))

    return safe(f"Write `{shown}`", edits, *imports)
