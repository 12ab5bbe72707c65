"""# Positional-only parameter in a compiled function

## What it does

Finds functions with `/` in their signature that `torch.jit.script` compiles.

## Why TorchScript rejects it

The front end does not see parameters before the `/`: they vanish from the compiled signature, and their first use is an
undefined name.

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

Removing the `/` is *unsafe* where all calls of a private function, or of a module that the file makes and calls itself,
are seen. Elsewhere it is only shown: a call that gives the argument by keyword fails before, and works then. With
`**kwargs` in the signature a keyword could change its meaning, so there is no fix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.closed_calls import all_calls_seen
from tslint.rewrite.spans import at_keyword, compiled_function, delete, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, unsafe

RULE = Rule(code="TS117", name="positional-only-parameter", events=("positional-only-parameter",))


def check(match: Match) -> Iterator[Finding]:
    """Underline the first use; offer to remove the slash."""
    name = match.event.facts["name"]
    message = f"`{name}` is positional-only: it vanishes from the compiled function's signature"
    help = "Remove the `/` from the signature."
    if match.event.compiler.startswith("methods"):
        yield at_keyword(match, "def", message, help, _without_slash(match))
    else:
        yield match.finding(message, help=help, fix=_without_slash(match))


def _without_slash(match: Match) -> Fix | None:
    function = compiled_function(match)
    if function is None or function.args.kwarg is not None or not function.args.posonlyargs:
        return None
    arguments, source = function.args, match.source
    last = len(arguments.posonlyargs) - 1
    skipped = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    place_of = arguments.defaults[last - skipped] if last >= skipped else arguments.posonlyargs[last]
    end = source.offset(place(match, place_of)[1])
    slash = re.compile(r"[\s)]*?(,\s*/)").match(source.text, end)
    if slash is None:
        return None
    edit = delete(match, slash.start(1), slash.end(1))
    # Who gives it by its name gets an error as it is.
    seen = all_calls_seen(match, function)
    return unsafe("Remove the `/`", edit, risks=(Risk.ASSUMES,)) if seen else display("Remove the `/`", edit)
