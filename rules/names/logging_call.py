"""# Logging in compiled code

## What it does

Finds calls of the `logging` module and of loggers that `logging.getLogger` has made.

## Why TorchScript rejects it

A compiled model runs without Python, so it has no loggers. The compiler cannot read a logger. It cannot compile
functions such as `logging.info` either, which accept any number of arguments.

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

The fix puts the statement under `if not torch.jit.is_scripting():`. This is *unsafe* only because the compiled model
does not log; Python logs as before. Neighbouring logging statements go under the same test. A statement that may do
more than log (`logger.info(reduce(x))`) is not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.scripting import eager_only
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.left_out import can_be_left_out
from tslint.script.events.names import UnsupportedExternalAttribute, UnsupportedExternalCall

RULE = Rule(code="TS205", name="logging-call", events=(UnsupportedExternalCall, UnsupportedExternalAttribute))

_METHODS = frozenset("debug info warning warn error exception critical fatal log".split())
_METHOD = m.Name(m.MatchIfTrue(lambda name: name in _METHODS))
_LOGS = m.Expr(m.Call(func=m.Attribute(attr=_METHOD) | _METHOD))


def check(match: Match[UnsupportedExternalCall | UnsupportedExternalAttribute]) -> Iterator[Finding]:
    """Report a use of ``logging``, with a fix that makes the call run in eager mode only."""
    event = match.event
    if (event.package != "logging") if isinstance(event, UnsupportedExternalCall) else (event.type_name != "Logger"):
        return
    member = match.statement()
    logs = _logs(member) and match.node in (member.value, _called(member).func)
    yield match.finding(
        f"{match.event_text} {'logs' if logs else 'uses `logging`'}, and compiled code has no loggers",
        help="Put the statement under `if not torch.jit.is_scripting():`, or use `print` or `warnings.warn`."
        if logs
        else "Move the statement out of compiled code, or put it under `if not torch.jit.is_scripting():`.",
        fix=_fix(match, member) if logs and isinstance(member, cst.Expr) else None,
    )


def _logs(member: cst.CSTNode | None) -> TypeGuard[cst.Expr]:
    """Return whether a statement is a call of a logging method whose result is not used."""
    return member is not None and m.matches(member, _LOGS)


def _fix(match: Match, member: cst.Expr) -> Fix | None:
    """Let only Python run the statement, together with the statements next to it that call the same logger."""
    run: list[cst.CSTNode] = []
    for each in match.siblings(member):
        if _logs(each) and _root(match, each) == _root(match, member) and _is_alone(match, each):
            run.append(each)
        elif member in run:
            break
        else:
            run.clear()
    lines = [line for line in map(match.line, run) if line is not None]
    return eager_only(match, lines) if member in run and len(lines) == len(run) else None


def _called(member: cst.Expr) -> cst.Call:
    return cst.ensure_type(member.value, cst.Call)


def _root(match: Match, member: cst.Expr) -> str:
    """Return the object whose method logs: ``logger`` for ``logger.info(...)``; empty for a function, ``info(...)``."""
    callee = _called(member).func
    return match.code(callee.value) if isinstance(callee, cst.Attribute) else ""


def _is_alone(match: Match, member: cst.Expr) -> bool:
    """Return whether a statement only logs, so that a compiled model without it only lacks the log."""
    return can_be_left_out(match.file.tree, [match.model(member)])
