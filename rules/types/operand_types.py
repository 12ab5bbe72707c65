"""# Operator between types that it does not take

## What it does

Finds arithmetic and comparisons whose operands' types do not go together: a value that may be None, a text and a
number, or a parameter without annotation (a Tensor to the compiler) against a text.

## Why TorchScript rejects it

Operators are functions with fixed forms, chosen when the code is compiled. None, and anything that may be None, has no
arithmetic and no comparison but `is`; a Tensor cannot be compared with a str.

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

A parameter without annotation gets the type that it shows, `str` where it is compared with a text. It is *safe* where
the body, the default and every call in the file agree on it: Python does not look at annotations. Where only the body
shows it, as the function is called by nobody or by somebody whose types are not seen, it is *unsafe*: compiled code
refuses anything else. There is none where they contradict each other, or nothing shows a type.

Asking for None apart, `x is None or x in ("a", "b")`, `x is not None and x == "a"`, is *safe*; where x is None in some
constructions only, that is `(x == "a" if x is not None else False)`: the compiler drops a part of it. So is a statement
about a variable of several types that is written once for each. *Unsafe*: `x == None` becomes `x is None`, which an
array may tell apart; what may be None is asserted not to be, in compiled code alone unless Python raises there anyway.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.argument_types import whole_numbers
from tslint.rewrite.guard_none import by_type, is_none, none_first, without_none_fix
from tslint.rewrite.membership import membership
from tslint.rewrite.mismatch import diagnose
from tslint.rewrite.type_wording import a, because, function, optional_inside, quote, unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule

RULE = Rule(code="TS306", name="operand-types", events=("operator-mismatch",))


def check(match: Match) -> Iterator[Finding]:
    """Name both operands and their types."""
    found = diagnose(match)
    if found.what != "operand":
        return
    word, types = match.event.facts["word"] or "this operator", list(match.event.facts["types"])
    operands = _operands(match.event.node)
    if word in ("in", "not in"):
        types.reverse()  # the operator takes the container first
    if len(types) == 1:
        message = f"`{word}` does not take {a(types[0])}"
    elif len(operands) == len(types) == 2:
        parts = [
            f"{quote(match, node)} is {a(type_)}"
            for node, type_ in zip(operands, types)
            if type_ != "?" and not isinstance(node, ast.Constant)
        ]
        message = f"`{word}` does not go between {_pair(types)}" + (f": {' and '.join(parts)}" if parts else "")
    else:
        message = f"`{word}` does not go between {_pair(types)}"
    help, fix = None, None
    for node, type_ in zip(operands, types):
        help = help or because(match, node, type_)
    if len(operands) == 2 and len(types) == 2:
        if word not in ("in", "not in"):
            fix = _annotated(match, operands[0], types[1]) or _annotated(match, operands[1], types[0])
        fix = fix or _certain(match, operands, types)
        if help is None and "str" in types and word == "+":
            help = "Turn the number into a text with `str(…)`."
    yield match.finding(message, help=help or "Convert one of them, or compute with one type.", fix=fix)


def _pair(types: list[str]) -> str:
    return " and ".join(a(type_) if type_ != "?" else "something else" for type_ in types)


def _operands(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return [node.left, node.comparators[0]]
    return [node.operand] if isinstance(node, ast.UnaryOp) else []


def _annotated(match: Match, node: ast.expr, other: str) -> Fix | None:
    """A parameter that is compared with a text or a device is one."""
    argument, held = unannotated(match, node), function(match)
    if argument is None or held is None or other not in ("str", "Device"):
        return None
    return annotation_fix(match, held, argument, wanted=other)


def _certain(match: Match, operands: list[ast.expr], types: list[str]) -> Fix | None:
    """The fix where an operand is None, may be None, is of several types, or a size that counts as a Tensor."""
    node = match.event.node
    if isinstance(node, ast.Compare):
        word = match.event.facts["word"]
        if word in ("in", "not in"):
            return membership(match, node, types)
        return is_none(match, node) or none_first(match, node, operands, types)
    for operand, type_, other in zip(operands, types, reversed(types)):
        if optional_inside(type_) is not None and not other.startswith("Optional[Optional"):
            return without_none_fix(match, operand, type_)
        if type_.startswith("Union["):
            return by_type(match, operand, type_)
        if "Tensor" in type_ and type_.startswith(("Tuple[", "List[")) and other == "List[int]":
            return whole_numbers(match, operand)
    return None
