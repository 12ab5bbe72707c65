"""# Tensor that becomes a number

## What it does

Finds tensors in places where TorchScript converts them to numbers:

- as the argument for an int or float parameter
- as the result of a function that is annotated to return a number
- as a new value, in a loop or branch, of a variable that was a number before
- after a bool (`flag * x`), or beside a number in `max` or `min`
- in `torch.tensor(x)` and `torch.LongTensor(x)`

The rule also finds `.item()` of a tensor, if a loop or branch assigns its result to a variable that was an int before.

## What goes wrong

TorchScript accepts it, and makes a number of the tensor when the code runs; the code after it computes with a number.
This works only for a tensor without dimensions. Compiled code raises in three cases in which `.item()` does not: the
tensor has dimensions (even with a single element), it requires a gradient, or it contains floats or bools where an int
is needed.
`torch.tensor(x)` turns ints into floats, and `torch.LongTensor(x)` floats into ints. A float from `.item()` loses its
fraction where an int is declared.

## Example

```python
import torch


def total(x: torch.Tensor):
    loss = 0.0
    for i in range(2):
        loss = loss + x[i].sum()
    return loss


scripted = torch.jit.script(total)
inputs = (torch.ones(2, 3),)
```

## Use instead

```python
import torch


def total(x: torch.Tensor):
    loss = torch.zeros(())
    for i in range(2):
        loss = loss + x[i].sum()
    return loss


scripted = torch.jit.script(total)
inputs = (torch.ones(2, 3),)
```

## Fix safety

If a variable starts as a number literal, the fix lets it start as a Tensor in compiled code, and as the number in
Python. The fix is only shown (*display*): the compiled result may have another dtype, and you may prefer to start with
the first summand. With `+=`, you cannot add a tensor with several elements, or a tensor on a GPU, to this first value:
write `loss = loss + …` instead. There is no fix for arguments and results: only the author knows whether a Tensor or a
number is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk, Severity
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.type_reasons import first_unannotated, not_annotated, unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.assignments import first_assignment
from tslint.script.events.hazards import TensorAsNumber
from tslint.script.types import BOOL, INT

RULE = Rule(code="TS613", name="tensor-as-number", events=(TensorAsNumber,), severity=Severity.WARNING)
_PLACES = {
    "argument": "the parameter `{}` takes {}",
    "return": "`{}` returns {}",
    "variable": "`{}` starts as {}",
}
_DECLARED = {"argument": "the parameter `{}`", "return": "the result of `{}`"}


def check(match: Match[TensorAsNumber]) -> Iterator[Finding]:
    """Report the conversion of a Tensor to a number, or of a float to an int, and what declares the type."""
    event = match.event
    number = f"{'an' if event.type == INT else 'a'} {event.type}"
    place = _PLACES.get(event.place, "").format(event.name, number)
    if not event.tensor:
        yield match.finding(
            f"{match.event_text} loses its fraction in TorchScript: {place}",
            help=f"Start with a float, `{event.name} = 0.0`, or write `int(...)` if you want an int.",
        )
        return
    if event.place == "constructor":
        yield match.finding(
            f"TorchScript converts {match.event_text}, a Tensor, to a number, as `{event.name}` takes no Tensor there",
            help=_of_constructor(match),
        )
        return
    if event.place == "operand":
        yield match.finding(
            f"TorchScript converts {match.event_text}, a Tensor, to a number, because it stands beside {number}",
            help=_of_operand(match),
        )
        return
    help = f"Start with a Tensor: `{event.name} = torch.tensor(…)`."
    if event.place in _DECLARED:
        declared = _DECLARED[event.place].format(event.name)
        help = f"Annotate {declared} as a Tensor, or write `.item()` if you want {number}."
    yield match.finding(
        f"TorchScript converts {match.event_text}, a Tensor, to {number}: {place}",
        help=help,
        fix=_fix(match) if event.place == "variable" else None,
    )


def _of_constructor(match: Match[TensorAsNumber]) -> str:
    """Return what to write instead of ``torch.tensor(x)`` for a Tensor, and for a parameter that may be none."""
    node, copies = match.node, match.event.name.endswith("tensor")
    value = node if isinstance(node, cst.BaseExpression) else cst.Name("x")
    written = short(code(expression("{x}.detach().clone()" if copies else "{x}.to(dtype)", x=value)))
    param = unannotated(match, node)
    if param is not None:
        return not_annotated(param, advice=f"write {written}")
    return f"Write {written}, which accepts a Tensor of any shape, in Python and TorchScript."


def _as_tensor(match: Match[TensorAsNumber]) -> str:
    """Return how to write an operation with a number, so that its result is a Tensor."""
    node, around = match.node, match.parent(match.node)
    if isinstance(around, cst.BinaryOperation) and around.right is node:
        number, sign = match.code(around.left), code(around.operator).strip()
        made = f"int({number})" if match.event.type == BOOL else f"torch.tensor({number})"
        return f"write `{made} {sign} {match.code(node)}`"
    call = match.enclosing(cst.Call, around)
    if (
        isinstance(node, cst.BaseExpression)
        and call is not None
        and m.matches(call, m.Call(m.Name("max") | m.Name("min"), args=[m.Arg(), m.Arg()]))
    ):
        other = next(each.value for each in call.args if each.value is not node)
        bound = "min" if m.matches(call.func, m.Name("max")) else "max"
        clamped = expression(f"{{value}}.clamp({bound}={{other}})", value=node, other=other)
        return f"write `{code(clamped)}`"
    return "write `x.clamp(min=1)` for `max(x, 1)`, and `torch.tensor(2) // x` for `2 // x`"


def _of_operand(match: Match[TensorAsNumber]) -> str:
    """Return how to annotate a number that TorchScript takes for a Tensor, and what to write for a Tensor."""
    instead = _as_tensor(match)
    if isinstance(match.node, (cst.Call, cst.BinaryOperation)) and first_unannotated(match, match.node) is None:
        return f"{instead[0].upper()}{instead[1:]}."
    return f"{_annotated(match)} If it is a Tensor, {instead}."


def _annotated(match: Match[TensorAsNumber]) -> str:
    """Return how to annotate the number, or the parameter that contains it."""
    param = first_unannotated(match, match.node)
    if isinstance(match.node, cst.Subscript) and param is not None:
        return f"If `{param.name.value}` contains ints, annotate it: `{param.name.value}: List[int]`."
    if param is not None:
        return f"If `{param.name.value}` is a number in Python, annotate it: `{param.name.value}: int`, or `float`."
    return f"If {match.event_text} is a number in Python, annotate the parameter or variable that it comes from."


def _fix(match: Match[TensorAsNumber]) -> Fix | None:
    """Give the variable a Tensor as its first value in compiled code."""
    function = match.event.unit and match.event.unit.function.node
    first = function and first_assignment(function, match.event.name, match.event.span.row)
    number = match.libcst(first.value) if first else None
    if not isinstance(number, (cst.Integer, cst.Float)):
        return None
    torch, _ = match.imported("torch")
    value: cst.BaseExpression = number
    in_place = match.function is not None and m.findall(match.function, m.AugAssign(target=m.Name(match.event.name)))
    if in_place:
        # `+=` changes the tensor in place, and no float can be added in place to a tensor of ints.
        value = cst.Float(f"{number.value}.0") if isinstance(number, cst.Integer) else number
    tensor = expression("{torch}.tensor({value})", torch=torch, value=value)
    message = f"Start with `{code(tensor)}` in compiled code"
    fix = in_compiled_code(match, number, lambda: tensor, message, Risk.DIFFERS, Risk.RAISES)
    return for_a_person(fix)  # most authors would start with the first summand instead
