"""# Identity of strings and Enum members

## What it does

Finds `a is b` and `a is not b` where one of the two is a string or a member of an Enum.

## What goes wrong

TorchScript accepts it, but copies strings and members of an Enum: `self.mode is Mode.PRE` is always False in compiled
code. TorchScript compares tensors, lists and None as Python does, and ints, floats and bools by their values (`flag is
True`).

## Example

```python
import enum

import torch
from torch import nn


class Mode(enum.Enum):
    PRE = 1
    POST = 2


class Net(nn.Module):
    def __init__(self, mode=Mode.PRE):
        super().__init__()
        self.mode = mode

    def forward(self, x: torch.Tensor):
        if self.mode is Mode.PRE:
            return x * 2
        return x


inputs = (torch.ones(3),)
```

## Use instead

```python
import enum

import torch
from torch import nn


class Mode(enum.Enum):
    PRE = 1
    POST = 2


class Net(nn.Module):
    def __init__(self, mode=Mode.PRE):
        super().__init__()
        self.mode = mode

    def forward(self, x: torch.Tensor):
        if self.mode == Mode.PRE:
            return x * 2
        return x


inputs = (torch.ones(3),)
```

## Fix safety

Between members of an Enum that does not define `__eq__`, the fix writes `==`. This is *safe*: such members are equal
only if they are identical. For `class Mode(str, Enum)` and an `IntEnum`, only compiled code compares with `==`. This is
*unsafe*: a string or an int that callers pass instead may be equal to a member. There is no fix if one of the two
values is not known to be a member: between a member and a string, an int or None, the compiler accepts `is` and rejects
`==`.

In Python, two equal strings may be identical or not, depending on how they were created. If an attribute is compared
with a string literal, the constructor stores Python's result in an attribute that is declared constant, or a property
returns it. This is *unsafe*: if other code sets the attribute later, compiled code keeps the first result, and so does
Python if it is stored; a module that was pickled as a whole before has no such attribute. Other strings have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Severity
from tslint.rewrite.scripting import either
from tslint.rewrite.static_branch import read_once
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.flag_names import worded
from tslint.script.events.hazards import Identity

# A warning: for some inputs the two are different objects in Python, too, so that Python and compiled code agree.
RULE = Rule(code="TS617", name="identity-comparison", events=(Identity,), severity=Severity.WARNING)
_OF_SELF = m.Comparison(m.Attribute(m.Name()), [m.ComparisonTarget(comparator=m.SimpleString())])
_IS = m.Comparison(comparisons=[m.ComparisonTarget(operator=m.Is())])


def check(match: Match[Identity]) -> Iterator[Finding]:
    """Report the comparison, with a fix that compares with ``==``."""
    node = match.node
    same = m.matches(node, _IS)
    always = "false" if same else "true"
    yield match.finding(
        f"{match.event_text} is always {always}: TorchScript copies strings and Enum members",
        help=_help(match, "==" if same else "!="),
        fix=_fix(match, node, same) if isinstance(node, cst.Comparison) else None,
    )


def _help(match: Match[Identity], word: str) -> str:
    if match.event.enum and not match.event.both:
        return f"Make both values members of the Enum, and compare with `{word}`."
    return f"Compare with `{word}` instead."


def _fix(match: Match[Identity], node: cst.Comparison, same: bool) -> Fix | None:
    if not match.event.enum:
        # Whether equal strings are identical depends on how Python made them, so a property returns Python's result.
        return read_once(match, match.model(node), worded(match.model(node))) if m.matches(node, _OF_SELF) else None
    if not match.event.both:
        return None  # the compiler rejects `==` between a member and a string, an int or None, and accepts `is`
    word = "==" if same else "!="
    target = node.comparisons[0]
    operator = cst.Equal() if same else cst.NotEqual()
    equal = node.with_changes(comparisons=[target.with_changes(operator=operator)])
    if match.event.alone:
        return safe(f"Compare with `{word}`", lambda: match.replace(node, equal))
    # In Python, a string or an int may be equal to a member without being the same object.
    return either(match, node, equal, f"Compare with `{word}` in compiled code")
