"""# Method of a torch module that does not compile

## What it does

Finds calls of methods of torch's modules that the compiler cannot compile: `self.parameters()`, `self.train()`,
`self.eval()`, `self.to(...)`, `self.register_buffer(...)`, `self.rnn.flatten_parameters()` and others.

## Why TorchScript rejects it

The compiler compiles each method that compiled code calls. The code of these methods contains generators, lambdas,
sets, `*args` and annotations that TorchScript does not support. The compiler's message names the line in torch's own
file.

```text
SetComp aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.GRU(3, 3)

    def forward(self, x):
        self.body.flatten_parameters()
        return self.body(x)[0]


inputs = (torch.ones(2, 3),)
```

## Use instead

Read each parameter by its name (`self.body.weight`), change modes outside `forward`, and register buffers in
`__init__`. Loops over these compile: `self.children()`, `self.named_children()`, `self.modules()`,
`self.named_modules()` and `self.named_buffers()`.

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.GRU(3, 3)

    def forward(self, x):
        if not torch.jit.is_scripting():
            self.body.flatten_parameters()
        return self.body(x)[0]


inputs = (torch.ones(2, 3),)
```

## Fix safety

Only `flatten_parameters()` has a fix: the fix puts the call under `if not torch.jit.is_scripting():`, so that only
Python makes the call. This is *safe*, because the method computes nothing and only makes GPUs faster.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import block, statement
from tslint.script.events.modules import ModuleMethod

RULE = Rule(code="TS420", name="module-method", events=(ModuleMethod,))
_HELP = {
    "parameters": "Read each parameter by its name, for example `self.layer.weight`.",
    "named_parameters": "Read each parameter by its name, for example `self.layer.weight`.",
    **dict.fromkeys(("train", "eval"), "Read the mode from `{}.training`; change it outside compiled code."),
    "to": "Move the module before it is scripted; move tensors with `x.to(...)`.",
    "register_buffer": "Register buffers in `__init__`, and assign to them here.",
}


def check(match: Match[ModuleMethod]) -> Iterator[Finding]:
    """Report the call, with a fix that makes ``flatten_parameters`` run in eager mode only."""
    name = str(match.event.attribute)
    fix = _eager_only(match) if name == "flatten_parameters" else None
    help = _HELP.get(name, "Call it outside compiled code, or under `if not torch.jit.is_scripting():`.")
    help = help.format(match.event.owner)
    if any(m.matches(each, m.Call(func=m.Name("next"))) for each in match.ancestors(match.node)):
        help = "Take the device and dtype from an input (`x.device`), or from a parameter or buffer by its name."
    yield match.finding(
        f"TorchScript cannot compile `{match.event.owner}.{name}`, a method of a torch module",
        help=help,
        fix=fix,
    )


def _eager_only(match: Match) -> Fix | None:
    """Put the call under a test that the compiler decides."""
    line = match.line()
    if line is None or not m.matches(line, m.SimpleStatementLine(body=[m.Expr()])):
        return None
    torch, imports = match.imported("torch")
    test = statement("if not {torch}.jit.is_scripting():\n    pass", torch=torch)
    guarded = test.with_changes(body=block([line]))
    return safe("Call it in eager mode only", lambda: match.rewrite(line, guarded), *imports)
