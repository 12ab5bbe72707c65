"""# Logging in compiled code

## What it does

Finds calls of the `logging` module and of loggers that `logging.getLogger` has made.

## Why TorchScript rejects it

A compiled model runs without Python, so it has no loggers; the compiler cannot look into one, and `logging.info` and
its kin take any number of arguments.

```text
attribute lookup is not defined on python value of type 'Logger'
```

## Example

```python
import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        logger.info("shape: %s", x.shape)
        return x.relu()


inputs = (torch.rand(3),)
```

## Use instead

```python
import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not torch.jit.is_scripting():
            logger.info("shape: %s", x.shape)
        return x.relu()


inputs = (torch.rand(3),)
```

`print(...)` and `warnings.warn("text")` compile as they are.

## Fix safety

Putting the statement behind `if not torch.jit.is_scripting():` is *unsafe* only in that the compiled model says
nothing: Python logs as before. Neighbouring logging statements go behind the same test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.statements import guard, quote, run_of, statement
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS205", name="logging-call", events=("foreign-call", "foreign-attribute"))

_CHANGING = frozenset(["append", "extend", "insert", "remove", "pop", "update", "add", "clear", "setdefault", "next"])
_METHODS = frozenset("debug info warning warn error exception critical fatal log".split())


def check(match: Match) -> Iterator[Finding]:
    """Of the events, those that are about logging."""
    facts = match.event.facts
    if facts.get("package") != "logging" and facts.get("type_name") != "Logger":
        return
    member = statement(match)
    call = member.value if isinstance(member, ast.Expr) and isinstance(member.value, ast.Call) else None
    node = match.event.node
    logs = call is not None and (node is call or node is call.func) and _logs(member)
    yield match.finding(
        f"{quote(match, node)} {'logs' if logs else 'is about logging'}, and a compiled model has no loggers",
        help="Put it behind `if not torch.jit.is_scripting():`, or use `print` or `warnings.warn`."
        if logs
        else "Do it outside the compiled code, or behind `if not torch.jit.is_scripting():`.",
        fix=_fix(match, member) if logs and member is not None else None,
    )


def _logs(member: ast.stmt | None) -> bool:
    """Whether a statement is a call of a logging method whose result nobody reads."""
    if not isinstance(member, ast.Expr) or not isinstance(member.value, ast.Call):
        return False
    callee = member.value.func
    return (isinstance(callee, ast.Attribute) and callee.attr in _METHODS) or (
        isinstance(callee, ast.Name) and callee.id in _METHODS
    )


def _fix(match: Match, member: ast.stmt) -> Fix | None:
    run = run_of(match, member, lambda each: _logs(each) and _root(each) == _root(member) and not _changes(each))
    return None if _changes(member) else guard(match, run)


def _changes(member: ast.stmt) -> bool:
    """Whether what is logged is changed by that: a compiled model that does not log must not miss it."""
    names = (n.func.attr for n in walking.walk(member) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
    return any(name in _CHANGING or (name.endswith("_") and not name.endswith("__")) for name in names)


def _root(member: ast.stmt) -> str:
    """What the logging method is called on."""
    assert isinstance(member, ast.Expr) and isinstance(member.value, ast.Call)
    callee = member.value.func
    return ast.unparse(callee.value) if isinstance(callee, ast.Attribute) else ""
