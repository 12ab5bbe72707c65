"""# A hook whose signature the compiler rejects

## What it does

Finds hooks that are passed to `register_forward_hook` and `register_forward_pre_hook` and that the compiler rejects.
Such a hook is a lambda, has a wrong number of parameters, does not annotate its input as a Tuple of the arguments of
`forward`, gives its output another type than the result of `forward`, or is a pre-hook without a return annotation.

## Why TorchScript rejects it

Hooks are compiled with their module. Their input is the tuple of the arguments of `forward`, and a parameter without
annotation is a Tensor.

```text
Hook 'double' on module 'Net' expected the input argument to be typed as a Tuple but found type: 'Tensor' instead.
```

## Example

```python
import torch
from torch import nn


def double(self, inputs, output):
    return output * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_hook(double)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x
```

## Use instead

```python
from typing import Tuple

import torch
from torch import nn


def double(self, inputs: Tuple[torch.Tensor], output: torch.Tensor):
    return output * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_hook(double)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


inputs = (torch.rand(2),)
```

## Fix safety

No fix: the types are those of the arguments of `forward`, which may have no annotations.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.modules import HookSignature

RULE = Rule(code="TS427", name="hook-signature", events=(HookSignature,))

_WRONG = {
    "tuple": "is not a Tuple",
    "length": "needs one entry for each argument of `forward`",
    "inner": "has other types than the arguments of `forward`",
    "output": "is not what `forward`, or the hook before it, returns",
}


def check(match: Match[HookSignature]) -> Iterator[Finding]:
    """Report what is wrong with the signature of the hook."""
    event = match.event
    wrong, hook, pre = event.wrong, event.hook, event.register == "register_forward_pre_hook"
    if wrong == "lambda":
        yield match.finding(
            "a lambda cannot be a hook here: a hook is compiled with its module",
            help="Write the hook as a function at module level, with annotations.",
        )
    elif wrong == "count":
        yield match.finding(
            f"the hook `{hook}` must take {'two' if pre else 'three'} parameters: "
            f"{'the module and its input' if pre else 'the module, its input and its output'}",
            help="Register a function with these parameters: a method has `self` as well, which is one too many.",
        )
    elif wrong == "return":
        yield match.finding(
            f"the pre-hook `{hook}` has no return annotation",
            help=(
                "Annotate what the hook returns: `-> None`, or `-> Tuple[Tensor]` "
                "with one entry for each argument of `forward`."
            ),
        )
    elif wrong == "name":
        yield match.finding(
            f"another hook of this module is called `{hook}`, too",
            help="Give each hook its own name: all of them become methods of the compiled module.",
        )
    elif wrong == "method":
        yield match.finding(
            f"the module has a method that is called `{hook}`, too",
            help="Rename the hook: it becomes a method of the compiled module, too.",
        )
    elif wrong == "result":
        yield match.finding(
            f"the pre-hook `{hook}` returns {match.event_text}, which is not what `forward` takes",
            help="Return a Tuple with one entry for each argument of `forward`, or `None`, and annotate it.",
        )
    elif wrong in _WRONG:
        yield match.finding(
            f"{match.event_text}, the {'output' if wrong == 'output' else 'input'} of `{hook}`, {_WRONG[wrong]}",
            help="Annotate the input as a Tuple of the arguments of `forward`, and the output as what it returns.",
        )
    else:
        yield match.finding(
            f"the input of the hook `{hook}` has no annotation: it is a Tensor, not a tuple",
            help="Annotate it as `Tuple[Tensor]`, with one entry for each argument of `forward`.",
        )
