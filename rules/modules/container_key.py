"""# ModuleDict indexed by a variable

## What it does

Finds `self.heads[name]` with a key that is no string literal, where `self.heads` is an `nn.ModuleDict`, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

Every module of a dict has a type of its own, so the compiler has to know which one is meant.

```text
Unable to extract string literal index. ModuleDict indexing is only supported with string literals.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"box": nn.Linear(3, 4), "label": nn.Linear(3, 2)})

    def forward(self, x):
        out = []
        for name in self.heads:
            out.append(self.heads[name](x))
        return out


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"box": nn.Linear(3, 4), "label": nn.Linear(3, 2)})

    def forward(self, x):
        out = []
        for head in self.heads.values():
            out.append(head(x))
        return out


inputs = (torch.rand(2, 3),)
```

Where the key comes from somewhere else, walk the dict and compare:

```text
for name, head in self.heads.items():
    if name == wanted:
        x = head(x)
```

## Fix safety

A loop over the keys of the same dict becomes one over its items; that is *safe*. Any other key is compared in a walk
over the items, after a line that raises KeyError where the dict does not have it. That is *safe* where nothing else of
the statement is evaluated before, *unsafe* elsewhere: something else may have been raised first. Where the key cannot
be checked before, compiled code alone walks, which is *unsafe*: for a key that the dict does not have it does nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.loop_parts import loop_of, module_name, read_after, replace, same, singular
from tslint.rewrite.select_module import walked
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS402", name="container-key", events=("container-key",))


def check(match: Match) -> Iterator[Finding]:
    """Iterate over the items."""
    facts, node = match.event.facts, match.event.node
    one = singular(node.value) if isinstance(node, ast.Subscript) else "module"
    yield match.finding(
        f"`{match.text(node)}` takes a module by `{match.text(facts['index'])}`: TorchScript can only index an"
        " nn.ModuleDict with a string literal",
        help=f"Iterate instead: `for name, {one} in {facts['path']}.items():`; where one is meant, test `name` there.",
        fix=_items(match, node, facts["index"]) or walked(match, node, keys=True)
        if isinstance(node, ast.Subscript)
        else None,
    )


def _items(match: Match, node: ast.Subscript, key: ast.expr) -> Fix | None:
    loop = loop_of(match, key.id, node) if isinstance(key, ast.Name) else None
    if loop is None or not isinstance(key, ast.Name) or not isinstance(loop.target, ast.Name) or loop.stores(key.id):
        return None
    over = loop.iterable
    if (
        isinstance(over, ast.Call)
        and isinstance(over.func, ast.Attribute)
        and over.func.attr == "keys"
        and not over.args
    ):
        over = over.func.value
    if not same(over, node.value):
        return None
    uses = [
        child
        for child in loop.walk()
        if isinstance(child, ast.Subscript) and same(child.value, node.value) and same(child.slice, key)
    ]
    if any(isinstance(use.ctx, ast.Store) for use in uses):
        return None
    inside = {id(part) for use in uses for part in walking.walk(use)}
    named = any(isinstance(n, ast.Name) and n.id == key.id and id(n) not in inside for n in loop.walk())
    named = named or read_after(match, loop, key.id)
    one, path = module_name(match, loop, node.value), match.text(node.value)
    edits = [
        replace(match, loop.target, f"{key.id}, {one}" if named else one),
        replace(match, loop.iterable, f"{path}.{'items' if named else 'values'}()"),
        *(replace(match, use, one) for use in uses),
    ]
    return safe(f"Iterate over the items of `{path}`", *edits)
