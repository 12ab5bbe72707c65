"""# Keyword-only parameter with a default in a compiled function

## What it does

Finds keyword-only parameters with a default, in functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

Keyword-only parameters compile, and so do defaults, but not together.

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

The fix removes the `*`. This is *unsafe* for private functions, and for a module that only this file creates and calls:
a call in another file that passes the argument by position fails before the fix, and works after it. For all other
functions, the fix is only shown (*display*). There is no fix if Python would reject the new order of the parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, unsafe
from tslint.rulekit.wording import listed
from tslint.script.dataflow.closed_calls import all_calls_seen
from tslint.script.events.syntax import KeywordOnlyDefault

RULE = Rule(code="TS116", name="keyword-only-default", events=(KeywordOnlyDefault,))


def check(match: Match[KeywordOnlyDefault]) -> Iterator[Finding]:
    """Report the first default, with a fix that removes the ``*``."""
    names = listed(match.event.bound)
    function = match.function
    starred = function.params.star_arg if function is not None else None
    default = "default" if len(match.event.bound) == 1 else "defaults"
    help = f"Remove the `*` from the signature, or the {default} of {names}."
    if function is not None and not _is_sorted(function):
        help = f"Remove the {default} of {names}. Or remove the `*`, and put the parameters with defaults last."
    if isinstance(starred, cst.Param):  # `*args` cannot be compiled, with or without the defaults
        help = f"Write named parameters instead of `*{starred.name.value}`: those after it are then not keyword-only."
    yield match.finding(
        f"{names}: keyword-only parameters with defaults cannot be compiled", help=help, fix=_positional(match)
    )


def _positional(match: Match) -> Fix | None:
    function = match.function
    if function is None or not isinstance(function.params.star_arg, cst.ParamStar):
        return None
    params = [*function.params.params, *function.params.kwonly_params]
    if not _is_sorted(function):
        return None
    new = function.params.with_changes(params=params, star_arg=cst.MaybeSentinel.DEFAULT, kwonly_params=[])
    # A call that passes a keyword-only argument by position already raises.
    seen = all_calls_seen(match.file.tree, match.model(function))
    made = partial(match.rewrite, function, function.with_changes(params=new))
    return unsafe("Remove the `*`", made, risks=(Risk.ASSUMES,)) if seen else display("Remove the `*`", made)


def _is_sorted(function: cst.FunctionDef) -> bool:
    """Return whether all parameters with defaults stand after those without."""
    defaults = [each.default is not None for each in (*function.params.params, *function.params.kwonly_params)]
    return defaults == sorted(defaults)
