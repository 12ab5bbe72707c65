"""# `match` statement in compiled code

## What it does

Finds `match` statements in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The TorchScript front end has no pattern matching.

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

The fix writes the `match` as `if`/`elif`/`else`, if the subject is a plain name and each pattern is a number, a string,
`None`, a dotted name, several of these with `|`, or a final `_`. This is *safe*: Python makes the same comparisons for
these patterns. There is no fix for other patterns, or if a guard may give the subject another value.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.rows import has_long_text
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.script.events.syntax import MatchStatement

RULE = Rule(code="TS107", name="match-statement", events=(MatchStatement,))
_ANYTHING = m.MatchAs(pattern=None, name=None)
_COMPARABLE = m.MatchValue() | m.MatchSingleton()


def check(match: Match[MatchStatement]) -> Iterator[Finding]:
    """Report the statement, with a fix that writes simple patterns as ``if`` and ``elif``."""
    yield match.finding(
        "`match` cannot be compiled: TorchScript has no pattern matching",
        help="Write it as `if`, `elif` and `else`.",
        fix=_chain(match),
        keyword="match",
    )


def _chain(match: Match) -> Fix | None:
    node = match.node
    if not isinstance(node, cst.Match) or not isinstance(node.subject, cst.Name):
        return None
    if not all(_has_rows(each) for each in node.cases) or has_long_text(node):
        return None
    if not all(_is_comparison(each.pattern) or m.matches(each.pattern, _ANYTHING) for each in node.cases):
        return None
    if m.matches(node.cases[0].pattern, _ANYTHING) and node.cases[0].guard is None:
        return None
    if any(_may_change(match, node.subject, each.guard) for each in node.cases if each.guard is not None):
        return None
    subject, comment = node.subject, node.whitespace_after_colon.comment

    def written() -> tuple[Edit, ...]:
        made: cst.If | cst.Else | None = None
        *cases, last = node.cases
        assert isinstance(last.body, cst.IndentedBlock)
        # Comments at the end of the `match` stay after the last case.
        end = last.with_changes(body=last.body.with_changes(footer=[*last.body.footer, *node.footer]))
        for case in (end, *reversed(cases)):
            test = _test(subject, case)
            if test is None:
                made = cst.Else(case.body, leading_lines=case.leading_lines)
            else:
                made = cst.If(test, case.body, made, leading_lines=case.leading_lines)
        assert isinstance(made, cst.If)
        head = [cst.EmptyLine(comment=comment)] if comment is not None else []
        return match.rewrite(node, made.with_changes(leading_lines=[*head, *made.leading_lines]))

    return safe("Write the `match` as `if` and `elif`", written)


def _may_change(match: Match, subject: cst.Name, guard: cst.BaseExpression) -> bool:
    """Return whether a guard may give the subject another value, which the next patterns do not see."""
    stored = m.findall(guard, m.NamedExpr(m.Name(subject.value)))
    return bool(stored) or (not match.binds(subject.value) and bool(m.findall(guard, m.Call())))


def _has_rows(case: cst.MatchCase) -> bool:
    """Return whether a case has its own row, and its statements are on the rows below it."""
    head = case.with_changes(body=cst.SimpleStatementSuite([cst.Pass()]), leading_lines=[])
    rows = cst.Module([]).code_for_node(head).splitlines()
    return isinstance(case.body, cst.IndentedBlock) and len(rows) == 1


def _is_comparison(pattern: cst.MatchPattern) -> bool:
    if isinstance(pattern, cst.MatchOr):
        return all(_is_comparison(each.pattern) for each in pattern.patterns)
    return m.matches(pattern, _COMPARABLE)


def _test(subject: cst.Name, case: cst.MatchCase) -> cst.BaseExpression | None:
    """Return the condition of a case; None for ``case _`` without a guard."""
    test = _condition(subject, case.pattern)
    if test is None or case.guard is None:
        return test if case.guard is None else case.guard
    return expression("{test} and {guard}", test=test, guard=case.guard)


def _condition(subject: cst.Name, pattern: cst.MatchPattern) -> cst.BaseExpression | None:
    """Return a pattern as a condition; None for ``_``."""
    if isinstance(pattern, cst.MatchValue):
        return expression("{x} == {value}", x=subject, value=pattern.value)
    if isinstance(pattern, cst.MatchSingleton):
        return expression("{x} is {value}", x=subject, value=pattern.value)
    if not isinstance(pattern, cst.MatchOr):
        return None
    first, *others = (_condition(subject, each.pattern) for each in pattern.patterns)
    for each in others:
        if first is not None and each is not None:
            first = expression("{first} or {other}", first=first, other=each)
    return first
