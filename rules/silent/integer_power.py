"""# Power of two ints that is used as an int

## What it does

Finds `a ** b` and `pow(a, b)` of two ints, if the result is used where a float makes a difference.

## What goes wrong

TorchScript accepts it, but the result is a float: `3 ** 2` is `9.0` in TorchScript and `9` in Python. A tensor of ints
that is multiplied by the result becomes a tensor of floats, and large powers lose their last digits.

## Example

```python
import torch


def scaled(x: torch.Tensor):
    return x * x.size(0) ** 2


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor):
    return x * (x.size(0) * x.size(0))


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([1, 2]),)
```

## Fix safety

The square of a variable, an attribute or a size becomes a product, which is *safe*. Other powers become `int(a ** b)`.
If the exponent is a literal that is not negative, this is *safe*: Python's result is the same int. If `a` may be
something other than an int in Python, only compiled code gets `int(a ** b)`. For exponents that are not literals, only
compiled code gets it, too, and this is *unsafe*: a negative exponent gives a fraction in Python.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk, Severity
from tslint.rewrite.scripting import two_forms
from tslint.rewrite.whole_numbers import product
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.readable import readable
from tslint.script.dataflow.whole_numbers import certain_int
from tslint.script.events.hazards import IntegerPower

RULE = Rule(code="TS604", name="integer-power", events=(IntegerPower,), severity=Severity.WARNING)


def check(match: Match[IntegerPower]) -> Iterator[Finding]:
    """Report the power, with a fix that makes it an int in TorchScript, too."""
    whole = short(f"int({match.event_text[1:-1]})")
    yield match.finding(
        f"{match.event_text} is a float in TorchScript, but an int in Python",
        help=f"Write {whole}, or multiply, so that the result is an int in TorchScript, too.",
        fix=_fix(match, match.node),
    )


def _fix(match: Match[IntegerPower], node: cst.CSTNode) -> Fix | None:
    if not isinstance(node, (cst.BinaryOperation, cst.Call)):
        return None
    square = product(match, node)
    if square is not None:
        return safe(f"Write `{code(square)}`", lambda: match.replace(node, square))
    whole = expression("int({power})", power=node)
    power, counted = match.model(node), isinstance(match.libcst(match.event.exponent), cst.Integer)
    place = place_of(match.file.tree, power)
    sure = counted and certain_int(match.event.base, place)
    if (sure or certain_int(power, place)) and readable(match.file.tree, power):
        return safe("Convert the power to an int", lambda: match.replace(node, whole))
    # A negative exponent gives a fraction in Python.
    risks = () if counted else (Risk.DIFFERS,)
    return two_forms(match, node, whole, "Convert the power to an int in compiled code", *risks)
