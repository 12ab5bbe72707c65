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

Where a test of attributes that only `__init__` sets keeps the code from running, the fix lets the compiler decide the
test. Declaring flags that are bools constant (in `__constants__`, or as `Final[bool]`) is *safe*: eager mode does not
look at it. Making a comparison such as `self.stride == 2` once in `__init__` and testing its outcome is *unsafe*:
setting the attribute later has no effect on it any more.
Otherwise, where the use stands right after an `if` without `else`, the fix adds an `else` that raises. It is *unsafe*:
the error is another one than Python's. Where something may catch that, only compiled code raises. There is none in a
loop, where an earlier turn may have set it. A variable that a loop before it binds gets an empty value before that
loop, *unsafe* too. Where it is read elsewhere the fix is for display: a value before the `if` that you choose.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.loop_parts import evaluated
from tslint.rewrite.loop_variables import bound_before, loop_that_binds
from tslint.rewrite.static_branch import decided, decided_tests
from tslint.rewrite.type_wording import inside, place, quote, row
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, unsafe
from tslint.script.dataflow.guards import chained

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
        fix=decided_tests(match, chained(statement))
        or decided(match, use)
        or _of_loop(match, name, statement)
        or _raise_else(match, name, statement, use)
        or _before(match, name, statement),
    )


def _bound_above(match: Match, name: str, statement: ast.If) -> list[ast.Name]:
    """Where else the function binds a name that the ``if`` may find bound: in Python, it is not forgotten."""
    inner = set(map(id, walking.walk(statement)))
    looping = any(isinstance(each, (ast.For, ast.While)) for each in walking.around(match.file.tree, statement))
    return [
        node
        for node in inside(match)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        if id(node) not in inner and (looping or node.lineno < statement.lineno)
    ]


def _of_loop(match: Match, name: str, statement: ast.If) -> Fix | None:
    """Bind it before the loop that has bound it before."""
    stores = _bound_above(match, name, statement)
    loop = loop_that_binds(match, stores[0]) if stores else None
    return None if loop is None else bound_before(match, loop, name, match.event.facts.get("type"))


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
    if _bound_above(match, name, statement) or _is_in_loop(match, statement):
        return None
    if last is None or not _starts(match, statement) or last.body[0].lineno == last.lineno:
        return None
    siblings = next((b for n in inside(match) for b in _blocks(n) if any(child is statement for child in b)), None)
    if siblings is None or not _read_in_any_case([each for each in siblings if each.lineno > last.lineno], name, use):
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
    spot = Position(end + 1, 1)
    raised = f'{inner}raise RuntimeError("{name} is not set"){line}'
    if not _is_caught(match, statement):
        edit = Edit(spot, spot, f"{margin}else:{line}{raised}")
        return unsafe("Raise in the other case, as Python does at the use", edit, risks=(Risk.EXCEPTION,))
    torch, imports = match.imported("torch")
    edit = Edit(spot, spot, f"{margin}elif {torch}.jit.is_scripting():{line}{raised}")
    return unsafe("Raise in the other case in compiled code", edit, *imports, risks=(Risk.RAISES,))


def _is_in_loop(match: Match, statement: ast.If) -> bool:
    """Whether an earlier turn of a loop may have bound it: Python gets on with that then."""
    return any(isinstance(each, (ast.For, ast.While)) for each in walking.around(match.file.tree, statement))


def _is_caught(match: Match, statement: ast.If) -> bool:
    """Whether something around may catch the error that Python raises at the use."""
    around = walking.around(match.file.tree, statement)
    return any(isinstance(each, (ast.With, ast.Try, ast.AsyncWith)) for each in around)


def _read_in_any_case(following: list[ast.stmt], name: str, use: ast.AST) -> bool:
    """Whether one of the statements reads a variable before any may leave the function or the loop."""
    for each in following:
        if _reads(each, name, use):
            return True
        if any(isinstance(inner, (ast.Return, ast.Raise, ast.Break, ast.Continue)) for inner in walking.walk(each)):
            return False
    return False


def _reads(statement: ast.stmt, name: str, use: ast.AST | None = None) -> bool:
    """Whether a statement reads a variable whichever way it goes; ``use`` has to be among what it reads."""
    nodes = list(walking.walk(statement))
    if use is not None and not any(node is use for node in nodes):
        return False
    if isinstance(statement, ast.If):
        # What stands behind an `and` may guard the use by the very test under which it is set.
        tested = [n for n in walking.walk(statement.test) if isinstance(n, ast.Name) and n.id == name]
        if any(evaluated([statement.test], node) for node in tested):
            return True
        return all(any(_reads(s, name) for s in block) for block in (statement.body, statement.orelse))
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)):
        return False
    reads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
    return any(evaluated([statement], node) for node in reads)


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
