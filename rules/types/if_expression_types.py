"""# `a if c else b` of different types

## What it does

Finds conditional expressions whose two values have different types.

## Why TorchScript rejects it

An expression has one type. The compiler combines only None with another type: the result is an Optional.

```text
if-expression's true branch has type int but false branch has type float
```

## Example

```python
import torch


def scaled(x: torch.Tensor, strong: bool) -> torch.Tensor:
    return x * (1 if strong else 0.5)


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), True)
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, strong: bool) -> torch.Tensor:
    return x * (1.0 if strong else 0.5)


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), True)
```

## Fix safety

If the test of the expression reads attributes set only by `__init__`, the fix makes the result of the test constant, so
that the compiler compiles only one branch. The fix declares a bool attribute as constant (in `__constants__`, or as
`Final[bool]`). This is *safe*: eager mode ignores the declaration. For a comparison such as `self.stride == 2`, the
constructor stores the result in an attribute that is declared as constant; if the comparison may raise, a property
returns the result instead. This is *unsafe*: if other code sets the attribute later, compiled code keeps the first
result, and so does Python if it is stored; a module that was pickled as a whole before has no such attribute.

If one value is an int and the other one a float, compiled code gets a float instead of the int:
`1.0 if torch.jit.is_scripting() else 1`. This is *unsafe*: a tensor of ints stays a tensor of ints if it is multiplied
by `1`, but becomes a tensor of floats if it is multiplied by `1.0`.

If the test is a flag with a default (`flag=False`), the fix makes the compiler skip the branch for other values. If the
test is `self.training`, the fix makes the compiler skip the branch for training. The test becomes
`flag and not torch.jit.is_scripting()`, and an assertion before the test rejects other values in compiled code. The fix
is only shown (*display*): Python runs as before, but compiled code raises for other values.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import as_float, in_compiled_code
from tslint.rewrite.flag_default import by_default
from tslint.rewrite.static_branch import decided_tests
from tslint.rewrite.type_reasons import not_annotated, unannotated
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import a, both
from tslint.script.events.types import IfExpressionTypes
from tslint.script.types import BOOL, FLOAT, INT, TENSOR

RULE = Rule(code="TS320", name="if-expression-types", events=(IfExpressionTypes,))


def check(match: Match[IfExpressionTypes]) -> Iterator[Finding]:
    """Report both values and their types, with a fix for numbers and constant tests."""
    node, true, false = match.node, match.event.true, match.event.false
    fix: Fix | None = None
    help = "Make both values the same type, or write an `if` statement that does the rest of the work in each branch."
    message = f"the two values of the expression are {a(true)} and {a(false)}"
    if isinstance(node, cst.IfExp):
        fix = decided_tests(match, [match.model(node.test)])
        first, second = both(true, false)
        message = f"{match.quote(node.body)} is {first}, but {match.quote(node.orelse)} after `else` is {second}"
        if isinstance(node.body, cst.Tuple) and isinstance(node.orelse, cst.Tuple):
            help = "A tuple has a fixed length in TorchScript: write both as lists, in square brackets."
        if {true, false} == {INT, FLOAT}:
            whole = node.body if true == INT else node.orelse
            help = f"Write `{code(as_float(whole))}`."
            fix = fix or _floats(match, whole)
        elif TENSOR in (true, false) and {true, false} & {INT, FLOAT, BOOL}:
            tensor, other = (node.body, false) if true == TENSOR else (node.orelse, true)
            operands = variables_in(tensor) if isinstance(tensor, (cst.Name, cst.BinaryOperation)) else []
            argument = next(filter(None, (unannotated(match, each) for each in operands)), None)
            number = match.quote(node.orelse if true == TENSOR else node.body).strip("`")
            help = f"Make the number a tensor: `torch.tensor({number})`."
            if argument is not None:
                help = not_annotated(argument, other, advice=f"write `torch.tensor({number})`")
        fix = fix or decided_tests(match, [match.model(node.test)], any_truth=True)
        fix = fix or by_default(match, [match.model(node.body), match.model(node.orelse)])
    yield match.finding(message, help=help, fix=fix)


def _floats(match: Match, whole: cst.BaseExpression) -> Fix | None:
    new = as_float(whole)
    return in_compiled_code(match, whole, lambda: new, f"Write `{code(new)}` in compiled code", Risk.DIFFERS)
