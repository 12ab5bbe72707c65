"""# torch function that TorchScript does not have

## What it does

Finds calls of functions and classes of torch that compiled code cannot call: `torch.is_tensor`, `torch.Tensor(...)`,
`torch.from_numpy`, `torch.finfo`, `torch.inference_mode`, `torch.cuda.is_available`, `torch.distributed`,
`torch.utils.checkpoint` and others.

## Why TorchScript rejects it

Compiled code calls operators: most functions that compute with tensors are one. What is about Python, about the
machine or about training has no operator, and no source that could be compiled instead.

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

`torch.is_tensor(x)` becomes `isinstance(x, torch.Tensor)`, `torch.Tensor([...])` of float literals `torch.tensor(...)`:
*safe*. `torch.inference_mode()` becomes `torch.no_grad()`, `torch.spmm` `torch.sparse.mm`, and `torch.Tensor` of other
things gets a dtype: *unsafe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.names._common import guard, quote, replace, statement

RULE = Rule(code="TS212", name="unsupported-torch-call", events=("unsupported-torch-call",))

_GUARD = "Do it outside the model, or behind `if not torch.jit.is_scripting():`."
_HELP = {
    "is_tensor": "Write `isinstance(x, torch.Tensor)`.",
    "Tensor": "Write `torch.tensor([...])` for values, `torch.empty(sizes)` for a size.",
    "from_numpy": "Pass a tensor in, or make it in `__init__` and keep it as a buffer.",
    "as_strided": "Write `x.as_strided(...)`.",
    "finfo": "Work the number out in `__init__` and keep it on `self`, or write it: `-1e9`, `float('-inf')`.",
    "iinfo": "Work the number out in `__init__` and keep it on `self`, or write it.",
    "inference_mode": "Use `torch.no_grad()`, or apply it around the whole model.",
    "enable_grad": "Leave it out, or apply it around the model; only `torch.no_grad()` can be compiled.",
    "set_grad_enabled": "Use `with torch.no_grad():` in an `if`, or apply it around the model.",
    "get_default_dtype": "Take the dtype from a tensor (`x.dtype`) or name it (`torch.float32`).",
    "set_default_dtype": _GUARD,
    "is_available": "Decide it in `__init__`, or ask a tensor: `x.is_cuda`.",
    "spmm": "Write `torch.sparse.mm(a, b)`.",
    "checkpoint": "Call the function itself where `torch.jit.is_scripting()`, and `checkpoint` in the `else` branch.",
    "checkpoint_sequential": "Call the modules themselves when `torch.jit.is_scripting()`.",
    "manual_seed": "Seed outside the model.",
    "Generator": "Pass the generator in, or leave it out.",
    "Size": "Use a list of ints: `[n, m]`.",
    "device": 'Write `torch.device("cuda")` with a text, or pass `x.device` on.',
    "compile": "Compile outside the model.",
    "sparse": "Write `torch.sparse_coo_tensor(indices, values, size)`.",
    "typed": "Write `torch.tensor([...], dtype=…)` for values, `torch.empty(sizes, dtype=…, device=…)` for a size.",
}


def check(match: Match) -> Iterator[Finding]:
    """Name the function and what to write for it."""
    facts, call = match.event.facts, match.event.node
    name, short = facts["name"], facts["short"]
    if facts["reason"] == "newer":
        yield match.finding(
            f"`{short}` is not in torch {facts['target']}, your `target-torch`: it was added in {facts['since']}",
            help="Write it with older operators, or raise `target-torch`.",
        )
        return
    help = _HELP.get(short)
    if name.startswith("torch.sparse.") and short.endswith("Tensor"):
        help = _HELP["sparse"]
    elif short.endswith("Tensor") and short != "Tensor":
        help = _HELP["typed"]
    elif name.startswith("torch.distributed."):
        help = "Communicate outside the compiled code, or behind `if not torch.jit.is_scripting():`."
    callee = call.func if isinstance(call, ast.Call) else call
    yield match.finding(
        f"{quote(match, callee)} cannot be called in compiled code: TorchScript has no operator for it",
        help=help or _GUARD,
        fix=_fix(match, call, name, short) if isinstance(call, ast.Call) else None,
    )


def _fix(match: Match, call: ast.Call, name: str, short: str) -> Fix | None:
    torch, imports = match.imported("torch")
    given = [match.text(argument) for argument in call.args]
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    if name == "torch.is_tensor" and len(given) == 1 and not call.keywords:
        text = f"isinstance({given[0]}, {torch}.Tensor)"
        return safe("Write `isinstance`", replace(match, call, text), *imports)
    if name == "torch.inference_mode" and not given and not call.keywords:
        return unsafe("Use `torch.no_grad()`", replace(match, call, f"{torch}.no_grad()"), *imports)
    if name == "torch.spmm" and len(given) == 2 and not call.keywords:
        text = f"{torch}.sparse.mm({', '.join(given)})"
        return unsafe("Use `torch.sparse.mm`", replace(match, call, text), *imports)
    if name == "torch.Tensor" and not call.keywords:
        return _tensor(match, call, given)
    member = statement(match)
    if (
        name.startswith(("torch.distributed.", "torch.cuda.")) and isinstance(member, ast.Expr) and member.value is call
        and short != "is_available"
    ):  # fmt: skip
        return guard(match, [member], harmless=False)
    return None


def _tensor(match: Match, call: ast.Call, given: list[str]) -> Fix | None:
    """``torch.Tensor([1.0])`` → ``torch.tensor([1.0])``; of sizes → ``torch.empty``."""
    torch, imports = match.imported("torch")
    first = call.args[0] if len(call.args) == 1 else None
    if isinstance(first, ast.List) and first.elts:
        if all(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in first.elts):
            return safe("Write `torch.tensor`", replace(match, call, f"{torch}.tensor({given[0]})"), *imports)
        text = f"{torch}.tensor({given[0]}, dtype={torch}.float32)"
        return unsafe("Write `torch.tensor` with a dtype", replace(match, call, text), *imports)
    types = match.event.facts.get("types", [])
    if given and len(types) == len(given) and all(type_ == "int" for type_ in types):
        return safe("Write `torch.empty`", replace(match, call, f"{torch}.empty({', '.join(given)})"), *imports)
    return None
