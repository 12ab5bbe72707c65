"""# Attribute or method that the type does not have

## What it does

Finds attributes and methods that numbers, strings, lists, dicts, tuples, None, Optionals and containers of `torch.nn`
do not have in TorchScript. `len` and `in` call methods, too.

## Why TorchScript rejects it

Each type has a fixed set of members, often fewer than in Python. A value that may be None has no members until a test
has shown that it is not None, and the compiler remembers only tests of plain variables.

```text
'Optional[Tensor]' object has no attribute or method 'sum'.
```

## Example

```python
from typing import Optional

import torch


def masked(x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
    return x / mask.sum()


scripted = torch.jit.script(masked)
inputs = (torch.rand(3), torch.ones(3))
```

## Use instead

```python
from typing import Optional

import torch


def masked(x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
    if mask is not None:
        return x / mask.sum()
    return x


scripted = torch.jit.script(masked)
inputs = (torch.rand(3), torch.ones(3))
```

## Fix safety

If a value is Optional, the fix puts `assert v is not None` before the statement; an attribute is first assigned to a
variable `v`. This is *unsafe*: for None, compiled code raises; Python, too, now raises AssertionError instead of the
exception that it raised before. If the test of an `if` asks for None first, `if self.v is None or self.v.dim() == 0:`,
the fix only assigns the attribute to a variable before the `if`, and tests the variable. This is *safe*. There is no
fix if the value cannot be None.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.guard_none import without_none_fix
from tslint.rewrite.type_reasons import tensor_instead, without_none
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import a
from tslint.script.events.types import NoSuchMember
from tslint.script.types import (
    ANY,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TupleType,
    Type,
    UnionType,
    may_be_none,
    tuple_elements,
)

RULE = Rule(code="TS314", name="no-such-member", events=(NoSuchMember,))
_TENSOR_LIKE = frozenset(
    "shape size view reshape permute transpose mean sum dim device dtype squeeze unsqueeze".split()
)
_BUILTINS = ("len", "str", "int", "float", "bool")


def check(match: Match[NoSuchMember]) -> Iterator[Finding]:
    """Report the attribute or method, with a fix that asserts that the value is not None."""
    node, type_, name = match.node, match.event.type, match.event.attribute
    owner = node.value if isinstance(node, cst.Attribute) else node
    if isinstance(node, cst.Call) and node.args:
        owner = node.args[0].value  # `len(self.weights)`
    elif isinstance(node, cst.Comparison):
        owner = node.comparisons[-1].comparator
    yield match.finding(
        f"{match.quote(owner)} is {a(type_)}, which has no `{name}` in TorchScript",
        help=_advice(match, owner, type_, name),
        fix=without_none_fix(match, owner, type_),
    )


def _advice(match: Match, owner: cst.CSTNode, type_: Type, name: str) -> str:
    if may_be_none(type_):
        return without_none(match, owner, type_)
    shown = match.quote(owner)
    elements = (type_.element,) if isinstance(type_, ListType) else tuple_elements(type_)
    if elements[:1] == (TENSOR,) and name in _TENSOR_LIKE:
        return f"Use one Tensor of {shown}, or join its Tensors with `torch.stack` or `torch.cat`."
    if type_ in (INT, FLOAT) and name in ("item", "to", "type", "float", "long", "int"):
        return f"{shown} is a plain {type_}: remove `.{name}(…)`, or convert {shown} with `int(…)` or `float(…)`."
    if type_ in (INT, FLOAT) and (start := tensor_instead(match, owner)) is not None:
        return start
    if type_ == TupleType(()) or tuple_elements(type_) or type_ in (INT, FLOAT, BOOL):
        return f"If {shown} should have another type, annotate the variable, parameter or result that it comes from."
    if type_ == ANY:
        return f"{shown} has the type Any: annotate the variable or parameter with a type that has `{name}`."
    if isinstance(type_, ClassType) and type_.kind == "module":
        if isinstance(match.node, cst.Attribute):
            return "Read each item with a string literal: `weights['bias']`."
        return "Compute the value in `__init__`, and store it in an attribute."
    builtin = name.strip("_")
    if name == f"__{builtin}__" and builtin in _BUILTINS and isinstance(owner, cst.BaseExpression):
        return f"Write `{builtin}({match.code(owner)})`."
    if isinstance(type_, UnionType):
        return f"Test the type first, with `torch.jit.isinstance`, and use `{name}` only where it exists."
    if isinstance(type_, (ClassType, TupleType)):
        return f"Use an attribute or method that {shown} has, or write what `{name}` does as a function."
    if type_ in (STRING, COMPLEX) or isinstance(type_, (ListType, DictType)):
        return f"Write what `{name}` does as a loop or an expression."
    return f"Use `{name}` outside compiled code, and pass the result as an argument."
