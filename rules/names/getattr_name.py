"""# `getattr` with a computed name

## What it does

Finds `getattr(obj, name)` in compiled code where the name is not written out as a text.

## Why TorchScript rejects it

A compiled model has a fixed layout: which attribute is read is decided at compilation, so the compiler must see the
name itself. Formatted texts and variables are known only when the code runs.

```text
getattr's second argument must be a string literal
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for i in range(2):
            setattr(self, f"layer{i}", nn.Linear(3, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(2):
            x = getattr(self, f"layer{i}")(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

Keep the modules in a `ModuleList` (or a `ModuleDict`) and iterate over it:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

The keys of the `state_dict` change with it: rename them where old checkpoints are loaded.

## Fix safety

Where the file stores modules alone under such names, compiled code walks over `self.named_children()` and compares the
names (`if torch.jit.is_scripting():`); eager code goes on asking by the name. It is *unsafe*: it compiles the call of
every submodule, and does nothing where no submodule has the name (Python raises).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.rewrite.select_module import walked_children
from tslint.rewrite.statements import own_class, quote, self_name
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS218", name="getattr-name", events=("getattr-name",))


def check(match: Match) -> Iterator[Finding]:
    """Name the computed name; the way out depends on what it is read from."""
    call = match.event.facts["call"]
    owner = call.args[0]
    mine = isinstance(owner, ast.Name) and owner.id == self_name(match)
    if mine:
        help = "Keep the modules in an `nn.ModuleList` or `nn.ModuleDict` and iterate over it, or write the names out."
    elif isinstance(owner, ast.Name) and owner.id[:1].isalpha() and not isinstance(match.event.node, ast.JoinedStr):
        help = (
            "Choose in `__init__` and keep what was chosen as a submodule, or test the name with `if` and write each "
            f"`{owner.id}.…` out."
        )
    else:
        help = "Write each attribute out, and choose between them with `if`."
    yield match.finding(
        f"`getattr` with the computed name {quote(match, match.event.node)}: the compiler must see the name itself",
        help=help,
        # A walk inside another one copies what follows twice.
        fix=walked_children(match, call) if mine and _modules_only(match) and _names_computed(match) == 1 else None,
    )


def _modules_only(match: Match) -> bool:
    """Whether every submodule can be called, as a walk over all of them compiles the call of each."""
    made = own_class(match)
    return made is not None and not any(
        isinstance(node, (ast.Attribute, ast.Name))
        and (node.attr if isinstance(node, ast.Attribute) else node.id) in ("ModuleList", "ModuleDict")
        for node in walking.walk(made)
    )


def _names_computed(match: Match) -> int:
    """How many attributes the function takes by names that it computes."""
    unit = match.event.unit
    calls = [n for n in walking.walk(unit.function.node) if isinstance(n, ast.Call)] if unit is not None else []
    return sum(
        isinstance(each.func, ast.Name) and each.func.id == "getattr" and not isinstance(each.args[1], ast.Constant)
        for each in calls
        if len(each.args) > 1
    )
