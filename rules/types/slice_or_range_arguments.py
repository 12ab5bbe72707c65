"""# Wrong arguments of `range` or `slice`

## What it does

Finds calls of `range` and `slice` without arguments or with more than three, and of `slice` with keywords.

## Why TorchScript rejects it

The compiler accepts one to three positional arguments for each of the two functions.

```text
slice accepts exactly 1, 2 or 3 arguments, got: 0
```

## Example

```python
from typing import List

import torch


def first(values: List[int]) -> List[int]:
    return values[slice()]


scripted = torch.jit.script(first)
```

## Use instead

```python
from typing import List

import torch


def first(values: List[int]) -> List[int]:
    return values[slice(2)]


scripted = torch.jit.script(first)
inputs = ([1, 2, 3],)
```

## Fix safety

No fix: only the author knows what was meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.types import SliceOrRangeArguments

RULE = Rule(code="TS340", name="slice-or-range-arguments", events=(SliceOrRangeArguments,))


def check(match: Match[SliceOrRangeArguments]) -> Iterator[Finding]:
    """Report a keyword, or a wrong number of arguments."""
    name, keyword = match.event.function, match.event.keyword
    said = f"no keyword `{keyword}`" if keyword else f"one to three arguments, not {match.event.count}"
    yield match.finding(f"`{name}` takes {said}", help=f"Write `{name}(start, stop, step)`, without keywords.")
