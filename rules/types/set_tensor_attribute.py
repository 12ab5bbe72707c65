"""# Setting an attribute of a Tensor

## What it does

Finds `x.requires_grad = …`, `x.data = …`, `x.grad = None` and other attributes that are set on a Tensor.

## Why TorchScript rejects it

Only attributes of modules and of compiled classes can be set.

```text
Tried to set an attribute: requires_grad on a non-class: Tensor
```

## Example

```python
import torch


def leaf(x: torch.Tensor) -> torch.Tensor:
    y = x.detach().clone()
    y.requires_grad = True
    return y


scripted = torch.jit.script(leaf)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def leaf(x: torch.Tensor) -> torch.Tensor:
    y = x.detach().clone()
    y.requires_grad_(True)
    return y


scripted = torch.jit.script(leaf)
inputs = (torch.rand(3),)
```

## Fix safety

`x.data *= v` becomes `x.data.mul_(v)`. This is *safe*: both have the same effect. If `x` is a parameter without
annotation, which may be anything in Python, only compiled code gets the call. `x.requires_grad = True` becomes
`x.requires_grad_(True)` in compiled code only, which is *safe*: in Python, functions of `torch.func` do not allow that
call. `x.requires_grad = False` is removed if the line before creates the tensor, which has no gradient: this is *safe*,
too. `self.x.data = v` becomes `self.x.data.copy_(v)` in compiled code only. This is *unsafe*: in
compiled code the tensor keeps its memory, shape and dtype, and `copy_` raises for another shape. For other tensors,
`x.data = v` has no fix: they may share their memory with a tensor of the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import both_ways, can_go_both_ways
from tslint.rewrite.removal import removed
from tslint.rewrite.type_reasons import unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.from_callers import from_caller
from tslint.script.dataflow.plain_tensors import Tensors
from tslint.script.events.types import SetTensorAttribute

RULE = Rule(code="TS324", name="set-tensor-attribute", events=(SetTensorAttribute,))
_ADVICE = {
    "requires_grad": "Call `{}.requires_grad_(…)`.",
    "data": "Copy the values: `with torch.no_grad(): {}.copy_(…)`. Or use a local variable.",
    "grad": "Set gradients in the training loop, outside compiled code.",
    "volatile": "Remove it: `volatile` has no effect. Write `with torch.no_grad():` if you want no gradients.",
}
_IN_PLACE: dict[type[cst.CSTNode], str] = {
    cst.AddAssign: "add_", cst.SubtractAssign: "sub_", cst.MultiplyAssign: "mul_", cst.DivideAssign: "div_"
}  # fmt: skip
_BOOL = m.Name("True") | m.Name("False")


def check(match: Match[SetTensorAttribute]) -> Iterator[Finding]:
    """Report the assignment, with a fix that calls the method with the same effect."""
    event, node = match.event, match.node
    attribute, owner = event.attribute, event.owner
    help = _ADVICE[attribute].format(owner) if attribute in _ADVICE else None
    sign, changed = "=", match.parent(node)
    if isinstance(changed, cst.AugAssign):
        sign = code(changed.operator).strip()
        if attribute == "data" and type(changed.operator) in _IN_PLACE:
            help = f"Call `{owner}.data.{_IN_PLACE[type(changed.operator)]}(…)`."
    if help is None and isinstance(node, cst.Attribute) and unannotated(match, node.value) is not None:
        help = f"`{owner}` has no annotation, so it is a Tensor: annotate it with its class if it is not one."
    yield match.finding(
        f"`{owner}.{attribute} {sign} …`: TorchScript cannot set an attribute of a Tensor",
        help=help or "Store the value in a variable, or in an attribute of the module.",
        fix=_fix(match, node) if isinstance(node, cst.Attribute) else None,
    )


def _fix(match: Match[SetTensorAttribute], node: cst.Attribute) -> Fix | None:
    statement, attribute = match.parent(node), node.attr.value
    if isinstance(statement, cst.AugAssign) and attribute == "data" and type(statement.operator) in _IN_PLACE:
        call = _call("{owner}.data.{method}({value})", node, _IN_PLACE[type(statement.operator)], statement.value)
        words = f"Call `{match.code(node)}.{_IN_PLACE[type(statement.operator)]}(…)`"
        if not from_caller(match.file.tree, match.model(node.value)):
            return safe(words, lambda: match.replace(statement, call))
        return _split(match, call, f"{words} in compiled code")
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    if attribute == "data":
        # In Python, the tensor gets the memory, the shape and the dtype of the value. Other tensors may share the old
        # memory of a local one: the caller's argument, a view, or what autograd has stored.
        if not _is_of_self(match, node.value):
            return None
        call = _call("{owner}.data.{method}({value})", node, "copy_", statement.value)
        words = f"Copy the values into `{match.code(node)}` in compiled code"
        return _split(match, call, words, Risk.DIFFERS, Risk.RAISES)
    if attribute != "requires_grad":
        return None
    if m.matches(statement.value, m.Name("False")) and _has_no_gradient(match, statement, node.value):
        return safe("Remove the line: the tensor has no gradient", lambda: removed(match, statement))
    call = _call("{owner}.{method}({value})", node, "requires_grad_", statement.value)
    # In Python, functions of `torch.func` do not allow that call.
    return _split(match, call, "Call `requires_grad_` in compiled code")


def _has_no_gradient(match: Match[SetTensorAttribute], statement: cst.Assign, node: cst.BaseExpression) -> bool:
    """Return whether the statement before creates the tensor, without gradient: ``grid = torch.zeros(2)``."""
    lines = match.siblings(statement)
    made = next((before for before, each in pairwise(lines) if each is statement), None)
    if not isinstance(made, cst.Assign) or not m.matches(made, m.Assign([m.AssignTarget(m.Name(match.code(node)))])):
        return False
    return Tensors(match.file.tree, match.event.variables).is_detached(match.model(made.value))


def _is_of_self(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression is an attribute of ``self``, or of its submodules: ``self.net.weight``."""
    owner = node
    while isinstance(owner, cst.Attribute):
        owner = owner.value
    return owner is not node and m.matches(owner, m.Name(match.self_name or ""))


def _call(pattern: str, node: cst.Attribute, method: str, value: cst.BaseExpression) -> cst.Expr:
    return cst.Expr(expression(pattern, owner=node.value, method=method, value=value))


def _split(match: Match, call: cst.Expr, message: str, *risks: Risk) -> Fix | None:
    line = match.line()
    if line is None or not can_go_both_ways(match, line):
        return None

    def edits() -> tuple[Edit, ...]:
        return both_ways(match, line, [cst.SimpleStatementLine([call])])

    return unsafe(message, edits, risks=risks) if risks else safe(message, edits)
