"""# Path without return in a function that is annotated to return something

## What it does

Finds functions with a return annotation other than `None` that can reach their end without `return`.

## Why TorchScript rejects it

Python returns None there. The compiler wants every path to return or raise, even where the annotation is an `Optional`.

```text
Function was not annotated as having type None, but does not return along all paths
```

## Example

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        return x * 2
    elif mode == "half":
        return x / 2


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "double")
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        return x * 2
    elif mode == "half":
        return x / 2
    raise ValueError("mode must be 'double' or 'half'")


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "double")
```

## Fix safety

`return None` at the end of a function that is annotated as `Optional` is *safe*: it is what Python does. Where a
function returns nothing anywhere, its annotation becomes `-> None`, which is *safe*, too. For any other annotation
compiled code raises an error at the end, which is *unsafe*: Python returns None there. There is none for a function
that does nothing: it is left to others to write.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.scripted_form import step_of
from tslint.rewrite.type_wording import function, optional_inside, said
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.events import Span

RULE = Rule(code="TS317", name="missing-return", events=("missing-return",))


def check(match: Match) -> Iterator[Finding]:
    """Return or raise at the end."""
    declared = match.event.facts["declared"]
    held = function(match)
    name = held.name if held is not None else "the function"
    optional = optional_inside(declared) is not None
    end = "Return on every path, or `raise` where none is meant to end."
    if optional:
        end = "Write `return None` at its end."
    elif held is not None and _returns_nothing(held):
        end = "It returns nothing anywhere: annotate it as `-> None`."
    yield match.finding(
        f"`{name}` is annotated `-> {said(declared)}`, but can reach its end without `return`",
        help=end,
        fix=_fix(match, name, optional),
    )


def _fix(match: Match, name: str, optional: bool) -> Fix | None:
    held = function(match)
    if held is None or held.body[0].lineno == held.lineno or held.body[-1].end_lineno is None:
        return None
    if not optional and not _does_something(held):
        return None
    if not optional and held.returns is not None and _returns_nothing(held):
        return safe("Annotate it as `-> None`", Edit(*match.file.span(Span.of(held.returns)), "None"))
    first = match.source.lines[held.body[0].lineno - 1]
    indent = first[: len(first) - len(first.lstrip())]
    torch, imports = match.imported("torch")
    newline = match.source.newline
    raised = f'raise RuntimeError("{name} has no value to return")'
    step = step_of(match, held.body[-1])
    line = "return None" if optional else f"if {torch}.jit.is_scripting():{newline}{indent}{step}{raised}"
    last = held.body[-1].end_lineno
    text = match.source.lines[last - 1]
    if text.endswith(("\n", "\r")):
        edit = Edit(Position(last + 1, 1), Position(last + 1, 1), f"{indent}{line}{match.source.newline}")
    else:
        edit = Edit(
            Position(last, len(text) + 1), Position(last, len(text) + 1), f"{match.source.newline}{indent}{line}"
        )
    return (
        safe("Return None at its end", edit)
        if optional
        else unsafe("Raise at its end in compiled code", edit, *imports, risks=(Risk.RAISES,))
    )


def _does_something(held: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is not one that is left to others to write."""
    return any(not isinstance(each, (ast.Pass, ast.Raise)) and not _is_constant(each) for each in held.body)


def _returns_nothing(held: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function does something, and never returns a value."""
    nested = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    pending: list[ast.AST] = [*held.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)) or (isinstance(node, ast.Return) and node.value is not None):
            return False
        if not isinstance(node, nested):
            pending += walking.children(node)
    return _does_something(held)


def _is_constant(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
