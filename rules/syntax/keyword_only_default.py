"""# Keyword-only parameter with a default in a compiled function

## What it does

Finds functions with a default on a keyword-only parameter that `torch.jit.script` compiles.

## Why TorchScript rejects it

Keyword-only parameters compile, and defaults compile, but not the one with the other.

```text
Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults
```

## Example

```python
import torch


def shift(x: torch.Tensor, *, by: int = 1) -> torch.Tensor:
    return x + by


scripted = torch.jit.script(shift)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def shift(x: torch.Tensor, by: int = 1) -> torch.Tensor:
    return x + by


scripted = torch.jit.script(shift)
inputs = (torch.rand(3),)
```

## Fix safety

Removing the `*` is *unsafe* where all calls of a private function, or of a module that the file makes and calls itself,
are seen. Elsewhere it is only shown: a call that gives the argument by position fails before, and works then. There is
no fix where the parameters would then stand in an order that Python refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.closed_calls import all_calls_seen
from tslint.rewrite.spans import compiled_function, delete, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, unsafe

RULE = Rule(code="TS116", name="keyword-only-default", events=("keyword-only-default",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the first default; offer to remove the star."""
    names = ", ".join(f"`{name}`" for name in match.event.facts["names"])
    yield match.finding(
        f"{names}: a compiled function cannot have keyword-only parameters with defaults",
        help="Remove the `*` from the signature, or the default.",
        fix=_positional(match),
    )


def _positional(match: Match) -> Fix | None:
    function = compiled_function(match)
    if function is None or function.args.vararg is not None:
        return None
    defaults = [False] * (len(function.args.args) - len(function.args.defaults)) + [True] * len(function.args.defaults)
    defaults += [default is not None for default in function.args.kw_defaults]
    if defaults != sorted(defaults):
        return None
    first = match.source.offset(place(match, function.args.kwonlyargs[0])[0])
    begin = match.source.offset(place(match, function)[0])
    star = re.search(r"\*\s*,\s*$", match.source.text[begin:first])
    if star is None:
        return None
    edit = delete(match, begin + star.start(), first)
    # Who gives it by its position gets an error as it is.
    seen = all_calls_seen(match, function)
    return unsafe("Remove the `*`", edit, risks=(Risk.ASSUMES,)) if seen else display("Remove the `*`", edit)
