"""# Module made in compiled code

## What it does

Finds `nn.ReLU()(x)`, `nn.MSELoss()`, `nn.Parameter(...)` and other modules that are made inside compiled code.

## Why TorchScript rejects it

Modules hold parameters and are laid out when the compilation begins: a compiled function cannot make one.

```text
Cannot instantiate class 'Softmax' in a script function
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.Softmax(dim=-1)(nn.ReLU()(x))


inputs = (torch.rand(3),)
```

## Use instead

The function that the module would call, or a module that is made in `__init__`:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.softmax(F.relu(x))


inputs = (torch.rand(3),)
```

## Fix safety

A module without parameters that is called where it is made becomes the function of `torch.nn.functional` that its
`forward` calls, with the same arguments: *safe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, safe
from tslint.rules.names._common import functional, parent, quote, replace
from tslint.rules.names._functional import FUNCTIONS

RULE = Rule(code="TS214", name="module-construction", events=("module-construction",))


def check(match: Match) -> Iterator[Finding]:
    """Offer the functional form of the class."""
    call = match.event.node
    name = match.event.facts["name"].rpartition(".")[2]
    function = FUNCTIONS.get(name) if match.event.facts["name"].startswith("torch.nn.") else None
    if name == "Parameter":
        message, help = (
            f"{quote(match, call)} makes a parameter, which compiled code cannot do",
            "Register it in `__init__`; where a plain tensor will do, use the tensor itself.",
        )
    else:
        message = f"{quote(match, call)} makes a module, which compiled code cannot do"
        instead = f"`F.{function.name}(...)`" if function is not None else "its functional form, if it has one"
        help = f"Make it in `__init__` and call it as `self.…`, or use {instead}."
        if match.event.facts["name"].startswith("torch.nn.") is False:
            help = "Make it in `__init__` (`self.… = …`) and call that."
    yield match.finding(message, help=help, fix=_fix(match, call, name))


def _fix(match: Match, made: ast.AST, name: str) -> Fix | None:
    outer = parent(match, made)
    if not (isinstance(made, ast.Call) and isinstance(outer, ast.Call) and outer.func is made):
        return None
    function = FUNCTIONS.get(name)
    known = match.event.facts["name"].startswith("torch.nn.")
    if function is None or not known or outer.keywords or len(outer.args) != function.tensors:
        return None
    given = [*outer.args, *made.args]
    if len(made.args) > function.positional or any(isinstance(argument, ast.Starred) for argument in given):
        return None
    if any(keyword.arg is None or keyword.arg not in function.keywords for keyword in made.keywords):
        return None
    if function.required and function.required not in {k.arg for k in made.keywords} and not made.args:
        return None
    parts = [match.text(argument) for argument in given]
    parts += [f"{keyword.arg}={match.text(keyword.value)}" for keyword in made.keywords]
    prefix, imports = functional(match)
    return safe(
        f"Call `{function.name}` instead",
        replace(match, outer, f"{prefix}.{function.name}({', '.join(parts)})"),
        *imports,
    )
