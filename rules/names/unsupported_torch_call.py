"""# torch function that TorchScript does not have

## What it does

Finds calls of functions and classes of torch that compiled code cannot call: `torch.is_tensor`, `torch.Tensor(...)`,
`torch.from_numpy`, `torch.finfo`, `torch.inference_mode`, `torch.cuda.is_available`, `torch.distributed`,
`torch.optim`, `torch.func`, `torch.nested`, `torch.nn.attention.sdpa_kernel`, `torch.utils.checkpoint` and others.

## Why TorchScript rejects it

Compiled code calls operators. Most functions that compute with tensors have one. Functions about Python, the machine or
training have no operator, and their source, if there is any, does not compile.

```text
Unknown builtin op: aten::is_tensor.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch.is_tensor(x):
            return x + torch.Tensor([0.5])
        return x


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if isinstance(x, torch.Tensor):
            return x + torch.tensor([0.5])
        return x


inputs = (torch.rand(3),)
```

The help of each finding names what to write for that function.

## Fix safety

`torch.is_tensor(x)` becomes `isinstance(x, torch.Tensor)`, and `torch.finfo(torch.float32).min` becomes a number. These
are *safe*. It is also *safe* to write `torch.mm` for `torch.spmm`, which is the same function under another name, and
to remove `if torch.cuda.is_available(): x = x` (if it contains a comment, the `if` stays, but only Python runs it).
`torch.Tensor([0.5])` becomes `torch.tensor([0.5])`, and `torch.Tensor` of sizes becomes `torch.empty(...)`. This is
*unsafe*: only the new functions use the default device, if a program sets one.

All other fixes are *unsafe*: Python runs the original code, and only compiled code changes. `torch.inference_mode()`
becomes `torch.no_grad()`, and `torch.Tensor([a, b])` becomes `torch.tensor([a, b], dtype=torch.float32)`.
`checkpoint(f, x)` becomes `f(x)`, and `data_parallel(net, x)` becomes `net(x)`; if the call is in one branch of an
`if`, and the other branch already does that, only the other branch is compiled. An `if
torch.distributed.is_initialized():` runs only in Python, if its block only logs or computes. For
`torch.cuda.is_available()`, the fix adds a property that returns the result; the compiler reads the property once, as a
constant. `torch.finfo(x.dtype).min` becomes the number that `nan_to_num()` returns for `-inf` in this dtype. A property
that no compiled code reads is marked `@torch.jit.unused`: the compiled module does not have the property.

Calls for which other processes or devices wait (`all_reduce`, `barrier`, `synchronize`) are never removed.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.torch_functions import torch_fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import UnsupportedTorchCall

RULE = Rule(code="TS212", name="unsupported-torch-call", events=(UnsupportedTorchCall,))

_GUARD = "Call it outside the model, or under `if not torch.jit.is_scripting():`."
_HELP = {
    "is_tensor": "Write `isinstance(x, torch.Tensor)`.",
    "Tensor": "Write `torch.tensor([...])` for values, `torch.empty(sizes)` for a size.",
    "from_numpy": "Pass a tensor in, or make it in `__init__` and store it as a buffer.",
    "as_strided": "Write `x.as_strided(...)`.",
    "finfo": "Compute the number in `__init__` and store it on `self`, or write a number: `-1e9`, `float('-inf')`.",
    "iinfo": "Compute the number in `__init__` and store it on `self`, or write a number.",
    "inference_mode": "Use `torch.no_grad()`, or call the whole model under `torch.inference_mode()`.",
    "enable_grad": "Remove it, and call the whole model under `torch.enable_grad()` if you need gradients.",
    "set_grad_enabled": "Use `with torch.no_grad():` in one branch of an `if`, or set the grad mode around the model.",
    "get_default_dtype": "Take the dtype from a tensor (`x.dtype`) or name it (`torch.float32`).",
    "set_default_dtype": _GUARD,
    "is_available": "Call it in `__init__` and store the result, or test a tensor: `x.is_cuda`.",
    "spmm": "Write `torch.mm(a, b)`, which is the same function.",
    "checkpoint": "Under `if torch.jit.is_scripting():`, call the function directly; in the `else`, by `checkpoint`.",
    "checkpoint_sequential": "Call the modules themselves under `if torch.jit.is_scripting():`.",
    **dict.fromkeys(
        ("sdpa_kernel", "sdp_kernel"), "Choose the backend around the model: `with sdpa_kernel(…): y = model(x)`."
    ),
    "manual_seed": "Seed outside the model.",
    "Generator": "Pass the generator as an argument, annotated as `torch.Generator`, or remove it.",
    "Size": "Use a list of ints: `[n, m]`.",
    "device": 'Write `torch.device("cuda")` with a string, or use `x.device`.',
    "compile": "Compile outside the model.",
    "sparse": "Write `torch.sparse_coo_tensor(indices, values, size)`.",
    "typed": "Write `torch.tensor([...], dtype=…)` for values, `torch.empty(sizes, dtype=…, device=…)` for a size.",
}


def check(match: Match[UnsupportedTorchCall]) -> Iterator[Finding]:
    """Report the function and what to write instead."""
    event = match.event
    name, short = event.name, event.short
    if event.since is not None:
        yield match.finding(
            f"`{short}` is not in torch {event.target}, your `target-torch`: it was added in {event.since}",
            help="Write it with older operators, or raise `target-torch`.",
        )
        return
    help = _HELP.get(short)
    if name.startswith("torch.sparse.") and short.endswith("Tensor"):
        help = _HELP["sparse"]
    elif short.endswith("Tensor") and short != "Tensor":
        help = _HELP["typed"]
    elif name.startswith("torch.distributed."):
        help = "Call it outside the model, or put the code that needs it under `if not torch.jit.is_scripting():`."
    call = match.node
    callee = call.func if isinstance(call, cst.Call) else call
    if short == "is_tensor" and isinstance(call, cst.Call) and call.args:
        help = f"Write `isinstance({match.code(call.args[0].value)}, torch.Tensor)`."
    elif short == "spmm" and isinstance(call, cst.Call) and len(call.args) == 2:
        a, b = (match.code(each.value) for each in call.args)
        help = f"Write `torch.mm({a}, {b})`, which is the same function."
    elif short in ("finfo", "iinfo") and match.self_name is None:
        help = "Write the number itself, or pass it as an argument."
    yield match.finding(
        f"{match.quote(callee)} cannot be compiled: TorchScript has no operator for it",
        help=help or _GUARD,
        fix=torch_fix(match, call, name, short) if isinstance(call, cst.Call) else None,
    )
