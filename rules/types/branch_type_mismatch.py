"""# Variable of different types in the branches of an `if`

## What it does

Finds variables that get different types in the branches of an `if`, if the code uses them after the `if`.

## Why TorchScript rejects it

A variable has one type after the `if`. The compiler combines only None with another type: the result is an Optional.

```text
Type mismatch: weight is set to type Tensor in the true branch and type float in the false branch
```

## Example

```python
import torch


def weighted(x: torch.Tensor, learned: bool) -> torch.Tensor:
    if learned:
        weight = x.mean()
    else:
        weight = 1.0
    return x * weight


scripted = torch.jit.script(weighted)
```

## Use instead

```python
import torch


def weighted(x: torch.Tensor, learned: bool) -> torch.Tensor:
    if learned:
        weight = x.mean()
    else:
        weight = torch.tensor(1.0)
    return x * weight


scripted = torch.jit.script(weighted)
inputs = (torch.rand(3), False)
```

## Fix safety

No fix if the flag has no default, as in this example: give both branches one type, or finish the work inside each
branch.

If the test is a flag with a default (`flag=False`), the fix makes the compiler skip the branch for other values. If the
test is `self.training`, the fix makes the compiler skip the branch for training. The test becomes
`flag and not torch.jit.is_scripting()`, and an assertion before the test rejects other values in compiled code. The fix
is only shown (*display*): Python runs as before, but compiled code raises for other values.

If the test of the `if` reads attributes set only by `__init__`, the fix makes the result of the test constant, so that
the compiler compiles only one branch. The fix declares a bool attribute as constant (in `__constants__`, or as
`Final[bool]`). This is *safe*: eager mode ignores the declaration. For a comparison such as `self.stride == 2`, the
constructor stores the result in an attribute that is declared as constant; if the comparison may raise, a property
returns the result instead. This is *unsafe*: if other code sets the attribute later, compiled code keeps the first
result, and so does Python if it is stored; a module that was pickled as a whole before has no such attribute.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.flag_default import by_default
from tslint.rewrite.static_branch import decided_tests
from tslint.rewrite.type_reasons import list_instead, not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a, both, fitted
from tslint.script.dataflow.guards import chained
from tslint.script.events.types import BranchTypeMismatch
from tslint.script.types import BOOL, FLOAT, INT, TENSOR, TupleType, Type, is_inferred

RULE = Rule(code="TS319", name="branch-type-mismatch", events=(BranchTypeMismatch,))


def check(match: Match[BranchTypeMismatch]) -> Iterator[Finding]:
    """Report the type in each branch, with a fix after which only one branch is compiled."""
    event = match.event
    true, false, statement = event.true, event.false, match.libcst(event.statement)
    test, fix = "the test", None
    if isinstance(statement, cst.If):
        test, fix = match.quote(statement.test), _one_branch(match, statement)
    row = match.place(statement)[0].row
    first, second = both(true, false)
    message = f"`{event.name}` is {first} if {test} (line {row}), and {second} otherwise"
    help = _unannotated(match, statement) or _called(match, statement) or _advice(event.name, true, false)
    if "[…]" in fitted(message):  # the types are too long for a message
        message = f"the type of `{event.name}` depends on {test} (line {row})"
        help = f"`{event.name}` is {a(true)} if the test is true, and {a(false)} otherwise. {help}"
    yield match.finding(message, help=help, fix=fix)


def _one_branch(match: Match, statement: cst.If) -> Fix | None:
    """Return a fix after which the compiler sees only one branch."""
    whole = match.model(statement)
    # If there is no `else` and no test is true, the variable keeps its type from before the `if`.
    tests = list(chained(whole))
    fix = decided_tests(match, tests) or decided_tests(match, tests, any_truth=True)
    return fix or by_default(match, [whole.body[0], *whole.orelse[:1]])


def _unannotated(match: Match[BranchTypeMismatch], statement: cst.CSTNode) -> str | None:
    """If a branch assigns a parameter that is a Tensor only because it has no annotation, explain that."""
    name, types = match.event.name, (match.event.true, match.event.false)
    inferred = [each for each in types if is_inferred(each)]
    if len(inferred) != 1:
        return None
    assigned = m.Assign(targets=[m.AssignTarget(m.Name(name))], value=m.Name())
    for each in m.findall(statement, assigned):
        argument = unannotated(match, cst.ensure_type(each, cst.Assign).value)
        if argument is not None:
            other = types[0] if inferred[0] is types[1] else types[1]
            advice = _advice(name, *types).removesuffix(".")
            return not_annotated(argument, other, advice=f"{advice[0].lower()}{advice[1:]}")
    return None


def _called(match: Match[BranchTypeMismatch], statement: cst.CSTNode) -> str | None:
    """If one branch assigns a Tensor, and the other a number that a call returns, name the call."""
    types = (match.event.true, match.event.false)
    number = next((each for each in types if each in (INT, FLOAT)), None)
    if TENSOR not in types or number is None or not isinstance(statement, cst.If):
        return None
    branch = statement.body if types[0] == number else statement.orelse
    if not isinstance(branch, (cst.IndentedBlock, cst.Else)):
        return None
    assigned = m.Assign(targets=[m.AssignTarget(m.Name(match.event.name))])
    values = [cst.ensure_type(each, cst.Assign).value for each in m.findall(branch, assigned)]
    if len(values) != 1 or not m.matches(values[0], m.Call(~m.OneOf(*map(m.Name, ("int", "float", "len", "round"))))):
        return None
    return f"{match.quote(values[0])} is {a(number)} in TorchScript: make it return a Tensor."


def _advice(name: str, true: Type, false: Type) -> str:
    types = {true, false}
    if types == {INT, FLOAT}:
        return "Write the int as a float: `1.0` for `1`."
    if TENSOR in types and types & {INT, FLOAT, BOOL}:
        return f"Make the number a tensor: `{name} = torch.tensor(…)`."
    if all(isinstance(each, TupleType) and each.name is None for each in types):
        return f"A tuple has a fixed length in TorchScript: {list_instead(name, (true, false))}."
    return f"Give `{name}` one type in both branches, or use another name in one of them."
