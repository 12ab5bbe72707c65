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
bool attribute as constant is *safe*. For a comparison, the fix adds a property that returns the result, and declares
the property as constant. This is *unsafe*: compiled code ignores later changes of the attribute.

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
from tslint.rewrite.type_reasons import first_unannotated, parameter, type_first, unannotated, without_none
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person, safe, unsafe
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import a, short
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
_NAMED = m.Name() | m.Attribute()
_READ = m.Name() | m.Attribute() | m.Call() | m.Subscript()


def check(match: Match[NotATuple]) -> Iterator[Finding]:
    """Report the value, with a fix that unpacks the rows of a Tensor or annotates a tuple."""
    node, type_, needed = match.node, match.event.type, match.event.needed
    value = node.value if isinstance(node, (cst.Arg, cst.StarredElement, cst.Assign)) else node
    argument = unannotated(match, value) if is_inferred(type_) else None
    fix: Fix | None = None
    if isinstance(value, cst.Call) and m.matches(value.func, m.Name("tuple")) and needed is None:
        message, help = _made_tuple(match, value.args[0].value)
    elif isinstance(loop := match.parent(value), (cst.For, cst.CompFor)) and loop.iter is value:
        message, help = _of_loop(match, loop)
    elif argument is not None:
        name = argument.name.value
        message = f"`{name}` has no annotation, so it is a Tensor, and a Tensor cannot be unpacked"
        element = "int" if _SIZES.search(name) else "Tensor"
        wanted = f"Tuple[{', '.join([element] * (needed or 2))}]"
        none = m.matches(argument, m.Param(default=m.Name("None")))
        optional = f"Optional[{wanted}]" if none else wanted
        help = f"If it is a tuple, annotate it: `{name}: {optional}`. If it is a Tensor, {_elements(match, value)}."
        fix = _annotated(match, argument, wanted) if needed else None
        help = f"Annotate it: `{annotation_in(fix)}`." if annotation_in(fix) else help
    elif type_ == TENSOR:
        message = f"{match.quote(value)} is a Tensor, which TorchScript cannot unpack"
        advice = _elements(match, value)
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


def _of_loop(match: Match[NotATuple], loop: cst.For | cst.CompFor) -> tuple[str, str]:
    """Return the message and the help for an item, or a part of an item, that a loop unpacks."""
    type_, (source, names) = match.event.type, _unpacked(loop.iter, loop.target)
    message = f"{a(type_)} from {match.quote(source)} cannot be unpacked in TorchScript"
    help = "Write one variable instead of several, such as `item`, and read `item[0]` and `item[1]` in the loop."
    if (param := first_unannotated(match, source)) is not None:
        name = param.name.value
        kind = f"If it is a list of tuples, write `{name}: List[Tuple[{', '.join('…' * names)}]]`."
        if not isinstance(source, cst.Name):
            kind = "Annotate it if it is not one."
        help = f"`{name}` has no annotation, so it is a Tensor. {kind} Otherwise, w{help[1:]}"
    elif str(type_) == "tuple":
        help = "Annotate the elements' types, such as `List[Tuple[int, int]]`."
    return message, help


def _unpacked(source: cst.BaseExpression, target: cst.BaseExpression) -> tuple[cst.BaseExpression, int]:
    """Return the iterable whose items a loop unpacks, also inside of ``enumerate`` and ``zip``, and into how many
    variables.
    """
    parts = [each.value for each in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else []
    if isinstance(source, cst.Call) and m.matches(source.func, m.Name("enumerate") | m.Name("zip")):
        counted = m.matches(source.func, m.Name("enumerate"))
        for argument, part in zip(source.args, parts[1:] if counted else parts):
            if isinstance(part, (cst.Tuple, cst.List)):
                return _unpacked(argument.value, part)
    return source, len(parts)


def _made_tuple(match: Match[NotATuple], made: cst.BaseExpression) -> tuple[str, str]:
    """Return the message and the help for ``tuple(x)`` of a value from which the compiler cannot make a tuple."""
    type_ = match.event.type
    help = "Write the elements out: `(a, b)`."
    if type_ == TENSOR:
        help = f"Use {short(_rows(made))}, the list of the rows."
        if (param := first_unannotated(match, made)) is not None:
            help = f"`{param.name.value}` has no annotation, so it is a Tensor: annotate it if it is not one. {help}"
    if may_be_none(type_):
        help = without_none(match, made, type_) or help
    return f"`tuple(…)` of {match.quote(made)}: TorchScript cannot make a tuple from {a(type_)}", help


def _elements(match: Match[NotATuple], value: cst.CSTNode) -> str:
    """Return how to get the elements of a Tensor. A list after a star is not accepted: its length is not known."""
    around = match.parent(match.node)
    if isinstance(around, cst.List) and isinstance(value, cst.BaseExpression):
        rows = _rows(value)
        whole = short(rows if len(around.elements) == 1 else f"{rows} + […]")
        return f"write the list as {whole}"
    if isinstance(match.node, (cst.Arg, cst.StarredElement)):
        if m.matches(value, _NAMED):
            return f"write the elements out: `{match.code(value)}[0], {match.code(value)}[1]`"
        return f"write the elements out: {short(f'v = {match.code(value)}')}, `v[0], v[1]`"
    rows = short(_rows(value)) if isinstance(value, cst.BaseExpression) else "`.unbind(0)` of it"
    return f"unpack {rows}"


def _rows(value: cst.BaseExpression) -> str:
    """Return the code for the rows of a Tensor."""
    return code(expression("{value}.unbind(0)", value=value))


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
