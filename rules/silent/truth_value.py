"""# or / and that is taken for one of its operands

## What it does

Finds `a or b` and `a and b` of other things than bools, where the value is used and not only tested.

## Why TorchScript rejects it

It does not, and gives a bool: Python gives one of the operands. `size or 3` is `True` in TorchScript, which counts as
1 in arithmetic, and wherever an int is expected.

## Example

```python
import torch


def scaled(x: torch.Tensor, factor: int):
    return x * (factor or 3)


scripted = torch.jit.script(scaled)
inputs = (torch.ones(2), 2)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, factor: int):
    return x * (factor if factor else 3)


scripted = torch.jit.script(scaled)
inputs = (torch.ones(2), 2)
```

## Fix safety

`a if a else b` is *safe* where `a` is a variable: it is what Python does. Elsewhere there is no fix, since `a` would be
computed twice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Severity
from tslint.rewrite.decorator_to_with import shown
from tslint.rewrite.spans import parent, place, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS605", name="truth-value", events=("truth-value",), severity=Severity.WARNING)
_COUNTS = frozenset(["int", "float", "number", "complex"])


def check(match: Match) -> Iterator[Finding]:
    """Say what it is in both worlds; certain where what is returned is no number for any input."""
    node, facts = match.event.node, match.event.facts
    types: list[str] = facts["types"]
    wrong = isinstance(facts["statement"], ast.Return) and not {"", "bool", *_COUNTS} & set(types)
    word = "or" if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else "and"
    example, type_ = facts["operands"][0]
    yield match.finding(
        f"{shown(match.text(node))} is a bool in TorchScript, and one of its operands in Python: "
        f"{shown(match.text(example))} is {_a(type_)}",
        help=f"Write `a if a else b` for `a {word} b`." if word == "or" else "Write `b if a else a` for `a and b`.",
        fix=_fix(match, node, types),
        severity=Severity.ERROR if wrong else None,
    )


def _a(type_: str) -> str:
    text = type_.replace(" (inferred)", "")
    return text if "[" in text else f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def _fix(match: Match, node: ast.AST, types: list[str]) -> Fix | None:
    if not isinstance(node, ast.BoolOp) or len(node.values) != 2 or not isinstance(node.values[0], ast.Name):
        return None
    if len({type_.replace(" (inferred)", "") for type_ in types}) != 1:
        return None
    if "#" in match.text(node) or any(isinstance(e, ast.JoinedStr) for e in walking.around(match.file.tree, node)):
        return None
    first, second = (match.text(value) for value in node.values)
    new = f"{first} if {first} else {second}" if isinstance(node.op, ast.Or) else f"{second} if {first} else {first}"
    above = parent(match, node)
    start, end = (match.source.offset(position) for position in place(match, node))
    enclosed = match.source.text[start - 1] == "(" and match.source.text[end : end + 1] == ")"
    called = isinstance(above, ast.Call) and above.args == [node]
    alone = (isinstance(above, (ast.Assign, ast.Return)) and above.value is node) or (enclosed and not called)
    return safe("Say which of the two it is", replace(match, node, new if alone else f"({new})"))
