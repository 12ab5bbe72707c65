"""Replaces numpy's random numbers with torch's in compiled code."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.compiled_statements import twice
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.template import expression

_UNIFORM = "float({torch}.rand(1))"
_NORMAL = "float({torch}.randn(1))"
# The replacement for a call, by the function of numpy and its number of arguments.
_DRAWN = {
    ("random", 0): _UNIFORM,
    ("rand", 0): _UNIFORM,
    ("random_sample", 0): _UNIFORM,
    ("randn", 0): _NORMAL,
    ("standard_normal", 0): _NORMAL,
    ("uniform", 2): "float({torch}.empty(1).uniform_({a}, {b}))",
    ("randint", 1): "int({torch}.randint({a}, (1,)))",
    ("randint", 2): "int({torch}.randint({a}, {b}, (1,)))",
}


def drawn(match: Match, call: cst.Call, short: str) -> Fix | None:
    """Replace one random number in compiled code; Python still draws it from numpy, so that numpy's seed has its
    effect.
    """
    arguments = positional(call)
    if arguments is None:
        return None
    pattern = _DRAWN.get((short, len(arguments)))
    torch, imports = match.imported("torch")
    if pattern is None or imports:
        return None
    number = expression(pattern, torch=torch, **dict(zip("ab", arguments)))
    return twice(match, call, number, "Use random numbers of torch in compiled code")
