"""# Python builtin that TorchScript does not have

## What it does

Finds calls of `reversed`, `map`, `filter`, `set`, `iter`, `next`, `type`, `open`, `setattr` and other builtins that
compiled code cannot call.

## Why TorchScript rejects it

TorchScript knows these builtins: `abs`, `all`, `any`, `bin`, `bool`, `chr`, `complex`, `dict`, `divmod`, `enumerate`,
`float`, `getattr`, `hasattr`, `hash`, `hex`, `id`, `int`, `isinstance`, `len`, `list`, `max`, `min`, `oct`, `ord`,
`pow`, `print`, `range`, `round`, `sorted`, `str`, `sum`, `tuple` and `zip`. It has no iterators, no sets, no
functions as values, and no access to Python's own world.

```text
reversed(Tensor 0) -> Tensor 0
Python builtin <built-in function next> is currently not supported in Torchscript
```

## Example

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, xs: List[torch.Tensor]) -> torch.Tensor:
        total = xs[0]
        for x in reversed(xs):
            total = total * 2 + x
        return total


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, xs: List[torch.Tensor]) -> torch.Tensor:
        total = xs[0]
        for x in xs[::-1]:
            total = total * 2 + x
        return total


inputs = ([torch.rand(3), torch.rand(3)],)
```

The help of each finding names what to write for that builtin.

## Fix safety

`reversed(range(n))` becomes `range(n - 1, -1, -1)`: *safe*. Where it is compiled, `reversed(xs)` in a loop becomes
`xs[::-1]`, `map(f, xs)` a list, and `next(self.parameters()).dtype` that of a layer of the module, while Python goes on
as before: *unsafe*, since a list is made at once where Python goes step by step, and parameters may differ. A property
that nothing compiled reads is marked `@torch.jit.unused`, which is *unsafe*: the compiled module does not have it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.spans import operand
from tslint.rewrite.statements import own_class, parent, quote, replace, self_name
from tslint.rewrite.unused_property import unused_property
from tslint.rewrite.when_compiled import either
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS211", name="unsupported-builtin", events=("unsupported-builtin",))

# Layers whose first parameter is always there, and called `weight`.
_WITH_WEIGHT = frozenset(["Linear", "Embedding", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "LayerNorm"])
_PYTHON = "Do it outside the compiled code, or behind `if not torch.jit.is_scripting():`."
_HELP = {
    "reversed": "Reverse a list with `xs[::-1]`, a range with `range(n - 1, -1, -1)`, a tensor with `x.flip(0)`.",
    "map": "Write a comprehension: `[f(x) for x in xs]`.",
    "filter": "Write a loop that appends what passes the test.",
    "set": "Use a list (`if x not in seen: seen.append(x)`), a dict's keys, or `torch.unique`.",
    "frozenset": "Use a list, or a dict's keys.",
    "iter": "Iterate with `for`, or keep an index.",
    "next": "Take the element by its index, or loop with `for` and `break`.",
    "type": "Test types with `isinstance(x, T)`; a tensor's dtype is `x.dtype`.",
    "callable": "Decide in `__init__` what will be called.",
    "issubclass": "Test values with `isinstance(x, T)`.",
    "repr": "Use `str(x)`.",
    "ascii": "Use `str(x)`.",
    "format": 'Use an f-string without a format, or `"{}".format(x)`.',
    "bytes": "TorchScript has no bytes; use a `torch.uint8` tensor.",
    "bytearray": "TorchScript has no bytes; use a `torch.uint8` tensor.",
    "setattr": "Write `self.name = value`; the attribute must be set in `__init__` too.",
    "delattr": "Attributes cannot be deleted; set them to None where they are declared `Optional`.",
    "open": "Read files in `__init__`, and keep what they hold on `self`.",
    "input": "Pass what is asked for as an argument.",
    "vars": "Name the attributes one by one.",
    "dir": "Name the attributes one by one.",
    "object": "Use a NamedTuple or a class of your own.",
}


def check(match: Match) -> Iterator[Finding]:
    """Name the builtin and what to write for it."""
    name, call = match.event.facts["short"], match.event.node
    if name in ("next", "iter") and _of_parameters(call):
        yield match.finding(
            f"{quote(match, call)}: compiled code can neither list a module's parameters nor step through them",
            help="Take the device and dtype from an input (`x.device`), or from a parameter or buffer by its name.",
            fix=unused_property(match) or _of_known_parameter(match, call),
        )
        return
    yield match.finding(
        f"{quote(match, call)}: TorchScript has no `{name}`",
        help=_HELP.get(name, _PYTHON),
        fix=unused_property(match) or _fix(match, call, name),
    )


def _of_parameters(node: ast.AST) -> bool:
    """Whether ``self.parameters()`` or the like is stepped through."""
    return any(
        isinstance(child, ast.Attribute)
        and child.attr in ("parameters", "buffers", "named_parameters", "named_buffers")
        for child in walking.walk(node)
    )


def _fix(match: Match, call: ast.AST, name: str) -> Fix | None:
    if not isinstance(call, ast.Call) or call.keywords or any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    if name == "reversed" and len(call.args) == 1 and _is_range(call.args[0]):
        return _range_back(match, call, call.args[0])
    if name == "reversed" and len(call.args) == 1 and (match.event.facts.get("types") or [""])[0].startswith("List["):
        around, given = parent(match, call), call.args[0]
        iterated = isinstance(around, (ast.For, ast.comprehension)) and around.iter is call
        if iterated and isinstance(given, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List)):
            return either(match, call, f"{match.text(given)}[::-1]", "Reverse the list where it is compiled")
    if name == "map" and len(call.args) == 2 and isinstance(call.args[0], (ast.Name, ast.Attribute)):
        callee, listed_text = match.text(call.args[0]), match.text(call.args[1])
        if "item" not in {node.id for node in walking.walk(call) if isinstance(node, ast.Name)}:
            around = parent(match, call)
            listed = isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id == "list"
            target = around if listed and isinstance(around, ast.Call) and len(around.args) == 1 else call
            text = f"[{callee}(item) for item in {listed_text}]"
            return either(match, target, text, "Write a comprehension where it is compiled")
    return None


def _is_range(node: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _takes_sizes(callee: ast.expr) -> bool:
    """Whether a call means a method of tensors that takes a list as well as single numbers."""
    return isinstance(callee, ast.Attribute) and callee.attr in ("permute", "view", "reshape", "expand", "repeat")


def _range_back(match: Match, call: ast.Call, bounds: ast.Call) -> Fix | None:
    """``reversed(range(n))`` → ``range(n - 1, -1, -1)``, as a list where a list is needed."""
    if bounds.keywords or len(bounds.args) not in (1, 2) or isinstance(bounds.args[0], ast.Starred):
        return None
    last = operand(match, bounds.args[-1])
    first = match.text(bounds.args[0]) if len(bounds.args) == 2 else "0"
    below = "-1" if first == "0" else f"{operand(match, bounds.args[0])} - 1"
    if len(bounds.args) == 2 and any(isinstance(each, ast.Call) for each in walking.walk(bounds) if each is not bounds):
        return None  # the end would be computed before the beginning
    text, around = f"range({last} - 1, {below}, -1)", parent(match, call)
    if isinstance(around, (ast.For, ast.comprehension)) and around.iter is call:
        return safe("Count down", replace(match, call, text))
    if isinstance(around, ast.Starred):
        outer = parent(match, around)
        if isinstance(outer, ast.Call) and outer.args == [around] and _takes_sizes(outer.func) and not outer.keywords:
            new = f"{match.text(outer.func)}(list({text}))"
            return either(match, outer, new, "Count down where it is compiled")
        return None
    if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id in ("list", "enumerate"):
        return safe("Count down", replace(match, call, text))
    return None


def _of_known_parameter(match: Match, call: ast.AST) -> Fix | None:
    """``next(self.parameters()).dtype`` → ``self.linear.weight.dtype``, of a layer that ``__init__`` makes."""
    around, owner, itself = parent(match, call), own_class(match), self_name(match)
    if not isinstance(around, ast.Attribute) or around.attr not in ("dtype", "device", "is_cuda"):
        return None
    if owner is None or itself is None or ast.unparse(call) != f"next({itself}.parameters())":
        return None
    init = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    for each in init.body if init is not None else []:
        if not isinstance(each, ast.Assign) or not isinstance(each.value, ast.Call) or len(each.targets) != 1:
            continue
        target, made = each.targets[0], ast.unparse(each.value.func).rpartition(".")[2]
        if isinstance(target, ast.Attribute) and made in _WITH_WEIGHT | {"Parameter"}:
            path = f"{itself}.{target.attr}" + ("" if made == "Parameter" else ".weight")
            words = f"Ask `{path}` where it is compiled"
            return either(match, around, f"{path}.{around.attr}", words)
    return None
