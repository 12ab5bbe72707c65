"""# Call of Python's standard library

## What it does

Finds calls of functions and classes of the standard library and of other packages that compiled code cannot call:
`time`, `os`, `copy`, `json`, `itertools`, `functools`, `collections`, `re`, `threading`, `inspect`, `pickle` and
others, and some functions of `math`.

## Why TorchScript rejects it

A compiled model runs without Python. Functions that are written in C have no source to compile. Those that are written
in Python use features that TorchScript does not support. Most of `math` is supported.

```text
Python builtin <built-in function log2> is currently not supported in Torchscript
```

## Example

```python
import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * math.log2(x.shape[0])


inputs = (torch.rand(4),)
```

## Use instead

```python
import math

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * (math.log(x.shape[0]) / math.log(2))


inputs = (torch.rand(4),)
```

Code that needs Python (files, the clock, the environment) belongs in `__init__`, outside the model, or under `if not
torch.jit.is_scripting():`.

## Fix safety

`outputs = namedtuple("Outputs", ["x", "y"])` in a function moves to module level, as `Outputs`. This is *safe*: the
only change is that all calls of the function use the same class.

All other fixes change compiled code only; Python runs the original code. `math.log2` becomes a quotient of logarithms,
and `math.exp2` becomes a power. For a tensor, `copy.deepcopy(x)` becomes `x.clone()`, and `copy.copy(x)` becomes
`x.detach()`, which shares the values with `x`. These are *unsafe*: in compiled code, the last bit of a number may
differ, gradients flow through a clone, and a detached tensor has no gradients.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.hoist_function import named_tuple_to_module
from tslint.rewrite.scripting import either
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import short
from tslint.script.events.names import UnsupportedExternalCall
from tslint.script.types import TENSOR

RULE = Rule(code="TS207", name="standard-library-call", events=(UnsupportedExternalCall,))

_PACKAGES = {
    "time": "Measure time around the model, or under `if not torch.jit.is_scripting():`.",
    "datetime": "Measure time around the model, or under `if not torch.jit.is_scripting():`.",
    "os": "Call it in `__init__`, and store the result on `self`.",
    "pathlib": "Use paths in `__init__`, and store the result on `self`.",
    "sys": "Use `sys` in `__init__`, or under `if not torch.jit.is_scripting():`.",
    "json": "Load JSON in `__init__`, or write it under `if not torch.jit.is_scripting():`.",
    "copy": "Copy a tensor with `x.clone()`, a list with `xs[:]`.",
    "itertools": "Write a loop over the indices, `for i in range(…):`.",
    "functools": "Write what it does as a plain function or a loop.",
    "collections": "Use a plain list or dict with an annotation.",
    "re": "Use the `find`, `split`, `replace` and `startswith` of strings; match patterns outside the model.",
    "math": "Use what TorchScript has: `math.log`, `math.sqrt`, `math.floor`, `**`, loops.",
    "operator": "Write the operator itself: `a + b` for `operator.add(a, b)`.",
    "contextlib": "Write the block without this `with`. If a test chooses the context, write it out in each branch.",
    "warnings": 'Only `warnings.warn("text")` compiles; call other functions of `warnings` outside the model.',
    "dataclasses": "Create the object outside compiled code, or use a `NamedTuple`.",
}
_NAMED = {
    "reduce": "Write a loop instead.",
    **dict.fromkeys(
        ("filterfalse", "takewhile", "dropwhile", "compress"), "Write a loop with an `if` that fills an annotated list."
    ),
    "partial": "Write a function that calls {} with these arguments.",
    "namedtuple": "Define a `typing.NamedTuple` class at module level, and create an object of it here.",
    **dict.fromkeys(("product", "combinations", "permutations"), "Write nested `for` loops."),
    "chain": "Write one loop after another, or add the lists: `a + b`.",
    "Counter": "Count in an annotated dict, such as `counts: Dict[str, int] = {}`.",
    "catch_warnings": "Write the block without this `with`.",
    "defaultdict": "Use a dict with an annotation, and set missing keys with `if key not in d:`.",
}
_OTHERS = "Call it in `__init__` or outside the model, or under `if not torch.jit.is_scripting():`."
_MATH = {"math.log2": "{math}.log({x}) / {math}.log(2)", "math.exp2": "{math}.pow(2, {x})"}
# The method of tensors with the same result; also if the original or the copy is changed in place later.
_COPIED = {
    "copy.copy": ("{x}.detach()", "Call `detach()` in compiled code: the tensors share their values"),
    "copy.deepcopy": ("{x}.clone()", "Call `clone()` in compiled code"),
}


def check(match: Match[UnsupportedExternalCall]) -> Iterator[Finding]:
    """Report calls of the standard library, except ``logging`` and ``random``, which have rules of their own."""
    event = match.event
    if event.package in ("logging", "random"):
        return
    callee = match.node.func if isinstance(match.node, cst.Call) else match.node
    help = _NAMED.get(event.short) or _PACKAGES.get(event.package) or _OTHERS
    if match.self_name is None and help.endswith("on `self`."):
        help = "Call it outside compiled code, and pass the result as an argument."
    if event.short == "partial":
        given = match.node.args if isinstance(match.node, cst.Call) else ()
        help = help.format(match.quote(given[0].value) if given else "the other one")
    arguments = positional(match.node) if isinstance(match.node, cst.Call) else None
    if arguments and len(arguments) == 1 and "\n" not in match.code(arguments[0]):
        value = arguments[0]
        if event.name in _MATH:
            written = expression(_MATH[event.name], math=match.imported("math")[0], x=value)
            help = f"Write {short(code(written))}."
        elif event.name in _COPIED and isinstance(value, (cst.Name, cst.Attribute)):
            x = match.code(value)
            help = f"Write `{x}.clone()` for a tensor, and `{x}[:]` for a list."
            if event.types[:1] == (TENSOR,):
                shares = "" if event.short == "deepcopy" else f", or `{x}.detach()`, which shares the values with `{x}`"
                help = f"Write `{x}.clone()`{shares}."
    yield match.finding(
        f"{match.quote(callee)} exists only in Python: compiled code cannot call it",
        help=help,
        fix=_fix(match),
    )


def _fix(match: Match[UnsupportedExternalCall]) -> Fix | None:
    call, name, types = match.node, match.event.name, match.event.types
    if name == "collections.namedtuple" and isinstance(call, cst.Call):
        return named_tuple_to_module(match, call)
    if not isinstance(call, cst.Call) or (arguments := positional(call)) is None or len(arguments) != 1:
        return None
    if name in _MATH:
        math, imports = match.imported("math")
        compiled = expression(_MATH[name], math=math, x=arguments[0])
        words = f"Write `{name}` with other functions of `math` in compiled code"
        return either(match, call, compiled, words, *imports)
    if name in _COPIED and types[:1] == (TENSOR,):
        pattern, words = _COPIED[name]
        return either(match, call, expression(pattern, x=arguments[0]), words)
    return None
