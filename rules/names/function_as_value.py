"""# Function, class or range used as a value

## What it does

Finds functions, methods, builtins, classes, exceptions, Python modules and `range(...)` where compiled code needs a
value: in a list, as an argument, in a comparison, returned.

## Why TorchScript rejects it

Only values have types: tensors, numbers, texts, containers of them, objects. Functions and classes can be called by
name, and given another name, but not stored, passed on or compared.

```text
function cannot be used as a value
```

## Example

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for activation in [F.relu, F.gelu]:
            x = activation(x)
        return x
```

## Use instead

Call each by its name, or make them modules in a `ModuleList`:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(F.relu(x))


inputs = (torch.rand(3),)
```

## Fix safety

No fix: how to do without depends on what the value was for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.rule import Finding, Rule
from tslint.rules.names._common import parent, quote, short
from tslint.rules.names.python_type_as_dtype import is_dtype
from tslint.rules.names.warning_category import category_of

RULE = Rule(code="TS203", name="function-as-value", events=("not-a-value",))

_WORDS = {
    "function": "a function", "method": "a method", "builtin": "a function", "boolean dispatch": "a function",
    "Python type": "a class", "Python exception": "an exception class", "range": "a `range`",
    "iterabletree": "an iterator", "python module": "a Python module", "EnumClass": "an enum class",
    "Python slice class": "a slice", "super": "`super()`", "python value of type 'type'": "a class",
    "python value of type 'module'": "a Python module", "list": "a class", "dict": "a class",
    "TupleConstruct": "a class",
    "__int__": "a class", "__float__": "a class", "__bool__": "a class", "__str__": "a class", "__complex__": "a class",
}  # fmt: skip


def check(match: Match) -> Iterator[Finding]:
    """Say what the author put where a value must stand."""
    if category_of(match) is not None or is_dtype(match):
        return
    node, what = match.event.node, match.event.facts["what"]
    word = _WORDS.get(what, "a function")
    if match.event.facts["name"].startswith("torch.") and match.event.facts["name"].endswith("Tensor"):
        word = "a class"
    around = parent(match, node)
    spelled = (
        quote(match, node)
        if isinstance(node, ast.expr)
        else short(match.event.facts["name"].rpartition(".")[2] or what)
    )
    yield match.finding(f"{spelled} is {word}, and TorchScript has no such values", help=_help(match, word, around))


def _help(match: Match, word: str, around: ast.AST | None) -> str:
    if isinstance(around, ast.Compare) and word == "a class":
        return "Test types with `isinstance(x, T)`."
    if word == "a `range`":
        return "Make it a list where it is needed as one: `list(range(n))`."
    if word == "an iterator":
        return "Iterate over it directly: `for i, x in enumerate(xs):`; it cannot be kept."
    if word == "a Python module":
        return "Read the function or constant that is needed from it: `module.name`."
    if word == "an exception class":
        return "Raise it: `raise ValueError(...)` is all that compiled code can do with exceptions."
    if word == "a class":
        return "Classes cannot be kept, compared or passed on; decide in `__init__` what depends on them."
    if isinstance(around, (ast.Dict, ast.List, ast.Tuple)):
        return "Choose with `if` and call each by its name; or keep modules in an `nn.ModuleList` or `nn.ModuleDict`."
    return "Call it by its name where it is needed; choose between functions with `if`, or make them submodules."
