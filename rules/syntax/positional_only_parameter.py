"""# Positional-only parameter in a compiled function

## What it does

Finds positional-only parameters (those before a `/`) in functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

The front end ignores parameters before the `/`. They are missing in the compiled signature, so their names are
undefined where they are first used.

```text
undefined value x
```

## Example

```python
import torch


def double(x: torch.Tensor, /) -> torch.Tensor:
    return x * 2


scripted = torch.jit.script(double)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


scripted = torch.jit.script(double)
inputs = (torch.rand(3),)
```

## Fix safety

The fix removes the `/`. This is *unsafe* for private functions, and for a module that only this file creates and calls:
a call in another file that passes the argument by keyword fails before the fix, and works after it. For all other
functions, the fix is only shown (*display*). If the signature has `**kwargs`, there is no fix: a keyword argument with
the name of the parameter would no longer go into `**kwargs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, unsafe
from tslint.script.dataflow.closed_calls import all_calls_seen
from tslint.script.events.syntax import PositionalOnlyParameter

RULE = Rule(code="TS117", name="positional-only-parameter", events=(PositionalOnlyParameter,))


def check(match: Match[PositionalOnlyParameter]) -> Iterator[Finding]:
    """Report the first use of the parameter, with a fix that removes the ``/``."""
    name = match.event.name
    yield match.finding(
        f"`{name}` is positional-only: it is missing in the compiled function's signature",
        help="Remove the `/` from the signature.",
        fix=_without_slash(match),
        keyword="def" if match.event.instance else None,
    )


def _without_slash(match: Match) -> Fix | None:
    function = match.function
    if function is None or not function.params.posonly_params or function.params.star_kwarg is not None:
        return None
    slash = function.params.posonly_ind
    comma = slash.comma if isinstance(slash, cst.ParamSlash) else cst.MaybeSentinel.DEFAULT
    *first, last = function.params.posonly_params
    params = [*first, last.with_changes(comma=comma), *function.params.params]
    new = function.params.with_changes(params=params, posonly_params=[], posonly_ind=cst.MaybeSentinel.DEFAULT)
    # A call that passes the parameter by name already raises.
    seen = all_calls_seen(match.file.tree, match.model(function))
    made = partial(match.rewrite, function, function.with_changes(params=new))
    return unsafe("Remove the `/`", made, risks=(Risk.ASSUMES,)) if seen else display("Remove the `/`", made)
