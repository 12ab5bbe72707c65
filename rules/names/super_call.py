"""# `super()` in compiled code

## What it does

Finds `super().method(...)` and `super(Class, self).method(...)` in code that `torch.jit.script` compiles. In
`__init__`, which is not compiled, `super()` is fine.

## Why TorchScript rejects it

TorchScript classes have no inheritance: the methods of all bases are compiled as if the class had them itself, under
their names, and an overridden method is not among them.

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

Give the body of the base's method a name of its own:

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

Or keep the base as a submodule and call that; the keys of the `state_dict` change then.

## Fix safety

Splitting the base's method (where the base stands in the same file, and all classes there have one base) is *unsafe*:
in a class of another file with several bases `super()` may lead elsewhere. Where the base is `nn.Linear`, `nn.Conv2d`,
`nn.BatchNorm2d` or the like, the call is written out with what the instance holds, which is *safe*; where the class has
several bases only compiled code does so, which is *unsafe*.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.diagnostics import Fix, Risk
from tslint.project.definitions import External
from tslint.rewrite.base_method import base_of, classes, derived, method_of, renamed, written_out
from tslint.rewrite.statements import own_class, parent, quote, self_name
from tslint.rewrite.when_compiled import branch
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe

RULE = Rule(code="TS215", name="super-call", events=("super-call",))


def check(match: Match) -> Iterator[Finding]:
    """Underline what the compiler underlines; offer the base's method under another name."""
    node = match.event.node
    callee = node if isinstance(node, ast.Attribute) else parent(match, node)
    if not isinstance(callee, ast.Attribute):
        yield match.finding(
            f"{quote(match, node)}: TorchScript has no `super()`", help="Call the method by a name of its own."
        )
        return
    base, method = base_of(match), callee.attr
    if base in classes(match) or base is None:
        whose = f"`{base}`" if base else "the base class"
        help = (
            f"Move the body of {whose}'s `{method}` into a method with a name of its own, and call that from both; or "
            "keep the base as a submodule."
        )
    elif base.rpartition(".")[2] == "Sequential" and method == "forward":
        help = "Write out what it does: `for module in self: x = module(x)`."
    else:
        help = f"Keep a `{base}` as a submodule and call that, or write out what its `{method}` does."
    yield match.finding(
        f"{quote(match, callee)}: TorchScript has no `super()`",
        help=help,
        fix=_fix(match, callee),
    )


def _fix(match: Match, callee: ast.Attribute) -> Fix | None:
    call, owner, itself = parent(match, callee), own_class(match), self_name(match)
    made = callee.value
    if not isinstance(call, ast.Call) or owner is None or itself is None or not isinstance(made, ast.Call):
        return None
    if made.args and not (len(made.args) == 2 and ast.unparse(made.args[0]) == owner.name):
        return None
    if method_of(owner, callee.attr) is None:
        if any(method_of(each, callee.attr) is not None for each in derived(match, owner)):
            return None  # `self` may be one of those, whose method is the one that calls this
        # Nothing between: the instance's own method is the base's.
        edits = branch(match, call, f"{itself}.{callee.attr}{match.text(call)[len(match.text(callee)) :]}")
        words = f"Call `{itself}.{callee.attr}` where it is compiled"
        return None if edits is None else unsafe(words, *edits, risks=(Risk.DIFFERS,))
    for following in match.event.facts["following"]:
        if isinstance(following, External):
            return written_out(match, following.name, callee.attr, call, call.args)
        if method_of(following.node, callee.attr) is not None:
            here = any(following.node is node for node in match.file.tree.body)
            return renamed(match, following.node, callee.attr, callee) if here else None
    return None
