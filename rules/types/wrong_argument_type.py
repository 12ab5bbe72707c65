"""# Argument of another type than the parameter's

## What it does

Finds calls of torch functions, of methods and of your own functions with an argument of another type than the
parameter's. The message names the argument and both types, and the help explains where the argument's type comes from.

## Why TorchScript rejects it

Every parameter has one type. In eager mode, torch converts many values. The compiler converts hardly any, for example a
Tensor to a number. Often the cause is a parameter without annotation, which the compiler treats as a Tensor.

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

The annotation is *safe* if the body, the default and every call in the file agree on the type: Python ignores
annotations. It is *unsafe* if only the body shows the type, because the file has no call with known types: compiled
code then rejects other types. There is no fix if uses contradict each other, or if nothing shows a type.

A square of ints becomes a product, `n * n` for `n ** 2`, which is *safe*. `int(…)` around another value that is an int
in Python and a float in TorchScript is *safe* for sizes and lengths. Otherwise it is written for compiled code only,
`int(2 ** n) if torch.jit.is_scripting() else 2 ** n`: *safe* for results of `round`, `floor` and `ceil`, and *unsafe*
for powers, because a negative exponent gives a fraction in Python.

`table.get(key, None)` becomes `table.get(key)`, which returns the same and is *safe*.

The deprecated order of arguments, `x.addmm_(1, -2, a, b)`, becomes `x.addmm_(a, b, beta=1, alpha=-2)`, which is *safe*,
too.

Three more fixes change only compiled code: they add up a list of tensors, write a float for an int, and `x.device` for
`x.get_device()`. They are *unsafe* if the new code may raise or compute something else. Other arguments have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.argument_types import argument_fix
from tslint.rewrite.numbers_by_name import numbers_by_name
from tslint.rewrite.type_reasons import because, callee, first_unannotated, not_annotated, unannotated
from tslint.rewrite.whole_numbers import as_int
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import a, said
from tslint.script.events.calls import CallMismatch, OperatorMismatch
from tslint.script.operators.diagnosis import Diagnosis
from tslint.script.operators.reasons import VARIADIC
from tslint.script.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    UnionType,
    holds,
    is_inferred,
    may_be_none,
    members,
    optional_element,
    tuple_elements,
)

RULE = Rule(code="TS301", name="wrong-argument-type", events=(OperatorMismatch, CallMismatch))
# Parameters whose type is int for the compiler, but not in Python.
_ENUMERATIONS = {"dtype": "torch.dtype", "layout": "torch.layout", "memory_format": "torch.memory_format"}
_TENSORS = ListType(TENSOR)
# The words for arguments that together are one list, by the parameter for the list.
_EACH = {"dims": "dimensions", "repeats": "repeats", "size": "sizes", "shape": "sizes", "tensors": "operands"}
_SUM = m.Call(m.Name("sum"))
# Functions that round in the same way in Python and in compiled code.
_ROUND = m.Name("round") | m.Name("floor") | m.Name("ceil")
_ROUNDED = m.Call(_ROUND | m.Attribute(attr=_ROUND))


def check(match: Match[OperatorMismatch | CallMismatch]) -> Iterator[Finding]:
    """Report the argument and both types, with a fix that annotates or converts it."""
    found = match.event.diagnosis
    if found.what != "type":
        return
    argument = match.libcst(found.argument) if found.argument is not None else None
    takes = f"{callee(match)} takes {_wanted(found)} for"
    but = f"not {a(found.actual)}"
    if argument is not None and match.code(argument) != "None":
        but = f"but {match.quote(argument)} is {a(found.actual)}"
    message = f"{takes} `{found.parameter}`, {but}"
    if argument is not None and found.parameter == "self":
        message = f"{callee(match)} needs {_wanted(found)}, {but}"
    elif argument is not None and found.parameter == VARIADIC:
        lists = [each.name for each in found.reasons[0].schema.arguments if each.name in _EACH]
        message = f"{takes} each of its {_EACH[lists[-1]] if lists else 'arguments'}, {but}"
    help = because(match, argument, found.actual, _one(found)) or _advice(match, found, argument)
    if found.actual == TENSOR and _one(found) == _TENSORS and isinstance(argument, cst.Name) and "annotate" in help:
        help += f" If it is a Tensor, pass a list: `[{argument.value}]`."
    yield match.finding(message, help=help, fix=_fix(match, found, argument))


def _wanted(found: Diagnosis) -> str:
    """Return the accepted types: without None, unless the argument itself may be None."""
    optional = may_be_none(found.actual)
    accepted = list(dict.fromkeys(type_ if optional else optional_element(type_) or type_ for type_ in found.expected))
    types = [a(type_) for type_ in accepted]
    if found.reasons[0].broadcasts:
        types.insert(0, "an int")
    for kind, word in ((DictType, "Dict"), (ListType, "List")):
        if len(types) == len(accepted) > 1 and all(isinstance(type_, kind) for type_ in accepted):
            return f"a {word}"
    known = _ENUMERATIONS.get(found.parameter)
    if known is not None and any(holds(type_, INT) for type_ in accepted):
        types = [f"a {known}"]
    if "a number" in types:
        types = [each for each in types if each not in ("an int", "a float")]
    *others, last = list(dict.fromkeys(types))[:3]
    return f"{', '.join(others)} or {last}" if others else last


def _one(found: Diagnosis) -> Type | None:
    """Return the type that the argument needs; None if several types are accepted, or if Python uses another type."""
    if found.reasons[0].broadcasts:
        return INT
    return found.expected[0] if len(found.expected) == 1 and found.parameter not in _ENUMERATIONS else None


def _advice(match: Match, found: Diagnosis, argument: cst.CSTNode | None) -> str:
    actual, expected = found.actual, found.expected[0]
    listed = isinstance(argument, (cst.List, cst.Tuple)) and holds(actual, TENSOR)
    if expected == _TENSORS and actual == TENSOR:
        return "Pass a list of tensors: `[x]` for the tensor itself, or `x.unbind(0)` for its rows."
    if numbers_by_name(match) is not None:
        return "Pass the numbers after the tensors, by their names."
    if expected == TENSOR and actual in (INT, FLOAT, BOOL):
        return "Make it a tensor with `torch.tensor(…)`. To compute with a plain number, use `math` or operators."
    if m.matches(match.node, _SUM) and actual == _TENSORS:
        return "Add the tensors up with `torch.stack(…).sum(0)`, or in a loop."
    if expected == TENSOR and (actual == _TENSORS or TENSOR in tuple_elements(actual)):
        return "Use one of its tensors, or join them with `torch.stack` or `torch.cat`."
    if found.empty_list and actual == _TENSORS and not listed:
        type_ = next((each for each in members(expected) if isinstance(each, ListType)), expected)
        written = f"`name: {said(type_)} = []`"
        return f"Annotate the empty list where it is created, {written}: without an annotation, it is a List[Tensor]."
    if isinstance(actual, ListType) and actual.element == NUMBER:
        return "Write `float(…)` or `int(…)` instead of `….item()`, whose type TorchScript does not know."
    if _for_int(match, found):
        return "Write `int(…)` around it; `int ** int`, `/` and `round` give a float in TorchScript."
    if listed or (actual == TENSOR and isinstance(argument, cst.BinaryOperation)):
        first = first_unannotated(match, argument)
        if first is not None:
            wanted = _one(found)
            return not_annotated(first, wanted.element if listed and isinstance(wanted, ListType) else wanted)
    if expected == _TENSORS and actual == ListType(OptionalType(TENSOR)):
        return "Test each element for None before you put it into the list."
    if (owner := _text(match)) is not None and (actual == STRING or found.parameter == VARIADIC):
        return not_annotated(owner, STRING if actual == STRING else None)
    if listed and expected == ListType(INT):
        return "Write `int(…)` around each element that is a Tensor."
    if found.parameter == VARIADIC and expected == INT and isinstance(actual, (ListType, TupleType)):
        return "Write `int(…)` around each element that is not an int."
    if actual == ANY:
        return "Annotate the variable or parameter that it comes from with its type."
    # Whether None is accepted, too, does not help here.
    plain = optional_element(expected) or expected
    several = len(found.expected) > 1 or found.reasons[0].broadcasts
    accepted = _wanted(found) if several else f"{'a value of type ' if str(plain).endswith(']') else ''}{a(plain)}"
    if isinstance(actual, UnionType):
        return f"Test its type first, with `torch.jit.isinstance`, and pass only {accepted}."
    if m.matches(match.node, m.Call(func=m.Attribute())) and found.parameter == "self":
        if isinstance(match.node, cst.Call) and getattr(match.node.func, "value", None) is argument:
            return f"Call it on {accepted}, or write what it does with other operations."
    if said(actual) in ("list", "dict", "tuple"):
        return f"Annotate the types of its elements, so that it is {accepted}."
    return f"Pass {accepted}{' for each of them' if found.parameter == VARIADIC else ''}."


def _text(match: Match) -> cst.Param | None:
    """Return the parameter without annotation whose method is called, if strings have a method of that name."""
    func = match.node.func if isinstance(match.node, cst.Call) else None
    named = isinstance(func, cst.Attribute) and hasattr(str, func.attr.value)
    return unannotated(match, func.value) if named and isinstance(func, cst.Attribute) else None


def _for_int(match: Match, found: Diagnosis) -> bool:
    """Return whether a float is passed for an int, alone or for a list of ints."""
    reason = found.reasons[0]
    enumeration = found.parameter in _ENUMERATIONS or found.parameter.endswith("dtype")
    maybe = isinstance(match.event, OperatorMismatch) and reason.expected == OptionalType(INT)
    whole = ((maybe or reason.expected == INT) and not enumeration) or reason.broadcasts
    return found.actual == FLOAT and (whole or found.parameter == VARIADIC)


def _fix(match: Match, found: Diagnosis, argument: cst.CSTNode | None) -> Fix | None:
    operator = match.event.operator if isinstance(match.event, OperatorMismatch) else ""
    if isinstance(argument, cst.BaseExpression):
        if _for_int(match, found):
            return _whole(match, argument, operator)
        if operator == "torch.autograd.grad" and found.actual == TENSOR:
            return safe("Pass a list", lambda: match.replace(argument, expression("[{node}]", node=argument)))
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
    """Convert an argument that is an int in Python, but a float in TorchScript."""
    rounded = operator.startswith(("torch.", "aten::")) and m.matches(argument, _ROUNDED)
    return as_int(match, argument, *(() if rounded else (Risk.DIFFERS,)))
