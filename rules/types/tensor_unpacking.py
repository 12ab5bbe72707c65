"""# Unpacking something that is no tuple

## What it does

Finds `a, b = x` and `f(*x)` where `x` is a Tensor, a number or something else that is neither a tuple nor a list to
TorchScript. A parameter without annotation is a Tensor.

## Why TorchScript rejects it

Eager mode unpacks a Tensor along its first dimension, whose length the compiler does not know.

```text
Tensor cannot be used as a tuple
```

## Example

```python
import torch


def difference(x: torch.Tensor) -> torch.Tensor:
    left, right = x
    return left - right


scripted = torch.jit.script(difference)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def difference(x: torch.Tensor) -> torch.Tensor:
    left, right = x[0], x[1]
    return left - right


scripted = torch.jit.script(difference)
inputs = (torch.rand(2, 3),)
```

## Fix safety

Compiled code gets the rows, `x.unbind(0) if torch.jit.is_scripting() else x`: *safe*, as Python unpacks what it did.
There is no fix on what callers give without saying so, or what a submodule or a method returns: that may be a tuple
whatever its annotation says.

A parameter without annotation becomes a tuple, which is *unsafe*, because only you know what callers pass.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.scripted_form import either_fix
from tslint.rewrite.spans import operand
from tslint.rewrite.type_wording import (
    a,
    function,
    inside,
    optional_inside,
    quote,
    unannotated,
    without_none,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

# What walks its arguments: their elements are what it gives.
_WALKS = ("enumerate", "zip", "reversed", "list", "tuple")
RULE = Rule(code="TS308", name="tensor-unpacking", events=("not-a-tuple",))
_SIZES = re.compile("size|shape|stride|pad|kernel|dilation")


def check(match: Match) -> Iterator[Finding]:
    """Unbind a Tensor, annotate a tuple."""
    facts, node = match.event.facts, match.event.node
    value = node.value if isinstance(node, (ast.Starred, ast.Assign)) else node
    type_, needed = facts["type"], facts["needed"]
    argument = unannotated(match, value) if "(inferred)" in type_ else None
    fix: Fix | None = None
    if argument is not None:
        message = f"`{argument.arg}` has no annotation, so it is a Tensor, and a Tensor cannot be unpacked"
        element = "int" if _SIZES.search(argument.arg) else "Tensor"
        wanted = f"Tuple[{', '.join([element] * (needed or 2))}]"
        help = f"Annotate it, `{argument.arg}: {wanted}`; if it is a Tensor, unpack `{argument.arg}.unbind(0)`."
        held = function(match)
        fix = annotation_fix(match, held, argument, likely=wanted) if needed and held is not None else None
    elif type_.startswith("Tensor"):
        message = f"{quote(match, value)} is a Tensor, and TorchScript does not unpack Tensors"
        help = "Unpack `.unbind(0)`, which is a list of its rows."
        if needed and isinstance(value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            fix = _unbound(match, value)
    else:
        message = f"{quote(match, value)} is {a(type_)}, which cannot be unpacked"
        help = "Only tuples, and lists where the number of targets is fixed, can be unpacked."
        if type_ == "NoneType" or optional_inside(type_) is not None:
            help = without_none(match, value, type_)
    yield match.finding(message, help=help, fix=fix)


def _unbound(match: Match, value: ast.expr) -> Fix | None:
    """Unpack the rows; none of what callers give without saying so, or a module's call returns: that may be a tuple."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return None
    if _from_caller(match, value, set()):
        return None
    root = value
    while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if isinstance(value, ast.Call) and isinstance(root, ast.Name) and root.id == "self":
        return None
    return either_fix(match, value, f"{operand(match, value)}.unbind(0)", "Unpack `.unbind(0)` in compiled code")


def _from_caller(match: Match, value: ast.expr, seen: set[str]) -> bool:
    """Whether a value is, or is a part of, a parameter that may be something else than a Tensor."""
    while isinstance(value, (ast.Subscript, ast.Starred)):
        value = value.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _WALKS:
        return any(_from_caller(match, argument, seen) for argument in value.args)
    if not isinstance(value, ast.Name) or value.id in seen:
        return False
    name = value.id
    seen.add(name)
    return _parameter(match, name) or any(
        _from_caller(match, source, seen)
        for node in inside(match)
        for source in _sources(node)
        if any(isinstance(n, ast.Name) and n.id == name for target in _targets(node) for n in walking.walk(target))
    )


def _sources(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.iter]
    return [node.value] if isinstance(node, ast.Assign) else []


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.For, ast.comprehension)):
        return [node.target]
    return node.targets if isinstance(node, ast.Assign) else []


def _parameter(match: Match, name: str) -> bool:
    """Whether a name is a parameter that may be something else than a Tensor: its author does not say, or has None."""
    held = function(match)
    if held is None:
        return False
    spec = held.args
    given = spec.args[: len(spec.args) - len(spec.defaults)]
    sure = {a.arg for a in given if a.annotation is not None and ast.unparse(a.annotation).endswith("Tensor")}
    names = {argument.arg for argument in walking.walk(spec) if isinstance(argument, ast.arg)}
    return name in names - sure
