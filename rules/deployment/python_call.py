"""# Call that compiled code makes in Python

## What it does

Finds calls of callables that have no Python source (`reversed(x)`, `set(x)` of tensors, functions written in C) in code
that `torch.jit.script` compiles.

## What goes wrong

The compiler accepts the call, which runs in Python. An archive cannot contain such a call, so saving fails. If the
result is not a Tensor, as for `set` and `type`, compiled code also raises when it runs.

```text
Could not export Python function call 'reversed'. Remove calls to Python functions before export.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return reversed(x)


inputs = (torch.arange(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor):
        return x.flip(0)


inputs = (torch.arange(3),)
```

## Fix safety

No fix: the replacement depends on the callable.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Stage
from tslint.rewrite.type_reasons import first_unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.hazards import PythonCall

RULE = Rule(code="TS804", name="python-call", events=(PythonCall,), stage=Stage.SAVE)
_INSTEAD = {
    "reversed": "Write `{}.flip(0)`.",
    "set": "Write `torch.unique({})`.",
    "type": "Test the type with `isinstance({}, …)`, or run this code only under `if not torch.jit.is_scripting():`.",
}
# The results of these are not Tensors, so compiled code raises.
_NO_TENSOR = ("frozenset", "set", "type")


def check(match: Match[PythonCall]) -> Iterator[Finding]:
    """Report the call, which prevents saving."""
    name = match.event.name.removeprefix("builtins.")
    otherwise = f"Write what `{name}` does with operations of torch."
    help = _INSTEAD.get(name, otherwise).format(_argument(match))
    param = first_unannotated(match, match.node)
    if param is not None and name in ("reversed", "set"):
        why = f"`{param.name.value}` has no annotation, so it is a Tensor: annotate it if it is not one."
        help = f"{why} For a Tensor, w{help[1:]}"
    message = f"`{name}(...)` compiles to a call of Python, so the module cannot be saved"
    if name in _NO_TENSOR:
        message = f"`{name}(...)` is left to Python: compiled code raises there, and the module cannot be saved"
    yield match.finding(message, help=help)


def _argument(match: Match[PythonCall]) -> str:
    """Return the argument of the call, if it is a variable, an attribute or an item; otherwise ``x``."""
    value = match.node.args[0].value if isinstance(match.node, cst.Call) and len(match.node.args) == 1 else None
    return match.code(value) if isinstance(value, (cst.Name, cst.Attribute, cst.Subscript)) else "x"
