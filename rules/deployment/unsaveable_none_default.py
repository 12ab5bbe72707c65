"""# None default of a parameter without annotation: the module cannot be saved

## What it does

Finds parameters of compiled modules that have the default None, and either no annotation or the annotation `Tensor`. If
you never save a compiled module, turn the rule off with `ignore = ["unsaveable-none-default"]`.

## What goes wrong

TorchScript accepts it: without an annotation the parameter is a Tensor, and the default becomes an undefined tensor,
which is not None. If callers pass a Tensor, the compiled code runs. If they leave the argument out, `mask is None` is
false, and operations on `mask` raise `Expected a proper Tensor but got None`. Saving always fails, because an archive
cannot contain an undefined tensor:

```text
strides() called on an undefined Tensor
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask=None):
        return x if mask is None else x * mask


inputs = (torch.ones(3), torch.ones(3))
```

## Use instead

```python
from typing import Optional

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None):
        return x if mask is None else x * mask


inputs = (torch.ones(3), torch.ones(3))
```

## Fix safety

If the parameter has no annotation, the fix annotates it as `Optional`, with the type that its uses show. This is *safe*
if the body, the default and every call in the file agree on the type: Python ignores annotations. It is *unsafe* if
only the body shows the type, or if the type of an argument is not known: compiled code rejects other types. There is no
fix if the uses contradict each other. If nothing shows a type, the fix writes `Optional[Tensor]`, because the compiler
treats the parameter as a Tensor. This is *unsafe* if the body only tests the parameter for None, and only shown
(*display*) if the body does more with it.

If the parameter is annotated as a Tensor, writing `Optional[Tensor]` is *unsafe*: code that uses the parameter without
a test for None no longer compiles. Both fixes are only shown (*display*) if the body passes the parameter, without a
test for None, to a module that another file defines, or to a method of this module's result: both may reject None.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.diagnostics import Stage
from tslint.rewrite.annotate import annotation_of
from tslint.rewrite.optional_tensor import as_optional, optional_help
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person
from tslint.script.dataflow.guards import only_tested_for_none
from tslint.script.events.hazards import UnsaveableNoneDefault

RULE = Rule("TS810", "unsaveable-none-default", events=(UnsaveableNoneDefault,), stage=Stage.SAVE)


def check(match: Match[UnsaveableNoneDefault]) -> Iterator[Finding]:
    """Report the parameter, with a fix that annotates it as Optional."""
    name, function = match.event.name, match.event.function
    param = match.libcst(match.event.argument)
    what = "has no annotation, so it is a Tensor" if annotation_of(param) is None else "is annotated as a Tensor"
    likely = "Tensor" if only_tested_for_none(function.node, name) else None
    fix = as_optional(match, param, likely) or for_a_person(as_optional(match, param, likely="Tensor"))
    help = f"{optional_help(name, fix)} Without `Optional`,"
    unit = match.event.unit
    if unit is not None and unit.overloaded:
        what, fix = "is a Tensor in an overload", None
        help = "Write a function for each signature: an overload has the defaults of the implementation. Otherwise,"
    user = function.owner.name if function.name == "__init__" and function.owner is not None else function.name
    whole = "the compiled module"
    if function.name != "forward":
        whole, what = f"a module that uses `{user}`", what.partition(",")[0]
    yield match.finding(
        f"`{name}=None` {what}: {whole} cannot be saved",
        help=f"{help} `{name} is None` is false in compiled code, and operations on a missing `{name}` raise.",
        fix=fix,
        mistake=param,
    )
