"""# Argument of `dict()` that is evaluated twice

## What it does

Finds `dict(zip(...))`, `dict([...])` and `dict(... for ...)` if the argument calls modules, your own methods or
functions, or torch functions that draw random numbers or work in place.

## What goes wrong

TorchScript accepts it, but evaluates the argument twice: once to determine its type, once to fill the dict. Calls
inside it run twice: a counter or a running mean is updated twice, and text is printed twice.

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def moved(self, x):
        return x.add_(1)

    def forward(self, x: torch.Tensor):
        y = x.clone()
        return dict(zip(["y"], [self.moved(y)]))


inputs = (torch.ones(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def moved(self, x):
        return x.add_(1)

    def forward(self, x: torch.Tensor):
        y = x.clone()
        return {key: value for key, value in zip(["y"], [self.moved(y)])}


inputs = (torch.ones(3),)
```

## Fix safety

The fix writes a dict comprehension. This is *safe*: the comprehension creates the same dict, and is evaluated once in
Python and in TorchScript.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix, Severity
from tslint.rewrite.fresh_names import fresh_name
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.script.events.hazards import EvaluatedTwice

RULE = Rule(code="TS616", name="evaluated-twice", events=(EvaluatedTwice,), severity=Severity.WARNING)
_PAIR = m.Tuple(elements=[m.Element(), m.Element()])


def check(match: Match[EvaluatedTwice]) -> Iterator[Finding]:
    """Report the call that runs twice, with a fix that writes a dict comprehension."""
    node = match.node
    yield match.finding(
        f"{match.quote(match.libcst(match.event.call))} runs twice in TorchScript: `dict(...)` evaluates its "
        "argument twice",
        help="Write a dict comprehension, or assign the argument to a variable first.",
        fix=_comprehension(match, node) if isinstance(node, cst.Call) else None,
    )


def _comprehension(match: Match, node: cst.Call) -> Fix:
    """Write ``dict(pairs)`` as a dict comprehension; a comprehension of pairs keeps its ``for``."""
    key, value = fresh_name(match, "key"), fresh_name(match, "value")
    pairs = node.args[0].value

    def edits() -> tuple[Edit, ...]:
        if isinstance(pairs, (cst.ListComp, cst.GeneratorExp)) and m.matches(pairs.elt, _PAIR):
            first, second = (each.value for each in cst.ensure_type(pairs.elt, cst.Tuple).elements)
            return match.replace(node, cst.DictComp(first, second, pairs.for_in))
        pattern = "{{key}: {value} for {key}, {value} in {pairs}}"
        # A generator as the only argument has no brackets of its own.
        items = cst.ListComp(pairs.elt, pairs.for_in) if isinstance(pairs, cst.GeneratorExp) else pairs
        return match.replace(node, expression(pattern, key=key, value=value, pairs=items))

    return safe("Write a dict comprehension", edits)
