"""# Modules zipped with something whose length is not known

## What it does

Finds `zip(self.layers, features)` where one part is a container of modules or a tuple and another one a list, a tensor
or a range, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A loop over modules is unrolled: its body is compiled once for every module. The length of a list is only known when
the code runs.

```text
Can not iterate over a module list or tuple with a value that does not have a statically determinable length
```

## Example

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for layer, feature in zip(self.layers, features):
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for i, layer in enumerate(self.layers):
            feature = features[i]
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Fix safety

Walking the modules and indexing the list is *unsafe*: `zip` stops at the end of the shorter one, an index beyond the
end of the list fails. In a comprehension such turns are left out, `if i < len(features)`; the loop that it becomes
then does what `zip` did. Writing tuples such as `(2, 3)` as lists is *safe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.modules._common import Loop, fresh_name, loop_over, place, replace
from tslint.rules.syntax._as_loops import has_room

RULE = Rule(code="TS416", name="unrolled-with-unknown-length", events=("unrolled-with-unknown-length",))


def check(match: Match) -> Iterator[Finding]:
    """Walk the modules, and index the rest."""
    node, type_ = match.event.node, match.event.facts["type"]
    text = match.text(node)
    what = f"`{text}`" if "\n" not in text else "this loop"
    yield match.finding(
        f"{what} goes over modules (or a tuple) together with a {type_}, whose length TorchScript does not know",
        help="Go over the modules with `enumerate`, and take the rest by the index.",
        fix=(_lists(match, node) or _walk(match, node)) if isinstance(node, ast.Call) else None,
    )


def _lists(match: Match, node: ast.Call) -> Fix | None:
    """Lists of numbers in place of tuples that are written out: such a loop is not unrolled."""
    parts = [part for part, repeated in zip(node.args, match.event.facts["unrolled"]) if repeated]
    edits = []
    for part in parts:
        inner = match.text(part).strip()
        if not isinstance(part, ast.Tuple) or not part.elts or not inner.startswith("("):
            return None
        if any(isinstance(element, (ast.Starred, ast.Tuple, ast.List, ast.Call)) for element in part.elts):
            return None
        edits.append(replace(match, part, f"[{inner[1:-1].strip().rstrip(',')}]"))
    return safe("Write the tuples as lists", *edits) if edits else None


def _walk(match: Match, node: ast.Call) -> Fix | None:
    loop, unrolled = loop_over(match, node), match.event.facts["unrolled"]
    if loop is None or not isinstance(loop.target, ast.Tuple):
        return None
    if not (isinstance(node.func, ast.Name) and node.func.id == "zip") or len(node.args) != len(unrolled):
        return None
    if len(loop.target.elts) != len(node.args) or "\n" in match.text(node):
        return None
    pairs = list(zip(loop.target.elts, node.args, unrolled))
    modules = [(target, value) for target, value, repeated in pairs if repeated]
    others = [(target, value) for target, value, repeated in pairs if not repeated]
    index = fresh_name(match, "i")
    guard = _guard(match, loop, others, index)
    over = ", ".join(match.text(value) for _, value in modules)
    binds = ", ".join(match.text(target) for target, _ in modules)
    if len(modules) > 1:
        over, binds = f"zip({over})", f"({binds})"
    taken = _inside(match, loop, others, index)
    if taken is None:
        return None
    return unsafe(
        "Go over the modules, and take the rest by the index",
        replace(match, loop.target, f"{index}, {binds}"),
        replace(match, node, f"enumerate({over}){guard}"),
        *taken,
    )


def _guard(match: Match, loop: Loop, others: list[tuple[ast.expr, ast.expr]], index: str) -> str:
    """What leaves out the turns for which there is nothing left, where a condition may become a loop's."""
    if not isinstance(loop.node, (ast.ListComp, ast.GeneratorExp)) or not has_room(match, loop.node):
        return ""
    starts = [start for _, value in others for start in [_start(value)] if start is not None]
    tests = [f"{index}{more} < len({match.text(value)})" for value, more in starts]
    return f" if {' and '.join(tests)}"


def _inside(match: Match, loop: Loop, others: list[tuple[ast.expr, ast.expr]], index: str) -> list[Edit] | None:
    """The edits that give what else was zipped its value in every turn."""
    items = {}
    for target, value in others:
        # What is evaluated once has to be something that costs nothing to evaluate in every turn.
        start = _start(value)
        if start is None:
            return None
        items[target] = f"{match.text(start[0])}[{index}{start[1]}]"
    if isinstance(loop.node, ast.For):
        first = loop.node.body[0]
        margin = match.source.lines[first.lineno - 1][: place(match, first)[0].column - 1]
        if margin.strip():
            return None
        where, newline = Position(first.lineno, 1), match.source.newline
        lines = "".join(f"{margin}{match.text(target)} = {text}{newline}" for target, text in items.items())
        return [Edit(where, where, lines)]
    if not all(isinstance(target, ast.Name) for target in items):
        return None
    texts = {target.id: text for target, text in items.items() if isinstance(target, ast.Name)}
    uses = [n for n in loop.walk() if isinstance(n, ast.Name) and n.id in texts]
    return [replace(match, use, texts[use.id]) for use in uses]


def _start(value: ast.expr) -> tuple[ast.expr, str] | None:
    """What is indexed, and what is added to the index: slices begin later."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice) and isinstance(value.value, ast.Name):
        low = value.slice.lower
        if value.slice.step is None and (low is None or isinstance(low, ast.Constant)):
            return value.value, f" + {low.value}" if isinstance(low, ast.Constant) and isinstance(
                low.value, int
            ) else ""
        return None
    return (value, "") if isinstance(value, (ast.Name, ast.Attribute)) else None
