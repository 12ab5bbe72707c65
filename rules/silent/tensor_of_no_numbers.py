"""# Tensor from a list with several kinds of numbers, or none

## What it does

Finds `torch.tensor([...])`, `torch.as_tensor([...])` and `torch.FloatTensor([...])` with lists that mix ints and
floats, that contain complex numbers, tensors or results of `.item()`, or that are empty.

## What goes wrong

The call compiles, but raises when it runs: the elements must be all ints, all floats, or all bools.

If some inner lists are of ints and others of floats or of bools, as in `[[n, 1], [1.5, 2.5]]`, nothing is raised:
compiled code reads the bytes of some numbers as another type, and the tensor contains wrong numbers.

```text
expected Float, Complex, Int, or Bool but got
```

## Example

```python
import torch


def box(x: torch.Tensor):
    return torch.tensor([x.size(0), 1.5])


scripted = torch.jit.script(box)
inputs = (torch.ones(2),)
```

## Use instead

```python
import torch


def box(x: torch.Tensor):
    return torch.tensor([float(x.size(0)), 1.5])


scripted = torch.jit.script(box)
inputs = (torch.ones(2),)
```

## Fix safety

In a literal list of ints and floats for `torch.tensor` or `torch.as_tensor`, the ints become floats. This is *safe*; if
a value may not be an int in Python, only compiled code converts it. There is no fix for other lists: for tensors,
`torch.stack` keeps the dtype and the gradients, which `torch.tensor` does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.compiled_form import as_float, in_compiled_code
from tslint.rewrite.type_reasons import first_unannotated, not_annotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code
from tslint.rulekit.wording import said
from tslint.script.dataflow.whole_numbers import certain_int
from tslint.script.events.hazards import ElementsOfNoNumber
from tslint.script.types import BOOL, COMPLEX, FLOAT, INT, NUMBER, TENSOR, ListType, TupleType, Type, UnionType, walk

RULE = Rule(code="TS621", name="tensor-of-no-numbers", events=(ElementsOfNoNumber,))
_WHOLE = re.compile("Int|Long|Short|Byte|Char")
_PLURALS = {INT: "ints", FLOAT: "floats", BOOL: "bools", COMPLEX: "complex numbers", TENSOR: "Tensors"}


def check(match: Match[ElementsOfNoNumber]) -> Iterator[Finding]:
    """Report the list and the types of its elements, with a fix that writes ints as floats."""
    event = match.event
    node = match.node
    empty, plain = isinstance(node, cst.List) and not node.elements, event.name == "torch.tensor"
    if empty:
        help = "Write `torch.zeros(0)`, or give the list a type: `torch.jit.annotate(List[float], [])`."
    elif event.elements == TENSOR and _is_empty(node):
        help = "Write `torch.zeros(...)` with the shape."
    elif event.elements == TENSOR:
        help = _of_tensors(match, node)
    elif event.elements == COMPLEX:
        help = "Make the tensor from both parts: `torch.complex(torch.tensor(real), torch.tensor(imag))`."
    elif event.elements == NUMBER:
        help = "Write `float(...)` or `int(...)` around each `.item()`."
    elif isinstance(event.elements, TupleType):
        help = "Write a list instead of each tuple: `[a, b]` for `(a, b)`."
        if TENSOR in walk(event.elements):
            help = "Stack the Tensors of each tuple: `torch.stack([torch.stack((a, b)), torch.stack((c, d))])`."
    else:
        help = "Convert all elements to one type, for example with `float(...)`."
    yield match.finding(
        f"`{event.name}` of {match.event_text} {_trouble(event.elements, node)}",
        help=help,
        fix=_fix(match, node) if plain and event.numbers and isinstance(node, cst.List) else None,
    )


def _of_tensors(match: Match[ElementsOfNoNumber], node: cst.CSTNode) -> str:
    """Return what to write for elements that are Tensors, or that TorchScript takes for Tensors."""
    written = f"`torch.stack({match.code(node)})`" if isinstance(node, cst.Name) else "`torch.stack(...)`"
    stacked = f"For a tensor of tensors, write {written}."
    if isinstance(node, cst.List) and any(isinstance(each.value, cst.List) for each in node.elements):
        stacked = "For a tensor of tensors, write `torch.stack(...)` around each inner list, and around the whole."
    if (param := first_unannotated(match, node)) is not None:
        return f"{not_annotated(param)} {stacked}"
    if not isinstance(node, cst.Name):
        return stacked
    name, number = node.value, "int" if _WHOLE.search(match.event.name) else "float"
    return f"If `{name}` contains numbers, annotate it where it starts: `{name}: List[{number}] = []`. {stacked}"


def _trouble(elements: Type, node: cst.CSTNode) -> str:
    """Return what goes wrong in compiled code, and why."""
    if isinstance(elements, UnionType):
        kinds = list(dict.fromkeys(_leaves(elements)))
        mixed = f"in TorchScript: it mixes {' and '.join(_PLURALS.get(each, said(each)) for each in kinds)}"
        # Compiled code reads the bytes of all numbers as one type, if each list contains only one type. It raises for
        # floats with bools, and for lists with several types.
        lists = all(isinstance(each, ListType) and len({*_leaves(each)}) == 1 for each in elements.order)
        wrong = lists and {*kinds} in ({INT, FLOAT}, {INT, BOOL})
        return f"{'gives wrong numbers' if wrong else 'raises'} {mixed}"
    if _is_empty(node):
        return "raises in TorchScript, where an empty list is a List[Tensor]"
    kind = "an unknown number type" if elements == NUMBER else f"the type {said(elements)}"
    return f"raises in TorchScript: its elements have {kind}"


def _leaves(type_: Type) -> Iterator[Type]:
    """Yield the types of the values in a union and in lists."""
    for each in type_.order if isinstance(type_, UnionType) else ():
        yield from _leaves(each)
    if isinstance(type_, ListType):
        yield from _leaves(type_.element)
    elif not isinstance(type_, UnionType):
        yield type_


def _is_empty(node: cst.CSTNode) -> bool:
    """Return whether code is a list of empty lists, or an empty list."""
    return isinstance(node, cst.List) and all(_is_empty(each.value) for each in node.elements)


def _fix(match: Match[ElementsOfNoNumber], node: cst.List) -> Fix | None:
    """Write the ints as floats."""
    if any(isinstance(each, cst.StarredElement) for each in node.elements):
        return None
    other = [each.value for each in node.elements if not isinstance(each.value, cst.Float)]
    new = node.with_changes(
        elements=[
            each.with_changes(value=as_float(each.value)) if any(each.value is one for one in other) else each
            for each in node.elements
        ]
    )
    message = f"Write `{code(new)}`"
    if all(certain_int(match.model(each)) for each in other):
        return safe(message, lambda: match.replace(node, new))
    return in_compiled_code(match, node, lambda: new, f"{message} in compiled code")
