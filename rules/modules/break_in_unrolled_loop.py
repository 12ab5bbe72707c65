"""# `break` or `continue` in a loop over modules or a tuple

## What it does

Finds `break` and `continue` in loops over a container of modules or a tuple, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Such a loop is unrolled: its body is compiled once for every module, one after the other.

```text
Because we emit iteration over modulelists or tuples as unrolled loops, we do not support break or continue
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i == 1:
                continue
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i != 1:
                x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

Instead of a `break`, keep a flag: `going = True` before the loop, the body under `if going:`, and `going = False` where
the loop should end. A `return` inside such a loop is allowed.

## Fix safety

The fix puts the statements after `if test: continue` under `if not test:`, which is *safe*. If the loop is over a
literal tuple of numbers or strings, the fix writes the tuple as a list: the compiler does not unroll a loop over a
list. This is *safe*, too. Other loops have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.loops import Loop, lines_of, listed, loops_around, names_in
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.script.dataflow.loops import stored_once
from tslint.script.events.modules import BreakInUnrolledLoop

RULE = Rule(code="TS417", name="break-in-unrolled-loop", events=(BreakInUnrolledLoop,))
_OPPOSITE: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.Equal: cst.NotEqual, cst.NotEqual: cst.Equal, cst.Is: cst.IsNot, cst.IsNot: cst.Is,
}  # fmt: skip
_BOOL = m.Name("True") | m.Name("False")


def check(match: Match[BreakInUnrolledLoop]) -> Iterator[Finding]:
    """Report the ``break`` or ``continue``, with a fix that makes it unnecessary."""
    word, node = match.event.word, match.node
    loop = next((each for each in loops_around(match, node) if isinstance(each.node, cst.For)), None)
    over = match.quote(loop.iterable) if loop is not None else "modules"
    help = "Put the rest of the body under an `if` with the opposite test."
    if word == "break":
        help = "Set `going = True` before the loop, put its body under `if going:`, and write `going = False` here."
    fix = None
    if loop is not None:
        fix = _listed(match, loop)
        if fix is not None:
            help = f"Write a list instead of {over}: TorchScript does not unroll a loop over a list."
        fix = fix or (_turned(match, loop, node) if word == "continue" else None)
    yield match.finding(
        f"`{word}` cannot be compiled here: TorchScript unrolls the loop over {over}", help=help, fix=fix
    )


def _listed(match: Match, loop: Loop) -> Fix | None:
    """Write a list of numbers or strings instead of a tuple of them."""
    items = loop.iterable
    if not isinstance(items, cst.Tuple) or not items.elements or _bound_elsewhere(match, loop):
        return None
    kinds = {_kind(element.value) for element in items.elements}
    if len(kinds) != 1 or not kinds <= {int, float, bool, str}:
        return None
    return safe("Loop over a list", lambda: match.replace(items, listed(items)))


def _kind(node: cst.BaseExpression) -> type:
    """Return the type of a literal; NoneType for other expressions."""
    if isinstance(node, (cst.Integer, cst.Float, cst.SimpleString, cst.ConcatenatedString)):
        return type(node.evaluated_value)
    return bool if m.matches(node, _BOOL) else type(None)


def _bound_elsewhere(match: Match, loop: Loop) -> bool:
    """Return whether the loop's variable is bound elsewhere: a loop that is not unrolled cannot change its type."""
    tree, model = match.file.tree, match.model(loop.node)
    return not all(stored_once(tree, model, name) for name in names_in(loop.target))


def _turned(match: Match, loop: Loop, node: cst.CSTNode) -> Fix | None:
    """Remove a ``continue`` and its test, and put the following statements under the opposite test."""
    test, body = match.parent(node), loop.inside[0]
    if not isinstance(test, cst.If) or not isinstance(body, cst.IndentedBlock) or test.orelse is not None:
        return None
    if match.parent(test) is not loop.node or test not in body.body or len(match.siblings(node)) != 1:
        return None
    rest = lines_of(body)[lines_of(body).index(test) + 1 :]
    if not rest:
        return None

    def edits() -> tuple[Edit, ...]:
        moved = cst.IndentedBlock(rest)
        if isinstance(test.body, cst.IndentedBlock):
            skipped = test.body.body[0]
            comments = [*getattr(skipped, "leading_lines", ()), *test.body.footer, *rest[0].leading_lines]
            header = test.body.header
            if header.comment is None and isinstance(skipped, cst.SimpleStatementLine):
                header = skipped.trailing_whitespace
            moved = cst.IndentedBlock([rest[0].with_changes(leading_lines=comments), *rest[1:]], header=header)
        return match.rewrite_all([test, *rest], test.with_changes(test=_opposite(test.test), body=moved))

    return safe("Put the rest of the body under the opposite test", edits)


def _opposite(test: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        opposite = _OPPOSITE.get(type(target.operator))
        if opposite is not None:
            return test.with_changes(comparisons=[target.with_changes(operator=opposite())])
    return expression("not {test}", test=test)
