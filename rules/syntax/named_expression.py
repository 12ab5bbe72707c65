"""# Assignment expression in compiled code

## What it does

Finds `:=` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

In the TorchScript front end, assignments are statements and not expressions.

```text
NamedExpr aren't supported
```

## Example

```python
import torch


def clip(x: torch.Tensor) -> torch.Tensor:
    if (n := x.dim()) > 1:
        return x.flatten() / n
    return x


scripted = torch.jit.script(clip)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def clip(x: torch.Tensor) -> torch.Tensor:
    n = x.dim()
    if n > 1:
        return x.flatten() / n
    return x


scripted = torch.jit.script(clip)
inputs = (torch.rand(2, 3),)
```

## Fix safety

If the statement evaluates the assignment before anything else, the fix moves the assignment to a line of its own. This
is *safe*, because nothing runs earlier or more often than before. There is no fix in a `while`, in an `elif`, or after
`and`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import statement
from tslint.script.dataflow.first_evaluated import named_first
from tslint.script.events.syntax import NamedExpression

RULE = Rule(code="TS110", name="named-expression", events=(NamedExpression,))


def check(match: Match[NamedExpression]) -> Iterator[Finding]:
    """Report the expression, with a fix that assigns the name on a separate line."""
    name, around = match.event.name, match.statement()
    help = f"Assign `{name} = …` on a separate line before the statement."
    if isinstance(around, cst.While):  # its test is evaluated again before each iteration
        help = f"Assign `{name} = …` before the loop, and again at the end of its body."
    elif isinstance(around, cst.If) and isinstance(above := match.parent(around), cst.If) and above.orelse is around:
        help = f"Write `else:` instead of `elif`. In the `else`, assign `{name} = …`, and then write the `if`."
    yield match.finding(
        f"`{name} := …` cannot be compiled: assignments are statements in TorchScript",
        help=help,
        fix=_lift(match),
    )


def _lift(match: Match) -> Fix | None:
    node, line, around = match.node, match.line(), match.statement()
    if not isinstance(node, cst.NamedExpr) or not isinstance(node.target, cst.Name) or line is None or around is None:
        return None
    if not named_first(match.model(around), match.model(node)):
        return None
    name = node.target
    assignment = statement("{name} = {value}", name=name, value=node.value)
    return safe(
        f"Assign `{name.value}` on a separate line",
        match.insert_before(line, assignment),
        lambda: _without(match, node, name, around),
    )


def _without(match: Match, node: cst.NamedExpr, name: cst.Name, statement: cst.CSTNode) -> tuple[Edit, ...]:
    """Return the edits that replace the assignment by its name, without parentheses that are no longer needed."""
    around = match.parent(node)
    assert around is not None
    try:
        statement.deep_replace(node, name)
    except cst.CSTValidationError:
        name = name.with_changes(lpar=node.lpar, rpar=node.rpar)  # ``if(x := y):``
    new = around.deep_replace(node, name)
    if isinstance(around, cst.BaseCompoundStatement):
        assert isinstance(new, cst.BaseCompoundStatement)
        return match.rewrite(around, new)
    assert isinstance(new, cst.CSTNode)
    return match.replace(around, new)
