"""# Module that is called after it was put into a tuple, list or slice

## What it does

Finds calls of modules that come from a slice (`for layer in self.layers[1:]`), a tuple or list of modules, an unpacking
(`a, b = self.a, self.b`) or an `a if test else b`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler can call a module only if the code reads it from `self` or from a container. In a tuple, list or slice, a
module is an ordinary object to the compiler: it has the module's methods, but no `__call__`.

```text
object has no attribute or method '__call__'. Did you forget to initialize an attribute in __init__()?
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers[1:]:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            if i >= 1:
                x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

A loop over a slice becomes a loop over the whole container that tests the index. This is *safe* if the bounds are
certainly ints, and *unsafe* if only an annotation shows that they are. A loop over `list(self.layers)` becomes a loop
over `self.layers`, if the loop does not change the container. This is *safe*.

In all other cases, the fix lets compiled code call `.forward`: `layer.forward(x) if torch.jit.is_scripting() else
layer(x)`. This is *unsafe*, because compiled code then does not run the module's hooks. If the statement also calls
another variable, the fix is only shown (*display*).
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.iterate_copy import copied_container, without_copy
from tslint.rewrite.iterate_slice import index_test, walked_slice
from tslint.rewrite.loops import Loop, called, loop_of, part_of
from tslint.rewrite.module_names import singular
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.loops import stored_once
from tslint.script.dataflow.scopes import bindings
from tslint.script.events.modules import ModuleValueCalled

RULE = Rule(code="TS406", name="module-value-called", events=(ModuleValueCalled,))
_SLICED = m.Subscript(slice=[m.SubscriptElement(m.Slice())])


def check(match: Match[ModuleValueCalled]) -> Iterator[Finding]:
    """Report the call, with a fix that loops over the whole container or calls ``forward``."""
    node = match.node
    source = "a tuple, a list or an `if … else`"
    called_directly = short(f"{match.code(node)}.forward(…)")
    help = f"Call each module by its attribute of `self`, or call {called_directly}, which skips hooks."
    loop = loop_of(match, node.value, node) if isinstance(node, cst.Name) else None
    part = part_of(loop, node.value) if loop is not None and isinstance(node, cst.Name) else None
    if isinstance(part, cst.Subscript) and m.matches(part, _SLICED):
        source = f"the slice {match.quote(part)}"
        if loop is not None and part is loop.iterable:
            one, path, i = singular(part.value), match.code(part.value), fresh_name(match, "i")
            asked = index_test(match, part, i)
            test = f"`if {asked}:`" if asked else f"`{i}`"
            help = (
                f"Loop over the whole container, `for {i}, {one} in enumerate({path}):`, and test {test} in the loop."
            )
    elif loop is not None and (copied := copied_container(loop)) is not None:
        source, help = match.quote(copied[0]), f"Iterate over {match.quote(copied[1])} itself."
    elif part is not None and "\n" not in match.code(part):
        source = match.quote(part)
    yield match.finding(
        f"{match.quote(node)} is a module from {source}, which TorchScript cannot call",
        help=help,
        fix=(loop and without_copy(match, loop)) or _walk(match, loop) or _forward(match, node),
    )


def _walk(match: Match, loop: Loop | None) -> Fix | None:
    """Iterate over the whole container instead of a slice."""
    if loop is None:
        return None
    cut = called(loop.iterable, "enumerate") or loop.iterable
    return walked_slice(match, loop, cut) if isinstance(cut, cst.Subscript) else None


def _forward(match: Match, node: cst.CSTNode) -> Fix | None:
    """Call ``forward`` in compiled code; eager code still runs the module's hooks."""
    call = match.parent(node)
    if not isinstance(node, cst.BaseExpression) or not isinstance(call, cst.Call) or call.func is not node:
        return None
    # If a variable is assigned more than once, its other uses may refer to another module.
    if isinstance(node, cst.Name) and not stored_once(match.file.tree, match.model(node), node.value):
        return None
    compiled = call.with_changes(func=expression("{module}.forward", module=node))
    fix = either(match, call, compiled, f"Call {short(f'{match.code(node)}.forward')} in compiled code")
    return fix if _is_alone(match, call) else for_a_person(fix)


def _is_alone(match: Match, call: cst.Call) -> bool:
    """Return whether a statement calls no other variable: if the other one is such a module, too, each call gets two
    forms, and the forms of one call contain those of the other.
    """
    around, unit = match.statement(call), match.event.unit
    local = bindings(unit.function.node) if unit is not None else ()
    calls = m.findall(around, m.Call(func=m.Name())) if around is not None else ()
    others = (each.func for each in calls if isinstance(each, cst.Call) and each is not call)
    return not any(isinstance(each, cst.Name) and each.value in local for each in others)
