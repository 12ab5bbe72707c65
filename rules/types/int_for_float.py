"""# int for a float parameter

## What it does

Finds ints that are passed for a parameter of type float: `F.dropout(x, 0)`, `F.pad(x, p, value=0)`, `scale_factor=2`.

## Why TorchScript rejects it

Python accepts an int for a float; TorchScript has no conversion from int to float.

```text
pad(Tensor input, int[] pad, str mode="constant", float? value=None) -> Tensor:
Expected a value of type 'Optional[float]' for argument 'value' but instead found type 'int'.
```

## Example

```python
import torch
import torch.nn.functional as F


def padded(x: torch.Tensor) -> torch.Tensor:
    return F.pad(x, [1, 1], value=0)


scripted = torch.jit.script(padded)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
import torch.nn.functional as F


def padded(x: torch.Tensor) -> torch.Tensor:
    return F.pad(x, [1, 1], value=0.0)


scripted = torch.jit.script(padded)
inputs = (torch.rand(2, 3),)
```

## Fix safety

If a function of torch gets the int, the fix is *safe*: the function computes with floats anyway. A literal becomes a
float. An attribute becomes `float(self.s)` if its annotation and all calls in the file say that it is an int. Other
attributes become `float(self.s) if isinstance(self.s, int) else self.s`. If your own function gets the int, only
compiled code passes a float. This is *unsafe*: a tensor of ints that the function multiplies by `2.0` becomes a tensor
of floats.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import as_float, in_compiled_code, is_split
from tslint.rewrite.line_above import in_place_or_above
from tslint.rewrite.type_reasons import callee
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.index_proofs import given_ints, place_of
from tslint.script.dataflow.nones import reads_alike_twice
from tslint.script.dataflow.whole_numbers import certain_int
from tslint.script.events.calls import CallMismatch, OperatorMismatch

# Functions written in Python for which 2 and 2.0 are the same: they pass the number to an operator that takes a double,
# or whose result does not depend on the number's type.
_PASSED_ON = frozenset(
    """
    pad interpolate upsample upsample_bilinear upsample_nearest dropout dropout1d dropout2d dropout3d alpha_dropout
    feature_alpha_dropout local_response_norm layer_norm group_norm batch_norm instance_norm rms_norm normalize
    gumbel_softmax cross_entropy smooth_l1_loss huber_loss multi_head_attention_forward pad_packed_sequence
    poisson_nll_loss margin_ranking_loss cosine_embedding_loss hinge_embedding_loss triplet_margin_loss hardtanh
    leaky_relu elu celu rrelu threshold softplus hardshrink softshrink cdist
    """.split()
)
RULE = Rule(code="TS303", name="int-for-float", events=(OperatorMismatch, CallMismatch))


def check(match: Match[OperatorMismatch | CallMismatch]) -> Iterator[Finding]:
    """Report the int, with a fix that writes it as a float."""
    found = match.event.diagnosis
    if found.what != "float":
        return
    fix: Fix | None = None
    text, help = "an int", "Pass a float."
    argument = match.libcst(found.argument) if found.argument is not None else None
    if isinstance(argument, cst.BaseExpression):
        text, new = match.quote(argument), as_float(argument)
        help, fix = f"Write `{code(new)}`.", _fix(match, argument, new)
    yield match.finding(
        f"{callee(match)} takes a float for `{found.parameter}`, but {text} is an int",
        help=help,
        fix=fix,
    )


def _fix(
    match: Match[OperatorMismatch | CallMismatch], node: cst.BaseExpression, new: cst.BaseExpression
) -> Fix | None:
    event = match.event
    operator, builtin = (event.operator, event.builtin) if isinstance(event, OperatorMismatch) else ("", False)
    message = f"Write `{code(new)}`"
    if not operator.startswith(("torch.", "aten::")):
        # In eager mode, an integer tensor keeps its dtype with `2`, but not with `2.0`.
        return in_compiled_code(match, node, lambda: new, f"{message} in compiled code", Risk.DIFFERS)
    value = match.model(node)
    known = certain_int(value, place_of(match.file.tree, value)) or given_ints(match.file.tree, value)
    if (builtin or operator.rpartition(".")[2] in _PASSED_ON) and known:
        return safe(message, lambda: match.replace(node, new))
    if not isinstance(node, cst.Attribute):
        return in_compiled_code(match, node, lambda: new, f"{message} in compiled code")
    if is_split(match, node) or not reads_alike_twice(match.file.tree, match.model(node)):
        return None
    # In other constructions, the attribute may be a float, or a list or parameter, for which `float()` may raise.
    either = expression("{new} if isinstance({node}, int) else {node}", new=new, node=node)
    assert isinstance(either, cst.IfExp)
    return safe(f"{message} where {match.quote(node)} is an int", lambda: in_place_or_above(match, node, either))
