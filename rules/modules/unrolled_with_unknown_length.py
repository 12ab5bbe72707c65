"""# Modules zipped with something whose length is not known

## What it does

Finds `zip(self.layers, features)` where one part is a container of modules or a tuple and another one a list, a tensor
or a range, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A loop over modules is unrolled: its body is compiled once for every module. The length of a list is only known when
the code runs.

```text
Can not iterate over a module list or tuple with a value that does not have a statically determinable length
```

## Example

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for layer, feature in zip(self.layers, features):
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for i, layer in enumerate(self.layers):
            feature = features[i]
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Fix safety

Walking the modules and indexing the list is *unsafe*: `zip` stops at the end of the shorter one, an index beyond the
end of the list fails.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.modules._common import fresh_name, loop_over, place, replace

RULE = Rule(code="TS416", name="unrolled-with-unknown-length", events=("unrolled-with-unknown-length",))


def check(match: Match) -> Iterator[Finding]:
    """Walk the modules, and index the rest."""
    node, type_ = match.event.node, match.event.facts["type"]
    text = match.text(node)
    what = f"`{text}`" if "\n" not in text else "this loop"
    yield match.finding(
        f"{what} goes over modules (or a tuple) together with a {type_}, whose length TorchScript does not know",
        help="Go over the modules with `enumerate`, and take the rest by the index.",
        fix=_walk(match, node) if isinstance(node, ast.Call) else None,
    )


def _walk(match: Match, node: ast.Call) -> Fix | None:
    loop, unrolled = loop_over(match, node), match.event.facts["unrolled"]
    if loop is None or not isinstance(loop.node, ast.For) or not isinstance(loop.target, ast.Tuple):
        return None
    if not (isinstance(node.func, ast.Name) and node.func.id == "zip") or len(node.args) != len(unrolled):
        return None
    if len(loop.target.elts) != len(node.args) or "\n" in match.text(node):
        return None
    pairs = list(zip(loop.target.elts, node.args, unrolled))
    modules = [(target, value) for target, value, repeated in pairs if repeated]
    others = [(target, value) for target, value, repeated in pairs if not repeated]
    # What is evaluated once has to be something that costs nothing to evaluate in every turn.
    if not all(isinstance(value, (ast.Name, ast.Attribute)) for _, value in others):
        return None
    first = loop.node.body[0]
    margin = match.source.lines[first.lineno - 1][: place(match, first)[0].column - 1]
    if margin.strip():
        return None
    index = fresh_name(match, "i")
    over = ", ".join(match.text(value) for _, value in modules)
    binds = ", ".join(match.text(target) for target, _ in modules)
    if len(modules) > 1:
        over, binds = f"zip({over})", f"({binds})"
    newline, where = match.source.newline, Position(first.lineno, 1)
    lines = "".join(f"{margin}{match.text(target)} = {match.text(value)}[{index}]{newline}" for target, value in others)
    return unsafe(
        "Go over the modules, and take the rest by the index",
        replace(match, loop.target, f"{index}, {binds}"),
        replace(match, node, f"enumerate({over})"),
        Edit(where, where, lines),
    )
