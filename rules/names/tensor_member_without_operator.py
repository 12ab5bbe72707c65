"""# Tensor method or attribute that TorchScript does not have

## What it does

Finds methods and attributes of tensors that compiled code does not know: `x.bool()`, `x.new(...)`, `x.unique()`,
`x.ndimension()`, `x.nelement()`, `x.data_ptr()` and others. It also finds attributes of parameters that are not
tensors, but that TorchScript treats as tensors because they have no annotation.

## Why TorchScript rejects it

Each attribute of a tensor must be an operator, or one of a few properties (`shape`, `dtype`, `device`, `grad` …).

```text
'Tensor' object has no attribute or method 'ndimension'.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.ndimension() == 1:
            x = x.unsqueeze(0)
        return x.bool()


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() == 1:
            x = x.unsqueeze(0)
        return x.to(torch.bool)


inputs = (torch.rand(3),)
```

The help of each finding names the replacement.

## Fix safety

For `ndimension()`, `nelement()`, `bool()`, `bfloat16()` and `to_sparse_coo()`, the fix writes a form that does the
same, which is *safe*. `x.unique()` becomes `torch.unique(x)`, which is *unsafe*: if `x` is not a tensor, Python raises
another exception.

`x.new(...)` of sizes becomes `x.new_empty(...)`. If the tensor is filled at once, as in `x.new(3).zero_()`, the call
becomes `new_zeros`, `new_ones` or `new_full`. This is *safe* if the arguments are certainly sizes, as in `x.new(n, 3)`
or `x.new(y.size())`. If that is not certain, only compiled code gets the new form, which is *unsafe*.

`x.new_tensor(values)` and `x.new([...])` of numbers become `torch.tensor(values, dtype=x.dtype).to(x)`, which is
*unsafe*: nothing confirms that `x` is a tensor. If `new_tensor` has keywords, or copies a tensor, the fix changes
compiled code only. This is *unsafe*, too.

A parameter that is used as a dict with string keys is annotated as `Dict[str, torch.Tensor]`. This is *unsafe*: only
its uses show the type, and the compiled function then accepts no other type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate import as_written
from tslint.rewrite.dict_parameter import mapping
from tslint.rewrite.tensor_new import new_fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.events.names import NoTensorMember

RULE = Rule(code="TS210", name="tensor-member-without-operator", events=(NoTensorMember,))

_HELP = {
    "ndimension": "Write `x.dim()`.",
    "nelement": "Write `x.numel()`.",
    "bool": "Write `x.to(torch.bool)`.",
    "bfloat16": "Write `x.to(torch.bfloat16)`.",
    "unique": "Write `torch.unique(x)`.",
    "new": "For a size, write `x.new_empty(sizes)`; for values, `torch.tensor([...], dtype=x.dtype, device=x.device)`.",
    "new_tensor": "Write `torch.tensor(values, dtype=x.dtype, device=x.device)`.",
    "to_sparse_coo": "Write `x.to_sparse()`.",
    "grad_fn": "Test `x.requires_grad`; compiled code cannot read the autograd graph.",
    "volatile": "Remove it: use `with torch.no_grad():`.",
    "data_ptr": "Compare tensors with `torch.equal`, or call it under `if not torch.jit.is_scripting():`.",
    "register_hook": "Register hooks outside compiled code, or under `if not torch.jit.is_scripting():`.",
    "map_": "Write it with tensor operations.",
    "apply_": "Write it with tensor operations.",
    "lu": "Write `torch.linalg.lu_factor(x)`.",
    "solve": "Write `torch.linalg.solve(a, b)`.",
    "lstsq": "Write `torch.linalg.lstsq(a, b)`.",
    "eig": "Write `torch.linalg.eig(x)`.",
    "symeig": "Write `torch.linalg.eigh(x)`.",
}
_PYTHON = (
    "as_subclass const_data_ptr dim_order grad_dtype ipu is_shared map2_ module_load mtia "
    "register_post_accumulate_grad_hook reinforce share_memory_ storage storage_type untyped_storage xpu"
).split()
# The name of the tensor in the texts above.
_TENSOR = re.compile(r"\bx\b(?=[.)])")
_SHORT = 40
_BUILTINS = {list: "List[Tensor]", str: "str"}
_CASTS = {"bool": "bool", "bfloat16": "bfloat16"}
_SAME = {"ndimension": "dim", "nelement": "numel", "to_sparse_coo": "to_sparse"}


def check(match: Match[NoTensorMember]) -> Iterator[Finding]:
    """Report the method and what to write instead; ``numpy`` has a rule of its own."""
    event = match.event
    attribute, owner = event.attribute, event.owner
    if attribute == "numpy":
        return
    if attribute in _HELP or attribute in _PYTHON:
        yield match.finding(
            f"{match.event_text}: tensors have no `{attribute}` in TorchScript",
            help=_TENSOR.sub(lambda _: _shown(match, owner), _HELP[attribute])
            if attribute in _HELP
            else "Call it outside compiled code, or under `if not torch.jit.is_scripting():`.",
            fix=_fix(match, attribute),
        )
    elif event.inferred:
        yield match.finding(
            f"{short(owner)} has no annotation, so it is a Tensor, and a Tensor has no `{attribute}`",
            help=_annotation(match, owner, attribute),
            fix=mapping(match, owner, attribute),
        )
    else:
        yield match.finding(
            f"{short(owner)} is a Tensor, and a Tensor has no `{attribute}`",
            help=f"Check the spelling of `{attribute}`. If {short(owner)} is another object in Python, annotate the "
            "parameter or variable that holds it.",
        )


def _shown(match: Match, owner: str) -> str:
    """Return the code of a tensor for a call of its method; ``…`` if the code is long."""
    if len(owner) > _SHORT or "\n" in owner:
        return "…"
    node = match.node.value if isinstance(match.node, cst.Attribute) else None
    plain = node is None or isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript))
    return owner if plain else f"({owner})"


def _annotation(match: Match, owner: str, attribute: str) -> str:
    """Return how to annotate a parameter whose attribute or method is read."""
    if attribute == "__getitem__":
        return "Write the index in brackets: `x[i]`."
    if attribute.startswith("__"):
        return f"Read `{attribute}` outside compiled code, and pass what you need of it: only Python has it."
    for type_, written in _BUILTINS.items():
        if hasattr(type_, attribute) and not hasattr(dict, attribute):
            example = f"{owner}: {as_written(match, written)}"
            return f"Annotate {short(owner)} with a type that has `{attribute}`, for example `{example}`."
    if hasattr(dict, attribute):
        return f"If it is a dict of Tensors, annotate it: `{owner}: {as_written(match, 'Dict[str, Tensor]')}`."
    if attribute in OF_MODULES:
        help = "A module cannot be passed to compiled code: make it a submodule of the caller"
        return f"{help}, or mark this function `@torch.jit.ignore`."
    return f"Annotate {short(owner)} with a compiled class that has `{attribute}`, or pass only what you need of it."


def _fix(match: Match, attribute: str) -> Fix | None:
    node, call = match.node, match.parent(match.node)
    if not isinstance(node, cst.Attribute) or not isinstance(call, cst.Call) or call.func is not node:
        return None
    owner = node.value
    if attribute in ("new", "new_tensor"):
        return new_fix(match, call, owner, attribute)
    if attribute in _SAME and not call.args:
        same = _SAME[attribute]
        return safe(f"Write `{same}()`", lambda: match.replace(node, node.with_changes(attr=cst.Name(same))))
    torch, imports = match.imported("torch")
    if attribute in _CASTS and not call.args:
        dtype = f"{torch}.{_CASTS[attribute]}"
        return safe(
            f"Write `to(torch.{_CASTS[attribute]})`",
            lambda: match.replace(call, expression("{owner}.to({dtype})", owner=owner, dtype=dtype)),
            *imports,
        )
    if attribute == "unique" and all(m.matches(each, m.Arg(star="")) for each in call.args):
        function = expression("{torch}.unique", torch=torch)
        return unsafe(  # for a value that is not a tensor in Python, a missing method raises another error
            "Write `torch.unique`",
            lambda: match.replace(call, call.with_changes(func=function, args=[cst.Arg(owner), *call.args])),
            *imports,
            risks=(Risk.EXCEPTION,),
        )
    return None
