"""# Unpacking a value that is not a tuple

## What it does

Finds `a, b = x` and `f(*x)` where `x` is a Tensor, a number or another value that is neither a tuple nor a list in
TorchScript. A parameter without annotation is a Tensor.

## Why TorchScript rejects it

Eager mode unpacks a Tensor along its first dimension, whose length the compiler does not know.

```text
Tensor cannot be used as a tuple
```

## Example

```python
import torch


def difference(x: torch.Tensor) -> torch.Tensor:
    left, right = x
    return left - right


scripted = torch.jit.script(difference)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def difference(x: torch.Tensor) -> torch.Tensor:
    left, right = x[0], x[1]
    return left - right


scripted = torch.jit.script(difference)
inputs = (torch.rand(2, 3),)
```

## Fix safety

`q, k, v = x.permute(2, 0, 1)` becomes `q, k, v = x.permute(2, 0, 1).unbind(0)`. This is *safe*, because Python unpacks
the same rows.

For a value that may have no dimensions, `unbind` would raise another exception in Python, so only compiled code unpacks
the rows: `x.unbind(0) if torch.jit.is_scripting() else x`. This is *safe*, because Python unpacks the same value as
before. For a parameter, this is *unsafe*: only the annotation shows that the parameter is not a tuple, and compiled
code rejects tuples. A parameter without annotation and the result of a call such as `self.layer(x)` get no `unbind`,
because they may be tuples.

If the value is a Tensor only for some arguments of `__init__`, and the unpacking is under an `if` whose test reads
attributes, the fix makes the result of the test constant, so that the compiler compiles only one branch. Declaring a
bool attribute as constant is *safe*. For a comparison, the constructor stores the result in an attribute that is
declared as constant, or a property returns it. This is *unsafe*: if other code sets the attribute later, compiled code
keeps the first result, and so does Python if it is stored; a module that was pickled as a whole before has no such
attribute.

A parameter without annotation is annotated as a tuple if the uses of its elements or compiled calls show their types.
This is *safe* if the uses and calls agree, and *unsafe* if only the uses show the types. If nothing shows the types of
the elements, the fix is only shown (*display*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate_parameter import annotate_parameter, annotation_in, inferred_type
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.static_branch import decided
from tslint.rewrite.type_reasons import parameter, type_first, unannotated, without_none
from tslint.rewrite.unpacking_wording import elements, made_tuple, of_loop
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person, safe, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import a
from tslint.script.dataflow.from_callers import from_caller
from tslint.script.dataflow.unpacking import unread
from tslint.script.events.types import NotATuple
from tslint.script.type_text import parsed
from tslint.script.types import ANYTHING, BOOL, TENSOR, UnionType, is_inferred, may_be_none, optional_element

RULE = Rule(code="TS308", name="tensor-unpacking", events=(NotATuple,))
_SIZES = re.compile("size|shape|stride|pad|kernel|dilation")
# Calls whose arguments are the sizes or the order of the dimensions of a tensor; not `reshape`, which arrays have, too.
_WITH_DIMENSIONS = m.Call(
    m.Attribute(attr=m.Name("permute") | m.Name("view") | m.Name("expand")),
    [m.Arg(star=""), m.Arg(star=""), m.ZeroOrMore(m.Arg(star=""))],
)
_READ = m.Name() | m.Attribute() | m.Call() | m.Subscript()


def check(match: Match[NotATuple]) -> Iterator[Finding]:
    """Report the value, with a fix that unpacks the rows of a Tensor or annotates a tuple."""
    node, type_, needed = match.node, match.event.type, match.event.needed
    value = node.value if isinstance(node, (cst.Arg, cst.StarredElement, cst.Assign)) else node
    argument = unannotated(match, value) if is_inferred(type_) else None
    fix: Fix | None = None
    if isinstance(value, cst.Call) and m.matches(value.func, m.Name("tuple")) and needed is None:
        message, help = made_tuple(match, value.args[0].value)
    elif isinstance(loop := match.parent(value), (cst.For, cst.CompFor)) and loop.iter is value:
        message, help = of_loop(match, loop)
    elif argument is not None:
        name = argument.name.value
        message = f"`{name}` has no annotation, so it is a Tensor, and a Tensor cannot be unpacked"
        element = "int" if _SIZES.search(name) else "Tensor"
        wanted = f"Tuple[{', '.join([element] * (needed or 2))}]"
        none = m.matches(argument, m.Param(default=m.Name("None")))
        optional = f"Optional[{wanted}]" if none else wanted
        help = f"If it is a tuple, annotate it: `{name}: {optional}`. If it is a Tensor, {elements(match, value)}."
        fix = _annotated(match, argument, wanted) if needed else None
        help = f"Annotate it: `{annotation_in(fix)}`." if annotation_in(fix) else help
    elif type_ == TENSOR:
        message = f"{match.quote(value)} is a Tensor, which TorchScript cannot unpack"
        advice = elements(match, value)
        rows = ", the list of the rows" if advice.startswith("unpack") else ""
        help = f"{advice[0].upper() + advice[1:]}{rows}."
        if needed and m.matches(value, _READ) and isinstance(value, cst.BaseExpression):
            fix = _unbound(match, value)
    else:
        message = f"{match.quote(value)} is {a(type_)}, which cannot be unpacked"
        if type_ == ANYTHING:
            message = f"{match.quote(value)} has a type that cannot be unpacked"
        help = "Unpack only tuples, or lists into a fixed number of variables."
        if type_ == BOOL and isinstance(value, cst.BooleanOperation):
            help = f"Write {match.quote(value)} with `if` and `else`: in TorchScript, `and` and `or` give a bool."
        if str(type_) in ("tuple", "Tuple"):
            message = f"{match.quote(value)} is annotated as {type_} without element types and cannot be unpacked"
            help = "Annotate the elements: `Tuple[Tensor, Tensor]` for two Tensors."
        if isinstance(type_, UnionType):
            help = type_first(match.quote(value))
        if may_be_none(type_):
            help = without_none(match, value, type_)
            if optional_element(type_) == TENSOR:
                help += " Then unpack `.unbind(0)` of it."
    if match.event.condition is not None:
        fix = decided(match, match.event.node) or fix
    yield match.finding(message, help=help, fix=fix)


def _annotated(match: Match[NotATuple], argument: cst.Param, wanted: str) -> Fix | None:
    """Annotate a parameter with the type that unpacking requires; if nothing else shows its type, the fix is only
    displayed.
    """
    shown = inferred_type(match, argument)
    if shown is None:
        return for_a_person(annotate_parameter(match, argument, likely=wanted))
    return annotate_parameter(match, argument) if parsed(shown).name in ("Tuple", "List") else None


def _unbound(match: Match, value: cst.BaseExpression) -> Fix | None:
    """Unpack the rows of a tensor; None for unannotated parameters and results of modules, which may be tuples."""
    # The compiler removes operators whose results are not used, and with them the error for another number of rows.
    risks = (Risk.DIFFERS,) if unread(match.file.tree, match.model(value)) else ()
    rows = expression("{value}.unbind(0)", value=value)

    def edits() -> tuple[Edit, ...]:
        return match.replace(value, rows)

    if m.matches(value, _WITH_DIMENSIONS):
        words = "Unpack `.unbind(0)`"
        return unsafe(words, edits, risks=risks) if risks else safe(words, edits)
    if m.matches(value, m.Call(m.Name())) or from_caller(match.file.tree, match.model(value)):
        return None
    root: cst.CSTNode = value
    while isinstance(root, (cst.Attribute, cst.Call, cst.Subscript)):
        root = root.func if isinstance(root, cst.Call) else root.value
    if isinstance(value, cst.Call) and m.matches(root, m.Name("self")):
        return None
    words = "Unpack `.unbind(0)` in compiled code"
    # Only its annotation says that a parameter is a Tensor, and not a tuple.
    named = isinstance(value, cst.Name) and parameter(match, value.value, annotated=True) is not None
    risks = (*risks, Risk.ASSUMES, Risk.REFUSES) if named else risks
    fix = in_compiled_code(match, value, lambda: rows, words, *risks)
    return fix and replace(fix, assumes=f"only the annotation says that {match.quote(value)} is a Tensor")
