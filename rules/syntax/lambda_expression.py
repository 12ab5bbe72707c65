"""# `lambda` in compiled code

## What it does

Finds `lambda` expressions in code that `torch.jit.script` compiles, and lambdas that are handed to it.

## Why TorchScript rejects it

Functions are no values in TorchScript; they cannot be made, stored or passed on by compiled code.

```text
Lambda aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shift = lambda t: t + 1
        return shift(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


def shift(t: torch.Tensor) -> torch.Tensor:
    return t + 1


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return shift(x)


inputs = (torch.rand(3),)
```

## Fix safety

A lambda that one variable holds for all calls is written out where it is called, if that evaluates the same in the same
order; `list(map(lambda t: …, values))` becomes a comprehension, in `tuple(…)` too. Both are *safe*. Where a `map` is
unpacked the comprehension is *unsafe*: it computes all values before it is known that there are too many. Others need a
name and types, which only the author can give.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.inline_function import inlined
from tslint.rewrite.spans import at_keyword, compiled_function, operand, parent, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.scopes import bindings, module_bindings

# What ends a `map` without an error, and a comprehension with one.
_ENDING = frozenset(["next", "__next__", "StopIteration"])
_OTHERS = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)
RULE = Rule(code="TS104", name="lambda", events=("lambda",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the keyword."""
    yield at_keyword(
        match,
        "lambda",
        "`lambda` cannot be compiled: functions are no values in TorchScript",
        "Write a function with `def` at module level, or a method, and call it by name.",
        _fix(match),
    )


def _fix(match: Match) -> Fix | None:
    node = match.event.node
    if not isinstance(node, ast.Lambda):
        return None
    around, held = compiled_function(match), parent(match, node)
    if isinstance(held, ast.Call):
        return _comprehension(match, node, held)
    if around is None or not isinstance(held, ast.Assign) or len(held.targets) != 1:
        return None
    target = held.targets[0]
    if not isinstance(target, ast.Name):
        return None
    return inlined(match, around, target.id, held, node.args, node.body)


def _comprehension(match: Match, node: ast.Lambda, held: ast.Call) -> Fix | None:
    """``list(map(lambda t: f(t), values))`` → ``[f(t) for t in values]``; in ``tuple(…)``, and where it is unpacked,
    without ``list``."""
    around = parent(match, held)
    spec = node.args
    if not (isinstance(held.func, ast.Name) and held.func.id == "map" and len(held.args) == 2 and not held.keywords):
        return None
    if spec.defaults or spec.vararg or spec.kwarg or spec.kwonlyargs or len(spec.args) != 1:
        return None
    whole: ast.expr = held
    taker = around.func.id if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) else ""
    if isinstance(around, ast.Call) and taker in ("list", "tuple"):
        whole = around if taker == "list" else held
        if around.args != [held] or around.keywords:
            return None
    elif not (isinstance(around, ast.Assign) and len(around.targets) == 1 and isinstance(around.targets[0], ast.Tuple)):
        return None
    function = compiled_function(match)
    hidden = module_bindings(match.file.tree).keys() | (bindings(function) if function is not None else set())
    inner = walking.walk(node.body)
    stops = any(isinstance(each, (ast.Name, ast.Attribute)) and _name(each) in _ENDING for each in inner)
    if {"list", "tuple", "map"} & hidden or stops or any(isinstance(each, _OTHERS) for each in inner):
        return None
    name = spec.args[0].arg
    values = held.args[1]
    # A tuple among arguments has brackets of its own.
    over = match.text(values) if isinstance(values, ast.Tuple) else operand(match, values)
    text = f"[{match.text(node.body)} for {name} in {over}]"
    if taker:
        return safe("Write a comprehension", replace(match, whole, text))
    # Too many values are an error only once all of them are computed.
    return unsafe("Write a comprehension", replace(match, whole, text), risks=(Risk.EXCEPTION,))


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr
