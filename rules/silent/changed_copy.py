"""# Change of a copy

## What it does

Finds code that changes an item whose index is a Tensor: `mask[lengths[i]].fill_(1)` or `mask[lengths[i]][0] = 1`.

## What goes wrong

If the index is a Tensor with one integer, Python takes the item itself, a view of the tensor. TorchScript always copies
the items that a Tensor selects: the change is lost. An assignment to the item, `mask[lengths[i]] = 1`, works in Python
and in TorchScript.

## Example

```python
import torch


def marked(x: torch.Tensor, last: torch.Tensor):
    mask = torch.zeros_like(x)
    mask[last[0]].fill_(1)
    return x * mask


scripted = torch.jit.script(marked)
inputs = (torch.ones(3, 2), torch.tensor([1]))
```

## Use instead

```python
import torch


def marked(x: torch.Tensor, last: torch.Tensor):
    mask = torch.zeros_like(x)
    mask[last[0]] = 1
    return x * mask


scripted = torch.jit.script(marked)
inputs = (torch.ones(3, 2), torch.tensor([1]))
```

`mask[int(last[0])].fill_(1)` works, too.

## Fix safety

No fix: the index may be a Tensor with several integers. Then Python changes a copy, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Severity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.events.hazards import CopyChanged

RULE = Rule(code="TS626", name="changed-copy", events=(CopyChanged,), severity=Severity.WARNING)


def check(match: Match[CopyChanged]) -> Iterator[Finding]:
    """Report the item that is changed."""
    index = short(match.text(match.event.index))
    yield match.finding(
        f"TorchScript loses this change: {match.event_text} is a copy there, because {index} is a Tensor",
        help=f"Write `int(...)` around {index}, or assign to the item.",
    )
