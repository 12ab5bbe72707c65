"""# Returns of different types

## What it does

Finds functions without return annotation whose `return` statements have different types: for example a Tensor and a
tuple.

## Why TorchScript rejects it

A function has one return type. The compiler combines only None with another type: the result is an Optional. A flag
that chooses between the returns does not help, unless the compiler knows its value, as for a `Final[bool]` attribute.

```text
Previous return statement returned a value of type Tuple[Tensor, int] but this return statement returns a value of …
```

## Example

```python
import torch


def pool(x: torch.Tensor, with_count: bool):
    if with_count:
        return x.mean(), x.numel()
    return x.mean()


scripted = torch.jit.script(pool)
inputs = (torch.rand(3), False)
```

## Use instead

```python
import torch


def pool(x: torch.Tensor, with_count: bool):
    if with_count:
        return x.mean(), x.numel()
    return x.mean(), -1


scripted = torch.jit.script(pool)
inputs = (torch.rand(3), False)
```

## Fix safety

If the test that chooses between the returns reads attributes set only by `__init__`, the fix makes the result of the
test constant, so that the compiler compiles only one branch. The fix declares a bool attribute as constant (in
`__constants__`, or as `Final[bool]`). This is *safe*: eager mode ignores the declaration. For a comparison such as
`self.stride == 2`, the constructor stores the result in an attribute that is declared as constant; if the comparison
may raise, a property returns the result instead. This is *unsafe*: if other code sets the attribute later, compiled
code keeps the first result, and so does Python if it is stored; a module that was pickled as a whole before has no such
attribute.

If there is no such test, or if the compiler would still compile both returns for some arguments of `__init__`, the fix
annotates the function with a `Union` of the types. This is *safe*, because Python ignores annotations. This fix is only
offered if no compiled code calls the function: compiled callers would need `isinstance` before they could use the
result.

If compiled code calls the function, there is a fix for two kinds of tests. If the test is a flag with a default
(`flag=False`), the fix makes the compiler skip the branch for other values. If the test is `self.training`, the fix
makes the compiler skip the branch for training. The test becomes `flag and not torch.jit.is_scripting()`, and an
assertion before the test rejects other values in compiled code. The fix is only shown (*display*): Python runs as
before, but compiled code raises for other values.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.flag_default import by_default
from tslint.rewrite.return_types import annotated_union, is_one_always, one_return
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import both
from tslint.script.dataflow.guards import guards
from tslint.script.events.types import ReturnMismatch
from tslint.script.types import FLOAT, INT, NONE, TENSOR

RULE = Rule(code="TS316", name="return-mismatch", events=(ReturnMismatch,))


def check(match: Match[ReturnMismatch]) -> Iterator[Finding]:
    """Report the types of both returns, with a fix that keeps one or annotates a Union."""
    event = match.event
    actual, previous = event.actual, event.previous
    is_value = isinstance(match.node, cst.BaseExpression) and actual != NONE
    this, that = both(actual, previous)
    found = f"{match.quote(match.node)} is {this}" if is_value else "this returns None"
    row = match.file.place(event.first)[0].row
    earlier = f"line {row} returns" if event.returns[0][1] == previous else "the `return` statements before it give"
    yield match.finding(
        f"{found}, but {earlier} {that}",
        help=f"Return one type on every path{_other(match)}.",
        fix=_one_type(match) or _some_types(match),
    )


def _other(match: Match[ReturnMismatch]) -> str:
    """Return further advice: to make the test between the returns constant, if it only reads attributes of ``self``."""
    types = {match.event.actual, match.event.previous}
    if TENSOR in types and types & {INT, FLOAT}:
        return ": for the number, write `torch.tensor(…)`"
    test, itself = _selecting(match), match.self_name
    plain = test.expression if isinstance(test, cst.UnaryOperation) else test
    if test is None or itself is None or not _constant(test, itself):
        return ", or write a function for each type"
    if isinstance(plain, cst.Attribute):
        name = plain.attr.value
        return (
            f". If `{name}` is always a bool, you can also declare `{name}: Final[bool]` in the class body: then only "
            "the branch that it selects is compiled"
        )
    return (
        f". If {match.quote(test)} never changes, you can also store its result in `__init__`, in an attribute that "
        "the class body declares `Final[bool]`, and test that: then only one branch is compiled"
    )


def _selecting(match: Match[ReturnMismatch]) -> cst.CSTNode | None:
    """Return the test that is true for one of the returns and false for the other; None if there is none."""
    unit = match.event.unit
    if unit is None:
        return None
    first, second = (
        [(guard.test, guard.skips) for guard in guards(unit.function.node, node)]
        for node in (match.event.first, match.event.node)
    )
    found = next((test for test, skips in first if (test, not skips) in second), None)
    return match.libcst(found) if found is not None else None


def _constant(test: cst.CSTNode, itself: str) -> bool:
    """Return whether a test only reads attributes of ``self``, and none that `self.train()` changes."""
    read = m.Attribute(m.Name(itself), ~m.Name("training"))
    names = [each for each in m.findall(test, m.Name()) if isinstance(each, cst.Name) and each.value != itself]
    attributes = [each.attr for each in m.findall(test, read) if isinstance(each, cst.Attribute)]
    return bool(attributes) and all(any(each is one for one in attributes) for each in names)


def _one_type(match: Match[ReturnMismatch]) -> Fix | None:
    """Return a fix after which the compiler sees one of the returns, or a Union if it still sees both in some
    constructions; None if no test decides between the returns.
    """
    event = match.event
    fix = one_return(match, event.first, event.node)
    if fix is None or is_one_always(match, event.first, event.node):
        return fix
    return annotated_union(match, event.returns) or fix


def _some_types(match: Match[ReturnMismatch]) -> Fix | None:
    """Return a fix that annotates a Union, if no compiled code uses the result; otherwise one that keeps one type."""
    event = match.event
    return (
        annotated_union(match, event.returns)
        or one_return(match, event.first, event.node, any_truth=True)
        or by_default(match, [event.first, event.node])
    )
