"""# ModuleDict indexed by a variable

## What it does

Finds `self.heads[name]` with a key that is not a string literal, where `self.heads` is an `nn.ModuleDict` or an
`nn.ParameterDict`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Every module of a dict has its own type, so the compiler must know which one you mean.

```text
Unable to extract string literal index. ModuleDict indexing is only supported with string literals.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"box": nn.Linear(3, 4), "label": nn.Linear(3, 2)})

    def forward(self, x):
        out = []
        for name in self.heads:
            out.append(self.heads[name](x))
        return out


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"box": nn.Linear(3, 4), "label": nn.Linear(3, 2)})

    def forward(self, x):
        out = []
        for head in self.heads.values():
            out.append(head(x))
        return out


inputs = (torch.rand(2, 3),)
```

If the key does not come from a loop over the dict, loop over its items and compare the keys:

```text
for name, head in self.heads.items():
    if name == wanted:
        x = head(x)
```

## Fix safety

If the key comes from a loop over the keys of the same dict, the loop becomes one over the items of the dict. This is
*safe*. In a loop over a few literals, such as `range(3)`, the fix writes the iterations out, each with a literal key:
`x = self.blocks["b0"](x)`. This is *safe*, too. For any other key, the fix adds a loop over the items that compares the
key. A line before the loop raises KeyError if the dict does not have the key. This is *safe*, unless the statement
evaluates something else before it reads the module. Then the fix is *unsafe*: in Python, that may raise another error
first. If the key cannot be checked before the loop, only compiled code has the loop. This is *unsafe*: if the dict does
not have the key, compiled code does nothing, while Python raises. There is no other fix for an `nn.ParameterDict`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.loops import called, loop_of, paired, put, same
from tslint.rewrite.module_names import module_name, singular
from tslint.rewrite.select_module import takes, walked
from tslint.rewrite.unrolled_loop import unrolled
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import expression, parenthesized
from tslint.script.dataflow.changes import may_change
from tslint.script.dataflow.loops import is_stored, read_after, rebinds
from tslint.script.events.modules import ContainerKey

RULE = Rule(code="TS402", name="container-key", events=(ContainerKey,))
_KEYS = m.Call(func=m.Attribute(attr=m.Name("keys")), args=[])


def check(match: Match[ContainerKey]) -> Iterator[Finding]:
    """Report the key, with a fix that iterates over the items."""
    event, node = match.event, match.node
    index = match.libcst(event.index)
    one = singular(node.value) if isinstance(node, cst.Subscript) else "module"
    if one == match.code(index):
        one = "module"
    in_loop = isinstance(index, cst.Name) and loop_of(match, index.value, node) is not None
    over = f"{one} in {event.path}.items():"
    help = f"Loop over the items: `for {match.code(index)}, {over}`."
    if not in_loop:
        key = fresh_name(match, "name")
        code = match.code(index)
        help = f"Loop over the items, `for {key}, {over}`, and test `if {key} == {code}:` in the loop."
        if not isinstance(index, cst.Name):
            help = f"Assign `wanted = {code}`, loop over the items, `for {key}, {over}`, and test `{key} == wanted`."
    fix = unrolled(match, index)
    if event.container == "ParameterDict":
        help = "Write the key as a string literal: compiled code cannot iterate over an nn.ParameterDict."
    elif isinstance(node, cst.Subscript):
        fix = _items(match, node, index) or fix or walked(match, node, keys=True)
    needed = f"an nn.{event.container} needs a string literal"
    yield match.finding(
        f"{match.quote(node)} has the variable key {match.quote(index)}: {needed}",
        help=help,
        fix=fix,
    )


def _items(match: Match, node: cst.Subscript, key: cst.CSTNode) -> Fix | None:
    """Iterate over the modules with their keys, or without the keys if the loop has no other use for them."""
    loop = loop_of(match, key.value, node) if isinstance(key, cst.Name) else None
    if loop is None or not isinstance(key, cst.Name):
        return None
    over = loop.iterable
    target: cst.BaseExpression = loop.target
    counted = called(over, "enumerate")
    if counted is not None and isinstance(target, cst.Tuple) and len(target.elements) == 2:
        target, over = target.elements[1].value, counted
    if not m.matches(target, m.Name(key.value)):
        return None
    model, name, listed = match.model(loop.node), key.value, over
    if isinstance(over, cst.Call) and isinstance(over.func, cst.Attribute) and m.matches(over, _KEYS):
        over = over.func.value
    if rebinds(model, name) or not same(match, over, node.value):
        return None
    uses = [each for each in loop.all(cst.Subscript) if takes(match, each, node.value, key)]
    if any(is_stored(match.model(use)) for use in uses):
        return None
    if may_change(match.file.tree, [model], match.model(node.value)):
        return None  # the loop would go on with the old module
    inside = {each for use in uses for each in variables_in(use)}
    named = any(each.value == name and each not in inside for each in loop.variables)
    named = named or read_after(match.file.tree, model, name)

    def edits() -> tuple[Edit, ...]:
        one = cst.Name(module_name(match, loop, node.value))
        view = expression("{path}.items()" if named else "{path}.values()", path=node.value)
        pair: cst.BaseExpression = paired(name, [one]) if named else one
        items = parenthesized(pair) if counted is not None and named else pair
        return put(match, loop, {target: items, listed: view, **dict.fromkeys(uses, one)})

    return safe(f"Iterate over the items of `{match.code(node.value)}`", edits)
