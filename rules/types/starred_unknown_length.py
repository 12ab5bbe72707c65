"""# Star or tuple() on a list

## What it does

Finds `f(*shape)`, `[*shape, 1]`, `tuple(values)` and `a, *rest = values` where the value is a list to TorchScript; and
`x.shape` is a `List[int]` there.

## Why TorchScript rejects it

A tuple's length is part of its type, a list's is not: the compiler cannot know how many arguments or elements a star
stands for.

```text
cannot statically infer the expected size of a list in this context
```

## Example

```python
import torch


def same_shape(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    flat = x.view(y.shape[0], *x.shape[1:])
    return flat.reshape(*y.shape)


scripted = torch.jit.script(same_shape)
inputs = (torch.rand(2, 3), torch.rand(2, 3))
```

## Use instead

```python
import torch


def same_shape(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    flat = x.view([y.shape[0]] + list(x.shape[1:]))
    return flat.reshape(y.shape)


scripted = torch.jit.script(same_shape)
inputs = (torch.rand(2, 3), torch.rand(2, 3))
```

## Fix safety

Giving one list to a function of torch that takes a list of sizes or dimensions, and writing `[*a, b]` as `list(a) +
[b]`, are *safe*; where there may be no element at all, and for an unpacking by index, Python keeps what it has and
compiled code alone gets the other form. Writing `tuple(values)` as `list(values)` for compiled code is *unsafe*: it may
return a list where Python returns a tuple. Calls of other functions have no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.scripted_form import both_ways, either_fix
from tslint.rewrite.type_wording import parent, place, quote, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS307", name="starred-unknown-length", events=("starred-unknown-length",))
# Take their sizes or dimensions as one list just as well.
_METHODS = frozenset("view reshape expand permute repeat flip tile new_zeros new_ones new_empty".split())
_FUNCTIONS = frozenset("zeros ones rand randn empty".split())


def check(match: Match) -> Iterator[Finding]:
    """Pass the list itself, or take it apart by index."""
    facts, node = match.event.facts, match.event.node
    value = facts.get("value")
    what = facts["what"]
    if what == "unpack":
        yield from _unpacking(match)
        return
    shown = quote(match, value) if isinstance(value, ast.expr) else "a list"
    length = "how long the range is" if _is_range(value) else "how many elements the list has"
    if what == "tuple()":
        message = f"`tuple(…)` of {shown}: TorchScript does not know how many elements the list has"
        help = "Keep the list, or write the elements out: `(v[0], v[1])`."
    else:
        message = f"`*` before {shown}: TorchScript does not know {length}"
        help = "Pass the list itself where the function takes one, or write the elements out: `v[0], v[1]`."
    yield match.finding(message, help=help, fix=_fix(match, node, what))


def _is_range(node: object) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _fix(match: Match, node: ast.AST, what: str) -> Fix | None:
    if what == "tuple()" and isinstance(node, ast.Call):
        only = node.args[0] if len(node.args) == 1 else None
        text = f"list{match.text(node)[len(match.text(node.func)) :]}"
        if isinstance(only, (ast.ListComp, ast.List)):
            text = match.text(only)
        return either_fix(match, node, text, "Keep it a list in compiled code", Risk.DIFFERS)
    around = parent(match, node)
    if what == "list" and isinstance(around, ast.List):
        text = _sum(match, around.elts)
        alone = isinstance(parent(match, around), (ast.Assign, ast.AnnAssign, ast.Return, ast.keyword))
        return safe("Add the lists up", replace(match, around, f"({text})" if " + " in text and not alone else text))
    sizes = match.event.facts["type"] == "List[int]"
    if what == "call" and sizes and isinstance(around, ast.Call) and _takes_list(around.func):
        start, _ = place(match, around.args[0])
        _, end = place(match, around.args[-1])
        text = _sum(match, around.args)
        if not all(isinstance(each, ast.Starred) for each in around.args):
            return safe("Pass one list", Edit(start, end, text))
        # Without any element Python raises, or does something else, where an empty list is one.
        whole, low = match.text(around), match.source.offset(place(match, around)[0])
        first, last = match.source.offset(start) - low, match.source.offset(end) - low
        return either_fix(match, around, whole[:first] + text + whole[last:], "Pass one list in compiled code")
    return None


def _takes_list(callee: ast.expr) -> bool:
    if not isinstance(callee, ast.Attribute):
        return False
    if isinstance(callee.value, ast.Name) and callee.value.id in ("torch", "self"):
        return callee.value.id == "torch" and callee.attr in _FUNCTIONS
    return callee.attr in _METHODS


def _sum(match: Match, elements: Sequence[ast.expr]) -> str:
    """Elements, some of them starred, as one list; a sole starred value is that value."""
    parts: list[str] = []
    plain: list[str] = []
    for element in elements:
        if isinstance(element, ast.Starred):
            if plain:
                parts.append(f"[{', '.join(plain)}]")
                plain = []
            parts.append(f"list({match.text(element.value)})")
        else:
            plain.append(match.text(element))
    if plain:
        parts.append(f"[{', '.join(plain)}]")
    return " + ".join(parts)


def _unpacking(match: Match) -> Iterator[Finding]:
    node = match.event.node
    fix = None
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], (ast.Tuple, ast.List)):
        fix = _by_index(match, node, node.targets[0].elts)
    shown = quote(match, node.value) if isinstance(node, ast.Assign) else "a list"
    yield match.finding(
        f"`*` in an unpacking of {shown}: TorchScript does not know how many elements the list has",
        help="Take it apart by index: `first, rest = v[0], v[1:]`.",
        fix=fix,
    )


def _by_index(match: Match, node: ast.Assign, targets: Sequence[ast.expr]) -> Fix | None:
    value = node.value.func if isinstance(node.value, ast.Call) and not node.value.args else node.value
    root: ast.expr = value
    while isinstance(root, ast.Attribute):
        root = root.value
    called = value is not node.value
    if not isinstance(root, ast.Name) or (called and not (isinstance(value, ast.Attribute) and value.attr == "size")):
        return None  # it is written several times below: it must be the same each time
    if any(not isinstance(each, (ast.Name, ast.Starred)) for each in targets):
        return None
    text = match.text(node.value)
    star = next(i for i, target in enumerate(targets) if isinstance(target, ast.Starred))
    after = len(targets) - star - 1
    names, values = [], []
    for index, target in enumerate(targets):
        names.append(match.text(target.value if isinstance(target, ast.Starred) else target))
        if index == star:
            values.append(f"list({text}[{star or ''}:{-after if after else ''}])")
        else:
            values.append(f"{text}[{index if index < star else index - len(targets)}]")
    edits = both_ways(match, node, [f"{', '.join(names)} = {', '.join(values)}"])
    return None if edits is None else safe("Take it apart by index in compiled code", *edits)
