"""# `//=` or `@=` in compiled code

## What it does

Finds `//=` and `@=` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The front end does not support these two operators. The other augmented assignments compile.

```text
unsupported kind of augmented assignment: FloorDiv
unsupported kind of augmented assignment: MatMult
```

## Example

```python
import torch


def halved(n: int) -> int:
    n //= 2
    return n


scripted = torch.jit.script(halved)
inputs = (7,)
```

## Use instead

```python
import torch


def halved(n: int) -> int:
    n = n // 2
    return n


scripted = torch.jit.script(halved)
inputs = (7,)
```

## Fix safety

If a variable is a number, the fix writes the operation out (`a = a // b`), which is *safe*. For a parameter, the fix is
*unsafe*, because only the annotation shows that the parameter is a number.

For any other value, only compiled code gets the new form, and Python calls `operator.ifloordiv`, which does the same as
`//=`. This is *unsafe*: Python may change the value in place, so that other variables that refer to the same value
change, too. Compiled code creates a new value. Only with `//=` of a Tensor, it changes the Tensor in place, too.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import Part, expression
from tslint.rulekit.wording import short
from tslint.script.events.syntax import AugmentedAssignment
from tslint.script.types import BOOL, FLOAT, INT, TENSOR

RULE = Rule(code="TS123", name="augmented-assignment", events=(AugmentedAssignment,))

_WRITTEN_OUT = {"//": "{target} // {value}", "@": "{target} @ {value}"}
_FUNCTIONS = {"//": "ifloordiv", "@": "imatmul"}
_PLAIN = (
    cst.Name, cst.Attribute, cst.Subscript, cst.BaseNumber, cst.SimpleString, cst.Ellipsis, cst.Tuple,
    cst.UnaryOperation,
)  # fmt: skip
_OTHER: m.Pattern = m.MatchIfTrue(lambda node: isinstance(node, cst.BaseExpression) and not isinstance(node, _PLAIN))


def check(match: Match[AugmentedAssignment]) -> Iterator[Finding]:
    """Report the assignment, with a fix that writes the operation out."""
    node, operator = match.node, match.event.operator
    a, b = (match.code(node.target), match.code(node.value)) if isinstance(node, cst.AugAssign) else ("a", "b")
    yield match.finding(
        f"`{operator}=` cannot be compiled",
        help=f"Write the operation out: {short(f'{a} = {a} {operator} {b}')}.",
        fix=_fix(match, node, operator) if isinstance(node, cst.AugAssign) else None,
    )


def _fix(match: Match, node: cst.AugAssign, operator: str) -> Fix | None:
    target, value = node.target, node.value
    type_ = match.event.variables.get(target.value) if isinstance(target, cst.Name) else None

    def assignment(new: cst.BaseExpression) -> cst.Assign:
        return cst.Assign([cst.AssignTarget(target)], new)

    def written_out() -> cst.BaseExpression:
        return expression(_WRITTEN_OUT[operator], target=target, value=value)

    if type_ in (INT, FLOAT, BOOL):
        words = f"Write `{operator}=` out"
        if not _is_parameter(match, target):
            return safe(words, lambda: match.replace(node, assignment(written_out())))
        assumes = f"only the annotation says that {match.quote(target)} is a number"
        return unsafe(words, lambda: match.replace(node, assignment(written_out())), assumes=assumes)
    torch, imports = match.imported("torch")
    module, more = match.imported("operator")
    if m.findall(target, _OTHER) or match.binds(module) or not can_branch(match, value):
        return None

    def either() -> cst.BaseExpression:
        new = written_out()
        if type_ == TENSOR and operator == "//":
            # In place as in Python, where other names of the same tensor see the change.
            new = expression("{target}.floor_divide_({value})", target=target, value=value)
        parts: dict[str, Part] = {"module": module, "function": _FUNCTIONS[operator], "target": target, "value": value}
        old = expression("{module}.{function}({target}, {value})", **parts)
        return expression("{new} if {torch}.jit.is_scripting() else {old}", new=new, torch=torch, old=old)

    words = f"Write `{operator}=` out in compiled code"
    edits = dict.fromkeys([*imports, *more])
    return unsafe(words, lambda: match.replace(node, assignment(either())), *edits, risks=(Risk.DIFFERS,))


def _is_parameter(match: Match, target: cst.BaseExpression) -> bool:
    """Return whether a variable is a parameter, whose type only an annotation shows."""
    function = match.function
    if function is None:
        return False
    params = function.params
    listed = [*params.posonly_params, *params.params, *params.kwonly_params]
    return any(each.name.deep_equals(target) for each in listed)
