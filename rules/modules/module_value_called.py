"""# Module that is called after it was put into a tuple, list or slice

## What it does

Finds calls of modules that come out of a slice (`for layer in self.layers[1:]`), a tuple or list of modules, an
unpacking (`a, b = self.a, self.b`) or an `a if test else b`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler knows how to call a module only where it is reached through `self`, a container or a plain name. As a
part of another value it is an object like any other: it has the module's methods, but no `__call__`.

```text
object has no attribute or method '__call__'. Did you forget to initialize an attribute in __init__()?
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers[1:]:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i >= 1:
                x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

Calling `.forward` compiles. It is *unsafe*, because in eager mode hooks of the module do not run then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.modules._common import loop_of, place, singular, stored_once

RULE = Rule(code="TS406", name="module-value-called", events=("module-value-called",))


def check(match: Match) -> Iterator[Finding]:
    """Call ``forward`` itself."""
    node = match.event.node
    text = match.text(node)
    source, help = "a tuple, list or choice of modules", "Call it where it is reached through `self`."
    loop = loop_of(match, node.id, node) if isinstance(node, ast.Name) else None
    if loop is not None and isinstance(loop.iterable, ast.Subscript):
        source = f"the slice `{match.text(loop.iterable)}`"
        one, path = singular(loop.iterable.value), match.text(loop.iterable.value)
        help = f"Go over the whole container, `for i, {one} in enumerate({path}):`, and test `i` there."
    elif loop is not None and "\n" not in match.text(loop.iterable):
        source = f"`{match.text(loop.iterable)}`"
    _, end = place(match, node)
    # A name that stands for a module elsewhere would go on meaning that one.
    sure = not isinstance(node, ast.Name) or stored_once(match, node.id)
    yield match.finding(
        f"`{text}` is a module out of {source}, and cannot be called: TorchScript only calls modules that it reaches"
        " through `self` or a container",
        help=help,
        fix=unsafe(f"Call `{text}.forward`", match.insert(end, ".forward")) if sure else None,
    )
