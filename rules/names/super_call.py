"""# `super()` in compiled code

## What it does

Finds `super().method(...)` and `super(Class, self).method(...)` in code that `torch.jit.script` compiles. In
`__init__`, which is not compiled, `super()` is fine.

## Why TorchScript rejects it

TorchScript has no inheritance: the compiler treats the methods of all bases as methods of the class itself, and does
not compile those that are overridden.

```text
'Tensor' object has no attribute or method 'forward'.
```

## Example

```python
import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


class Net(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) + 1


inputs = (torch.rand(3),)
```

## Use instead

Move the body of the base's method into a method with another name, and call that:

```python
import torch
from torch import nn


class Base(nn.Module):
    def _base_forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._base_forward(x)


class Net(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self._base_forward(x) + 1


inputs = (torch.rand(3),)
```

Or do not inherit from the base: create an object of the base in `__init__`, and call that object. This changes the keys
of the `state_dict`.

## Fix safety

If the base is in the same file, the fix moves the body of its method into a new method. The base's method then calls
the new method, and so does the method with `super()`. This is *unsafe*: in a class of another file with several bases,
`super()` may call another method. There is no fix if that may happen in the same file, if the call passes `*args` or
`**kwargs` on, or if one of the two methods cannot be compiled for another reason.

If the class itself has no method `check`, the fix calls `self.check(x)` instead of `super().check(x)`. This is
*unsafe*: a subclass in another file may override `check`.

If the base is a class of torch, the fix writes out what its `forward` does: `F.linear(x, self.weight, self.bias)` for
`nn.Linear`, a loop over the modules for `nn.Sequential`. This is *unsafe*: a subclass in another file may have several
bases. For an `nn.Embedding` with `max_norm`, the results may also differ: torch does not shorten the rows in compiled
code. If `super()` may mean another class, or the base is `nn.BatchNorm2d` or similar, Python still calls `super()`, and
only compiled code gets the new form.

If the method with `super()` only passes its arguments on to the method of torch, the fix removes it. This is *unsafe*:
the parameters of torch's method may have other names.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.project.definitions import External
from tslint.rewrite.base_method import renamed, without_method, written_out
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.inheritance import classes, derived, only_base
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.names import full_name
from tslint.script.dataflow.stores import file_facts
from tslint.script.events.names import SuperCall
from tslint.util import astwalk

RULE = Rule(code="TS215", name="super-call", events=(SuperCall,))


def check(match: Match[SuperCall]) -> Iterator[Finding]:
    """Report the call, with a fix that moves the method's body or writes out what it does."""
    node, method = match.node, match.event.method
    around = match.parent(node) if method is None else None
    callee = around if isinstance(around, cst.Attribute) else node
    if isinstance(callee, cst.Attribute):
        method = callee.attr.value
    yield match.finding(
        f"{match.quote(callee)}: TorchScript has no `super()`",
        help=_help(match, method) if method is not None else "Give the method another name, and call it.",
        fix=_fix(match, callee) if isinstance(callee, cst.Attribute) else None,
    )


def _help(match: Match, method: str) -> str:
    owner = match.event.unit.function.owner if match.event.unit is not None else None
    base = only_base(owner.node) if owner is not None else None
    if base is None or base in classes(match.file.tree):
        whose = f"`{base}.{method}`" if base else f"the inherited `{method}`"
        return f"Move the body of {whose} into a method with another name. Call that method here, and in {whose}."
    if base.rpartition(".")[2] == "Sequential" and method == "forward":
        return "Write out what it does: `for module in self: x = module(x)`."
    if full_name(match.file.tree, base) == "torch.nn.Module":
        return (
            f"Remove the call: `{base}.forward` only raises."
            if method == "forward"
            else f"Write out what `{base}.{method}` does."
        )
    return f"Store `{base}(…)` as a submodule in `__init__`, and call that. Or write out what `{base}.{method}` does."


def _fix(match: Match[SuperCall], callee: cst.Attribute) -> Fix | None:
    call, made, itself, method = match.parent(callee), callee.value, match.self_name, callee.attr.value
    owner = match.event.unit.function.owner if match.event.unit is not None else None
    if not isinstance(call, cst.Call) or call.func is not callee or owner is None or itself is None:
        return None
    if not isinstance(made, cst.Call) or len(made.args) not in (0, 2):
        return None
    if made.args and match.code(made.args[0].value) != owner.name:
        return None
    tree = match.file.tree
    if method_of(owner.node, method) is None:
        facts, family = file_facts(tree), [owner.node, *derived(tree, owner.node)]
        bound = any(method_of(each, method) is not None or method in astwalk.bound(each) for each in family)
        if bound or facts.stores.get(method):
            return None  # `self` may have another method of this name, which may call this function
        return _on_itself(match, call, itself, method)
    for following in match.event.following:
        if isinstance(following, External):
            fix = without_method(match, call, method) if following.name.startswith("torch.nn.") else None
            return fix or written_out(match, following.name, method, call, [*call.args])
        if method_of(following.node, method) is not None:
            here = following.node in tree.body
            return renamed(match, following.node, call, callee, [*call.args]) if here else None
    return None


def _on_itself(match: Match, call: cst.Call, itself: str, method: str) -> Fix | None:
    """Write ``super().check(x)`` as ``self.check(x)``: no class of the file overrides the method of the base."""
    new = call.with_changes(func=expression("{self}.{method}", self=itself, method=method))
    assumes = f"a class in another file may override `{method}`"
    return unsafe(f"Call `{itself}.{method}`", lambda: match.replace(call, new), assumes=assumes)
