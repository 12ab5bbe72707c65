"""# `Variable(...)` in compiled code

## What it does

Finds calls of `torch.autograd.Variable`.

## Why TorchScript rejects it

Tensors and Variables are the same since torch 0.4. The class only exists for old code, and cannot be compiled.

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

Write the tensor itself, or `detach()` where gradients must not flow back:

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

If the argument is a new tensor that nothing else references, or one without gradients such as `x.data`, the fix writes
the argument itself. For other arguments, it writes `x.detach()`. `volatile=True` has no effect, and is removed.

`Variable(x, requires_grad=True)` becomes `x.detach().requires_grad_()` in compiled code only, which is *safe*: in
Python, functions of `torch.func` do not allow that call.

The fix is *safe* if the module or the function has computed the argument from new tensors: then it cannot be of a
subclass of `Tensor`. The fix is *unsafe* for an attribute that the constructor sets to a new tensor: other code may set
the attribute to another tensor.

For other arguments, the fix is *unsafe*: `Variable(x)` converts a tensor of a subclass to a plain `Tensor`, and raises
for a value that is not a tensor. `x.detach()` does neither.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.removal import removed
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.plain_tensors import Tensors
from tslint.script.events.names import VariableCall

RULE = Rule(code="TS213", name="variable-call", events=(VariableCall,))


def check(match: Match[VariableCall]) -> Iterator[Finding]:
    """Report the call, with a fix that writes the tensor itself or ``detach()``."""
    yield match.finding(
        f"TorchScript has no `Variable`, but {match.event_text} is called",
        help=_help(match),
        fix=_fix(match, match.node) if isinstance(match.node, cst.Call) else None,
    )


def _help(match: Match) -> str:
    call = match.node
    tensor = match.quote(call.args[0].value) if isinstance(call, cst.Call) and call.args else "`x`"
    return f"Write {tensor} itself. Add `.detach()` if no gradients may flow back."


def _fix(match: Match, call: cst.Call) -> Fix | None:
    flags = {each.keyword.value: each.value for each in call.args if each.keyword is not None}
    plain = [each for each in call.args if each.keyword is None]
    if len(plain) != 1 or plain[0].star or flags.keys() - {"requires_grad", "volatile"}:
        return None
    tensor = plain[0].value
    flags = {name: value for name, value in flags.items() if not m.matches(value, m.Name("False"))}
    wanted = flags.get("requires_grad")
    tensors = Tensors(match.file.tree, match.event.variables)
    is_new = tensors.is_new(match.model(tensor))
    known = is_new or tensors.is_plain(match.model(tensor))

    # A variable may be used later, and `requires_grad_()` would change it.
    named = wanted is not None and not isinstance(tensor, cst.Call)
    own = (is_new or tensors.is_detached(match.model(tensor))) and not named

    def new() -> cst.BaseExpression:
        written = tensor if own else expression("{tensor}.detach()", tensor=tensor)
        if wanted is None:
            return written
        if m.matches(wanted, m.Name("True")):
            return expression("{tensor}.requires_grad_()", tensor=written)
        return expression("{tensor}.requires_grad_({wanted})", tensor=written, wanted=wanted)

    if wanted is not None:
        # In Python, functions of `torch.func` do not allow `requires_grad_()`.
        return in_compiled_code(match, call, new, "Call `requires_grad_` in compiled code")
    if known and not flags:
        return safe("Write the tensor itself", lambda: _written(match, call, new()))
    risks = () if tensors.is_stored_as_one(match.model(tensor)) else (Risk.EXCEPTION,)
    assumes = f"{match.quote(tensor)} may not be a Tensor"
    return unsafe("Write the tensor itself", lambda: _written(match, call, new()), risks=risks, assumes=assumes)


def _written(match: Match, call: cst.Call, new: cst.BaseExpression) -> tuple[Edit, ...]:
    """Replace a call by an expression; remove a statement that would assign a variable to itself."""
    member = match.statement(call)
    if isinstance(member, cst.Assign) and isinstance(new, cst.Name) and member.value is call:
        if m.matches(member, m.Assign(targets=[m.AssignTarget(m.Name(new.value))])):
            return removed(match, member)
    return match.replace(call, new)
