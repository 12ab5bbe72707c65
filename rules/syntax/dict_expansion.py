"""# `**` expansion in a dict of compiled code

## What it does

Finds dict displays with `**other` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Dict displays are compiled entry by entry. (Where the expansion is not the first entry, the compiler crashes with
`'NoneType' object has no attribute 'lineno'`.)

```text
Dict expansion (e.g. `{**dict}`) is not supported
```

## Example

```python
from typing import Dict

import torch


def extend(sizes: Dict[str, int], extra: int) -> Dict[str, int]:
    merged = {**sizes, "extra": extra}
    return merged


scripted = torch.jit.script(extend)
inputs = ({"a": 1}, 2)
```

## Use instead

```python
from typing import Dict

import torch


def extend(sizes: Dict[str, int], extra: int) -> Dict[str, int]:
    merged = sizes.copy()
    merged["extra"] = extra
    return merged


scripted = torch.jit.script(extend)
inputs = ({"a": 1}, 2)
```

## Fix safety

Where a dict whose expansions are variables that hold dicts is assigned to another name, it is written as `dict(…)`,
`update()` and item assignments. That is *unsafe*: what is no mapping raises another exception.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.spans import alone_on_its_lines, compiled_function, parent, place, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.script.dataflow.scopes import bindings, module_bindings, peeps

RULE = Rule(code="TS119", name="dict-expansion", events=("dict-expansion",))


def check(match: Match) -> Iterator[Finding]:
    """Offer ``copy`` and ``update``."""
    yield match.finding(
        "`**` in a dict cannot be compiled",
        help="Start from a `copy()` of the first dict, then `update()` it and assign the other entries.",
        fix=_written_out(match),
    )


def _written_out(match: Match) -> Fix | None:
    node = match.event.node
    statement = parent(match, node)
    if not isinstance(node, ast.Dict) or not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    names = {child.id for child in walking.walk(node) if isinstance(child, ast.Name)}
    function = compiled_function(match)
    if not isinstance(target, ast.Name) or target.id in names or not alone_on_its_lines(match, statement):
        return None
    if function is None or peeps(function) or "dict" in bindings(function) | module_bindings(match.file.tree).keys():
        return None
    lines: list[str] = []
    plain = node.keys.index(None)
    if plain:
        entries = [f"{match.text(key)}: {match.text(value)}" for key, value in zip(node.keys, node.values) if key]
        lines.append(f"{target.id} = {{{', '.join(entries[:plain])}}}")
    for key, value in list(zip(node.keys, node.values))[plain:]:
        text = match.text(value)
        if key is not None:
            if not isinstance(key, (ast.Constant, ast.Name)):
                return None  # Python would evaluate it after the value
            lines.append(f"{target.id}[{match.text(key)}] = {text}")
        elif isinstance(value, ast.Name):
            # Of a list of pairs, which `**` does not take, there are no items.
            if not match.event.names.get(value.id, "").startswith("Dict["):
                return None
            lines.append(
                f"{target.id}.update(dict({text}.items()))" if lines else f"{target.id} = dict({text}.items())"
            )
        else:
            return None
    if any("\n" in line or "\r" in line for line in lines):
        return None
    start, _ = place(match, statement)
    separator = match.source.newline + match.source.lines[start.row - 1][: start.column - 1]
    edit = replace(match, statement, separator.join(lines))
    return unsafe("Copy the dict and add to it", edit, risks=(Risk.EXCEPTION,))
