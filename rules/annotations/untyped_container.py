"""# Empty list or dict without a type that holds something else than tensors

## What it does

Finds what does not fit into a list or dict, above all into one that began as `[]` or `{}` without an annotation, in
code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Without an annotation `[]` is a `List[Tensor]`, and `{}` a `Dict[str, Tensor]`.

```text
aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!):
Could not match type int to t in argument 'el': Type variable 't' previously matched to type Tensor is
matched to type int.
```

## Example

```python
from typing import List

import torch


def lengths(rows: List[torch.Tensor]) -> int:
    found = []
    for row in rows:
        found.append(row.size(0))
    return max(found)


scripted = torch.jit.script(lengths)
inputs = ([torch.rand(3), torch.rand(2)],)
```

## Use instead

```python
from typing import List

import torch


def lengths(rows: List[torch.Tensor]) -> int:
    found: List[int] = []
    for row in rows:
        found.append(row.size(0))
    return max(found)


scripted = torch.jit.script(lengths)
inputs = ([torch.rand(3), torch.rand(2)],)
```

## Fix safety

Annotating the variable where it is made is *safe*: Python does not look at annotations of local variables. It is
offered where the function makes the list or dict in one place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, safe
from tslint.rules.annotations._common import holds_list, merged, place, spelled
from tslint.rules.syntax._common import compiled_function

RULE = Rule(code="TS504", name="untyped-container", events=("list-element", "item-type"))


def check(match: Match) -> Iterator[Finding]:
    """Annotate the variable."""
    facts, node = match.event.facts, match.event.node
    if match.event.kind == "list-element":
        owner, held, given = facts["owner"], facts["list"], facts["element"]
        wanted = given if facts["method"] == "extend" else f"List[{given}]"
        what = f"`{match.text(node)}`" if "\n" not in match.text(node) else f"`.{facts['method']}(...)`"
        message = f"{what} puts {_a(given)} into a {held}"
        place_of = node.func if isinstance(node, ast.Call) else node
    else:
        owner, held, given = facts["target"].value, facts["container"], facts["actual"]
        key = facts.get("key") or _key(held)
        wanted = f"Dict[{key}, {given}]" if held.startswith("Dict[") else f"List[{given}]"
        message = f"`{match.text(facts['target'])} = ...` puts {_a(given)} into a {held}"
        if "key" in facts:
            message = f"`{match.text(facts['target'])}` has {_a(facts['key'])} for a key, but is a {held}"
        place_of = node
    made = _made(match, owner, ast.Dict if held.startswith("Dict[") else ast.List)
    help, fix = f"What a {held} holds has one type: give it that, or annotate it otherwise where it is made.", None
    if made is not None:
        line = made.lineno
        name = match.text(owner)
        message += f": `{name} = {match.text(made.value)}` in line {line} has no annotation"
        fix = _annotated(match, made, name, wanted.replace(" (inferred)", ""))
        help = (
            f"Annotate it where it is made: `{name}: {wanted.replace(' (inferred)', '')} = {match.text(made.value)}`."
        )
    start, end = place(match, place_of)
    yield Finding(message, help, fix, start, end)


def _a(type_: str) -> str:
    return ("an " if type_[:1] in "aeioAEIO" else "a ") + type_


def _key(held: str) -> str:
    return held[len("Dict[") :].partition(",")[0]


def _made(match: Match, owner: ast.AST | None, kind: type[ast.expr]) -> ast.Assign | None:
    function = compiled_function(match)
    if not isinstance(owner, ast.Name) or function is None:
        return None
    return holds_list(function, owner.id, kind)


def _annotated(match: Match, made: ast.Assign, name: str, type_: str) -> Fix | None:
    written = spelled(match, type_)
    if written is None or "NoneType" in type_:
        return None
    edit = match.insert(place(match, made.targets[0])[1], f": {written[0]}")
    return safe(f"Annotate `{name}: {written[0]}`", *merged(*written[1], edit))
