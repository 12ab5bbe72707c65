"""# Set in compiled code

## What it does

Finds set literals and set comprehensions in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

TorchScript has lists, tuples and dicts, and no sets.

```text
Set aren't supported
```

## Example

```python
import torch


def halve(x: torch.Tensor) -> torch.Tensor:
    if x.dim() in {1, 2}:
        return x / 2
    return x


scripted = torch.jit.script(halve)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def halve(x: torch.Tensor) -> torch.Tensor:
    if x.dim() in [1, 2]:
        return x / 2
    return x


scripted = torch.jit.script(halve)
inputs = (torch.rand(3),)
```

Where duplicates must go, use the keys of a dict.

## Fix safety

In `in` and `not in` tests of numbers and strings, the braces become brackets. That is *safe*: membership in a list
compares with the same `==`. Of something else they do so where it is compiled, and Python tests a `frozenset`, which is
*unsafe*: a set raises for what has no hash. Elsewhere there is no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.spans import parent, place, replace
from tslint.rewrite.tensor_new import plain_type
from tslint.rewrite.when_compiled import is_local, readable
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.scopes import module_bindings

_NUMBERS_AND_TEXTS = ("int", "float", "bool", "str")
RULE = Rule(code="TS111", name="set", events=("set-literal", "set-comprehension"))


def check(match: Match) -> Iterator[Finding]:
    """Turn the set of a membership test into a list."""
    node = match.event.node
    what = "a set comprehension" if isinstance(node, ast.SetComp) else "a set"
    yield match.finding(
        f"{what} cannot be compiled: TorchScript has no sets",
        help="Use a list or a tuple; where duplicates must go, the keys of a dict.",
        fix=_list(match, node) if isinstance(node, ast.Set) else None,
    )


def _list(match: Match, node: ast.Set) -> Fix | None:
    around = parent(match, node)
    if (
        not isinstance(around, ast.Compare)
        or len(around.ops) != 1
        or not isinstance(around.ops[0], (ast.In, ast.NotIn))
    ):
        return None
    if around.comparators[0] is not node or not all(isinstance(element, ast.Constant) for element in node.elts):
        return None
    if plain_type(match, around.left) not in _NUMBERS_AND_TEXTS:
        # What has no hash raises in Python, and a tensor is looked for by its identity.
        inside = ", ".join(match.text(element) for element in node.elts)
        test = f"{match.text(around.left)} {'not in' if isinstance(around.ops[0], ast.NotIn) else 'in'} "
        comma = "," if len(node.elts) == 1 else ""
        torch, imports = match.imported("torch")
        if is_local(match, torch) or "\n" in test + inside or not readable(match, around.left):
            return None
        if "frozenset" in module_bindings(match.file.tree) or is_local(match, "frozenset"):
            return None
        text = f"({test}[{inside}] if {torch}.jit.is_scripting() else {test}frozenset(({inside}{comma})))"
        words = "Test membership in a list where it is compiled"
        return unsafe(words, replace(match, around, text), *imports, risks=(Risk.DIFFERS,))
    start, end = place(match, node)
    source = match.source
    low, high = source.offset(start), source.offset(end)
    opening = Edit(start, source.position(low + 1), "[")
    closing = Edit(source.position(high - 1), end, "]")
    return safe("Test membership in a list", opening, closing)
