"""# `//=` or `@=` in compiled code

## What it does

Finds `//=` and `@=` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The other augmented assignments compile; these two are not in the front end's table.

```text
unsupported kind of augmented assignment: FloorDiv
unsupported kind of augmented assignment: MatMult
```

## Example

```python
import torch


def halved(n: int) -> int:
    n //= 2
    return n


scripted = torch.jit.script(halved)
inputs = (7,)
```

## Use instead

```python
import torch


def halved(n: int) -> int:
    n = n // 2
    return n


scripted = torch.jit.script(halved)
inputs = (7,)
```

## Fix safety

Writing the operation out is *safe* for a variable that holds a number; for a parameter it is *unsafe*, as its
annotation alone says that it is one. Elsewhere compiled code writes it out and Python goes on to do what it did, with
a function of `operator`: *unsafe*, since `//=` may change a tensor in place, so that other names of the same tensor
see it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.spans import compiled_function, operand, replace
from tslint.rewrite.when_compiled import is_local, readable
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe

RULE = Rule(code="TS123", name="augmented-assignment", events=("augmented-assignment",))

_FUNCTIONS = {"//": "ifloordiv", "@": "imatmul"}
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp)


def check(match: Match) -> Iterator[Finding]:
    """Write the operation out."""
    node, operator = match.event.node, match.event.facts["operator"]
    yield match.finding(
        f"`{operator}=` cannot be compiled",
        help=f"Write it out: `a = a {operator} b`.",
        fix=_fix(match, node, operator) if isinstance(node, ast.AugAssign) else None,
    )


def _fix(match: Match, node: ast.AugAssign, operator: str) -> Fix | None:
    target, value = match.text(node.target), operand(match, node.value)
    new = f"{target} {operator} {value}"
    known = match.event.names.get(node.target.id, "") if isinstance(node.target, ast.Name) else ""
    type_ = known.removesuffix(" (inferred)")
    if type_ in ("int", "float", "bool"):
        edit = replace(match, node, f"{target} = {new}")
        if not _is_parameter(match, target):
            return safe(f"Write `{operator}=` out", edit)
        return unsafe(f"Write `{operator}=` out", edit, risks=(Risk.ASSUMES,))
    inner = [each for each in walking.walk(node.target) if isinstance(each, (ast.expr, ast.slice))]
    torch, imports = match.imported("torch")
    module, more = match.imported("operator")
    if not all(isinstance(each, _PLAIN) for each in inner) or is_local(match, torch) or is_local(match, module):
        return None
    if operator not in _FUNCTIONS or not readable(match, node.value):
        return None
    if type_ == "Tensor" and operator == "//":
        # As Python does it: other names of the tensor see it.
        new = f"{target}.floor_divide_({match.text(node.value)})"
    old = f"{module}.{_FUNCTIONS[operator]}({target}, {match.text(node.value)})"
    text = f"{target} = {new} if {torch}.jit.is_scripting() else {old}"
    edits = dict.fromkeys([replace(match, node, text), *imports, *more])
    return unsafe(f"Write `{operator}=` out where it is compiled", *edits, risks=(Risk.DIFFERS,))


def _is_parameter(match: Match, name: str) -> bool:
    """Whether only an annotation says what a variable is."""
    function = compiled_function(match)
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs] if function else []
    return any(argument.arg == name for argument in arguments)
