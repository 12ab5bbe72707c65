"""# `lambda` in compiled code

## What it does

Finds `lambda` expressions in code that `torch.jit.script` compiles, and lambdas that are passed to `torch.jit.script`.

## Why TorchScript rejects it

Functions are not values in TorchScript: compiled code cannot create functions, or pass them to other functions.

```text
Lambda aren't supported
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shift = lambda t: t + 1
        return shift(x)


inputs = (torch.rand(3),)
```

## Use instead

```python
import torch
from torch import nn


def shift(t: torch.Tensor) -> torch.Tensor:
    return t + 1


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return shift(x)


inputs = (torch.rand(3),)
```

## Fix safety

If a variable holds only this lambda, the fix replaces calls of the variable by the expression of the lambda, provided
that the order of evaluation stays the same. This is *safe*.

A `map` of a lambda becomes a list comprehension. This is *safe* in `list(map(lambda t: …, values))` and in
`tuple(map(…))`; the `tuple(…)` around the comprehension does not compile yet (see `starred-unknown-length`). In `a, b =
map(lambda t: …, values)`, the fix is *unsafe*: if there are too many values, Python raises the error later.

Other lambdas have no fix: only the author knows the name and the types of the function.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.inline_function import inlined
from tslint.rewrite.map_comprehension import as_comprehension, comprehension_instead
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.syntax import Lambda

_NAMED = m.Assign(targets=[m.AssignTarget(m.Name())])
_PLAIN = m.Arg(keyword=None, star="")
_MAPPED = m.Call(func=m.Name("map"), args=[_PLAIN, _PLAIN])
_ONE_PARAMETER = m.Parameters(
    params=[m.Param(default=None)], posonly_params=[], kwonly_params=[], star_kwarg=None, star_arg=~m.Param()
)
# A lambda with one of these may raise StopIteration, which ends a `map` without an error, but not a comprehension.
_ENDING = m.Name("next") | m.Name("__next__") | m.Name("StopIteration")
_OTHERS = m.NamedExpr() | m.Await() | m.Yield() | m.Lambda()
RULE = Rule(code="TS104", name="lambda", events=(Lambda,))


_KEY = "TorchScript has no `key=`: use `torch.sort` or `torch.argsort`, or sort tuples that begin with the key."


def _is_key(match: Match) -> bool:
    """Return whether the lambda is the key of ``sorted``, ``sort``, ``min`` or ``max``."""
    argument = match.parent(match.node)
    return isinstance(argument, cst.Arg) and argument.keyword is not None and argument.keyword.value == "key"


def _help(match: Match) -> str:
    around = match.parent(match.node)
    if _is_key(match):
        return _KEY
    written = comprehension_instead(match, around)
    return written or "Write a function with `def` at module level, or a method, and call it by name."


def check(match: Match[Lambda]) -> Iterator[Finding]:
    """Report the lambda, with a fix that inlines it or writes a comprehension."""
    yield match.finding(
        "`lambda` cannot be compiled: functions are not values in TorchScript",
        help=_help(match),
        fix=_fix(match),
        keyword="lambda",
    )


def _fix(match: Match) -> Fix | None:
    node, around = match.node, match.parent(match.node)
    if not isinstance(node, cst.Lambda):
        return None
    if isinstance(around, cst.Call) and m.matches(around, _MAPPED):
        return _comprehension(match, node, around)
    if isinstance(around, cst.Assign) and m.matches(around, _NAMED):
        target = around.targets[0].target
        return inlined(match, target.value, around) if isinstance(target, cst.Name) else None
    return None


def _comprehension(match: Match, node: cst.Lambda, mapped: cst.Call) -> Fix | None:
    if mapped.args[0].value is not node or not m.matches(node.params, _ONE_PARAMETER):
        return None
    if m.findall(node.body, _ENDING | _OTHERS):
        return None
    return as_comprehension(match, mapped, node.body, node.params.params[0].name)
