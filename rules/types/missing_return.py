"""# Path without return in a function that is annotated to return something

## What it does

Finds functions with a return annotation other than `None` that can reach their end without `return`.

## Why TorchScript rejects it

Python returns None there. The compiler wants every path to return or raise, even where the annotation is an `Optional`.

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

`return None` at the end of a function that is annotated as `Optional` is *safe*: it is what Python does. For any other
annotation the fix raises an error there, which is *unsafe* where None did come and was used.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.types._common import function, optional_inside, said

RULE = Rule(code="TS317", name="missing-return", events=("missing-return",))


def check(match: Match) -> Iterator[Finding]:
    """Return or raise at the end."""
    declared = match.event.facts["declared"]
    held = function(match)
    name = held.name if held is not None else "the function"
    optional = optional_inside(declared) is not None
    end = (
        "Write `return None` at its end."
        if optional
        else "Return on every path, or `raise` where none is meant to end."
    )
    yield match.finding(
        f"`{name}` is annotated `-> {said(declared)}`, but can reach its end without `return`",
        help=end,
        fix=_fix(match, name, optional),
    )


def _fix(match: Match, name: str, optional: bool) -> Fix | None:
    held = function(match)
    if held is None or held.body[0].lineno == held.lineno or held.body[-1].end_lineno is None:
        return None
    first = match.source.lines[held.body[0].lineno - 1]
    indent = first[: len(first) - len(first.lstrip())]
    line = "return None" if optional else f'raise RuntimeError("{name} has no value to return")'
    last = held.body[-1].end_lineno
    text = match.source.lines[last - 1]
    if text.endswith(("\n", "\r")):
        edit = Edit(Position(last + 1, 1), Position(last + 1, 1), f"{indent}{line}{match.source.newline}")
    else:
        edit = Edit(
            Position(last, len(text) + 1), Position(last, len(text) + 1), f"{match.source.newline}{indent}{line}"
        )
    return safe("Return None at its end", edit) if optional else unsafe("Raise at its end", edit)
