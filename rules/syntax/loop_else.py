"""# `else` of a loop in compiled code

## What it does

Finds `for … else` and `while … else` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Compiled loops have no `else`. (For `while`, the compiler crashes with a `TypeError` that names no line.)

```text
else branches of for loops aren't supported
```

## Example

```python
from typing import List

import torch


def first_large(sizes: List[int]) -> int:
    found = 0
    for size in sizes:
        if size > 2:
            found = size
            break
    else:
        found = -1
    return found


scripted = torch.jit.script(first_large)
inputs = ([1, 2, 3, 4],)
```

## Use instead

```python
from typing import List

import torch


def first_large(sizes: List[int]) -> int:
    found = -1
    for size in sizes:
        if size > 2:
            found = size
            break
    return found


scripted = torch.jit.script(first_large)
inputs = ([1, 2, 3, 4],)
```

Where the `else` does more than give a value, keep a flag: `done = False` before the loop, `done = True` before each
`break`, `if not done:` after it.

## Fix safety

Such a flag is *safe*: it does exactly what `else` does. There is none where something shares a line with the `break` or
the `else`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.spans import alone_on_its_lines, at_keyword, compiled_function
from tslint.rewrite.statements import indentation
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import peeps

RULE = Rule(code="TS120", name="loop-else", events=("loop-else",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the loop's keyword."""
    loop = match.event.facts["loop"]
    yield at_keyword(
        match,
        loop,
        f"the `else` of this `{loop}` loop cannot be compiled",
        "Set the value before the loop, or keep a flag that each `break` sets and test it after the loop.",
        fix=_flag(match),
    )


def _flag(match: Match) -> Fix | None:
    """A flag that each ``break`` sets, tested where the ``else`` was."""
    loop, held = match.event.node, compiled_function(match)
    if not isinstance(loop, (ast.For, ast.While)) or held is None or peeps(held):
        return None
    if any(isinstance(each, (ast.Try, getattr(ast, "TryStar", ast.Try))) for each in walking.walk(loop)):
        return None  # what `finally` does may keep the loop going
    lines, newline = match.source.lines, match.source.newline
    indent = indentation(lines[loop.lineno - 1])
    rows = range((loop.body[-1].end_lineno or loop.body[-1].lineno) + 1, loop.orelse[0].lineno)
    row = next((row for row in rows if lines[row - 1].startswith(f"{indent}else")), None)
    breaks = list(_breaks(loop.body))
    if row is None or not all(alone_on_its_lines(match, each) for each in breaks) or lines[row - 1].strip() != "else:":
        return None
    # A loop in this one may get a flag at the same time: each depth has its own.
    depth = sum(isinstance(each, (ast.For, ast.While)) for each in walking.around(held, loop))
    name = fresh_name(match, f"broken_{depth + 1}" if depth else "broken")
    if name != "broken" and not depth:
        name = fresh_name(match, "ended_early")
    first = Position(loop.lineno, 1)
    edits = [Edit(first, first, f"{indent}{name} = False{newline}")]
    for each in breaks:
        start = Position(each.lineno, 1)
        edits.append(Edit(start, start, f"{indentation(lines[each.lineno - 1])}{name} = True{newline}"))
    begin = Position(row, len(indent) + 1)
    edits.append(Edit(begin, Position(row, len(indent) + len("else") + 1), f"if not {name}"))
    return safe(f"Keep a flag, `{name}`, that each `break` sets", *edits)


def _breaks(statements: list[ast.stmt]) -> Iterator[ast.Break]:
    """The ``break``s that leave the loop that statements are the body of."""
    for each in statements:
        if isinstance(each, ast.Break):
            yield each
        elif isinstance(each, (ast.For, ast.While)):
            yield from _breaks(each.orelse)
        else:
            for field in ("body", "orelse", "finalbody"):
                yield from _breaks(getattr(each, field, []))
            for case in [*getattr(each, "handlers", []), *getattr(each, "cases", [])]:
                yield from _breaks(case.body)
