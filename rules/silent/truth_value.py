"""# `or` or `and` whose result is used as a value

## What it does

Finds `a or b` and `a and b` of values that are not bools, if the result is not only tested but used as a value.

## What goes wrong

TorchScript accepts it, but the result is a bool; in Python it is one of the operands. In TorchScript, `size or 3` is
`True`, which becomes 1 in arithmetic and wherever TorchScript expects an int.

## Example

```python
import torch


def scaled(x: torch.Tensor, factor: int):
    return x * (factor or 3)


scripted = torch.jit.script(scaled)
inputs = (torch.ones(2), 2)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, factor: int):
    return x * (factor if factor else 3)


scripted = torch.jit.script(scaled)
inputs = (torch.ones(2), 2)
```

## Fix safety

If `a` is a variable, `a or b` becomes `a if a else b`, which is *safe*: Python does the same. If `a` is another
expression, there is no fix, because `a` would be computed twice.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Severity
from tslint.rewrite.boolean_value import conditional
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import LONGEST_MESSAGE
from tslint.script.events.hazards import TruthValue
from tslint.script.types import ANYTHING, BOOL, COMPLEX, FLOAT, INT, NUMBER, Type, plain

RULE = Rule(code="TS605", name="truth-value", events=(TruthValue,), severity=Severity.WARNING)
_OR, _AND = m.BooleanOperation(operator=m.Or()), m.BooleanOperation(operator=m.And())
_COUNTS = (INT, FLOAT, NUMBER, COMPLEX)


def check(match: Match[TruthValue]) -> Iterator[Finding]:
    """Report the operation, whose result is a bool; an error if it is returned and no operand is a bool or number."""
    node, event = match.node, match.event
    types = event.types
    returned = isinstance(match.libcst(event.statement), cst.Return)
    wrong = returned and not {ANYTHING, BOOL, *_COUNTS} & set(types)
    a, b = "a", "b"
    if isinstance(node, cst.BooleanOperation) and len(types) == 2:  # not a chain, `a or b or c`
        a, b = match.code(node.left), match.code(node.right)
    form = "{0} if {0} else {1}" if m.matches(node, _OR) else "{1} if {0} else {0}"
    help = f"Write `{form.format(a, b)}`."
    if m.matches(node, m.BooleanOperation(left=_AND, operator=m.Or())):
        help = "Write it as a conditional expression: `b if a else c` for `a and b or c`."
    reason = ""
    if event.operands:
        example, type_ = event.operands[0]
        reason = f": {match.quote(match.libcst(example))} is {_a(type_)}"
    message = f"{match.event_text} is a bool in TorchScript, but one of its operands in Python"
    yield match.finding(
        message + (reason if len(message + reason) <= LONGEST_MESSAGE else ""),
        help=help
        if len(help) < 100 and "\n" not in help
        else f"Write it as a conditional expression, `{form.format('a', 'b')}`.",
        fix=conditional(match, node) if len(types) == 2 and len(set(types)) == 1 and ANYTHING not in types else None,
        severity=Severity.ERROR if wrong else None,
    )


def _a(type_: Type) -> str:
    text = plain(type_)
    return text if text.endswith("]") else f"{'an' if text[0] in 'aeiou' else 'a'} {text}"
