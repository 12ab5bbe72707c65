"""# Old `weight_norm` or `spectral_norm` on a module that is compiled

## What it does

Finds `torch.nn.utils.weight_norm(...)` and `torch.nn.utils.spectral_norm(...)` in modules that still have
the hook when they are compiled.

## Why TorchScript rejects it

These functions add a hook that computes the weight of the module before every call. The hook is an instance of a class.
The compiler reads the hook's `__name__`, which an instance does not have.

```text
'WeightNorm' object has no attribute '__name__'
```

## Example

```python
import torch
from torch import nn
from torch.nn.utils import weight_norm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = weight_norm(nn.Linear(3, 3))

    def forward(self, x):
        return self.body(x)


inputs = (torch.rand(2, 3),)
```

## Use instead

Remove the hook before scripting, for example in `__prepare_scriptable__`, which `torch.jit.script` calls:

```python
import torch
from torch import nn
from torch.nn.utils import remove_weight_norm, weight_norm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = weight_norm(nn.Linear(3, 3))

    def forward(self, x):
        return self.body(x)

    def __prepare_scriptable__(self):
        if hasattr(self.body, "weight_g"):  # a second removal raises
            remove_weight_norm(self.body)
        return self


inputs = (torch.rand(2, 3),)
```

Script when training has ended, and load checkpoints before that. Scripting then changes the Python module, too: the
hook is gone, the `state_dict` has `weight` instead of `weight_g` and `weight_v`, and an optimizer that was created
before does not train the new parameter.

The functions of the same names in `torch.nn.utils.parametrizations` do not help. With `weight_norm` the module
compiles, but raises when it runs ("Parametrization is not working with scripting"); with `spectral_norm` it does not
compile. `torch.jit.trace` accepts all four functions, but trace a module with `spectral_norm` in eval mode: in training
mode, the trace raises when it runs.

## Fix safety

No fix: only the author knows when training ends, so that the hook can be removed.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import WeightNorm

RULE = Rule(code="TS418", name="weight-norm-hook", events=(WeightNorm,))


def check(match: Match[WeightNorm]) -> Iterator[Finding]:
    """Report the call that adds the hook."""
    function, attribute, node = match.event.function, match.event.attribute, match.node
    hanging = node.func if isinstance(node, cst.Call) else None
    remove = f"torch.nn.utils.remove_{function}"
    call = f"`{remove}(self.{attribute})`" if attribute else f"`{remove}` on the module"
    around = match.parent(node)
    # The call makes a module in a container, or a function returns it.
    if attribute and (isinstance(around, cst.Return) or not isinstance(around, (cst.BaseSmallStatement, cst.IfExp))):
        call = f"`{remove}` on each such module in `self.{attribute}`"
    yield match.finding(
        f"the hook of `{function}`{f' in `self.{attribute}`' if attribute else ''} cannot be compiled",
        help=f"Call {call} before scripting, for example in `__prepare_scriptable__`.",
        at=hanging,
    )
