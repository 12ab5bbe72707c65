"""Random numbers of numpy, drawn from torch where they are compiled."""

from __future__ import annotations

import ast

from tslint.diagnostics import Fix
from tslint.rewrite.eager_only import in_branches
from tslint.rulekit.match import Match


def drawn(match: Match, call: ast.Call, short: str) -> Fix | None:
    """One random number: eager mode draws it as before, with the same seed."""
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    torch, imports = match.imported("torch")
    given = [match.text(argument) for argument in call.args]
    text = ""
    if short in ("random", "rand", "random_sample") and not given:
        text = f"float({torch}.rand(1))"
    elif short in ("randn", "standard_normal") and not given:
        text = f"float({torch}.randn(1))"
    elif short == "uniform" and len(given) == 2:
        text = f"float({torch}.empty(1).uniform_({given[0]}, {given[1]}))"
    elif short == "randint" and len(given) in (1, 2):
        text = f"int({torch}.randint({', '.join(given)}, (1,)))"
    if not text or imports:
        return None
    return in_branches(match, call, {call: text}, "Draw it from torch where it is compiled")
