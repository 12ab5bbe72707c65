"""# numpy in compiled code

## What it does

Finds calls of numpy in code that `torch.jit.script` compiles. Constants (`np.pi`) are fine.

## Why TorchScript rejects it

A compiled model runs without Python, so it has no numpy; numpy's functions are not operators of torch.

```text
cannot create weak reference to 'numpy.ufunc' object
```

## Example

```python
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        return y / np.sqrt(x.shape[0])


inputs = (torch.rand(4),)
```

## Use instead

Use the functions of torch and `math`:

```python
import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(x)
        return y / math.sqrt(x.shape[0])


inputs = (torch.rand(4),)
```

If you need numpy, move the code into a method that the compiler does not compile:

```python
class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not torch.jit.is_scripting():
            x = self._smooth(x)
        return x

    @torch.jit.unused
    def _smooth(self, x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.convolve(x.numpy(), np.ones(3), "same"))
```

Without the test, the call of a method marked `@torch.jit.unused` compiles, but raises when the compiled model runs it.
If the method is marked `@torch.jit.ignore`, Python runs it, and the model cannot be saved.

## Fix safety

In `int(np.ceil(a / b))` and `int(np.floor(a / b))`, the fix uses `math` instead of numpy, also in Python. This is
*safe* for sizes, and *unsafe* for parameters, whose type is known only from an annotation. If the result is combined
with a tensor (`x / np.sqrt(3)`), the fix also uses `math` for `np.sqrt` of sizes and number literals, and for `np.log`
and `np.exp` of literals for which both libraries return the same float (`np.log(2)`). This is *unsafe*: nothing
confirms that `x` is a tensor. `int(np.prod(x.shape))` becomes `x.numel()`, which is *unsafe*, too.

`torch.from_numpy(np.array([1, 0]).astype(np.float32))` becomes `torch.tensor([1, 0], dtype=torch.float32)`. This is
*unsafe*: the new tensor is on the default device, the old one on the CPU.

In all other fixes, Python still uses numpy, and only compiled code changes, which is *unsafe*: functions of `math` or
torch replace those of numpy, and random numbers come from torch. Statements whose results are never read are put under
`if not torch.jit.is_scripting():`. Statements that compute a tensor are moved into a method marked `@torch.jit.ignore`:
a model with such a method cannot be saved. In a branch, the method is marked `@torch.jit.unused` instead, and compiled
code raises there. This fix is only shown (*display*).
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.finfo import numpy_limit
from tslint.rewrite.numpy_arrays import as_tensor
from tslint.rewrite.numpy_numbers import number_fix
from tslint.rewrite.numpy_random import drawn
from tslint.rewrite.numpy_statements import numpy_fix
from tslint.rewrite.scripting import either
from tslint.rulekit.calls import passed_on, positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import expression
from tslint.script.dataflow.numpy_blocks import numpy_names
from tslint.script.events.names import NumpyCall
from tslint.script.types import TENSOR

RULE = Rule(code="TS208", name="numpy-call", events=(NumpyCall,))

_MATH = {name: name for name in "sqrt exp log log10 sin cos tan sinh cosh tanh degrees radians".split()}
_TORCH = {
    **{name: name for name in "sqrt exp log log2 log10 abs sin cos tan sinh cosh tanh sign floor ceil square".split()},
    **{name: name for name in "maximum minimum where stack".split()},
    "absolute": "abs", "arctan2": "atan2", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "clip": "clamp",
    "concatenate": "cat",
}  # fmt: skip
_OF_ANGLES = {"degrees": "rad2deg", "radians": "deg2rad"}
_OTHER_FORM = ("where", "stack", "concatenate", "clip")
_WORDS = {
    "array": "torch.tensor", "asarray": "torch.as_tensor", "zeros": "torch.zeros", "ones": "torch.ones",
    "arange": "torch.arange",
    "linspace": "torch.linspace", "prod": "a loop that multiplies the numbers (`torch.prod` for a tensor)",
    "meshgrid": "torch.meshgrid", "expand_dims": "torch.unsqueeze", "tile": "torch.tile",
    "ceil": "math.ceil", "floor": "math.floor", "round": "round", "max": "max", "min": "min",
    "log2": "`math.log(…) / math.log(2)` (numbers) or `torch.log2` (tensors)",
    **{name: f"torch.{name}" for name in "sum mean std var any all full zeros_like ones_like dot matmul outer".split()},
    "repeat": "torch.repeat_interleave", "argsort": "torch.argsort", "argmax": "torch.argmax", "cumsum": "torch.cumsum",
    "eye": "torch.eye", "unique": "torch.unique", "vstack": "torch.vstack", "power": "**", "choice": "torch.randint",
    "uniform": "torch.rand", "randint": "torch.randint", "permutation": "torch.randperm", "normal": "torch.randn",
    "rand": "torch.rand", "randn": "torch.randn", "random": "torch.rand",
}  # fmt: skip


def check(match: Match[NumpyCall]) -> Iterator[Finding]:
    """Report the call, with a fix that uses ``math`` or torch, or moves the code out of compiled code."""
    call, short = match.node, match.event.short
    word = _WORDS.get(short) or (f"torch.{_TORCH[short]}" if short in _TORCH else "")
    if word and "`" not in word:
        word = f"`{word}`"
    if short in _MATH:
        word = f"`math.{short}` (numbers) or `torch.{_OF_ANGLES.get(short, short)}` (tensors)"
    callee = call.func if isinstance(call, cst.Call) else call
    yield match.finding(
        f"{match.quote(callee)} is a numpy function, and compiled code has no numpy",
        help=(f"Use {word}, or move" if word else "Use torch instead, or move")
        + " the numpy code into a method marked `@torch.jit.unused` and call it under "
        "`if not torch.jit.is_scripting():`.",
        fix=numpy_fix(match, unread=True)
        or (_replaced(match, call, short) if isinstance(call, cst.Call) else None)
        or numpy_fix(match),
    )


def _replaced(match: Match[NumpyCall], call: cst.Call, short: str) -> Fix | None:
    """Write the call, or the expression around it, without numpy."""
    return numpy_limit(match, call) or as_tensor(match, call, short) or _rewritten(match, call, short)


def _rewritten(match: Match[NumpyCall], call: cst.Call, short: str) -> Fix | None:
    """Call the same function of ``math`` or torch, if the types of the arguments are known."""
    types = match.event.types
    if "random" in match.event.name:
        return drawn(match, call, short)
    arguments = positional(call)
    if arguments is None or len(types) != len(arguments):
        return None
    number = number_fix(match, call, numpy_names(match.file.tree))
    if number is not None or not _annotated(match):
        return number
    if types and all(each == TENSOR for each in types) and short in _TORCH and short not in _OTHER_FORM:
        function = expression("{torch}.{name}", torch=match.imported("torch")[0], name=_TORCH[short])
        words = f"Use `torch.{_TORCH[short]}` in compiled code"
        return either(match, call, cst.Call(function, passed_on(call.args)), words)
    return None


def _annotated(match: Match) -> bool:
    """Return whether all parameters have annotations: the compiler treats those without annotation as Tensors."""
    function = match.function
    if function is None:
        return False
    own = (*function.params.params, *function.params.kwonly_params)
    return all(each.annotation is not None for each in own if each.name.value != match.self_name)
