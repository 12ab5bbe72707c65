"""# Unpacking modules of a container

## What it does

Finds `a, b = self.layers` and `for norm, attention in self.layers` where the unpacked value is an `nn.ModuleList`, an
`nn.Sequential` or an `nn.ModuleDict`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A container is a module to the compiler, and modules have no elements to unpack.

```text
module cannot be used as a tuple
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ModuleList([nn.LayerNorm(3), nn.Linear(3, 3)]) for _ in range(2)])

    def forward(self, x):
        for norm, linear in self.layers:
            x = linear(norm(x)) + x
        return x


inputs = (torch.ones(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ModuleList([nn.LayerNorm(3), nn.Linear(3, 3)]) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            norm = layer[0]
            linear = layer[1]
            x = linear(norm(x)) + x
        return x


inputs = (torch.ones(2, 3),)
```

A module class for each layer, with a `forward`, is easier to read and compiles, too, but changes the keys of the
`state_dict`.

## Fix safety

In a `for` loop, the fix reads each module by an integer literal at the start of the body. This is *safe*. It is offered
if there are as many modules as names, and if the names are used only in the loop and never assigned again.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.loops import Loop, lines_of, names_in
from tslint.rewrite.module_names import singular
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import statement
from tslint.script.dataflow.loops import read_after, rebinds
from tslint.script.events.modules import ContainerUnpacked

RULE = Rule(code="TS432", name="container-unpacking", events=(ContainerUnpacked,))
_SCOPES = m.FunctionDef() | m.Lambda() | m.ListComp() | m.GeneratorExp() | m.DictComp() | m.SetComp()


def check(match: Match[ContainerUnpacked]) -> Iterator[Finding]:
    """Report the unpacking, with a fix that reads the modules by literal indices."""
    event = match.event
    what = f"items of an nn.{event.container}" if event.items else f"the modules of an nn.{event.container}"
    if event.container.startswith("Parameter"):
        what = f"an nn.{event.container}"
    target = match.libcst(event.target)
    around = match.enclosing(cst.Assign, target)
    plain = around is not None and isinstance(around.value, (cst.Name, cst.Attribute))
    name = match.code(around.value) if around is not None and plain else "layer"
    help = f"Index with integer literals where the modules are used: `{name}[0](x)`."
    loop = match.enclosing(cst.For, target)
    if loop is not None and any(each is target for each in m.findall(loop.target, m.Tuple())):
        over = loop.iter
        while isinstance(over, cst.Call) and over.args:
            over = over.args[-1].value
        name = singular(over)
        help = f"Use one variable in the loop, `{name}`, and index it with integer literals: `{name}[0](x)`."
    if event.container == "ModuleDict":
        help = f"Index with string literals where the modules are used, such as `{name}['norm'](x)`."
    elif event.container == "ParameterDict":
        help = "Index with string literals where the parameters are used, such as `weights['norm']`."
    elif event.container == "ParameterList":
        help = "Index with integer literals where the parameters are used, such as `weights[0]`."
    message = f"{match.quote(target)} unpacks {what}, which cannot be compiled"
    yield match.finding(message, help=help, fix=_fix(match))


def _fix(match: Match[ContainerUnpacked]) -> Fix | None:
    target, length = match.libcst(match.event.target), match.event.length
    node = match.enclosing(cst.For, target)
    if node is None or match.event.container == "ModuleDict" or not isinstance(target, cst.Tuple):
        return None
    loop, names = Loop(node), names_in(target)
    if not all(isinstance(each.value, cst.Name) for each in target.elements) or length != len(target.elements):
        return None
    if not any(each is target for each in m.findall(node.target, m.Tuple())):
        return None  # the tuple is the target of an assignment in the loop
    tree, model = match.file.tree, match.model(node)
    if len({*names}) < length or any(rebinds(model, name) or read_after(tree, model, name) for name in names):
        return None
    if m.findall(node.body, _SCOPES):
        return None
    over = loop.iterable
    while isinstance(over, cst.Call) and over.args:
        over = over.args[-1].value
    name, used = fresh_name(match, singular(over)), {each.value for each in loop.variables}
    body = lines_of(node.body)
    if not body:
        return None

    def edits() -> tuple[Edit, ...]:
        read = [
            statement("{part} = {name}[{index}]", part=part, name=name, index=cst.Integer(str(index)))
            for index, part in enumerate(names)
            if part in used
        ]
        return (*match.replace(target, cst.Name(name)), match.insert_before(body[0], *read, comments=True))

    return safe("Read the modules by their index", edits)
