"""# `match` statement in compiled code

## What it does

Finds `match` statements in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The TorchScript front end knows no pattern matching.

```text
Match aren't supported
```

## Example

```python
import torch


def scale(x: torch.Tensor, mode: int) -> torch.Tensor:
    match mode:
        case 0:
            return x
        case 1 | 2:
            return x * 2
        case _:
            return x * 3


scripted = torch.jit.script(scale)
inputs = (torch.rand(3), 2)
```

## Use instead

```python
import torch


def scale(x: torch.Tensor, mode: int) -> torch.Tensor:
    if mode == 0:
        return x
    elif mode == 1 or mode == 2:
        return x * 2
    else:
        return x * 3


scripted = torch.jit.script(scale)
inputs = (torch.rand(3), 2)
```

## Fix safety

Where the subject is a plain name and every pattern is a number, a string, `None`, a dotted name, an alternative of
these, or a final `_`, the `match` is written as `if`/`elif`/`else`. That is *safe*: it is what Python does for these
patterns, comparison by comparison. Other patterns get no fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.spans import at_keyword, spans_rows
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS107", name="match-statement", events=("match-statement",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the keyword; write simple patterns as comparisons."""
    node = match.event.node
    yield at_keyword(
        match,
        "match",
        "`match` cannot be compiled: TorchScript knows no pattern matching",
        "Write it as `if`, `elif` and `else`.",
        _chain(match, node) if isinstance(node, ast.Match) else None,
    )


def _chain(match: Match, node: ast.Match) -> Fix | None:
    if not isinstance(node.subject, ast.Name) or spans_rows(node):
        return None
    # Rows are dedented by one step; comments between the cases stay.
    inner = node.lineno + 1
    edits = [Edit(Position(node.lineno, 1), Position(inner, 1), "")]
    margin = match.source.lines[node.lineno - 1][: node.col_offset]
    indent = match.source.lines[node.cases[0].pattern.lineno - 1]
    indent = indent[: len(indent) - len(indent.lstrip(" \t"))]
    if margin.strip() or not indent.startswith(margin):
        return None
    heads: dict[int, str] = {}
    for index, case in enumerate(node.cases):
        test = _test(match, node.subject.id, case.pattern)
        line = match.source.lines[case.pattern.lineno - 1]
        last = index == len(node.cases) - 1
        if (
            test is None
            or (test == "" and case.guard is None and not last)
            or line.strip()[:4] != "case"
            or _after_colon(match, case)
        ):
            return None
        if case.guard is not None:
            guard = match.text(case.guard)
            test = f"({test}) and ({guard})" if test else guard
        if not test and not index:
            return None
        heads[case.pattern.lineno] = f"{'elif' if index else 'if'} {test}:" if test else "else:"
    for row in range(inner, (node.end_lineno or inner) + 1):
        line = match.source.lines[row - 1]
        if row in heads:
            colon = line.split("#")[0].rindex(":") + 1
            edits.append(Edit(Position(row, 1), Position(row, colon + 1), margin + heads[row]))
        elif line.startswith(indent):
            edits.append(Edit(Position(row, 1), Position(row, len(indent) + 1), margin))
    return safe("Write the `match` as `if` and `elif`", *edits)


def _after_colon(match: Match, case: ast.match_case) -> bool:
    """Whether a case is more than its pattern, a guard and a colon on one row of its own."""
    row = case.pattern.lineno
    last = case.guard.end_lineno if case.guard is not None else case.pattern.end_lineno
    line = match.source.lines[row - 1].split("#")[0].rstrip()
    return "#" in match.text(case.pattern) or last != row or case.body[0].lineno == row or not line.endswith(":")


def _test(match: Match, subject: str, pattern: ast.pattern) -> str | None:
    """A pattern as a condition; empty for ``_``, None where it is more than comparisons."""
    if isinstance(pattern, ast.MatchValue):
        return f"{subject} == {match.text(pattern.value)}"
    if isinstance(pattern, ast.MatchSingleton):
        return f"{subject} is {pattern.value}"
    if isinstance(pattern, ast.MatchOr):
        tests = [_test(match, subject, part) for part in pattern.patterns]
        return " or ".join(test for test in tests if test) if all(tests) else None
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
        return ""
    return None
