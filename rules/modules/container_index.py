"""# ModuleList or Sequential indexed by a variable

## What it does

Finds `self.layers[i]` with an index that is no integer literal, where `self.layers` is an `nn.ModuleList`,
`nn.Sequential` or `nn.ParameterList`, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Every module of a list has a type of its own, so the compiler has to know which one is meant.

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

Several lists are walked together with `zip`; where the index comes from somewhere else, walk the list with
`enumerate` and compare.

## Fix safety

A loop over `range(len(self.layers))` becomes one over the modules themselves; that is *safe*, as is a loop over
another list of modules, or over `range(self.depth)`, where the constructor makes as many modules in every case. Where
it makes more, the body goes under `if i < self.depth:`. Where it may make fewer, a line after the loop raises
IndexError, as Python does in the turn that runs out of modules; that is *unsafe* where that turn does something before
it takes the module.

Any other index is compared in a walk over the modules, into which the statements move that need the module, after a
line that raises IndexError for an index that is out of range, unless none can be. That is *safe*, or *unsafe* where
only an annotation or a default says that the index is an int, or something else may be raised first. Where an index
cannot be checked before, compiled code alone walks (`if torch.jit.is_scripting():`), which is *unsafe*: without such a
module it does nothing. Keys of the `state_dict` stay in all cases.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.comprehension_to_loop import as_loops
from tslint.rewrite.loop_headers import Rewriting
from tslint.rewrite.loop_parts import (
    Loop,
    loop_of,
    loops_around,
    module_name,
    read_after,
    replace,
    same,
    singular,
)
from tslint.rewrite.select_module import walked
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.index_proofs import place_of

RULE = Rule(code="TS401", name="container-index", events=("container-index",))


def check(match: Match) -> Iterator[Finding]:
    """Iterate over the modules."""
    facts, node = match.event.facts, match.event.node
    fix: Fix | None = None
    path, index = facts["path"], facts["index"]
    if isinstance(node, ast.Subscript) and isinstance(index, ast.Name):
        loop = loop_of(match, index.id, node)
        fix = _fix(match, node.value, index.id, loop) if loop is not None else None
    if fix is None and isinstance(node, ast.Subscript):
        fix = walked(match, node) or _as_loop(match, node)
    one = singular(node.value) if isinstance(node, ast.Subscript) else "module"
    yield match.finding(
        f"`{match.text(node)}` takes a module by the variable `{match.text(index)}`: TorchScript can only index an"
        f" nn.{facts['container']} with an integer literal",
        help=f"Iterate instead: `for i, {one} in enumerate({path}):`; where one module is meant, test `i` there.",
        fix=fix,
    )


def _as_loop(match: Match, node: ast.Subscript) -> Fix | None:
    """Write the comprehension around it as a loop, in which a walk can stand."""
    loop = next(iter(loops_around(match, node)), None)
    used = {n.id for n in walking.walk(node.slice) if isinstance(n, ast.Name)}
    if (
        loop is None
        or isinstance(loop.node, ast.For)
        or not used & {n.id for n in walking.walk(loop.target) if isinstance(n, ast.Name)}
    ):
        return None
    return as_loops(match, loop.node)


def _fix(match: Match, container: ast.expr, index: str, loop: Loop) -> Fix | None:
    uses = [
        n for n in loop.walk() if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id == index
    ]
    known = match.event.facts["containers"]
    paths: list[ast.expr] = [container]
    for use in uses:
        if ast.unparse(use.value) in known and _as_long(match, use, container):
            paths += [use.value] if not any(same(use.value, path) for path in paths) else []
    mine = [use for use in uses if same(use.value, container)]
    taken = [use for use in uses if any(same(use.value, path) for path in paths)]
    if loop.stores(index) or any(isinstance(use.ctx, ast.Store) for use in taken):
        return None
    if any("\n" in match.text(path) for path in paths) or any(_rebound(match, use, loop) for use in taken):
        return None
    if any(isinstance(n, ast.Name) and n.id == index for n in walking.walk(loop.iterable)):
        return None
    if any(isinstance(n, (ast.ListComp, ast.GeneratorExp)) for n in walking.walk(loop.iterable)):
        return None  # what it calls would be called no more
    if any(_changes(loop, path) for path in paths):
        return None
    names: list[str] = []
    for path in paths:
        names.append(module_name(match, loop, path, names))
    inside = {id(part) for use in taken for part in walking.walk(use)}
    indexed = any(isinstance(n, ast.Name) and n.id == index and id(n) not in inside for n in loop.walk())
    indexed = indexed or read_after(match, loop, index)
    edits = []
    for use in taken:
        position = next(i for i, path in enumerate(paths) if same(use.value, path))
        edits.append(replace(match, use, names[position]))
    message = f"Iterate over `{'` and `'.join(match.text(path) for path in paths)}`"
    return Rewriting(match, loop, index, paths, names, indexed, mine).fix(message, edits)


def _as_long(match: Match, use: ast.Subscript, container: ast.expr) -> bool:
    """Whether another container has as many modules: a loop over several goes as far as the shortest one."""
    where = place_of(match.file.tree, use)
    lengths = [None, None] if where is None else [where.length(use.value), where.length(container)]
    return lengths[0] is not None and lengths[0] == lengths[1]


def _rebound(match: Match, use: ast.Subscript, loop: Loop) -> bool:
    """Whether a loop inside the loop gives the index another meaning."""
    if not isinstance(use.slice, ast.Name):
        return True
    inner = loop_of(match, use.slice.id, use)
    return inner is None or inner.node is not loop.node


def _changes(loop: Loop, path: ast.expr) -> bool:
    """Whether a turn gives a container's name to something else."""
    parts = [each for each in walking.walk(path) if isinstance(each, (ast.Name, ast.Attribute))]
    names = {each.attr if isinstance(each, ast.Attribute) else each.id for each in parts}
    return any(
        isinstance(n, (ast.Name, ast.Attribute))
        and not isinstance(n.ctx, ast.Load)
        and (n.attr if isinstance(n, ast.Attribute) else n.id) in names
        for n in loop.walk()
    )
