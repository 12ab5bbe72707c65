"""# `getattr` or `hasattr` with a computed name

## What it does

Finds `getattr(obj, name)` and `hasattr(obj, name)` in compiled code where the name is not written out as a string.

## Why TorchScript rejects it

A compiled model has a fixed layout: the compiler decides which attribute is read, so the name must be a literal string.
Formatted strings and variables are known only when the code runs.

```text
getattr's second argument must be a string literal
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for i in range(2):
            setattr(self, f"layer{i}", nn.Linear(3, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(2):
            x = getattr(self, f"layer{i}")(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

Keep the modules in a `ModuleList` (or a `ModuleDict`) and iterate over it:

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

This changes the keys of the `state_dict`: rename them where you load old checkpoints.

## Fix safety

In a loop over a few literals, such as `range(3)`, the fix writes the iterations out, each with its own name:
`x = self.layer0(x)`. This is *safe*.

If the file stores only modules under computed names, the fix for other code lets compiled code loop over
`self.named_children()` and compare the names; Python still uses `getattr`. This fix is only shown (*display*): all
submodules must accept the call, and if no submodule has the name, compiled code does nothing, while Python raises. Most
authors would rather use a container.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.loops import names_in
from tslint.rewrite.select_module import walked_children
from tslint.rewrite.unrolled_loop import unrolled
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.names import GetattrName

RULE = Rule(code="TS218", name="getattr-name", events=(GetattrName,))

_CONTAINER = m.Name("ModuleList") | m.Name("ModuleDict")
_COMPUTED = m.Call(func=m.Name("getattr"), args=[m.Arg(), m.Arg(~m.SimpleString()), m.ZeroOrMore()])
_FORMATTED = m.FormattedString() | m.ConcatenatedString()


def check(match: Match[GetattrName]) -> Iterator[Finding]:
    """Report the computed name; the solution depends on the object."""
    call = cst.ensure_type(match.libcst(match.event.call), cst.Call)
    owner = call.args[0].value
    read_from = owner.value if isinstance(owner, cst.Name) else ""
    asked = match.event.function == "hasattr"
    mine = not asked and read_from != "" and read_from == match.self_name
    around = match.parent(call)
    if mine and isinstance(around, cst.Call) and around.func is call:
        help = (
            "For modules: put them into an `nn.ModuleList` or `nn.ModuleDict`, and loop over it. For methods: write"
            f" each call out, under an `if` that tests {_tested(match)}."
        )
    elif mine:
        help = (
            "Put the attributes into an `nn.ModuleList` (modules), `nn.ParameterList` (parameters) or list (Tensors),"
            f" and loop over it. Or write each attribute out, under an `if` that tests {_tested(match)}."
        )
    elif asked:
        help = "Write each name as a string. Or test in `__init__`, and store the result in a `bool` attribute."
    elif read_from[:1].isalpha() and not m.matches(match.node, _FORMATTED):
        help = f"Test {match.event_text} with `if`, and write each attribute out: `{read_from}.…`."
    else:
        help = "Write each attribute out under an `if` that tests its name."
    yield match.finding(
        f"`{match.event.function}` needs a literal name, but {match.event_text} is computed when the code runs",
        help=help,
        fix=(None if asked else unrolled(match, match.node)) or (_walk(match) if mine else None),
    )


def _tested(match: Match) -> str:
    """Return the only variable in the computed name, or the whole expression."""
    names = {*names_in(match.node)}
    return f"`{names.pop()}`" if len(names) == 1 and match.self_name not in names else match.event_text


def _modules_only(match: Match) -> bool:
    """Return whether the class has no ``ModuleList`` or ``ModuleDict``: the loop compiles a call of every submodule."""
    return match.owner is not None and not m.findall(match.libcst(match.owner), _CONTAINER)


def _walk(match: Match[GetattrName]) -> Fix | None:
    """Write a loop over all submodules, into which the following statements move. None if one of these statements has
    a computed name, too: its loop would copy the statements again.
    """
    statement = match.statement()
    if statement is None:
        return None
    block = match.siblings(statement)
    after = block[next(i for i, each in enumerate(block) if each is statement) + 1 :]
    if any(m.findall(each, _COMPUTED) for each in after):
        return None
    fix = walked_children(match, match.event.call)
    # In this order, because the search of the class takes longer.
    return fix if fix is not None and _modules_only(match) else None
