"""# `Variable(...)` in compiled code

## What it does

Finds calls of `torch.autograd.Variable`.

## Why TorchScript rejects it

Tensors and Variables have been one since torch 0.4. The class is left for old code, and has nothing that could be
compiled.

```text
Class Variable does not have an __init__ function defined
```

## Example

```python
import torch
from torch import nn
from torch.autograd import Variable


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        noise = Variable(torch.zeros(3))
        return Variable(x) + noise


inputs = (torch.rand(3),)
```

## Use instead

The tensor itself; `detach()` where gradients must not flow back:

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        noise = torch.zeros(3)
        return x.detach() + noise


inputs = (torch.rand(3),)
```

## Fix safety

A fresh tensor is taken as it is: *safe*. Of others `x.detach()` is taken where it is compiled, and Python goes on with
`Variable`: *unsafe*, as compiled code has no `requires_grad=` and `volatile=`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.events.names import VariableCall

RULE = Rule(code="TS213", name="variable-call", events=(VariableCall,))

_FRESH = frozenset(
    "zeros ones empty full rand randn randint randperm arange linspace eye tensor zeros_like ones_like empty_like "
    "full_like rand_like randn_like".split()
)
_MAKES = m.Attribute(value=m.Name("torch"), attr=m.Name(m.MatchIfTrue(lambda name: _is_fresh(name))))
_WITH_GRADIENT = m.Arg(star="**") | m.Arg(keyword=m.Name("requires_grad") | m.Name("out"))


def check(match: Match[VariableCall]) -> Iterator[Finding]:
    """Offer the tensor that the call would wrap."""
    yield match.finding(
        f"{match.event_text}: tensors need no `Variable` around them, and TorchScript does not know it",
        help="Write the tensor itself, or `x.detach()` where no gradients should flow back.",
        fix=_fix(match, match.node) if isinstance(match.node, cst.Call) else None,
    )


def _fix(match: Match, call: cst.Call) -> Fix | None:
    flags = {each.keyword.value: each.value for each in call.args if each.keyword is not None}
    plain = [each for each in call.args if each.keyword is None]
    if len(plain) != 1 or plain[0].star or flags.keys() - {"requires_grad", "volatile"}:
        return None
    tensor = plain[0].value
    if not flags and _fresh(tensor):
        return safe("Write the tensor itself", lambda: match.replace(call, tensor))
    if not can_branch(match, call):
        return None

    def edits() -> tuple[Edit, ...]:
        new = tensor if _fresh(tensor) else expression("{tensor}.detach()", tensor=tensor)
        return branch(match, call, _with_gradient(new, flags.get("requires_grad")))

    return unsafe("Write the tensor itself where it is compiled", edits, risks=(Risk.DIFFERS,))


def _with_gradient(tensor: cst.BaseExpression, wanted: cst.BaseExpression | None) -> cst.BaseExpression:
    """A tensor that asks for a gradient where its ``Variable`` did."""
    if wanted is None or m.matches(wanted, m.Name("False")):
        return tensor
    if m.matches(wanted, m.Name("True")):
        return expression("{tensor}.requires_grad_()", tensor=tensor)
    return expression("{tensor}.requires_grad_({wanted})", tensor=tensor, wanted=wanted)


def _fresh(node: cst.BaseExpression) -> bool:
    """Whether an expression makes a tensor that has no gradient."""
    if not isinstance(node, cst.Call) or any(m.matches(each, _WITH_GRADIENT) for each in node.args):
        return False
    return m.matches(node.func, _MAKES)


def _is_fresh(function: str) -> bool:
    return function in _FRESH or function.endswith("Tensor")
