"""# Loop over modules together with a sequence of unknown length

## What it does

Finds `zip(self.layers, features)`, where one argument is a container of modules or a tuple and another is a list, a
tensor or a range, in code that `torch.jit.script` compiles. The container itself can be compiled. If `self.layers`
is a plain Python list of modules, the finding is `inconvertible-attribute` (TS412).

## Why TorchScript rejects it

A loop over modules is unrolled: its body is compiled once for every module. To unroll `zip`, the compiler needs the
length of each argument, but the length of a list is only known when the code runs.

```text
Can not iterate over a module list or tuple with a value that does not have a statically determinable length
```

## Example

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for layer, feature in zip(self.layers, features):
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for i, layer in enumerate(self.layers):
            feature = features[i]
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Fix safety

The fix loops over the modules and reads the other values by index (`features[-i - 1]` for `features[::-1]`), under a
test (`if i < len(features)`), because `zip` stops at the end of the shorter argument. This is *unsafe*: only the type
shows that `features` is a list or a tensor, which has a length and can be indexed. There is no such fix if the loop
changes the length of `features`, or if `features` is None by default and never tested.

If `zip` combines tuples with a list, and no modules, the tuples become lists. This is *safe* for literal tuples such as
`(2, 3)`. For an attribute, the fix writes `list(self.padding)`, which is *unsafe*: only the type shows that
`self.padding` is a tuple.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.loops import listed
from tslint.rewrite.zipped_by_index import by_index
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import a
from tslint.script.events.modules import UnrolledWithUnknownLength

RULE = Rule(code="TS416", name="unrolled-with-unknown-length", events=(UnrolledWithUnknownLength,))
_POSITIONAL = m.Arg(keyword=None, star="")
_COMPUTED = m.StarredElement() | m.Element(value=m.Tuple() | m.List() | m.Call())
_HELD = m.Name() | m.Attribute()


def check(match: Match[UnrolledWithUnknownLength]) -> Iterator[Finding]:
    """Report the loop, with a fix that loops over the modules and reads other values by index."""
    node, type_ = match.node, match.event.type
    what = match.quote(node) if "\n" not in match.code(node) else "this loop"
    unrolled, help = "a tuple", "Make a list of the tuple, if its elements have one type."
    if match.event.of_modules:
        modules = _modules(match)
        loop = f"`for i, module in enumerate({match.code(modules)})`" if modules is not None else "with `enumerate`"
        unrolled, help = "modules", f"Loop over the modules only, {loop}; read the other values by the index."
    yield match.finding(
        f"{what} cannot combine {unrolled} with {a(type_)}, whose length is unknown",
        help=help,
        fix=(_lists(match, node) or by_index(match, node)) if isinstance(node, cst.Call) else None,
    )


def _modules(match: Match[UnrolledWithUnknownLength]) -> cst.BaseExpression | None:
    """Return the container of modules in ``zip(self.layers, features)``, if there is only one."""
    event = match.event
    zips = [each for each in m.findall(match.node, m.Call(m.Name("zip"))) if isinstance(each, cst.Call)]
    if len(zips) != 1 or len(zips[0].args) != len(event.unrolled):
        return None
    parts = zip(zips[0].args, event.unrolled, event.alike)
    found = [part.value for part, repeated, same in parts if repeated and not same and m.matches(part.value, _HELD)]
    return found[0] if len(found) == 1 else None


def _lists(match: Match[UnrolledWithUnknownLength], node: cst.Call) -> Fix | None:
    """Write lists of numbers instead of tuples: such a loop is not unrolled."""
    unrolled, alike = match.event.unrolled, match.event.alike
    parts = [part.value for part, repeated in zip(node.args, unrolled) if repeated]
    written = [part for part in parts if isinstance(part, cst.Tuple) and part.elements]
    held = [part.value for part, same in zip(node.args, alike) if same and m.matches(part.value, _HELD)]
    if not parts or not all(part in written or part in held for part in parts) or match.binds("list"):
        return None
    if any(m.matches(each, _COMPUTED) for part in written for each in part.elements):
        return None

    def edits() -> Iterable[Edit]:
        for part in written:
            yield from match.replace(part, listed(part))
        for held_part in held:
            yield from match.replace(held_part, expression("list({part})", part=held_part))

    if held:  # that they are tuples is only known from their types, which Python does not check
        return unsafe("Make the tuples lists", edits, risks=(Risk.ASSUMES,))
    return safe("Write the tuples as lists", edits)
