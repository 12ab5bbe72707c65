"""# A `# type:` comment that is not the signature

## What it does

Finds `# type:` comments in compiled functions that do not give the signature of the function, or do not fit it.

## Why TorchScript rejects it

The compiler looks for the text `# type:` in every line of a function and takes it for the function's signature, `#
type: (int, Tensor) -> Tensor`. The type of a variable, as mypy once read it, is none; `# type: ignore` is passed
over at the very end of a line only.

```text
expected type comment but found 'ident' here
```

## Example

```python
from typing import List

import torch


def sizes(x: torch.Tensor) -> List[int]:
    found = []  # type: List[int]
    found.append(x.size(0))
    return found


scripted = torch.jit.script(sizes)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
from typing import List

import torch


def sizes(x: torch.Tensor) -> List[int]:
    found: List[int] = []
    found.append(x.size(0))
    return found


scripted = torch.jit.script(sizes)
inputs = (torch.rand(2, 3),)
```

## Fix safety

The comment of a plain assignment becomes an annotation: *unsafe*, since its names were never looked up before.
Other comments are left to the author.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix
from tslint.rule import Finding, Rule, unsafe
from tslint.rules.syntax._common import place, replace

RULE = Rule(code="TS509", name="type-comment", events=("type-comment",))


def check(match: Match) -> Iterator[Finding]:
    """Turn the comment of an assignment into an annotation."""
    facts, node = match.event.facts, match.event.node
    comment, form = " ".join(facts["comment"].split()), facts["form"]
    if form == "arity":
        yield match.finding(
            "the `# type:` comment has another number of types than the function has parameters",
            help="Write one type for each parameter, without `self`; or annotate the parameters and drop the comment.",
        )
    elif form == "prefix":
        yield match.finding(
            f"the compiler takes `{comment}` for a misspelt `# type:` comment",
            help="Write `# type:` exactly so where it is the signature, and word the comment otherwise where it is not.",
        )
    else:
        ignoring = facts["type"].startswith("ignore")
        yield match.finding(
            f"the compiler takes `{comment}` for the signature of the function",
            help="End the line with `# type: ignore`, and put other comments before it." if ignoring
            else "Write the type as an annotation.", fix=None if ignoring else _fix(match, node, facts["statement"], facts["type"]),
        )


def _fix(match: Match, comment: ast.AST, statement: ast.stmt | None, type_: str) -> Fix | None:
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return None
    try:
        ast.parse(type_, mode="eval")
    except SyntaxError:
        return None
    end = place(match, statement)[1]
    target = statement.targets[0]
    return unsafe(
        f"Annotate `{target.id}`", replace(match, target, f"{target.id}: {type_}"), Edit(end, place(match, comment)[1], "")
    )
