"""# Python's `random` in compiled code

## What it does

Finds calls of the `random` module.

## Why TorchScript rejects it

The `random` module is part of Python. A compiled model uses torch's generator (`torch.rand`, `torch.randint`,
`torch.randperm`), which `torch.manual_seed` seeds.

```text
Python builtin <built-in method random of Random object at
```

## Example

```python
import random

import torch
from torch import nn


class StochasticDepth(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training and random.random() < 0.1:
            return torch.zeros_like(x)
        return x


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class StochasticDepth(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training and float(torch.rand(1)) < 0.1:
            return torch.zeros_like(x)
        return x


inputs = (torch.rand(3),)
```

## Fix safety

After the fix, compiled code draws its numbers from torch's generator, and Python from its own, as before. This is
*unsafe*: the generators have different seeds, and return different numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code, expression
from tslint.script.events.names import UnsupportedExternalCall

RULE = Rule(code="TS206", name="random-call", events=(UnsupportedExternalCall,))

_PLAIN = m.Name() | m.Attribute() | m.Integer() | m.Float()
_INSTEAD = {
    "random": "float(torch.rand(1))",
    "uniform": "float(torch.empty(1).uniform_({0}, {1}))",
    "randint": "int(torch.randint({0}, {1} + 1, (1,)))",
    "randrange": "int(torch.randint({0}, {1}, (1,)))",
    "gauss": "float(torch.randn(1)) * {1} + {0}",
    "normalvariate": "float(torch.randn(1)) * {1} + {0}",
    "choice": "{0}[int(torch.randint(0, len({0}), (1,)))]",
    "sample": "torch.randperm(len({0}))[:{1}]",
    "shuffle": "torch.randperm(len({0}))",
}
# The replacement for a call, by the function of `random` and its number of arguments.
_DRAWN = {
    ("random", 0): "float({torch}.rand(1))",
    ("uniform", 2): "float({torch}.empty(1).uniform_({a}, {b}))",
    ("randint", 2): "int({torch}.randint({a}, {end}, (1,)))",
}


def check(match: Match[UnsupportedExternalCall]) -> Iterator[Finding]:
    """Report the call, with a fix that uses torch's generator in compiled code."""
    if match.event.package != "random":
        return
    drawn = _drawn(match)
    instead = code(drawn) if drawn is not None else _instead(match)
    yield match.finding(
        f"{match.event_text} uses Python's random generator, which compiled code does not have",
        help=f"Use torch's generator: `{instead}`; `torch.manual_seed` seeds it.",
        fix=_fix(match),
    )


def _instead(match: Match[UnsupportedExternalCall]) -> str:
    """Return what to write instead, with the arguments of the call if they are variables or literals."""
    arguments = (positional(match.node) if isinstance(match.node, cst.Call) else None) or []
    written = [match.code(each) if m.matches(each, _PLAIN) else "…" for each in arguments]
    if match.event.short == "randrange" and len(written) == 1:
        written = ["0", *written]
    return _INSTEAD.get(match.event.short, "torch.rand(…)").format(*written, "…", "…")


def _fix(match: Match[UnsupportedExternalCall]) -> Fix | None:
    call, drawn = match.node, _drawn(match)
    if drawn is None or not isinstance(call, cst.Call):
        return None
    return either(match, call, drawn, "Use torch's generator in compiled code")


def _drawn(match: Match[UnsupportedExternalCall]) -> cst.BaseExpression | None:
    """Return the code that draws the number from torch's generator; None if ``_DRAWN`` has no code for the call."""
    call = match.node
    if not isinstance(call, cst.Call) or (arguments := positional(call)) is None:
        return None
    pattern = _DRAWN.get((match.event.short, len(arguments)))
    if pattern is None:
        return None
    parts = dict(zip("ab", arguments))
    if len(arguments) == 2:
        parts["end"] = _above(arguments[1])
    return expression(pattern, torch=match.imported("torch")[0], **parts)


def _above(number: cst.BaseExpression) -> cst.BaseExpression:
    """Return a number plus one."""
    if isinstance(number, cst.Integer):
        return cst.Integer(str(number.evaluated_value + 1))
    return expression("{number} + 1", number=number)
