"""# Variable that changes its type in a block

## What it does

Finds a variable that was set before a loop or an `if`, and gets a value of another type inside it. Very often the first
value is None.

## Why TorchScript rejects it

A variable may change its type only among the statements of one block. A nested block assigns to the outer variable,
whose type is fixed: `best = None` makes it a NoneType for good.

```text
Variable 'best' previously had type NoneType but is now being assigned to a value of type Tensor
```

## Example

```python
import torch


def best_of(x: torch.Tensor, wanted: bool):
    best = None
    if wanted:
        best = x.max()
    return best


scripted = torch.jit.script(best_of)
inputs = (torch.rand(3), True)
```

## Use instead

```python
from typing import Optional

import torch


def best_of(x: torch.Tensor, wanted: bool):
    best: Optional[torch.Tensor] = None
    if wanted:
        best = x.max()
    return best


scripted = torch.jit.script(best_of)
inputs = (torch.rand(3), True)
```

## Fix safety

Annotating the first `name = None` is *safe*: Python does not look at annotations of variables. Numbers are written anew
for compiled code alone, `0.0 if torch.jit.is_scripting() else 0`, which is *unsafe*: compiled code has a float where
Python may have an int, and the other way round for a later `1.0`. So is an assertion, for compiled code alone, that
what a function gives is not None, and annotating a parameter, where no caller confirms its type. Where a test of
attributes that only `__init__` sets keeps the assignment from running, the fix lets the compiler decide it: *safe*
where that means declaring bools constant, *unsafe* where a comparison is made once in `__init__`. Other types have no
fix: use another name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.guard_none import fresh
from tslint.rewrite.scripted_form import asserted, either_fix
from tslint.rewrite.statements import alone_on_its_lines, indentation
from tslint.rewrite.static_branch import decided
from tslint.rewrite.type_wording import a, function, inside, parent, place, replace, row, spelled, unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.parameters import names_of
from tslint.script.dataflow.shallow import type_of

_PLAIN = ("Tensor", "int", "float", "bool", "str")
RULE = Rule(code="TS321", name="variable-retyped", events=("variable-retyped",))


def check(match: Match) -> Iterator[Finding]:
    """Annotate the first value, or use another name."""
    facts = match.event.facts
    name, previous, actual = facts["name"], facts["previous"], facts["actual"]
    first = _first(match, name)
    where = f" in line {row(match, first)}" if first is not None else ""
    fix: Fix | None = None
    help = f"`{name}` stays {a(previous)}: use another name for {a(actual)}."
    around = parent(match, match.event.node)
    looping = isinstance(around, (ast.For, ast.comprehension)) and around.iter is match.event.node
    argument = _parameter(match, name) if "(inferred)" in previous and not looping else None
    if previous == "NoneType":
        written = spelled(match, f"Optional[{actual}]")
        help = f"Say what it can become: `{name}: {written[0] if written else 'Optional[…]'} = None`."
        if first is not None and isinstance(first.value, ast.Constant) and first.value.value is None and written:
            _, end = place(match, first.targets[0])
            text, imports = written
            if _agrees(match, name, actual):
                fix = safe(f"Annotate `{name}: {text}`", match.insert(end, f": {text}"), *imports)
    elif previous == "int" and actual == "float" and first is not None:
        help = "Start with a float."
        if isinstance(first.value, ast.Constant) and type(first.value.value) is int:
            text = f"{first.value.value}.0"
            fix = either_fix(match, first.value, text, f"Write `{text}` in compiled code", Risk.DIFFERS)
        else:
            fix = _whole(match)
    certain = _certain(match, name, previous.replace(" (inferred)", ""), actual)
    if certain is not None:
        help = f"`{name}` stays {a(previous)}: make sure that it is not None first."
        fix = certain
    elif argument is not None:
        held = function(match)
        help = f"`{name}` has no annotation, so it is a Tensor to begin with: annotate the parameter."
        fix = annotation_fix(match, held, argument, wanted=actual) if held is not None else None
    fix = fix or decided(match, match.event.node)
    yield match.finding(
        f"`{name}` was set to {a(previous)}{where}, and cannot become {a(actual)} in this block", help=help, fix=fix
    )


def _certain(match: Match, name: str, previous: str, actual: str) -> Fix | None:
    """``y = f(x)`` where ``f`` may end without a value: taken in another variable, and asserted not to be None."""
    held = match.event.node
    assigned = held if isinstance(held, ast.Assign) else parent(match, held)
    if actual.replace(" (inferred)", "") != f"Optional[{previous}]" or not isinstance(assigned, ast.Assign):
        return None
    if not isinstance(assigned.value, ast.Call) or not alone_on_its_lines(match, assigned):
        return None
    target = assigned.targets[0]
    if len(assigned.targets) != 1 or not isinstance(target, ast.Name):
        return None
    other, newline = fresh(match, f"{name}_or_none"), match.source.newline
    indent = indentation(match.source.lines[assigned.lineno - 1])
    after = place(match, assigned)[1]
    made, imports = asserted(match, assigned, other, raises=False)
    text = newline.join(["", *made, f"{indent}{name} = {other}"])
    end = Position(after.row, len(match.source.lines[after.row - 1].rstrip("\r\n")) + 1)
    message = f"Make sure in compiled code that it is not None, as `{other}`"
    edits = (replace(match, target, other), Edit(end, end, text), *imports)
    return unsafe(message, *edits, risks=(Risk.RAISES,))


def _whole(match: Match) -> Fix | None:
    """The int that a float is: ``if count == 0: count = 1.0``."""
    held = match.event.node
    assigned = held if isinstance(held, ast.Assign) else parent(match, held)
    value = assigned.value if isinstance(assigned, ast.Assign) else None
    if not isinstance(value, ast.Constant) or not isinstance(value.value, float) or not value.value.is_integer():
        return None
    text = str(int(value.value))
    return either_fix(match, value, text, f"Write `{text}` in compiled code", Risk.DIFFERS)


def _first(match: Match, name: str) -> ast.Assign | None:
    """The assignment before the event that gave the variable its type, where there is only one."""
    line = match.event.span.row
    found = [
        node
        for node in inside(match)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.lineno < line and _binds(node, name)
    ]
    if len(found) == 1 and isinstance(found[0], ast.Assign) and len(found[0].targets) == 1:
        return found[0] if isinstance(found[0].targets[0], ast.Name) else None
    return None


def _parameter(match: Match, name: str) -> ast.arg | None:
    """The parameter of that name, where it has no annotation."""
    return unannotated(match, ast.Name(name, ast.Load()))


def _agrees(match: Match, name: str, type_: str) -> bool:
    """Whether nothing of another type is given to a variable, as far as is seen, and it may be annotated here."""
    held = function(match)
    if held is None:
        return False
    tree, wanted = match.file.tree, type_.replace(" (inferred)", "")
    lookup = names_of(tree, held)
    for node in inside(match):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return False
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == name for each in node.targets
        ):
            given = type_of(tree, node.value, lookup)
            if given not in (None, "NoneType", wanted) and wanted in _PLAIN and given in _PLAIN:
                return False
    return True


def _binds(node: ast.Assign | ast.AnnAssign | ast.AugAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(part, ast.Name) and part.id == name for target in targets for part in walking.walk(target))
