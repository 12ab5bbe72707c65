"""# Too many or too few arguments

## What it does

Finds calls with more positional arguments than the function takes, and calls that leave out an argument that
TorchScript has no default for.

## Why TorchScript rejects it

The signature that counts is the compiler's. Functions of torch have defaults in Python that their operators do not
have, and a function under `@torch.jit.ignore` or `@torch.jit.unused` loses its defaults when compiled code calls it.

```text
scaled(Tensor x, float factor) -> Tensor:
Argument factor not provided.
```

## Example

```python
import torch


@torch.jit.ignore
def scaled(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor


def forward(x: torch.Tensor) -> torch.Tensor:
    return scaled(x)


scripted = torch.jit.script(forward)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


@torch.jit.ignore
def scaled(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor


def forward(x: torch.Tensor) -> torch.Tensor:
    return scaled(x, 2.0)


scripted = torch.jit.script(forward)
inputs = (torch.rand(2, 3),)
```

## Fix safety

Passing the default of an ignored function, where it is a literal and the next argument, is *safe*: it is the value that
eager mode uses. It is passed by position, because compiled code cannot call Python with keywords. Other calls have no
fix.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix
from tslint.project.definitions import Function
from tslint.rewrite.inline_decorator import written_out
from tslint.rewrite.mismatch import Diagnosis, diagnose
from tslint.rewrite.type_wording import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

_PLAIN = (bool, int, float, str, type(None))
RULE = Rule(code="TS305", name="argument-count", events=("operator-mismatch", "call-mismatch"))


def check(match: Match) -> Iterator[Finding]:
    """Say how many there are and how many it takes."""
    found = diagnose(match)
    if found.what == "count":
        reason = found.reasons[0]
        slots = [p.name for p in reason.parameters if not p.keyword_only and p.name != "self"]
        most = f"at most {len(slots)} positional argument{'' if len(slots) == 1 else 's'}"
        yield match.finding(
            f"{found.callee} takes {most}, and gets {len(_positional(match))}",
            help=f"It takes {', '.join(f'`{name}`' for name in slots)}." if slots else None,
            fix=written_out(match),
        )
    elif found.what == "missing":
        default = _default(match, found)
        message = f"{found.callee} needs `{found.parameter}`"
        if default is not None:
            message += ": an ignored function has no defaults in compiled code"
        yield match.finding(
            message,
            help="Pass it." if default is None else f"Pass it: `{default}`.",
            fix=_fix(match, found, default),
        )


def _positional(match: Match) -> list[ast.expr]:
    given = match.event.facts.get("given")
    return [node for name, _, node in given.values if name is None] if given is not None else []


def _default(match: Match, found: Diagnosis) -> str | None:
    """The literal default of a function of the project."""
    function = match.event.facts.get("function")
    if not isinstance(function, Function):
        return None
    spec = function.node.args
    names = [*spec.posonlyargs, *spec.args]
    pairs = [*zip(names[len(names) - len(spec.defaults) :], spec.defaults), *zip(spec.kwonlyargs, spec.kw_defaults)]
    for argument, default in pairs:
        if argument.arg == found.parameter and isinstance(default, ast.Constant):
            text = repr(default.value)
            return text if isinstance(default.value, _PLAIN) and text not in ("inf", "nan") else None
    return None


def _is_overridden(match: Match) -> bool:
    """Whether a class of this file has another method of the name, which may have another default."""
    function = match.event.facts.get("function")
    if not isinstance(function, Function) or function.owner is None:
        return False
    return any(
        isinstance(each, ast.FunctionDef) and each.name == function.name and each is not function.node
        for each in walking.walk(match.file.tree)
    )


def _fix(match: Match, found: Diagnosis, default: str | None) -> Fix | None:
    node = match.event.node
    if default is None or not isinstance(node, ast.Call) or node.keywords or _is_overridden(match):
        return None
    slots = [parameter.name for parameter in found.reasons[0].parameters if not parameter.keyword_only]
    if len(node.args) >= len(slots) or slots[len(node.args)] != found.parameter:
        return None
    _, end = place(match, node)
    close = match.source.offset(end) - 1
    text = match.source.text
    while text[close - 1].isspace():
        close -= 1
    lead = "" if not node.args else " " if text[close - 1] == "," else ", "
    spot = match.source.position(close)
    return safe(f"Pass `{default}`", Edit(spot, spot, f"{lead}{default}"))
