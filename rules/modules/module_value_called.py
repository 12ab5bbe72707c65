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

Going over the whole container, and testing the index, is *safe* where the slice's bounds are known to be ints.
Elsewhere compiled code calls `.forward`: `layer.forward(x) if torch.jit.is_scripting() else layer(x)`. That is
*unsafe*, because compiled code does not run hooks of the module then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.iterate_slice import walked_slice
from tslint.rewrite.loop_parts import Loop, loop_of, parent, replace, singular, stored_once
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe

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
    yield match.finding(
        f"`{text}` is a module out of {source}, and cannot be called: TorchScript only calls modules that it reaches"
        " through `self` or a container",
        help=help,
        fix=_walk(match, loop) or _forward(match, node),
    )


def _walk(match: Match, loop: Loop | None) -> Fix | None:
    """Go over the whole container in place of a slice."""
    if loop is None or not isinstance(loop.node, ast.For) or not isinstance(loop.iterable, ast.Subscript):
        return None
    return walked_slice(match, loop.node, loop.iterable)


def _forward(match: Match, node: ast.AST) -> Fix | None:
    """Call ``forward`` in compiled code: eager code goes on running the module's hooks."""
    call, text = parent(match, node), match.text(node)
    # A name that stands for a module elsewhere would go on meaning that one.
    sure = not isinstance(node, ast.Name) or stored_once(match, node.id)
    if not sure or not (isinstance(call, ast.Call) and call.func is node) or "\n" in match.text(call):
        return None
    torch, imports = match.imported("torch")
    whole = match.text(call)
    choice = f"({text}.forward{whole.removeprefix(text)} if {torch}.jit.is_scripting() else {whole})"
    if not whole.startswith(text + "("):
        return None
    alone = isinstance(parent(match, call), (ast.Assign, ast.Return, ast.AnnAssign))
    edit = replace(match, call, choice[1:-1] if alone else choice)
    return unsafe(f"Call `{text}.forward` in compiled code", edit, *imports, risks=(Risk.DIFFERS,))
