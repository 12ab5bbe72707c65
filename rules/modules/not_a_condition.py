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

`is not None` is *safe* where every construction of the module has None there, or a module that is always true in Python
(its class has no `__len__` or `__bool__`); `len(self.layers) > 0` for a container. A variable that may be None, and
else is a tensor, a number, a string, a list or a dict, becomes `x is not None and x`, which is *safe*: it asks the
same. So does `self.x if self.x is not None else False`, for an attribute that may be a number in some construction.
Where it is called or indexed, and constructions differ, compiled code alone asks for None: `self.x is not None if
torch.jit.is_scripting() else self.x`. That is *unsafe*: what is false without being None (an empty list) counts as true
there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.loop_parts import parent, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.bool_attributes import file_facts, instance_stores
from tslint.script.values import ContainerValue, ModuleValue

_HAS_TRUTH = {"bool", "int", "float", "str", "List", "Dict", "Tensor"}
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
        fix = _against_none(match, node)
    elif isinstance(value, ContainerValue) or type_.startswith("__torch__"):
        message = f"`{text}` is a container of modules, which TorchScript cannot use as a condition"
        help = f"Test `len({text}) > 0`, or `{text} is not None` where it may be None."
        fix = _against_none(match, node)
    elif type_ == "NoneType":
        message = f"`{text}` is None, which TorchScript cannot use as a condition"
        help = f"Test `{text} is not None`: TorchScript drops the branch where it is None."
        fix = _against_none(match, node)
    elif type_.startswith(("Optional[", "Union[")):
        message = f"`{text}` may be None (it is of type {type_}), which TorchScript cannot use as a condition"
        help = f"Test `{text} is not None`, and compare the value itself where that matters too."
        inner = type_.removeprefix("Optional[").partition("[")[0].rstrip("]")
        asks_both = inner in _HAS_TRUTH and isinstance(node, ast.Name)
        fix = _both(match, node) if asks_both else _against_none(match, node)
    else:
        message = f"`{text}` is of type {type_}, which TorchScript cannot use as a condition"
        help = (
            f"Compare it: `len({text}) > 0` for instance."
            if type_.startswith("Tuple")
            else "Compare it with something."
        )
    yield match.finding(message, help=help, fix=fix)


def _against_none(match: Match, node: ast.AST) -> Fix | None:
    """Ask for None, in eager code too where that is the same for everything that it may be."""
    if not _only_tested(match, node) or not isinstance(node, (ast.Name, ast.Attribute)):
        return None
    around, text = parent(match, node), match.text(node)
    denied = isinstance(around, ast.UnaryOp)
    held = _held(match, node)
    if held == {"container"}:
        test = f"len({text}) == 0" if denied else f"len({text}) > 0"
        return safe(f"Test `{test}`", replace(match, around if around and denied else node, test))
    test = f"{text} is None" if denied else f"{text} is not None"
    if held and held <= {"none", "module"}:
        return safe(f"Test `{test}`", replace(match, around if around and denied else node, test))
    if _is_computed(match, node):
        return None
    if "unknown" in held and isinstance(node, ast.Attribute) and not _is_used_as_module(match, node):
        # In another construction it may be a number, and compile as it is.
        return _or_false(match, node) if match.event.facts["type"] == "NoneType" else None
    torch, imports = match.imported("torch")
    choice = f"{test} if {torch}.jit.is_scripting() else {'not ' if denied else ''}{text}"
    above = parent(match, around if around and denied else node)
    if isinstance(above, (ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.Call)):
        choice = f"({choice})"
    edit = replace(match, around if around and denied else node, choice)
    return unsafe(f"Test `{test}` in compiled code", edit, *imports, risks=(Risk.DIFFERS,))


def _held(match: Match, node: ast.expr) -> frozenset[str]:
    """What an attribute is in all constructions, of derived classes of the file, too."""
    held, unit = match.event.facts["held"], match.event.unit
    if unit is None or unit.receiver is None or not isinstance(node, ast.Attribute):
        return frozenset(["unknown"])
    facts, receiver = file_facts(match.file.tree), unit.receiver.node
    stores = instance_stores(facts, receiver, node.attr) if receiver.name in facts.classes else None
    line = facts.line(receiver) or []
    if stores is None or any(not any(store.owner is each for each in line) for store in stores):
        return frozenset(["unknown"])
    return held if isinstance(held, frozenset) else frozenset(["unknown"])


def _or_false(match: Match, node: ast.Attribute) -> Fix:
    """The value itself where it is not None: the compiler knows which, and drops the other."""
    text = match.text(node)
    choice = f"{text} if {text} is not None else False"
    alone = isinstance(parent(match, node), (ast.If, ast.While, ast.Assert))
    return safe(f"Test `{text}` where it is not None", replace(match, node, choice if alone else f"({choice})"))


def _is_used_as_module(match: Match, node: ast.Attribute) -> bool:
    """Whether the file calls an attribute of that name, goes over it, or asks it for something, as no number allows."""
    for each in walking.walk(match.file.tree):
        inner: ast.AST | None = None
        if isinstance(each, ast.Call):
            inner = each.func
        elif isinstance(each, (ast.Attribute, ast.Subscript)):
            inner = each.value
        elif isinstance(each, (ast.For, ast.comprehension)):
            inner = each.iter
        if isinstance(inner, ast.Attribute) and inner.attr == node.attr:
            return True
    return False


def _is_computed(match: Match, node: ast.AST) -> bool:
    """Whether a property of the file may be what is asked."""
    names = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    return any(
        isinstance(part, ast.FunctionDef) and part.name in names and part.decorator_list
        for part in walking.walk(match.file.tree)
    )


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
