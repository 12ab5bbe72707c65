"""# Comprehension with a condition in compiled code

## What it does

Finds comprehensions and generator expressions with an `if` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A compiled comprehension is a loop that creates one element per iteration.

```text
Comprehension ifs are not supported yet
```

## Example

```python
from typing import List

import torch


def large(sizes: List[int]) -> List[int]:
    kept: List[int] = [size for size in sizes if size > 2]
    return kept


scripted = torch.jit.script(large)
inputs = ([1, 2, 3, 4],)
```

## Use instead

```python
from typing import List

import torch


def large(sizes: List[int]) -> List[int]:
    kept: List[int] = []
    for size in sizes:
        if size > 2:
            kept.append(size)
    return kept


scripted = torch.jit.script(large)
inputs = ([1, 2, 3, 4],)
```

## Fix safety

A list or dict comprehension becomes a loop before the statement, which is *safe*. The variables of the comprehension
are renamed if the function uses their names for something else. To the compiler, the new list, which is empty at first,
is a `List[Tensor]`: annotate it if its elements have another type. There is no fix for a comprehension that is
evaluated under a condition or inside another comprehension, or if another part of the statement must run before the
comprehension. Generator expressions and set comprehensions have no fix, either.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.comprehension_to_loop import as_loops
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import ComprehensionCondition

RULE = Rule(code="TS112", name="comprehension-condition", events=(ComprehensionCondition,))


def check(match: Match[ComprehensionCondition]) -> Iterator[Finding]:
    """Report the comprehension, with a fix that writes it as a loop."""
    yield match.finding(
        "a comprehension with `if` cannot be compiled",
        help="Write a `for` loop that fills an annotated "
        f"{'dict' if isinstance(match.node, cst.DictComp) else 'list'}, with the `if` inside.",
        fix=as_loops(match, match.node),
    )
