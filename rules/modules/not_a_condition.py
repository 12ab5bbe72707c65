"""# Condition that TorchScript cannot turn into a bool

## What it does

Finds modules, `None`, Optional values, tuples and devices that are used as a condition (`if self.norm:`,
`if not mask:`) in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Tensors, numbers, strings, lists and dicts can be conditions. Everything else has to be compared.

```text
Could not cast value of type
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        if self.norm:
            x = self.norm(x)
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
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        if self.norm is not None:
            x = self.norm(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

`is not None` is *safe* for a module, which is always true in Python too (unless its class has `__len__` or `__bool__`).
It is *unsafe* for a container of modules, which is false when it is empty, and for a tensor or an attribute that may be
None: a zero tensor, zero and an empty list are false as well. A variable that may be None, and else is a number, a
string, a list or a dict, becomes `x is not None and x`, which is *safe*: it asks the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.rule import Finding, Rule, safe, unsafe
from tslint.rules.modules._common import parent, replace
from tslint.script.values import ContainerValue, ModuleValue

_HAS_TRUTH = {"bool", "int", "float", "str", "List", "Dict"}
"""Types that may be false though they are not None, and that the compiler takes for conditions."""

RULE = Rule(code="TS414", name="not-a-condition", events=("not-a-condition",))


def check(match: Match) -> Iterator[Finding]:
    """Compare it with None."""
    facts, node = match.event.facts, match.event.node
    type_, value, text = facts["type"], facts["value"], match.text(node)
    fix: Fix | None = None
    if isinstance(value, ModuleValue):
        message = f"`{text}` is a module, which TorchScript cannot use as a condition"
        help = f"Test `{text} is not None`."
        fix = _against_none(match, node, match.event.condition is None and not _has_truth(value))
    elif isinstance(value, ContainerValue) or type_.startswith("__torch__"):
        message = f"`{text}` is a container of modules, which TorchScript cannot use as a condition"
        help = f"Test `len({text}) > 0`, or `{text} is not None` where it may be None."
        fix = _against_none(match, node, False)
    elif type_ == "NoneType":
        message = f"`{text}` is None, which TorchScript cannot use as a condition"
        help = f"Test `{text} is not None`: TorchScript drops the branch where it is None."
        fix = _against_none(match, node, False)
    elif type_.startswith(("Optional[", "Union[")):
        message = f"`{text}` may be None (it is of type {type_}), which TorchScript cannot use as a condition"
        help = f"Test `{text} is not None`, and compare the value itself where that matters too."
        inner = type_.removeprefix("Optional[").partition("[")[0].rstrip("]")
        asks_both = inner in _HAS_TRUTH and isinstance(node, ast.Name)
        fix = _both(match, node) if asks_both else _against_none(match, node, False)
    else:
        message = f"`{text}` is of type {type_}, which TorchScript cannot use as a condition"
        help = (
            f"Compare it: `len({text}) > 0` for instance."
            if type_.startswith("Tuple")
            else "Compare it with something."
        )
    yield match.finding(message, help=help, fix=fix)


def _has_truth(value: ModuleValue) -> bool:
    """Whether a module's class may be false in Python."""
    definition = value.instance.definition
    if definition is None:
        return False
    bases = [ast.unparse(base) for base in definition.node.bases]
    names = {node.name for node in definition.node.body if isinstance(node, ast.FunctionDef)}
    return bool(names & {"__len__", "__bool__"}) or any(
        base not in ("nn.Module", "torch.nn.Module", "Module") for base in bases
    )


def _against_none(match: Match, node: ast.AST, certain: bool) -> Fix | None:
    around = parent(match, node)
    if not _only_tested(match, node) or not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    text = match.text(node)
    make = safe if certain else unsafe
    if isinstance(around, ast.UnaryOp):
        return make(f"Test `{text} is None`", replace(match, around, f"{text} is None"))
    return make(f"Test `{text} is not None`", replace(match, node, f"{text} is not None"))


def _both(match: Match, node: ast.AST) -> Fix | None:
    """Ask whether a variable is None, and then for its truth: the compiler refines it in between."""
    if not _only_tested(match, node):
        return None
    around, text = parent(match, node), match.text(node)
    if not isinstance(around, ast.UnaryOp):
        return safe(f"Test `{text} is not None` first", replace(match, node, f"{text} is not None and {text}"))
    test = f"{text} is None or not {text}"
    if isinstance(parent(match, around), (ast.BoolOp, ast.UnaryOp)):
        test = f"({test})"
    return safe(f"Test `{text} is None` first", replace(match, around, test))


def _only_tested(match: Match, node: ast.AST) -> bool:
    """Whether nothing but a test looks at the value: `a or b` gives a value elsewhere."""
    around = parent(match, node)
    while isinstance(around, ast.BoolOp) or (isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not)):
        node, around = around, parent(match, around)
    return isinstance(around, (ast.If, ast.While, ast.IfExp, ast.Assert)) and around.test is node
