"""# `reversed` of a container of modules

## What it does

Finds `reversed(self.layers)` of an `nn.ModuleList` or `nn.Sequential` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler does not know `reversed`, and treats it as a Python function that only accepts tensors.

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

Store the modules in the order in which they run, or loop over the list once for each index, from the last to the first:

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

The fix writes the two loops shown above, which is *safe*: the same modules run in the same order. It is offered for
loops without `break` and `continue` whose variable is not read after the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.loops import loop_over, under, with_parts
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.changes import may_change
from tslint.script.dataflow.loops import leaves_turn, read_after
from tslint.script.events.names import ContainerReversed

RULE = Rule(code="TS404", name="reversed-container", events=(ContainerReversed,))
_PLAIN = m.Call(args=[m.Arg(value=m.Name() | m.Attribute(), star="", keyword=None)])


def check(match: Match[ContainerReversed]) -> Iterator[Finding]:
    """Report the call of ``reversed``, with a fix that loops from the last index to the first."""
    node, path = match.node, match.event.path
    yield match.finding(
        f"{match.event_text} cannot be compiled: TorchScript has no `reversed`",
        help=f"Write two loops, `for j in range(len({path}) - 1, -1, -1):` and inside it"
        f" `for i, module in enumerate({path}):`, and call the module under `if i == j:`.",
        fix=_walk(match, node) if isinstance(node, cst.Call) else None,
        at=node.func if isinstance(node, cst.Call) else node,
    )


def _walk(match: Match, node: cst.Call) -> Fix | None:
    loop, tree = loop_over(match, node), match.file.tree
    if loop is None or not isinstance(loop.node, cst.For) or not m.matches(node, _PLAIN):
        return None
    around, target, path = loop.node, loop.target, node.args[0].value
    body, line, model = around.body, match.line(around), match.model(around)
    if leaves_turn(model) or not isinstance(target, cst.Name) or read_after(tree, model, target.value):
        return None  # after the loop, the variable would be the first module, not the last
    if may_change(tree, [model], match.model(path)):
        return None  # `reversed` iterates over the modules as they were before the loop
    if line is None or around.orelse is not None or not isinstance(body, cst.IndentedBlock):
        return None

    def edits() -> tuple[Edit, ...]:
        position = fresh_name(match, "position")
        index = fresh_name(match, "i", [position])
        walk = statement("for {i}, {one} in enumerate({path}):\n    pass", i=index, one=target, path=path)
        test = statement("if {i} == {position}:\n    pass", i=index, position=position)
        places = expression("range(len({path}) - 1, -1, -1)", path=path)
        header = with_parts(around, {target: cst.Name(position), loop.iterable: places})
        return match.rewrite(line, header.with_changes(body=under(body, walk, test)))

    return safe(f"Loop over `{match.code(path)}` from the last to the first", edits)
