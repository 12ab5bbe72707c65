"""# Operator that does not support the types of its operands

## What it does

Finds arithmetic and comparisons whose operands have types that do not work together: a value that may be None and a
number, a string and a number, or a string and a parameter without annotation, which the compiler treats as a Tensor. It
also finds slices whose bounds are not ints.

## Why TorchScript rejects it

Operators are functions with fixed overloads, chosen when the code is compiled. None, and a value that may be None,
support no arithmetic and no comparison except `is`; a Tensor cannot be compared with a str.

```text
Arguments for call are not valid.
The following variants are available:
```

## Example

```python
import torch


def activate(x: torch.Tensor, mode):
    if mode == "relu":
        return x.relu()
    return x.tanh()


scripted = torch.jit.script(activate)
inputs = (torch.rand(2, 3), "relu")
```

## Use instead

```python
import torch


def activate(x: torch.Tensor, mode: str):
    if mode == "relu":
        return x.relu()
    return x.tanh()


scripted = torch.jit.script(activate)
inputs = (torch.rand(2, 3), "relu")
```

## Fix safety

A parameter without annotation gets the type that its uses show, such as `str` if it is compared with a string. This is
*safe* if the body, the default and every call in the file agree on the type: Python ignores annotations. It is *unsafe*
if only the body shows the type, or if the type of an argument is not known: compiled code rejects other types. There is
no fix if the uses contradict each other, or if nothing shows a type.

If `x` may be None, the fix adds a test for None, which is *safe*: `x is None or x in ("a", "b")`, or
`x is not None and x == "a"`. If `x` is None only for some arguments of `__init__`, the fix writes `if x is not None:`
around `if x == "a":`, or, if there is an `else`, `(x == "a" if x is not None else False)`. The rest of
`if x is not None and …:` becomes a second `if`. The compiler then skips the comparison if `x` is None. An attribute
that starts as None and is set later is assigned to a variable, which is tested first: `if size is None or n != size:`.
If a variable has one of several types, the fix repeats the statement for each type, which is *safe*, too.

`x == None` becomes `x is None`, which is *unsafe*, because the two differ for an array. If `x` is a parameter that the
compiler treats as a Tensor, the fix also annotates it as `Optional`. If an operand of arithmetic may be None, the fix
adds an assertion that the operand is not None, which is *unsafe*: for None, compiled code raises. Python only runs the
assertion if it raises in this place anyway.

A slice bound that is an int in Python, but a float in TorchScript, gets an `int(…)`. This is *safe* if Python's value
is certainly an int. For other bounds, such as `2 ** n`, only compiled code gets the `int(…)`, which is *unsafe*.

`x.type() == "torch.FloatTensor"` becomes a comparison of the dtype, the device and the layout. This is *unsafe*: for a
layout without a name, `x.type()` raises in Python, and the comparison does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.argument_types import whole_numbers
from tslint.rewrite.guard_none import by_type, is_none, none_first, without_none_fix
from tslint.rewrite.membership import membership
from tslint.rewrite.nested_if import after_none_test
from tslint.rewrite.operand_wording import (
    advice,
    is_assigned,
    is_none_comparison,
    membership_advice,
    none_by_identity,
    operand_with_type,
    operands_of,
    with_article,
)
from tslint.rewrite.type_names import compared_parts
from tslint.rewrite.type_reasons import because, unannotated
from tslint.rewrite.whole_numbers import as_int
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.dataflow.assignments import first_assignment
from tslint.script.events.calls import OperatorMismatch
from tslint.script.types import (
    DEVICE,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    holds,
    may_be_none,
    optional,
    tuple_elements,
)

RULE = Rule(code="TS306", name="operand-types", events=(OperatorMismatch,))
_IN = ("in", "not in")
_BOUNDS = {"start": "lower", "end": "upper", "step": "step"}


def check(match: Match[OperatorMismatch]) -> Iterator[Finding]:
    """Report the operands and their types, with a fix for None, strings and sizes."""
    if match.event.diagnosis.what != "operand":
        return
    word, types = match.event.word, list(match.event.types)
    bound = next((each for each in match.event.diagnosis.reasons if each.parameter in _BOUNDS), None)
    if match.event.operator == "aten::slice" and bound is not None:
        actual = with_article(bound.actual)
        message = f"the {bound.parameter} of the slice {match.quote(match.node)} is {actual}, but must be an int"
        way_out = f"Convert the {bound.parameter} with `int(…)`." if bound.actual == FLOAT else "Use an int."
        yield match.finding(message, help=way_out, fix=_whole_bound(match, _BOUNDS[bound.parameter]))
        return
    sign = f"{word}=" if isinstance(match.node, cst.AugAssign) else word
    shown = f"`{sign}`" if word else "this operator"
    operands = operands_of(match.node)
    if word in _IN:
        types.reverse()  # the schema has the container first
    sides = [operand_with_type(match, node, type_) for node, type_ in zip(operands, types)]
    if len(sides) < len(types):
        sides = [with_article(type_) for type_ in types]
    if is_assigned(match) and isinstance(types[0], TensorType):
        message = (
            f"{match.quote(match.node)} is an item of {a(types[0])}, and cannot be set to {with_article(types[-1])}"
        )
    elif isinstance(match.node, cst.Subscript):
        message = (
            f"{match.quote(match.node.value)} is {a(types[0])}, which cannot be indexed by {with_article(types[-1])}"
        )
    elif len(types) == 1:
        message = f"{shown} does not work on {sides[0]}"
    elif is_none_comparison(match.node):
        message = f"{match.event_text} cannot be compiled: {shown} does not work with None"
    else:
        message = f"{shown} does not work between {' and '.join(sides)}"
    fix = None
    computed = [each for each in zip(operands, types, reversed(types)) if not is_constant(each[0])]
    if word in _IN:
        help = membership_advice(match, operands, types, word)
    else:
        help = none_by_identity(match)
    for node, type_, other in sorted(computed, key=lambda each: not may_be_none(each[1])):
        help = help or because(match, node, type_, _element(other) if word in _IN else other)
    if len(operands) == len(types) == 2:
        if word not in _IN:
            fix = _annotated(match, operands[0], types[1]) or _annotated(match, operands[1], types[0])
        fix = fix or _certain(match, operands, types) or compared_parts(match, match.node)
        if help is None and STRING in types and word == "+":
            converted = operands[0] if types[1] == STRING else operands[1]
            help = f"Turn {match.quote(converted)} into a string with `str(…)`."
    yield match.finding(message, help=help or advice(match, types), fix=fix)


def _whole_bound(match: Match, part: str) -> Fix | None:
    """Return the fix for a bound, or a variable's first value, that is an int in Python, but a float in TorchScript."""
    elements = match.node.slice if isinstance(match.node, cst.Subscript) else ()
    bounds = [getattr(each.slice, part) for each in elements if isinstance(each.slice, cst.Slice)]
    for bound in [each for each in bounds if each is not None]:
        first = None
        if isinstance(bound, cst.Name) and match.function is not None:
            first = first_assignment(match.model(match.function), bound.value, match.event.span.row)
        if fix := as_int(match, match.libcst(first.value) if first is not None else bound, Risk.DIFFERS):
            return fix
    return None


