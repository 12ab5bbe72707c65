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

If the `else` does more than set a variable, keep a flag: `done = False` before the loop, `done = True` before each
`break`, `if not done:` after the loop.

## Fix safety

The fix adds such a flag, which is *safe*: it does exactly what `else` does. There is no fix in three cases: a `break`
shares its line with another statement, the loop contains a `try`, or the function may read variables by their names
(`locals()`, `global`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import statement
from tslint.script.dataflow.naming import unused_name
from tslint.script.dataflow.scopes import peeps
from tslint.script.events.syntax import LoopElse

RULE = Rule(code="TS120", name="loop-else", events=(LoopElse,))


def check(match: Match[LoopElse]) -> Iterator[Finding]:
    """Report the loop at its keyword, with a fix that uses a flag."""
    loop = match.event.loop
    yield match.finding(
        f"the `else` of this `{loop}` loop cannot be compiled",
        help="If the `else` only sets a variable, set it before the loop. Otherwise, set a flag before each `break`, "
        "and test the flag after the loop.",
        fix=_flag(match),
        keyword=loop,
    )


def _flag(match: Match) -> Fix | None:
    """Add a flag that each ``break`` sets, and test it instead of the ``else``."""
    loop, function = match.node, match.function
    if not isinstance(loop, (cst.For, cst.While)) or function is None or peeps(match.model(function)):
        return None
    clause = loop.orelse
    if clause is None or m.findall(loop, m.Try() | m.TryStar()):
        return None  # after a `break` in `try`, a `finally` may continue the loop
    found = _Breaks()
    loop.body.visit(found)
    breaks = [match.line(each) for each in found.breaks]
    # A loop inside this one may get a flag at the same time, so the name contains the depth.
    outer = takewhile(lambda each: not isinstance(each, cst.FunctionDef), match.ancestors(loop))
    depth = sum(isinstance(each, (cst.For, cst.While)) for each in outer)
    code = match.model(function)
    name = unused_name(code, f"broken_{depth + 1}" if depth else "broken")
    if name != "broken" and not depth:
        name = unused_name(code, "ended_early")

    def tested() -> tuple[Edit, ...]:
        test = cst.If(
            cst.UnaryOperation(cst.Not(), cst.Name(name)),
            clause.body,
            leading_lines=clause.leading_lines,
            whitespace_after_test=clause.whitespace_before_colon,
        )
        return match.rewrite(loop, loop.with_changes(orelse=None), test)

    before = [match.insert_before(each, statement("{name} = True", name=name)) for each in breaks if each is not None]
    if len(before) != len(breaks):
        return None
    flag = match.insert_before(loop, statement("{name} = False", name=name))
    return safe(f"Add a flag, `{name}`, that each `break` sets", flag, *before, tested)


class _Breaks(cst.CSTVisitor):
    """Finds the ``break``s that leave the visited loop."""

    def __init__(self) -> None:
        super().__init__()
        self.breaks: list[cst.Break] = []

    def visit_Break(self, node: cst.Break) -> None:
        self.breaks.append(node)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        return False

    def visit_For(self, node: cst.For) -> bool:
        return self._inner(node)

    def visit_While(self, node: cst.While) -> bool:
        return self._inner(node)

    def _inner(self, node: cst.For | cst.While) -> bool:
        if node.orelse is not None:
            node.orelse.visit(self)
        return False
