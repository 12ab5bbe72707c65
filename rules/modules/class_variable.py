"""# Class variable that is read through `self`

## What it does

Finds `self.K` in code that `torch.jit.script` compiles where `K = 3` stands in the class body.

## Why TorchScript rejects it

The compiler reads the attributes of the instance. Of a class body it only takes methods, and constants that are
declared `Final` (or named in `__constants__`).

```text
Module 'Block' has no attribute 'expansion'
```

## Example

```python
import torch
from torch import nn


class Block(nn.Module):
    expansion = 4

    def forward(self, x):
        return x * self.expansion


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
from typing import Final

import torch
from torch import nn


class Block(nn.Module):
    expansion: Final[int] = 4

    def forward(self, x):
        return x * self.expansion


inputs = (torch.rand(2, 3),)
```

## Fix safety

Declaring the variable `Final` is *safe*: it stays a class variable. There is no fix where something in the file stores
an attribute of that name. It is *unsafe* where a base class has annotations in its body and this class has none: only
the annotations of the nearest class that has any count, so that the base's would be hidden. In a file with `from
__future__ import annotations` the compiler cannot read them at all; there, `__constants__ = ["expansion"]` in the class
body does the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.project.definitions import Class
from tslint.rewrite.class_annotations import can_annotate, strings
from tslint.rewrite.loop_parts import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.bool_attributes import file_facts

RULE = Rule(code="TS409", name="class-variable", events=("class-variable",))


def check(match: Match) -> Iterator[Finding]:
    """Declare it Final."""
    facts = match.event.facts
    name, statement = facts["attribute"], facts["definition"]
    fix = _final(match, name, statement)
    value = facts["detail"] if len(facts["detail"]) < 40 else "..."
    help = f"Set `self.{name}` in `__init__`, or declare the class variable: `{name}: Final = {value}`."
    if strings(match):
        help = f'Set `self.{name}` in `__init__`, or write `__constants__ = ["{name}"]` in the class body.'
    yield match.finding(
        f"`{facts['owner']}.{name}` is a variable of the class `{facts['class_name']}`, which TorchScript does not see",
        help=help,
        fix=fix,
    )


def _final(match: Match, name: str, statement: object) -> Fix | None:
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return None
    type_ = _type(statement.value)
    body = _body(match, statement)
    possible = can_annotate(match, body, match.event.facts["annotated"])
    if type_ is None or possible is None:
        return None
    if _stored(match, name):
        return None
    type_ = type_ if _alike(match, name, type_) else ""
    final, imports = match.imported("typing", "Final")
    make = safe if possible else partial(unsafe, risks=(Risk.REFUSES,))
    if isinstance(statement, ast.AnnAssign):
        if "Final" in ast.unparse(statement.annotation):
            return None  # hidden by the annotations of a derived class
        start, end = place(match, statement.annotation)
        written = match.text(statement.annotation)
        edits = (match.insert(start, f"{final}["), match.insert(end, "]"))
        return make(f"Declare `{name}: {final}[{written}]`", *imports, *edits)
    if len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return None
    annotation = f"{final}[{type_}]" if type_ else final
    edit = match.insert(place(match, statement.targets[0])[1], f": {annotation}")
    return make(f"Declare `{name}: {annotation}`", *imports, edit)


def _stored(match: Match, name: str) -> bool:
    """Whether anything in the file stores the attribute, which is then no constant."""
    facts = file_facts(match.file.tree)
    return name in facts.stores or facts.is_set_by_name(name)


def _alike(match: Match, name: str, type_: str) -> bool:
    """Whether all classes of the file that have a variable of a name give it a value of one type."""
    for node in walking.walk(match.file.tree):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                targets = statement.targets if isinstance(statement, ast.Assign) else []
                if any(isinstance(t, ast.Name) and t.id == name for t in targets) and isinstance(statement, ast.Assign):
                    if _type(statement.value) != type_:
                        return False
    return True


def _body(match: Match, statement: ast.stmt) -> Class | None:
    own = match.event.facts["class_"]
    if not isinstance(own, Class):
        return None
    if statement in own.node.body:
        return own
    for node in match.file.tree.body:
        if isinstance(node, ast.ClassDef) and statement in node.body:
            return own.module.class_(node) if own.module.source.path == match.source.path else None
    return None


def _type(value: ast.expr) -> str | None:
    """The type of a constant as one writes it; empty for a list or tuple of constants, None where it is no constant."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        value = value.operand
    if isinstance(value, ast.Constant):
        kind = type(value.value)
        return kind.__name__ if kind in (bool, int, float, str) else "" if value.value is None else None
    if isinstance(value, (ast.List, ast.Tuple)) and value.elts:
        return "" if all(_type(element) is not None for element in value.elts) else None
    return None
