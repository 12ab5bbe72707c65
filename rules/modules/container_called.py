"""# Container or slice of modules that is called

## What it does

Finds calls of an `nn.ModuleList`, of an `nn.ModuleDict`, and of slices such as `self.blocks[:2](x)`, in code that
`torch.jit.script` compiles.

## Why TorchScript rejects it

To the compiler, a slice of a container is a tuple of modules, not another container. Lists and dicts of modules have no
`forward`.

```text
cannot call a value of type 'Tuple[
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))

    def forward(self, x):
        return self.blocks[:2](x)


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))

    def forward(self, x):
        for i, block in enumerate(self.blocks):
            if i < 2:
                x = block(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix: storing the slice as a separate `nn.Sequential` changes the keys of the `state_dict`, and a loop cannot replace
a call inside an expression.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.iterate_slice import index_test
from tslint.rewrite.loops import names_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import ContainerCalled

RULE = Rule(code="TS405", name="container-called", events=(ContainerCalled,))


def check(match: Match[ContainerCalled]) -> Iterator[Finding]:
    """Report a call of a container or a slice of modules."""
    callee = match.node.func if isinstance(match.node, cst.Call) else match.node
    text, container = match.quote(callee), match.event.container
    start, set_ = _loop_body(match)
    if isinstance(callee, cst.Subscript):
        path, i = match.code(callee.value), fresh_name(match, "i")
        message = f"{text} is a tuple of modules in TorchScript, and a tuple cannot be called"
        test = index_test(match, callee, i)
        loop = f"`for {i}, module in enumerate({path}):`"
        help = f"Write {start}a loop, {loop}, that tests the index `{i}` and calls `{set_}`."
        if test:
            help = f"Write {start}a loop, {loop}, and in it `if {test}: {set_}`."
    elif container.startswith("nn."):
        message = f"{text} is an {container}, which has no `forward` to call"
        over = f"{match.code(callee)}{'.values()' if container == 'nn.ModuleDict' else ''}"
        help = f"Write {start}a loop, `for module in {over}: {set_}`, or use an nn.Sequential."
    else:
        message, help = f"{text} is a {container}, and cannot be called", "Call the modules in it one by one."
    yield match.finding(message, help=help, at=callee)


def _loop_body(match: Match[ContainerCalled]) -> tuple[str, str]:
    """Return the words for a statement before a loop over the modules, and the statement in the loop, with the
    variables of the call.
    """
    call, around = match.node, match.parent(match.node)
    args = call.args if isinstance(call, cst.Call) else ()
    first = args[0].value.value if args and args[0].keyword is None and isinstance(args[0].value, cst.Name) else "x"
    rest = ", …" if len(args) > 1 else ""
    target = around.targets[0].target if isinstance(around, cst.Assign) and len(around.targets) == 1 else None
    if isinstance(target, cst.Tuple) and [match.code(each.value) for each in args] == names_in(target):
        written = match.code(target)
        return "", f"{written} = module({written})"
    if isinstance(target, cst.Name) and target.value != first:
        return f"`{target.value} = {first}`, then ", f"{target.value} = module({target.value}{rest})"
    return "", f"{first} = module({first}{rest})"
