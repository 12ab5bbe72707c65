"""# Function with a return annotation that can end without `return`

## What it does

Finds functions with a return annotation other than `None` that can reach their end without `return`.

## Why TorchScript rejects it

Python returns None there. The compiler requires every path to return or raise, even for an `Optional` annotation.

```text
Function was not annotated as having type None, but does not return along all paths
```

## Example

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        return x * 2
    elif mode == "half":
        return x / 2


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "double")
```

## Use instead

```python
import torch


def scaled(x: torch.Tensor, mode: str) -> torch.Tensor:
    if mode == "double":
        return x * 2
    elif mode == "half":
        return x / 2
    raise ValueError("mode must be 'double' or 'half'")


scripted = torch.jit.script(scaled)
inputs = (torch.rand(3), "double")
```

## Fix safety

If the annotation is an `Optional`, the fix adds `return None` at the end. This is *safe*: Python returns None there. If
the function never returns a value, its annotation becomes `-> None`, which is *safe*, too. In other functions, the fix
adds a `raise` at the end, for compiled code only. This is *unsafe*: Python returns None there. Among these, an empty
function has no fix: subclasses have to override it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import Line, statement
from tslint.rulekit.wording import said
from tslint.script.dataflow.returns import does_something, returns_nothing
from tslint.script.events.types import MissingReturn
from tslint.script.types import OptionalType

RULE = Rule(code="TS317", name="missing-return", events=(MissingReturn,))


def check(match: Match[MissingReturn]) -> Iterator[Finding]:
    """Report the function, with a fix that returns or raises at its end."""
    declared, function = match.event.declared, match.function
    optional = isinstance(declared, OptionalType)
    end = "Return on every path, or `raise` on paths that must not reach the end."
    if optional:
        end = "Write `return None` at the end of the function."
    elif function is not None and returns_nothing(match.model(function)):
        end = "Return a value, or annotate the function as `-> None`: it never returns one."
    yield match.finding(
        f"`{function.name.value if function is not None else 'the function'}` is annotated `-> {said(declared)}`, "
        "but can end without `return`",
        help=end,
        fix=_fix(match, function, optional) if function is not None else None,
    )


def _fix(match: Match, function: cst.FunctionDef, optional: bool) -> Fix | None:
    node = match.model(function)
    if not isinstance(function.body, cst.IndentedBlock) or not (optional or does_something(node)):
        return None
    if not optional and function.returns is not None and returns_nothing(node):
        annotation = function.returns.annotation
        return safe("Annotate the function as `-> None`", lambda: match.replace(annotation, cst.Name("None")))
    last = match.line(match.libcst(node.body[-1]))
    if last is None:
        return None
    if optional:
        message = "Return None at the end of the function"
        return safe(message, lambda: [match.insert_after(last, statement("return None"))])
    torch, imports = match.imported("torch")

    def raised() -> Line:
        pattern = "if {torch}.jit.is_scripting():\n    raise RuntimeError({message})"
        return statement(pattern, torch=torch, message=f'"{function.name.value} has no value to return"')

    message = "Raise at the end of the function in compiled code"
    return unsafe(message, lambda: [match.insert_after(last, raised())], *imports, risks=(Risk.RAISES,))
