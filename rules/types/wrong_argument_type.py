"""# Argument of another type than the parameter's

## What it does

Finds calls of torch functions, of methods and of your own functions with an argument of another type than the
parameter's. The message names the argument and both types, and the help explains where the argument's type comes from.

## Why TorchScript rejects it

Every parameter has one type. In eager mode, torch converts many values. The compiler converts only a few: for example,
a Tensor becomes a number. Often the cause is a parameter without annotation, which the compiler treats as a Tensor.

```text
Arguments for call are not valid.
Expected a value of type 'Optional[Device]' for argument 'device' but instead found type 'Tensor (inferred)'.
```

## Example

```python
import torch


def grid(n: int, device):
    return torch.arange(n, device=device) * 2


scripted = torch.jit.script(grid)
inputs = (3, torch.device("cpu"))
```

## Use instead

```python
import torch


def grid(n: int, device: torch.device):
    return torch.arange(n, device=device) * 2


scripted = torch.jit.script(grid)
inputs = (3, torch.device("cpu"))
```

## Fix safety

If the argument is a parameter without annotation, the fix annotates it with the type that its uses show. This is *safe*
if the body, the default and every call in the file agree on the type: Python ignores annotations. It is *unsafe* if
only the body shows the type, or if the type of an argument is not known: compiled code rejects other types. There is no
fix if the uses contradict each other, or if nothing shows a type.

A square of ints becomes a product, `n * n` for `n ** 2`, which is *safe*. Other values that are ints in Python, but
floats in TorchScript, get an `int(…)` around them. For values computed from sizes and lengths, this is *safe*. For
other values, the fix writes it for compiled code only, `int(2 ** n) if torch.jit.is_scripting() else 2 ** n`: *safe*
for results of `round`, `floor` and `ceil`, and *unsafe* for powers, because a negative exponent gives a fraction in
Python.

`table.get(key, None)` becomes `table.get(key)`, which returns the same and is *safe*.

The deprecated order of arguments, `x.addmm_(1, -2, a, b)`, becomes `x.addmm_(a, b, beta=1, alpha=-2)`, which is *safe*,
too.

Some fixes change only compiled code: for example, they add up the tensors of a list, write ints as floats, or write
`x.device` for `x.get_device()`. These are *unsafe*: compiled code may raise, or differ from Python. If the argument may
be None, an assertion that it is not None is *unsafe*, too. Most other arguments have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.argument_types import argument_fix, assigned_value
from tslint.rewrite.argument_wording import (
    advice,
    element_instead,
    is_float_for_int,
    only_type,
    wanted_types,
    wrong_element,
)
from tslint.rewrite.numbers_by_name import numbers_by_name
from tslint.rewrite.type_reasons import because, callee, unannotated
from tslint.rewrite.whole_numbers import as_int, with_whole_powers
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import a, said
from tslint.script.events.calls import CallMismatch, OperatorMismatch
from tslint.script.operators.diagnosis import Diagnosis
from tslint.script.operators.reasons import VARIADIC
from tslint.script.types import INT, TENSOR, ListType, TupleType, Type, is_inferred, optional_element

RULE = Rule(code="TS301", name="wrong-argument-type", events=(OperatorMismatch, CallMismatch))
# The words for arguments that together are one list, by the parameter for the list.
_EACH = {"dims": "dimensions", "repeats": "repeats", "size": "sizes", "shape": "sizes", "tensors": "operands"}
# Functions that round in the same way in Python and in compiled code.
_ROUND = m.Name("round") | m.Name("floor") | m.Name("ceil")
_ROUNDED = m.Call(_ROUND | m.Attribute(attr=_ROUND))


def check(match: Match[OperatorMismatch | CallMismatch]) -> Iterator[Finding]:
    """Report the argument and both types, with a fix that annotates or converts it."""
    found = match.event.diagnosis
    if found.what != "type":
        return
    argument = match.libcst(found.argument) if found.argument is not None else None
    help = because(match, argument, found.actual, only_type(found)) or advice(match, found, argument)
    wrong = wrong_element(found, argument)
    if wrong is not None:
        help = element_instead(match, *wrong)
    elif found.actual == TENSOR and isinstance(argument, cst.Name) and "annotate" in help:
        if only_type(found) == ListType(TENSOR):
            help += f" If `{argument.value}` is a Tensor, pass a list: `[{argument.value}]`."
        if found.reasons[0].broadcasts:
            help += " If callers pass several numbers, write `List[int]` instead of `int`."
    yield match.finding(_message(match, found, argument, wrong), help=help, fix=_fix(match, found, argument))


def _message(
    match: Match, found: Diagnosis, argument: cst.CSTNode | None, wrong: tuple[cst.BaseExpression, Type, Type] | None
) -> str:
    """Return the message; of a tuple, it names the wrong element."""
    takes, parameter = wanted_types(found), f"`{found.parameter}`"
    but = f"not {a(found.actual)}"
    if argument is not None and match.code(argument) != "None":
        but = f"but {match.quote(argument)} is {a(found.actual)}"
        if isinstance(found.actual, TupleType) and found.actual.name is None and found.expected == (TENSOR,):
            but = f"but {match.quote(argument)} is a tuple of {len(found.actual.elements)} values"
    if found.parameter == VARIADIC:
        lists = [each.name for each in found.reasons[0].schema.arguments if each.name in _EACH]
        parameter = f"each of its {_EACH[lists[-1]] if lists else 'arguments'}"
    if wrong is not None:
        if found.parameter != VARIADIC and wrong[2] in (INT, TENSOR):
            takes = f"{said(wrong[2])}s"
        but = f"but {match.quote(wrong[0])} is {a(wrong[1])}"
    if argument is not None and found.parameter == "self":
        return f"{callee(match)} needs {takes}, {but}"
    return f"{callee(match)} takes {takes} for {parameter}, {but}"


def _fix(match: Match, found: Diagnosis, argument: cst.CSTNode | None) -> Fix | None:
    operator = match.event.operator if isinstance(match.event, OperatorMismatch) else ""
    if isinstance(argument, cst.BaseExpression):
        if is_float_for_int(match, found):
            return _whole(match, argument, operator)
        if operator == "torch.autograd.grad" and found.actual == TENSOR:
            return safe(
                "Pass the tensor in a list", lambda: match.replace(argument, expression("[{node}]", node=argument))
            )
    if (by_name := numbers_by_name(match)) is not None:
        return by_name
    param = unannotated(match, argument)
    if param is None or not is_inferred(found.actual) or len(found.expected) != 1:
        return argument_fix(match, found)
    wanted = str(optional_element(found.expected[0]) or found.expected[0])
    if found.reasons[0].broadcasts:
        wanted = "int"
    likely = "dtype" if found.parameter == "dtype" and wanted == "int" else wanted
    return annotate_parameter(match, param, wanted=wanted, likely=likely)


def _whole(match: Match, argument: cst.BaseExpression, operator: str) -> Fix | None:
    """Convert an argument that is an int in Python, but a float in TorchScript; of a variable, the assigned value."""
    value = assigned_value(match, argument.value) if isinstance(argument, cst.Name) else None
    if isinstance(value, cst.BinaryOperation) and with_whole_powers(match, value) is not None:
        return as_int(match, value)
    rounded = operator.startswith(("torch.", "aten::")) and m.matches(argument, _ROUNDED)
    return as_int(match, argument, *(() if rounded else (Risk.DIFFERS,)))
