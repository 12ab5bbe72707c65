"""# Index of a type that Tensors do not support

## What it does

Finds a Tensor that is indexed by a string, a float, a bool or a variable that holds a tuple. A string usually means
that a dict was passed for a parameter without annotation, which is a Tensor to the compiler.

## Why TorchScript rejects it

A Tensor can be indexed by ints, slices, lists of ints, other Tensors, `None` and `...`. Several indices must be written
in the brackets, not stored in a tuple.

```text
Unsupported operation: indexing tensor with unsupported index type 'str'. Only ints, slices, lists and tensors …
```

## Example

```python
import torch


def features(batch):
    return batch["points"] * 2


scripted = torch.jit.script(features)
inputs = ({"points": torch.rand(2, 3)},)
```

## Use instead

```python
from typing import Dict

import torch


def features(batch: Dict[str, torch.Tensor]):
    return batch["points"] * 2


scripted = torch.jit.script(features)
inputs = ({"points": torch.rand(2, 3)},)
```

## Fix safety

A parameter without annotation that is indexed by a string is annotated as `Dict[str, Tensor]`. This is *safe* if the
body, the default and every call in the file agree on the type: Python ignores annotations. It is *unsafe* if only the
body shows the type, or if the type of an argument is not known: compiled code rejects other types. There is no fix if
the uses contradict each other, or if nothing shows a type.

There is also no fix if the file shows that a value of the dict is not a Tensor: the code reads it like a list, with
`len(batch["points"])` and `batch["points"][i]`, or stores a list, `batch["points"] = [x, y]`.

`x[n ** 2]` becomes `x[n * n]`, which is *safe*. Other indices that are ints in Python, but floats in TorchScript, get
an `int(…)`, which is *safe* if Python's value is certainly an int. If not, only compiled code gets it,
`x[int(2 ** n) if torch.jit.is_scripting() else 2 ** n]`, which is *unsafe*.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.type_reasons import parameter, unannotated, without_none
from tslint.rewrite.whole_numbers import as_int
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import TensorIndex
from tslint.script.types import BOOL, FLOAT, STRING, TupleType, Type, may_be_none

RULE = Rule(code="TS312", name="tensor-index", events=(TensorIndex,))


def check(match: Match[TensorIndex]) -> Iterator[Finding]:
    """Report the index, with a fix that annotates the parameter or makes the index an int."""
    node, type_ = match.node, match.event.type
    around = match.parent(node)
    while isinstance(around, cst.Tuple):
        around = match.parent(around)
    owner = around.value if isinstance(around, cst.Subscript) else None
    argument = unannotated(match, owner)
    fix: Fix | None = None
    if type_ == STRING and argument is not None:
        name, index = argument.name.value, match.quote(node) if m.matches(node, LITERAL) else "a string"
        message = f"`{name}` has no annotation, so it is a Tensor, which cannot be indexed by {index}"
        help = f"Annotate it: `{name}: Dict[str, torch.Tensor]` if all its values are Tensors."
        if around is not None and isinstance(match.parent(around), cst.Subscript):
            help += f" If they are lists of Tensors: `{name}: Dict[str, List[torch.Tensor]]`."
        help += " Otherwise, pass each value as a parameter of its own."
        fix = annotate_parameter(match, argument, wanted="Dict[str, Tensor]")
    else:
        shown = match.quote(owner) if owner is not None else "the value"
        message = f"{shown} is a Tensor and cannot be indexed by {a(type_)}"
        listed = isinstance(node, cst.Tuple) and bool(node.elements)
        indices = f"Index by a list: `[{match.code(node).strip('()')}]`." if listed else ""
        help = _ADVICE.get(type_, indices or "Index by an int, a slice, a list of ints or a Tensor.")
        if type_ == STRING:
            help = _dict_instead(match, owner)
        if isinstance(type_, TupleType) and isinstance(node, cst.Name):
            help = f"Write the indices one by one: `[{node.value}[0], {node.value}[1]]`."
        if may_be_none(type_):
            help = without_none(match, node, type_)
        if type_ == FLOAT:
            fix = as_int(match, node, Risk.DIFFERS)
    yield match.finding(message, help=help, fix=fix)


def _dict_instead(match: Match, owner: cst.BaseExpression | None) -> str:
    """Return how to annotate a dict that TorchScript treats as a Tensor."""
    if isinstance(owner, cst.Name) and parameter(match, owner.value, annotated=True) is not None:
        return f"If callers pass a dict, annotate `{owner.value}: Dict[str, Tensor]`."
    kind, type_ = "list", "List[Dict[str, …]]"
    if m.matches(owner, _BY_STRING):
        kind, type_ = "dict", "Dict[str, Dict[str, …]]"
    whole = owner.value if isinstance(owner, cst.Subscript) else _looped_over(match, owner)
    if (argument := unannotated(match, whole)) is not None:
        name = argument.name.value
        return (
            f"`{name}` has no annotation, so TorchScript treats it as a Tensor: annotate a {kind} of dicts as "
            f"`{name}: {type_}`."
        )
    if not isinstance(owner, cst.Subscript):
        shown = match.quote(owner) if owner is not None else "the value"
        return f"If {shown} is a dict in Python, annotate the parameter or variable that it comes from."
    return f"Annotate a {kind} of dicts as `{type_}`: without an annotation, its items are Tensors."


def _looped_over(match: Match, item: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """Return what the loop or comprehension around a variable iterates over, if the variable is its item."""
    if not isinstance(item, cst.Name):
        return None
    target = m.Name(item.value)
    for each in match.ancestors(item):
        loop = each.for_in if isinstance(each, cst.BaseSimpleComp) else each
        if isinstance(loop, (cst.For, cst.CompFor)) and m.matches(loop.target, target):
            return loop.iter
    return None


_BY_STRING = m.Subscript(slice=[m.SubscriptElement(m.Index(m.SimpleString() | m.FormattedString()))])
_ADVICE: dict[Type, str] = {
    FLOAT: "Make the index an int, `int(…)`: in TorchScript, `int ** int`, `/` and `round` give a float.",
    BOOL: "To add a dimension, index by None. To select rows, index by a bool Tensor.",
}
