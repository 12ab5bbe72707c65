"""# Variable that changes its type in a block

## What it does

Finds a variable that is set before a loop or an `if` and gets a value of another type inside this loop or `if`. Very
often the first value is None.

## Why TorchScript rejects it

Inside an `if` or a loop, an assignment cannot change the type of a variable that was set before: after `best = None`,
the type of the variable is NoneType.

```text
Variable 'best' previously had type NoneType but is now being assigned to a value of type Tensor
```

## Example

```python
import torch


def best_of(x: torch.Tensor, wanted: bool):
    best = None
    if wanted:
        best = x.max()
    return best


scripted = torch.jit.script(best_of)
inputs = (torch.rand(3), True)
```

## Use instead

```python
from typing import Optional

import torch


def best_of(x: torch.Tensor, wanted: bool):
    best: Optional[torch.Tensor] = None
    if wanted:
        best = x.max()
    return best


scripted = torch.jit.script(best_of)
inputs = (torch.rand(3), True)
```

## Fix safety

Annotating the first `name = None` is *safe*: Python ignores annotations of variables.

If an int becomes a float, compiled code gets the same type for both numbers: `0.0 if torch.jit.is_scripting() else 0`.
This is *unsafe*: a tensor that is computed from the number may have another dtype than in Python, which some operators
reject. A power, an int in Python but a float in TorchScript, gets an `int(…)`. This is *safe* if Python's value is
certainly an int. If not, only compiled code gets the `int(…)`, which is *unsafe*.

If the result of a function may be None, the fix asserts in compiled code that the result is not None. This is *unsafe*:
compiled code raises for None. Annotating a parameter is *unsafe* if no caller confirms the type, and if a `Tuple[T]`
gets more elements, which compiled callers must pass.

If the assignment is under an `if` whose test reads attributes set only by `__init__`, the fix makes the result of the
test constant, so that the compiler compiles only one branch. This is *safe* if the fix only declares a bool attribute
as constant, and *unsafe* if it stores the result of a comparison, or adds a property for it. Other types have no fix:
use another name.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate import spelled
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.asserted_result import asserted_result
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.start_with_none import first_value, start_with_none
from tslint.rewrite.static_branch import decided
from tslint.rewrite.tuple_annotation import flattened, longer
from tslint.rewrite.type_reasons import around, list_instead, not_annotated, parameter
from tslint.rewrite.whole_numbers import as_int
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import a, both
from tslint.script.dataflow.whole_numbers import whole_in_python
from tslint.script.events.types import VariableRetyped
from tslint.script.types import (
    FLOAT,
    INT,
    NONE,
    TENSOR,
    ListType,
    TupleType,
    Type,
    is_inferred,
    optional_element,
    plain,
)

RULE = Rule(code="TS321", name="variable-retyped", events=(VariableRetyped,))
# Combined with a float, a tensor of ints becomes a tensor of floats; combined with an int, it stays a tensor of ints.
# Later code may need either.
_OTHER_NUMBER = (Risk.DIFFERS, Risk.RAISES)
_EMPTY = m.Dict(elements=[]) | m.List(elements=[])
_TO_VARIABLE = m.Assign(targets=[m.AssignTarget(m.Name())])


def check(match: Match[VariableRetyped]) -> Iterator[Finding]:
    """Report both types, with a fix that annotates, converts or renames a value, or decides the test around it."""
    event = match.event
    name, previous, actual = event.name, event.previous, event.actual
    first = first_value(match, name)
    where = f" on line {match.place(first)[0].row}" if first is not None else ""
    help, fix = _by_types(match, first, previous, actual)
    known = optional_element(previous) or previous
    if isinstance(known, TupleType) and isinstance(actual, TupleType) and len(known.elements) < len(actual.elements):
        fix = longer(match, name, len(actual.elements)) or flattened(match, name)
    certain = asserted_result(match, _assigned(match), name) if optional_element(actual) == previous else None
    argument = parameter(match, name, annotated=False) if is_inferred(previous) and not _is_iterable(match) else None
    if certain is not None:
        help = f"`{name}` stays {a(previous)}: check first that the new value is not None."
        fix = certain
    elif argument is not None:
        parts = isinstance(actual, (ListType, TupleType))  # of a Tensor, such as the result of `chunk`
        help = not_annotated(argument, actual, advice=f"use another variable for {a(actual)}" if parts else "")
        if actual == NONE:
            help = f"Annotate `{name}: Optional[Tensor]`: without an annotation, it is a Tensor, and never None."
        fix = annotate_parameter(match, argument, wanted=str(actual))
    elif previous == TENSOR and (computed := parameter(match, name, annotated=False)) is not None:
        help = not_annotated(computed, actual, advice=f"use another variable for {a(actual)}")
    before, after = both(previous, actual)
    place = around(match)
    if _is_iterable(match):
        place = "the loop" if isinstance(match.parent(match.node), cst.For) else "the comprehension"
        help = f"Use another variable in {place}: `{name}` stays {before}."
    yield match.finding(
        f"`{name}` is {before}{where} and cannot become {after} in {place}",
        help=help,
        fix=fix or decided(match, match.event.node) or decided(match, match.event.node, any_truth=True),
    )


def _by_types(
    match: Match[VariableRetyped], first: cst.Assign | None, previous: Type, actual: Type
) -> tuple[str, Fix | None]:
    """Return the help and the fix that the two types suggest."""
    name = match.event.name
    fix: Fix | None = None
    help = f"Use another variable for {a(actual)}: `{name}` stays {a(previous)}."
    assigned = _assigned(match)
    if assigned is not None and m.matches(assigned.value, _EMPTY):
        written, empty = spelled(match, str(optional_element(previous) or previous)), match.code(assigned.value)
        if written is not None and isinstance(optional_element(previous) or previous, type(actual)):
            help = (
                f"An empty `{empty}` is {a(actual)}. Write `{name} = torch.jit.annotate({code(written[0])}, {empty})`."
            )
    if previous == NONE and name != "_":
        help, fix = start_with_none(match, name, actual)
    elif actual == NONE and first is not None and name != "_":
        wanted = spelled(match, f"Optional[{plain(previous)}]")
        shown = code(wanted[0]) if wanted else "Optional[…]"
        help = f"Annotate it where it starts, `{name}: {shown} = …`, or use another variable for None."
    elif previous == INT and actual == FLOAT and first is not None:
        help, fix = "Start with a float.", _whole(match)
        if isinstance(first.value, cst.Integer):
            help, fix = f"Start with a float: `{name} = {first.value.evaluated_value}.0`.", _float(match, first.value)
        if assigned is not None and whole_in_python(match.model(assigned.value)):
            help = "Write `int(…)` around the new value: powers of ints are floats in TorchScript."
            fix = as_int(match, assigned.value, Risk.DIFFERS)
    elif previous == INT and actual == FLOAT:
        help = f"Start with a float, such as `{name} = 0.0`."
    elif all(isinstance(each, TupleType) and each.name is None for each in (previous, actual)):
        help = f"A tuple has a fixed length in TorchScript: {list_instead(name, (previous, actual))}."
    return help, fix


def _is_iterable(match: Match) -> bool:
    """Return whether the event is about the iterable of a loop."""
    around = match.parent(match.node)
    return isinstance(around, (cst.For, cst.CompFor)) and around.iter is match.node


def _float(match: Match, value: cst.Integer) -> Fix | None:
    text = f"{value.evaluated_value}.0"
    return in_compiled_code(match, value, lambda: cst.Float(text), f"Write `{text}` in compiled code", *_OTHER_NUMBER)


def _assigned(match: Match) -> cst.Assign | None:
    """Return the assignment that the event is about."""
    node = match.node if isinstance(match.node, cst.Assign) else match.parent(match.node)
    return node if isinstance(node, cst.Assign) else None


def _whole(match: Match) -> Fix | None:
    """Write a float that is a whole number as an int: ``if count == 0: count = 1.0``."""
    assigned = _assigned(match)
    value = assigned.value if assigned is not None else None
    if not isinstance(value, cst.Float) or not value.evaluated_value.is_integer():
        return None
    text = str(int(value.evaluated_value))
    return in_compiled_code(match, value, lambda: cst.Integer(text), f"Write `{text}` in compiled code", *_OTHER_NUMBER)
