"""# Return value of another type than annotated

## What it does

Finds `return` statements whose value does not match the return annotation.

## Why TorchScript rejects it

Python ignores the annotation; the compiler enforces it. Note that `int ** int`, `/` and `round` return a float in
TorchScript, and that ints are not converted to floats.

```text
Return value was annotated as having type int but is actually of type float
```

## Example

```python
import torch


def cells(levels: int) -> int:
    return 2**levels


scripted = torch.jit.script(cells)
inputs = (3,)
```

## Use instead

```python
import torch


def cells(levels: int) -> int:
    return int(2**levels)


scripted = torch.jit.script(cells)
inputs = (3,)
```

## Fix safety

If the value is a float and the annotation is `int`, or the reverse, the fix writes `int(…)` or `float(…)` around the
value, for compiled code only. This is *unsafe*: compiled code may return another value than Python.

If the function has one `return`, the annotation becomes the type of the returned value: `-> T` becomes
`-> Optional[T]`, or a tuple gets other elements. This is *unsafe*: perhaps the annotation is right and the value is
wrong, and compiled callers get another type than before. If a list is annotated as a tuple, for example, the fix is
only shown (*display*): you may change the value instead. If the type depends on the arguments of `__init__`, the fix
removes the annotation (*display*). Other cases have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.return_types import corrected
from tslint.rewrite.type_reasons import because
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import a, said
from tslint.script.events.types import ReturnType
from tslint.script.types import (
    ANYTHING,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    Type,
    holds,
    members,
    optional,
    optional_element,
    plain,
    tuple_elements,
    walk,
)

RULE = Rule(code="TS315", name="return-type", events=(ReturnType,))


def check(match: Match[ReturnType]) -> Iterator[Finding]:
    """Report both types, with a fix that converts the value or corrects the annotation."""
    node, declared, actual = match.node, match.event.declared, match.event.actual
    shown = match.quote(node) if isinstance(node, cst.BaseExpression) else "the returned value"
    fix: Fix | None = None
    returns_none = m.matches(node, m.Name("None"))
    help = because(match, node, actual, declared) if not returns_none else None
    if isinstance(node, cst.BaseExpression) and {declared, actual} == {INT, FLOAT}:
        converted = expression("{type}({node})", type=str(declared), node=node)
        message = f"Write `{declared}(…)` around {shown} in compiled code"
        fix = in_compiled_code(match, node, lambda: converted, message, Risk.DIFFERS)
        help = f"Write `{code(converted)}`, or annotate `-> {actual}`."
    elif optional_element(declared) == actual or declared == NONE:
        help = f"Annotate `-> {said(actual)}`."
    elif help is None and actual == NONE:
        help = f"Return {a(declared)}, or annotate `-> Optional[{said(declared)}]`."
    message = _difference(shown, actual, declared)
    if returns_none:
        message = f"the function returns None, but is annotated `-> {said(declared)}`"
    yield match.finding(
        message,
        help=help or _help(actual, declared),
        fix=fix or (corrected(match, declared, actual) if isinstance(node, cst.BaseExpression) else None),
    )


def _help(actual: Type, declared: Type) -> str:
    """Return what to write; for two tuples of the same length, about the first element that differs."""
    if holds(actual, NUMBER) and {INT, FLOAT}.intersection(members(declared)):
        return "Write `float(…)` or `int(…)` around `.item()`, whose type TorchScript does not know."
    found = _first_difference(actual, declared)
    if found is not None and (found[1] == NONE or ANYTHING in walk(actual)):
        position, one, other = found
        wider = said(optional(other) if one == NONE else one)
        return f"Return {a(other)} as value {position}, or annotate that value as {wider}."
    whole = f"annotate `-> {said(actual)}`"
    if found is None:
        return f"Return {a(declared)}, or {whole}."
    return f"Return {a(found[2])} as value {found[0]}, or {whole}."


def _first_difference(actual: Type, declared: Type) -> tuple[int, Type, Type] | None:
    """Return the position and the types of the first element in which two tuples of the same length differ."""
    given, wanted = tuple_elements(actual), tuple_elements(declared)
    for position, (one, other) in enumerate(zip(given, wanted), 1):
        if len(given) == len(wanted) and ANYTHING not in (one, other) and plain(one) != plain(other):
            return position, one, other
    return None


def _difference(shown: str, actual: Type, declared: Type) -> str:
    """Return the message: of two tuples, it names the first difference."""
    given, wanted = tuple_elements(actual), tuple_elements(declared)
    if given and wanted and len(given) != len(wanted):
        values = "1 value" if len(given) == 1 else f"{len(given)} values"
        return f"the function returns {values}, {shown}, but is annotated as a tuple of {len(wanted)}"
    found = _first_difference(actual, declared)
    if found is not None:
        position, one, other = found
        return f"value {position} of the returned {shown} is {a(one)}, but is annotated as {a(other)}"
    here = " in TorchScript" if actual == FLOAT else ""
    return f"{shown} is {a(actual)}{here}, but the function is annotated `-> {said(declared)}`"
