"""# Function, class or range used as a value

## What it does

Finds functions, methods, builtins, classes, exceptions, Python modules and `range(...)` where compiled code needs a
value: in a list, as an argument, in a comparison, in a `return`.

## Why TorchScript rejects it

Values are tensors, numbers, strings, containers of these, and objects. Functions and classes are not: compiled code can
call them, and give them another name (`act = F.relu`), but cannot store, pass or compare them.

```text
function cannot be used as a value
```

## Example

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for activation in [F.relu, F.gelu]:
            x = activation(x)
        return x
```

## Use instead

Call each function by its name, or put modules that do the same into a `ModuleList`:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(F.relu(x))


inputs = (torch.rand(3),)
```

## Fix safety

No fix for most values: the right change depends on their purpose.

Three forms have a *safe* fix: `typing.cast(T, x)` becomes `x`, `x.type(torch.FloatTensor)` becomes `x.to("cpu",
torch.float32)`, and `torch.tensor(range(n))` becomes `torch.tensor(list(range(n)))`. The `range` in `x[range(n), y]`
becomes a list, too, if `x` is a Tensor in TorchScript. This is *unsafe*: `x` may be something else in Python.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.not_values import category_of, is_dtype
from tslint.rewrite.type_casts import to_device_and_dtype
from tslint.rewrite.value_wording import TWO, help_for, is_cast, of_value
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.names import full_name
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import NotAValue
from tslint.script.types import TENSOR

RULE = Rule(code="TS203", name="function-as-value", events=(NotAValue,))

_WORDS = {
    "function": "a function", "method": "a method", "builtin": "a function", "boolean dispatch": "a function",
    "Python type": "a class", "Python exception": "an exception class", "exception message": "an exception",
    "range": "a range",
    "iterabletree": "an iterator", "python module": "a Python module", "EnumClass": "an enum class",
    "Python slice class": "a slice", "super": "`super()`", "python value of type 'type'": "a class",
    "python value of type 'module'": "a Python module", "list": "a class", "dict": "a class",
    "TupleConstruct": "a class",
    "__int__": "a class", "__float__": "a class", "__bool__": "a class", "__str__": "a class", "__complex__": "a class",
}  # fmt: skip
_MAKERS = {f"torch.{each}" for each in "tensor as_tensor Tensor FloatTensor LongTensor IntTensor DoubleTensor".split()}


def check(match: Match[NotAValue]) -> Iterator[Finding]:
    """Report a function, class or module where a value is needed."""
    if category_of(match) is not None or is_dtype(match):
        return
    node, what, name = match.node, match.event.what, match.event.name
    word = "a class" if what == "range" and not isinstance(node, cst.Call) else _WORDS.get(what, "a function")
    if name.startswith("torch.") and name.endswith("Tensor"):
        word = "a class"
    written = match.event_text if isinstance(node, cst.BaseExpression) else short(name.rpartition(".")[2] or what)
    if what == "builtin" and of_value(match):
        word = "a method"
    kind = "" if word in (f"a {written}", "a range") else f"{word} "
    message = f"{written} is {kind}used as a value, which TorchScript does not support"
    yield match.finding(message, help=help_for(match, word, match.parent(node), written), fix=_fix(match, node))


def _fix(match: Match[NotAValue], node: cst.CSTNode) -> Fix | None:
    """Return the fix for a range, or for the class in ``cast(T, x)`` or ``x.type(T)``; None for other values."""
    call = match.parent(node)
    if match.event.what == "range":
        return _listed(match, node)
    if not isinstance(call, cst.Call) or call.func is node:
        return None
    return to_device_and_dtype(match, call, match.event.name) or _without_cast(match, node)


def _listed(match: Match[NotAValue], node: cst.CSTNode) -> Fix | None:
    """Write ``range(n)`` as ``list(range(n))`` in an index, or as the argument of ``torch.tensor`` and the like."""
    if not isinstance(node, cst.Call) or match.binds("list") or "list" in module_bindings(match.file.tree):
        return None
    message, around = "Make it a list", match.parent(node)

    def edits() -> tuple[Edit, ...]:
        return tuple(match.replace(node, expression("list({node})", node=node)))

    if isinstance(around, cst.Call):
        made = full_name(match.file.tree, match.code(around.func)) in _MAKERS and not match.binds("torch")
        return safe(message, edits) if made and around.args[0].value is node else None
    if not isinstance(around, cst.Subscript) or not isinstance(around.value, cst.Name):
        return None
    known = match.event.variables.get(around.value.value)
    assumes = f"only its annotation may say that {match.quote(around.value)} is a Tensor"
    return unsafe(message, edits, assumes=assumes) if known == TENSOR else None


def _without_cast(match: Match, node: cst.CSTNode) -> Fix | None:
    """Write ``typing.cast(T, x)`` as ``x``."""
    call, tree = match.parent(node), match.file.tree
    if not isinstance(call, cst.Call) or not m.matches(call, TWO) or call.args[0].value is not node:
        return None
    known = isinstance(node, cst.Name) and (node.value in module_bindings(tree) or hasattr(builtins, node.value))
    if not known or match.enclosing(cst.FormattedStringExpression, call) is not None or not is_cast(match, call.func):
        return None
    value = call.args[1].value
    return safe("Remove `cast`", lambda: match.replace(call, value))
