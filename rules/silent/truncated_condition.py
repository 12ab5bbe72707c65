"""# Number of a floating-point tensor as a condition

## What it does

Finds conditions such as `if x.mean().item():`, where the number comes from a floating-point tensor.

## What goes wrong

TorchScript accepts it, but converts the number to an int before it tests it. So every number between -1 and 1 is false,
such as 0.5, and NaN raises an error. In Python only 0.0 is false: the example returns `[1.0]` in Python, and this in
TorchScript:

```text
[0.5]
```

## Example

```python
import torch


def scaled(x: torch.Tensor):
    if x.mean().item():
        return x * 2
    return x


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([0.5]),)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor):
    if x.mean().item() != 0:
        return x * 2
    return x


scripted = torch.jit.script(scaled)
inputs = (torch.tensor([0.5]),)
```

## Fix safety

The fix compares the number with 0, which is *safe*. There is no fix if the value of `a or b` is used.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Severity
from tslint.rewrite.compare_with_none import only_tested
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.events.hazards import TruncatedCondition

RULE = Rule(code="TS627", name="truncated-condition", events=(TruncatedCondition,), severity=Severity.WARNING)


def check(match: Match[TruncatedCondition]) -> Iterator[Finding]:
    """Report the condition, with a fix that compares it with 0."""
    yield match.finding(
        f"{match.event_text} is converted to an int in this test: TorchScript takes 0.5 for false",
        help=f"Write {short(f'{match.event_text[1:-1]} != 0')}.",
        fix=_fix(match, match.node),
    )


def _fix(match: Match, node: cst.CSTNode) -> Fix | None:
    if not isinstance(node, cst.BaseExpression) or not only_tested(match, node):
        return None
    compared = expression("{number} != 0", number=node)
    return safe("Compare the number with 0", lambda: match.replace(node, compared))
