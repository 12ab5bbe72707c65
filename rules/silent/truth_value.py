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
from tslint.rewrite.compiled_form import as_float
from tslint.rewrite.type_reasons import not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import LONGEST_MESSAGE
from tslint.script.events.hazards import TruthValue
from tslint.script.types import ANYTHING, BOOL, COMPLEX, FLOAT, INT, NUMBER, TENSOR, Type, plain

RULE = Rule(code="TS605", name="truth-value", events=(TruthValue,), severity=Severity.WARNING)
_OR, _AND = m.BooleanOperation(operator=m.Or()), m.BooleanOperation(operator=m.And())
_LONGEST = 90
_COUNTS = (INT, FLOAT, NUMBER, COMPLEX)


def check(match: Match[TruthValue]) -> Iterator[Finding]:
    """Report the operation, whose result is a bool; an error if it is returned and no operand is a bool or number."""
    node, event = match.node, match.event
    types = event.types
    returned = isinstance(match.libcst(event.statement), cst.Return)
    wrong = returned and not {ANYTHING, BOOL, *_COUNTS} & set(types)
    reason = ""
    if event.operands:
        example, type_ = event.operands[0]
        reason = f": {match.quote(match.libcst(example))} is {_a(type_)}"
    message = f"{match.event_text} is a bool in TorchScript, but one of its operands in Python"
    yield match.finding(
        message + (reason if len(message + reason) <= LONGEST_MESSAGE else ""),
        help=_conditional(match, node),
        fix=conditional(match, node) if len(types) == 2 and len(set(types)) == 1 and ANYTHING not in types else None,
        severity=Severity.ERROR if wrong else None,
    )


def _conditional(match: Match[TruthValue], node: cst.CSTNode) -> str:
    """Return how to write the operation as a conditional expression, whose values must have the same type."""
    types, form = match.event.types, "{0} if {0} else {1}" if m.matches(node, _OR) else "{1} if {0} else {0}"
    if m.matches(node, m.BooleanOperation(left=_AND, operator=m.Or())):
        return "Write it as a conditional expression: `b if a else c` for `a and b or c`."
    if not isinstance(node, cst.BooleanOperation) or len(types) != 2:  # a chain, `a or b or c`
        return f"Write `{form.format('a', 'b')}`."
    values, why = [node.left, node.right], ""
    for value, type_, other in zip(values, types, reversed(types)):
        if type_ == TENSOR and other in _COUNTS and (argument := unannotated(match, value)) is not None:
            why = f"{not_annotated(argument, other)} Then w"
    if set(types) == {INT, FLOAT}:
        values = [as_float(value) if type_ == INT else value for value, type_ in zip(values, types)]
        form = form.replace("if {0}", f"if {match.code(node.left)}")
    written = form.format(*map(code, values))
    if len(written) > _LONGEST or "\n" in written:
        return f"{why or 'W'}rite it as a conditional expression, `{form.format('a', 'b')}`."
    return f"{why or 'W'}rite `{written}`."


def _a(type_: Type) -> str:
    text = plain(type_)
    return text if text.endswith("]") else f"{'an' if text[0] in 'aeiou' else 'a'} {text}"
