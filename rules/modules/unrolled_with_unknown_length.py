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

Walking the modules and taking the rest by the index, as far as it goes (`if i < len(features)`: `zip` stops at the end
of the shorter one), is *unsafe*: only the types say that the rest is a list or a tensor, which has a length and takes
an index. There is no such fix where the loop changes the list. Writing tuples such as `(2, 3)` as lists is *safe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.comprehension_to_loop import has_room
from tslint.rewrite.loop_headers import is_sequence, keeps_length
from tslint.rewrite.loop_parts import (
    Loop,
    folded,
    fresh_name,
    leaves_turn,
    loop_over,
    moved_right,
    read_after,
    replace,
    stored_once,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe

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
    if node.keywords or not modules or not _can_index(match, loop, [value for _, value in others]):
        return None
    index = fresh_name(match, "i")
    over = ", ".join(match.text(value) for _, value in modules)
    binds = ", ".join(match.text(target) for target, _ in modules)
    if len(modules) > 1:
        over, binds = f"zip({over})", f"({binds})"
    test = " and ".join(f"{index}{start[1]} < len({match.text(start[0])})" for _, v in others if (start := _start(v)))
    taken = _inside(match, loop, others, index, test)
    if taken is None:
        return None
    over = f"enumerate({over})" + (f" if {test}" if not isinstance(loop.node, ast.For) else "")
    edits = [replace(match, loop.target, f"{index}, {binds}"), replace(match, node, over), *taken]
    if isinstance(loop.node, ast.For):
        edits = folded(match, [loop.node], edits)
    return unsafe("Go over the modules, and take the rest by the index", *edits, risks=(Risk.ASSUMES,))


def _can_index(match: Match, loop: Loop, others: list[ast.expr]) -> bool:
    """Whether what else is zipped gives the same by an index, in every turn, and nothing reads variables after it."""
    for value in others:
        start = _start(value)
        if start is None or not is_sequence(match, start[0]) or not keeps_length(loop, start[0]):
            return False
    if not isinstance(loop.node, ast.For):
        return has_room(match, loop.node) and not loop.node.generators[0].ifs
    if leaves_turn(loop.node) or loop.node.orelse:
        return False
    names = [n.id for n in walking.walk(loop.target) if isinstance(n, ast.Name)]
    return all(not read_after(match, loop, name) and stored_once(match, name) for name in names)


def _inside(
    match: Match, loop: Loop, others: list[tuple[ast.expr, ast.expr]], index: str, test: str
) -> list[Edit] | None:
    """The edits that give what else was zipped its value in every turn."""
    items = {}
    for target, value in others:
        # What is evaluated once has to be something that costs nothing to evaluate in every turn.
        start = _start(value)
        if start is None:
            return None
        items[target] = f"{match.text(start[0])}[{index}{start[1]}]"
    if isinstance(loop.node, ast.For):
        return moved_right(match, loop.node, f"if {test}:", [f"{match.text(t)} = {text}" for t, text in items.items()])
    if not all(isinstance(target, ast.Name) for target in items):
        return None
    texts = {target.id: text for target, text in items.items() if isinstance(target, ast.Name)}
    if any(loop.stores(name) for name in texts):
        return None
    uses = [n for n in loop.walk() if isinstance(n, ast.Name) and n.id in texts]
    return [replace(match, use, texts[use.id]) for use in uses]


def _start(value: ast.expr) -> tuple[ast.expr, str] | None:
    """What is indexed, and what is added to the index: slices begin later."""
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice) and isinstance(value.value, ast.Name):
        low = value.slice.lower
        if value.slice.step is not None or value.slice.upper is not None:
            return None
        if isinstance(low, ast.Constant) and type(low.value) is int:
            return value.value, f" + {low.value}"
        return (value.value, "") if low is None else None
    return (value, "") if isinstance(value, ast.Name) else None
