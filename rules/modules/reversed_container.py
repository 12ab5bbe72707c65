"""# `reversed` of a container of modules

## What it does

Finds `reversed(self.layers)` of an `nn.ModuleList` or `nn.Sequential` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

`reversed` is an unknown Python function to the compiler, so it would have to be given tensors.

```text
reversed(Tensor 0) -> Tensor 0:
Expected a value of type 'Tensor' for argument '0'
```

## Example

```python
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 2), nn.Linear(3, 3)])

    def forward(self, x):
        for layer in reversed(self.layers):
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

Keep the modules in the order in which they run, or walk the list once for every place from the last to the first:

```python
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 2), nn.Linear(3, 3)])

    def forward(self, x):
        for place in range(len(self.layers) - 1, -1, -1):
            for i, layer in enumerate(self.layers):
                if i == place:
                    x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

Walking the list is *safe*: the same modules run in the same order. It is offered for loops that neither `break` nor
`continue`, and whose variable is not read after them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.loop_parts import (
    folded,
    fresh_name,
    leaves_turn,
    loop_over,
    moved_right,
    place,
    read_after,
    replace,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS404", name="reversed-container", events=("container-reversed",))


def check(match: Match) -> Iterator[Finding]:
    """Write the loop as a walk from the last place to the first."""
    node, path = match.event.node, match.event.facts["path"]
    text = match.text(node)
    start, end = place(match, node.func if isinstance(node, ast.Call) else node)
    yield Finding(
        f"`{text}` cannot be compiled: TorchScript has no `reversed`",
        f"Walk `{path}` with `enumerate` for every place from the last to the first, or store the modules in reverse.",
        _walk(match, node) if isinstance(node, ast.Call) else None,
        start,
        end,
    )


def _walk(match: Match, node: ast.Call) -> Fix | None:
    loop = loop_over(match, node)
    if loop is None or not isinstance(loop.node, ast.For) or leaves_turn(loop.node) or len(node.args) != 1:
        return None
    if not isinstance(loop.target, ast.Name) or read_after(match, loop, loop.target.id):
        return None  # after the loop it is the first module, not the last
    if not isinstance(node.args[0], (ast.Name, ast.Attribute)) or loop.node.orelse:
        return None
    path = match.text(node.args[0])
    position = fresh_name(match, "position")
    index = fresh_name(match, "i", [position])
    once = moved_right(match, loop.node, f"for {index}, {match.text(loop.target)} in enumerate({path}):")
    twice = moved_right(match, loop.node, f"if {index} == {position}:")
    if once is None or twice is None or "\n" in path:
        return None
    step = once[-1].content if len(once) > 1 else once[0].content.rpartition(match.source.newline)[2]
    inner = twice[0].content
    head = once[0].content[: -len(step)]
    edits = [Edit(once[0].start, once[0].end, f"{head}{step}{inner[: -len(step)]}{step}{step}")]
    edits += [Edit(edit.start, edit.end, step + step) for edit in once[1:]]
    header = [
        replace(match, loop.target, position),
        replace(match, loop.iterable, f"range(len({path}) - 1, -1, -1)"),
    ]
    return safe(f"Walk `{path}` from the last to the first", *folded(match, [loop.node], [*header, *edits]))
