"""# `else` of a loop in compiled code

## What it does

Finds `for … else` and `while … else` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Compiled loops have no `else`. (For `while`, the compiler crashes with a `TypeError` that names no line.)

```text
else branches of for loops aren't supported
```

## Example

```python
from typing import List

import torch


def first_large(sizes: List[int]) -> int:
    for size in sizes:
        if size > 2:
            found = size
            break
    else:
        found = -1
    return found


scripted = torch.jit.script(first_large)
```

## Use instead

```python
from typing import List

import torch


def first_large(sizes: List[int]) -> int:
    found = -1
    for size in sizes:
        if size > 2:
            found = size
            break
    return found


scripted = torch.jit.script(first_large)
inputs = ([1, 2, 3, 4],)
```

Where the `else` does more than give a value, keep a flag: `done = False` before the loop, `done = True` before each
`break`, `if not done:` after it.

## Fix safety

No fix: which form reads best depends on what the `else` does.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule
from tslint.rules.syntax._common import at_keyword

RULE = Rule(code="TS120", name="loop-else", events=("loop-else",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the loop's keyword."""
    loop = match.event.facts["loop"]
    yield at_keyword(
        match,
        loop,
        f"the `else` of this `{loop}` loop cannot be compiled",
        "Set the value before the loop, or keep a flag that each `break` sets and test it after the loop.",
    )
