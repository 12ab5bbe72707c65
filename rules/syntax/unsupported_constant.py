"""# Literal that TorchScript does not support

## What it does

Finds literals in compiled code that have no TorchScript value: `bytes`, integers of more than 64 bits, and strings that
are not valid Unicode (lone surrogates).

## Why TorchScript rejects it

TorchScript's constants are booleans, `None`, signed 64-bit integers, floats, complex numbers and strings.

```text
Unknown Constant expression type
Integral constant out of range (must fit in a signed 64 bit integer)
```

## Example

```python
import torch


def lowest(n: int) -> int:
    return max(n, -9223372036854775808)


scripted = torch.jit.script(lowest)
inputs = (3,)
```

## Use instead

```python
import torch


def lowest(n: int) -> int:
    return max(n, (-9223372036854775807 - 1))


scripted = torch.jit.script(lowest)
inputs = (3,)
```

Outside compiled code, `torch.iinfo(torch.int64).min` is the same number: store it in a `Final` attribute.

## Fix safety

Only `-9223372036854775808` has a fix, the subtraction above, which is *safe*: the value is the same. (The compiler
reads the number without its minus, which is out of range.) TorchScript has nothing that corresponds to the other
literals.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.script.events.syntax import BytesLiteral, IntegerOutOfRange, SurrogateString

RULE = Rule(
    code="TS126",
    name="unsupported-constant",
    events=(BytesLiteral, IntegerOutOfRange, SurrogateString),
)
_WORDS = {
    BytesLiteral: ("a `bytes` literal cannot be compiled", "Use a `str`, or a `uint8` tensor."),
    IntegerOutOfRange: ("this integer does not fit into 64 bits", "Use a `float`, or a number of at most 64 bits."),
    SurrogateString: ("this string is not valid Unicode", "Remove the lone surrogate."),
}
_NEGATIVE = m.UnaryOperation(operator=m.Minus())


def check(match: Match[BytesLiteral | IntegerOutOfRange | SurrogateString]) -> Iterator[Finding]:
    """Report the literal, with a fix for the smallest 64-bit integer."""
    message, help = _WORDS[type(match.event)]
    fix = _lowest(match)
    yield match.finding(message, help=help if fix is None else f"Write `(-{2**63 - 1} - 1)`.", fix=fix)


def _lowest(match: Match) -> Fix | None:
    node = match.node
    if not isinstance(node, cst.Integer) or node.evaluated_value != 2**63 or not match.under(node, _NEGATIVE):
        return None
    difference = expression("-{most} - 1", most=str(2**63 - 1))
    around = match.parent(node)
    assert around is not None
    return safe("Write it as a subtraction", lambda: match.replace(around, difference))
