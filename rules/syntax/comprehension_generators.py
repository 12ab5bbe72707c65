"""# Comprehension with several `for` clauses in compiled code

## What it does

Finds comprehensions with more than one `for` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A compiled comprehension is one loop.

```text
Only a single generator is currently supported
```

## Example

```python
from typing import List

import torch


def sums(left: List[int], right: List[int]) -> List[int]:
    return [a + b for a in left for b in right]


scripted = torch.jit.script(sums)
inputs = ([1, 2], [3, 4])
```

## Use instead

```python
from typing import List

import torch


def sums(left: List[int], right: List[int]) -> List[int]:
    found: List[int] = []
    for a in left:
        for b in right:
            found.append(a + b)
    return found


scripted = torch.jit.script(sums)
inputs = ([1, 2], [3, 4])
```

## Fix safety

A list or dict comprehension becomes nested loops before the statement, which is *safe*. The variables of the
comprehension are renamed if the function uses their names for something else. There is no fix for a comprehension that
is evaluated under a condition or inside another comprehension, or if another part of the statement must run before the
comprehension. Generator expressions and set comprehensions have no fix, either.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.comprehension_to_loop import as_loops
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import ComprehensionGenerators

RULE = Rule(code="TS113", name="comprehension-generators", events=(ComprehensionGenerators,))


def check(match: Match[ComprehensionGenerators]) -> Iterator[Finding]:
    """Report the comprehension, with a fix that writes it as nested loops."""
    count = match.event.count
    yield match.finding(
        f"a comprehension with {count} `for` clauses cannot be compiled: only one is supported",
        help="Write nested `for` loops that fill an annotated "
        f"{'dict' if isinstance(match.node, cst.DictComp) else 'list'}.",
        fix=as_loops(match, match.node),
    )
