"""# Variable that only one branch defines

## What it does

Finds a use of a variable that only one branch of an earlier `if` sets.

## Why TorchScript rejects it

Python raises only if the variable has no value when it is used. The compiler does not know which branch will run: after
the `if`, a variable exists only if every branch sets it. Branches that return or raise do not count. Branches that the
compiler drops do not count either, for example under `x is None` if `x` is never None, or under a `Final[bool]`
attribute that is false.

```text
scale is not defined in the false branch
```

## Example

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        scale = 2.0
    elif mode == "half":
        scale = 0.5
    return x * scale


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "half")
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        scale = 2.0
    elif mode == "half":
        scale = 0.5
    else:
        raise ValueError("mode must be 'double' or 'half'")
    return x * scale


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "half")
```

## Fix safety

If the `if` has no `else`, and every path after it uses the variable, the fix adds an `else` that raises, because Python
raises at the use. If all tests compare one value, or parts of it, with constants, the new code raises a ValueError that
contains this value. This is *unsafe*: Python raised UnboundLocalError before. For other tests, the new code raises
UnboundLocalError, too. This is *safe* if no other code runs between the `if` and the use, and *unsafe* if other code
there may raise another exception. If a function is called between them, the fix is only shown (*display*), because the
function would no longer be called. In a loop, the fix adds no `else`, because an earlier iteration may have set the
variable.

If the test of the `if`, or of an `if` around the use, reads attributes set only by `__init__`, the fix makes the result
of the test constant, so that the compiler compiles only one branch. The fix declares a bool attribute as constant (in
`__constants__`, or as `Final[bool]`). This is *safe*: eager mode ignores the declaration. For a comparison such as
`self.stride == 2`, the constructor stores the result in an attribute that is declared as constant; if the comparison
may raise, a property returns the result instead. This is *unsafe*: if other code sets the attribute later, compiled
code keeps the first result, and so does Python if it is stored; a module that was pickled as a whole before has no such
attribute.

If a loop sets the variable, and a statement after the loop surely reads it, the fix sets the variable to None before
the loop, and adds `assert out is not None` before this statement. The fix is the same if an `if` in a loop sets the
variable. This is *unsafe*: Python raises AssertionError instead of UnboundLocalError.

In other cases, the fix sets the variable to an empty value (`0`, `[]`) before the `if`. This is *safe* if the code only
reads the variable under the same flag, such as `given = mask is not None`. If not, only compiled code sets the empty
value. This is *unsafe*: where Python raises, compiled code goes on with that value. For a Tensor (`torch.empty(0)`),
this fix is only shown (*display*). If the type has no empty value, the author must write one (*display*).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.loop_variables import asserted_in_loop, bound_before, bound_before_branch, loop_that_binds
from tslint.rewrite.static_branch import decided, decided_tests
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, least_risky, safe, unsafe
from tslint.rulekit.template import block, code, expression, statement
from tslint.script.dataflow.branches import Read, bound_above, is_in_loop, only_assigned, read_after, read_at_once
from tslint.script.dataflow.guards import chained
from tslint.script.events.types import BranchUndefined

RULE = Rule(code="TS318", name="branch-undefined", events=(BranchUndefined,))
_CONSTANT = m.SimpleString() | m.Integer() | m.Tuple() | m.List()
_VALUE = m.SaveMatchedNode(m.Name() | m.Attribute(m.Name()), "value")
# Comparisons of a variable or an attribute with constants, and tests of what a text contains.
_TESTS = (
    m.Comparison(left=_VALUE, comparisons=[m.ComparisonTarget(m.Equal() | m.In(), _CONSTANT)]),
    m.Comparison(left=m.SimpleString(), comparisons=[m.ComparisonTarget(m.In(), _VALUE)]),
    m.Call(func=m.Attribute(_VALUE, m.Name("startswith") | m.Name("endswith")), args=[m.Arg(m.SimpleString())]),
)


def check(match: Match[BranchUndefined]) -> Iterator[Finding]:
    """Report the variable, with a fix that sets it earlier, raises where it is missing, or makes a test constant."""
    event = match.event
    name, whole, use = event.name, event.statement, event.use
    branch = match.libcst(whole)
    if not isinstance(branch, cst.If):
        return
    use_place = f"line {match.place(match.libcst(use))[0].row}" if use is not None else "its use"
    yield match.finding(
        f"`{name}` is set only on some paths to {use_place}",
        help=f"Set `{name}` before the `if`, or in every branch that neither raises nor returns.",
        fix=least_risky(_raise_else(match, name, branch, use), decided_tests(match, chained(whole)))
        or decided(match, use)
        or _of_loop(match, name, whole)
        or asserted_in_loop(match, whole, name, event.type)
        or _raise_later(match, name, branch, use)
        or bound_before_branch(match, whole, name, event.type, use)
        or _before(match, name, branch)
        or decided(match, use, any_truth=True),
    )


def _bound_above(match: Match, name: str, whole: Any) -> list[Any]:
    unit = match.event.unit
    return bound_above(match.file.tree, unit.function.node, whole, name) if unit is not None else []


def _of_loop(match: Match[BranchUndefined], name: str, whole: Any) -> Fix | None:
    """Bind the variable also before the earlier loop that binds it; None if there is no such loop."""
    stores = _bound_above(match, name, whole)
    loop = loop_that_binds(match, stores[0]) if stores else None
    return None if loop is None else bound_before(match, loop, name, match.event.type)


def _raise_else(match: Match, name: str, branch: cst.If, use: Any) -> Fix | None:
    """Add an ``else`` that raises, as Python does at the use."""
    unit = match.event.unit
    if unit is None or _read(match, name, branch, use) is not Read.FIRST:
        return None
    error = _unknown(branch)
    other = error or expression("UnboundLocalError({message})", message=f'"{name} is not set"')
    orelse = cst.Else(block([statement("raise {error}", error=other)]))
    message = f"Add an `else` that raises, as Python does where `{name}` is used"
    at_once = read_at_once(match.file.tree, unit.function.node, match.model(branch), use)
    if at_once and error is None:
        return safe(message, lambda: match.rewrite(branch, _chained(branch, orelse)))
    return unsafe(message, lambda: match.rewrite(branch, _chained(branch, orelse)), risks=(Risk.EXCEPTION,))


def _raise_later(match: Match, name: str, branch: cst.If, use: Any) -> Fix | None:
    """Add an ``else`` that raises, although Python would run other code first; a person has to decide that."""
    if _read(match, name, branch, use) is not Read.LATER:
        return None
    error = _unknown(branch) or expression("ValueError({message})", message=f'"{name} is not set"')
    orelse = cst.Else(block([statement("raise {error}", error=error)]))
    return display("Add an `else` that raises", lambda: match.rewrite(branch, _chained(branch, orelse)))


def _read(match: Match, name: str, branch: cst.If, use: Any) -> Read:
    """Return when the code after an ``if`` reads the variable; ``NOT_ALWAYS`` also if no ``else`` can be added."""
    tree, whole, unit = match.file.tree, match.model(branch), match.event.unit
    last = branch
    while isinstance(last.orelse, cst.If):
        last = last.orelse
    if unit is None or _bound_above(match, name, whole) or not only_assigned(unit.function.node, name):
        return Read.NOT_ALWAYS
    written = last.orelse is None and isinstance(last.body, cst.IndentedBlock) and match.line(branch) is branch
    if not written or is_in_loop(tree, whole):
        return Read.NOT_ALWAYS
    return read_after(tree, whole, name, use)


def _unknown(branch: cst.If) -> cst.BaseExpression | None:
    """Return an exception that names the value for which all tests of a chain are false; None unless they all compare
    the same value, or parts of it, with constants.
    """
    tests: list[cst.BaseExpression] = []
    clause: cst.If | cst.Else | None = branch
    while isinstance(clause, cst.If):
        tests += _operands(clause.test)
        clause = clause.orelse
    found = [next((each for pattern in _TESTS if (each := m.extract(test, pattern))), {}) for test in tests]
    names = {code(each["value"]) for each in found if isinstance(each.get("value"), cst.CSTNode)}
    if len(names) != 1 or not all(found):
        return None
    name = names.pop()
    return expression("ValueError({message})", message=f'f"unknown {name.rpartition(".")[2].strip("_")}: {{{name}}}"')


def _operands(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the operands of an ``or``; for any other test, only the test."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return [*_operands(test.left), *_operands(test.right)]
    return [test]


def _chained(branch: cst.If, orelse: cst.If | cst.Else) -> cst.If:
    """Return an ``if`` with one more clause after its last ``elif``."""
    rest = _chained(branch.orelse, orelse) if isinstance(branch.orelse, cst.If) else orelse
    return branch.with_changes(orelse=rest)


def _before(match: Match, name: str, branch: cst.If) -> Fix | None:
    line = match.line(branch)
    if line is None:
        return None
    message = f"Set `{name}` before the `if`"
    return display(message, lambda: [match.insert_before(line, statement("{name} = ...", name=name))])