def _element(container: Type) -> Type | None:
    """Return the type of what can be in a container, if that is one type."""
    if isinstance(container, ListType):
        return container.element
    if isinstance(container, DictType):
        return container.key
    kinds = set(tuple_elements(container))
    others = kinds - {NONE}
    if len(others) != 1:
        return None
    (kind,) = others
    return optional(kind) if NONE in kinds else kind


def _annotated(match: Match, node: cst.BaseExpression, other: Type) -> Fix | None:
    """Annotate a parameter as a string or a device if it is compared with one."""
    argument = unannotated(match, node)
    if argument is None or other not in (STRING, DEVICE):
        return None
    return annotate_parameter(match, argument, wanted=str(other))


def _certain(
    match: Match[OperatorMismatch], operands: Sequence[cst.BaseExpression], types: Sequence[Type]
) -> Fix | None:
    """Return the fix for an operand that is or may be None, has several types, or is a size with the type Tensor."""
    node = match.node
    none = next((each for each, type_ in zip(operands, types) if type_ == NONE), None)
    if none is not None and (fix := after_none_test(match, none)):
        return fix
    if isinstance(node, cst.Comparison):
        if match.event.word in _IN:
            return membership(match, node, types)
        return is_none(match, node, types) or none_first(match, node, types)
    for operand, type_, other in zip(operands, types, reversed(types)):
        if isinstance(type_, OptionalType):
            return without_none_fix(match, operand, type_)
        if isinstance(type_, UnionType):
            return by_type(match, operand, type_)
        if isinstance(type_, (ListType, TupleType)) and holds(type_, TENSOR) and other == ListType(INT):
            return whole_numbers(match, operand)
    return None
