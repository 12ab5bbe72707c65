"""# Variable that only one branch defines

## What it does

Finds a use of a variable that only one branch of an earlier `if` sets.

## Why TorchScript rejects it

Python fails only when the variable really is missing. The compiler does not follow which branch ran: after the `if`, a
variable exists only if every branch that goes on sets it. Branches that return or raise do not count, nor do tests that
it can decide itself (`is None` of what is never None, a `Final[bool]`).

```text
scale is not defined in the false branch
```

## Example

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        scale = 2.0
    elif mode == "half":
        scale = 0.5
    return x * scale


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "half")
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        scale = 2.0
    elif mode == "half":
        scale = 0.5
    else:
        raise ValueError("mode must be 'double' or 'half'")
    return x * scale


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "half")
```

## Fix safety

Where the use stands right after an `if` without `else`, the fix adds an `else` that raises. It is *unsafe*: the error
comes earlier, and is another one than Python's. Otherwise the fix is for display: a value before the `if` that you
choose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import Finding, Rule, display, unsafe
from tslint.rules.types._common import inside, place, quote, row

RULE = Rule(code="TS318", name="branch-undefined", events=("branch-undefined",))


def check(match: Match) -> Iterator[Finding]:
    """Set it in every branch, or before."""
    facts = match.event.facts
    name, statement, use = facts["name"], facts["statement"], facts["use"]
    test = quote(match, statement.test)
    when = f"only if {test} holds" if facts["branch"] == "false" else f"only if {test} does not hold"
    yield match.finding(
        f"`{name}` is set {when} (line {row(match, statement)}), but used here in any case",
        help=f"Set `{name}` in every branch, or before the `if`; a branch that raises or returns need not set it.",
        fix=_raise_else(match, name, statement, use) or _before(match, name, statement),
    )


def _last_of_chain(statement: ast.If) -> ast.If | None:
    """The last ``elif`` of a chain, None where it has an ``else``."""
    while statement.orelse:
        if len(statement.orelse) != 1 or not isinstance(statement.orelse[0], ast.If):
            return None
        statement = statement.orelse[0]
    return statement


def _starts(match: Match, statement: ast.AST) -> bool:
    start, _ = place(match, statement)
    return not match.source.lines[start.row - 1][: start.column - 1].strip()


def _raise_else(match: Match, name: str, statement: ast.If, use: ast.AST) -> Fix | None:
    last = _last_of_chain(statement)
    if last is None or not _starts(match, statement) or last.body[0].lineno == last.lineno:
        return None
    siblings = next((b for n in inside(match) for b in _blocks(n) if any(child is statement for child in b)), None)
    simple = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
    if siblings is None or not any(
        isinstance(sibling, simple) and any(child is use for child in ast.walk(sibling)) for sibling in siblings
    ):
        return None
    end = last.body[-1].end_lineno or last.body[-1].lineno
    text = match.source.lines[end - 1]
    if not text.endswith(("\n", "\r")):
        return None
    start, _ = place(match, statement)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    inner = match.source.lines[last.body[0].lineno - 1]
    inner = inner[: len(inner) - len(inner.lstrip())]
    line = match.source.newline
    content = f'{margin}else:{line}{inner}raise RuntimeError("{name} is not set"){line}'
    return unsafe("Raise in the other case", Edit(Position(end + 1, 1), Position(end + 1, 1), content))


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(node, field, None)
        if isinstance(statements, list):
            yield statements


def _before(match: Match, name: str, statement: ast.If) -> Fix | None:
    start, _ = place(match, statement)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    if margin.strip():
        return None
    spot = Position(start.row, 1)
    return display("Set it before the `if`", Edit(spot, spot, f"{margin}{name} = …{match.source.newline}"))
