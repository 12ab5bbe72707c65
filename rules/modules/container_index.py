"""# ModuleList or Sequential indexed by a variable

## What it does

Finds `self.layers[i]` with an index that is not an integer literal, where `self.layers` is an `nn.ModuleList`,
`nn.Sequential` or `nn.ParameterList`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Every module of a list has its own type, so the compiler must know which one you mean.

```text
Expected integer literal for index but got a variable or non-integer.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.layers[i](x)
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
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

If the loop needs modules of several lists, use `zip`. If the index does not come from a loop, loop over the list with
`enumerate`, and compare the indices.

## Fix safety

A loop over `range(len(self.layers))` becomes a loop over the modules themselves, which is *safe*. A loop over
`range(self.depth)`, or over another list of modules, becomes one, too. If the constructor may create more modules than
the loop reads, the body goes under `if i < self.depth:`. If the constructor may create fewer modules, a line after the
loop raises IndexError, as Python does when it runs out of modules. All this is *safe*. It is *unsafe* if only an
annotation or a default shows that `self.depth` is an int, or if modules may be missing and the body does something
before it reads the module. If the constructor adds a module for each item of a `zip`, and the loop counts the items of
the first list, the fix asserts that there are as many modules. This is *unsafe*: Python raises AssertionError instead
of IndexError.

If the body reads the next or the previous module, such as `self.layers[i - 1]`, the loop becomes `for i, layer in
enumerate(self.layers, start=1):`. This is *safe*, and is offered if no index can be out of range.

A comprehension over as many items as there are modules becomes a comprehension over the modules, `[head(xs[i]) for i,
head in enumerate(self.heads)]`. A comprehension over at most four items, if their number is known, becomes a list:
`[self.heads[0](xs[0]), self.heads[1](xs[1])]`. Any other comprehension first becomes a loop, which then has a fix of
its own. All three are *safe*.

The index of the last module, such as `len(self.layers) - 1`, becomes `-1`, which is *safe*.

Parameters in an nn.ParameterList are all Tensors, so compiled code can index a list of them: `list(self.scales)[i]`.
This is *safe*.

A loop over a few literals, such as `range(3)`, is written out if a literal index is then known in each iteration, as in
`self.layers[2 * i]`. This is *safe*.

For any other index, the fix adds a loop over the modules that compares the index, and moves the statements that need
the module into this loop. If the index may be out of range, the fix adds a line that raises IndexError: after the loop
if the statements return, and before the loop if they do not. All this is *safe*. It is *unsafe* if only an annotation
or a default shows that the index is an int, or if code that runs before the module is read might raise another error.
If the index cannot be checked before the loop, only compiled code has the loop (`if torch.jit.is_scripting():`). This
is *unsafe*: if no module has the index, compiled code does nothing, while Python raises. The keys of the `state_dict`
never change. There is no fix for statements that need modules at two such indices: two nested loops would be hard to
read.

If the index is a parameter without annotation, a first fix annotates the parameter as an int: without annotation,
compiled code would only accept a Tensor. This is *unsafe* if no call in the file shows the type.

There is no fix if the class puts None into a list of modules: compiled code leaves None out, so later modules have
other indices than in Python. `--fix` does not apply a fix that relies on an attribute that another checked file sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.indexed_module import without_index
from tslint.rewrite.loops import Loop, loop_of, names_in
from tslint.rewrite.module_names import singular
from tslint.rewrite.type_reasons import unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.dataflow.module_lists import holds_modules_by_number
from tslint.script.dataflow.none_modules import may_hold_none
from tslint.script.events.modules import ContainerIndex

RULE = Rule(code="TS401", name="container-index", events=(ContainerIndex,))


def check(match: Match[ContainerIndex]) -> Iterator[Finding]:
    """Report the index, with a fix that iterates over the modules."""
    event, node = match.event, match.node
    index = match.libcst(event.index)
    one = singular(node.value) if isinstance(node, cst.Subscript) else "module"
    if one == match.code(index):
        one = "module"
    over = f"{one} in enumerate({event.path}):"
    help = f"Loop over the container: `for {match.code(index)}, {over}`."
    loop = loop_of(match, index.value, node) if isinstance(index, cst.Name) else None
    if loop is not None and isinstance(index, cst.Name):
        help = _zipped(match, loop, index.value) or help
    if loop is None:
        i = fresh_name(match, "i")
        place = match.code(index)
        if isinstance(index, cst.UnaryOperation) and isinstance(index.operator, cst.Minus):
            place = f"len({event.path}) - {match.code(index.expression)}"  # the index of `enumerate` is never negative
        help = f"Loop over the container, `for {i}, {over}`, and test `if {i} == {place}:` in the loop."
        if event.container == "ParameterList":
            help = f"Write {short(f'list({event.path})[{match.code(index)}]')}: a list can have a variable index."
    fix = _annotated_first(match, index, without_index(match, node, index)) if isinstance(node, cst.Subscript) else None
    if fix is not None and isinstance(node, cst.Subscript):
        fix = replace(fix, unset=_relied_on(match, node, index))
    if fix is None and may_hold_none(match.file.tree, match.model(node)):
        instead = "nn.Parameter(torch.empty(0))" if event.container == "ParameterList" else "nn.Identity()"
        help += f" If `{event.path}` may contain None, store `{instead}` instead: TorchScript leaves None out."
    yield match.finding(
        f"`{event.path}` has the variable index {match.quote(index)}: an nn.{event.container} needs an integer literal",
        help=help,
        fix=fix,
    )


def _zipped(match: Match[ContainerIndex], loop: Loop, index: str) -> str:
    """Return the help for a loop that reads several containers at its index; empty if it reads one."""
    at_index = m.Subscript(slice=[m.SubscriptElement(m.Index(m.Name(index)))])
    read = [each.value for each in loop.all(cst.Subscript) if m.matches(each, at_index)]
    lists = {match.code(each): singular(each) for each in read if _holds_modules(match, each)}
    if len(lists) < 2 or len(lists) != len({*lists.values()}):
        return ""
    names, paths = ", ".join(lists.values()), ", ".join(lists)
    return f"Loop over the containers: `for {index}, ({names}) in enumerate(zip({paths})):`."


def _holds_modules(match: Match[ContainerIndex], node: cst.BaseExpression) -> bool:
    known = match.code(node) in match.event.containers
    return known or holds_modules_by_number(match.file.tree, cast(Any, match.model(node)))


def _annotated_first(match: Match[ContainerIndex], index: cst.CSTNode, fix: Fix | None) -> Fix | None:
    """Return a fix that annotates the index if it is a parameter without annotation; otherwise the given fix.

    Without an annotation, compiled code accepts only a Tensor. The next run replaces the index itself.
    """
    parameter = unannotated(match, index)
    typed = annotate_parameter(match, parameter, wanted="int") if fix is not None and parameter is not None else None
    return typed or fix


def _relied_on(match: Match[ContainerIndex], node: cst.Subscript, index: cst.CSTNode) -> tuple[str, ...]:
    """Return the attributes that decide how often the loop of an index runs, and which modules it reads.

    Return an empty tuple if one attribute decides both, as in ``range(len(self.layers))``.
    """
    loop = next(filter(None, (loop_of(match, name, node) for name in names_in(index))), None)
    indexed = [each.value for each in loop.all(cst.Subscript)] if loop is not None else []
    read = [node.value, *(each for each in indexed if match.code(each) in match.event.containers)]
    containers, bounds = (
        {each.attr.value for part in parts for each in all_of(part, cst.Attribute)}
        for parts in (read, (index, *([loop.iterable] if loop is not None else ())))
    )
    return tuple(sorted(containers | bounds)) if containers != bounds or len(bounds) > 1 else ()
