"""# Function, class or range used as a value

## What it does

Finds functions, methods, builtins, classes, exceptions, Python modules and `range(...)` where compiled code needs a
value: in a list, as an argument, in a comparison, returned.

## Why TorchScript rejects it

Only values have types: tensors, numbers, texts, containers of them, objects. Functions and classes can be called by
name, and given another name, but not stored, passed on or compared.

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

Call each by its name, or make them modules in a `ModuleList`:

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

No fix, but for `typing.cast(T, x)`, which becomes `x`: that is *safe*, as it gives nothing else. How to do without
other values depends on what they were for.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.rewrite.not_values import category_of, is_dtype
from tslint.rewrite.spans import operand
from tslint.rewrite.statements import meant, parent, quote, replace, short
from tslint.rewrite.when_compiled import is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import module_bindings

RULE = Rule(code="TS203", name="function-as-value", events=("not-a-value",))

_WORDS = {
    "function": "a function", "method": "a method", "builtin": "a function", "boolean dispatch": "a function",
    "Python type": "a class", "Python exception": "an exception class", "range": "a `range`",
    "iterabletree": "an iterator", "python module": "a Python module", "EnumClass": "an enum class",
    "Python slice class": "a slice", "super": "`super()`", "python value of type 'type'": "a class",
    "python value of type 'module'": "a Python module", "list": "a class", "dict": "a class",
    "TupleConstruct": "a class",
    "__int__": "a class", "__float__": "a class", "__bool__": "a class", "__str__": "a class", "__complex__": "a class",
}  # fmt: skip


def check(match: Match) -> Iterator[Finding]:
    """Say what the author put where a value must stand."""
    if category_of(match) is not None or is_dtype(match):
        return
    node, what = match.event.node, match.event.facts["what"]
    word = _WORDS.get(what, "a function")
    if match.event.facts["name"].startswith("torch.") and match.event.facts["name"].endswith("Tensor"):
        word = "a class"
    around = parent(match, node)
    spelled = (
        quote(match, node)
        if isinstance(node, ast.expr)
        else short(match.event.facts["name"].rpartition(".")[2] or what)
    )
    message = f"{spelled} is {word}, and TorchScript has no such values"
    yield match.finding(message, help=_help(match, word, around), fix=_without_cast(match, node))


def _without_cast(match: Match, node: ast.AST) -> Fix | None:
    """``typing.cast(T, x)`` → ``x``, which is what it gives."""
    call = parent(match, node)
    tree = match.file.tree
    if not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords or call.args[0] is not node:
        return None
    callee = call.func
    root = callee.value if isinstance(callee, ast.Attribute) and callee.attr == "cast" else callee
    if not isinstance(root, ast.Name) or is_local(match, root.id) or module_bindings(tree).get(root.id) != 1:
        return None
    wanted = ("typing.cast", "typing_extensions.cast") if root is callee else ("typing", "typing_extensions")
    modules = {alias.name for each in tree.body if isinstance(each, ast.Import) for alias in each.names}
    full = meant(tree).get(root.id) or (root.id if root.id in modules else "")
    known = isinstance(node, ast.Name) and (node.id in module_bindings(tree) or hasattr(builtins, node.id))
    outer = walking.around(tree, call)
    if full not in wanted or not known or any(isinstance(each, ast.JoinedStr) for each in outer):
        return None
    return safe("Leave `cast` out", replace(match, call, operand(match, call.args[1])))


def _help(match: Match, word: str, around: ast.AST | None) -> str:
    if isinstance(around, ast.Compare) and word == "a class":
        return "Test types with `isinstance(x, T)`."
    if word == "a `range`":
        return "Make it a list where it is needed as one: `list(range(n))`."
    if word == "an iterator":
        return "Iterate over it directly: `for i, x in enumerate(xs):`; it cannot be kept."
    if word == "a Python module":
        return "Read the function or constant that is needed from it: `module.name`."
    if word == "an exception class":
        return "Raise it: `raise ValueError(...)` is all that compiled code can do with exceptions."
    if word == "a class":
        return "Classes cannot be kept, compared or passed on; decide in `__init__` what depends on them."
    if isinstance(around, (ast.Dict, ast.List, ast.Tuple)):
        return "Choose with `if` and call each by its name; or keep modules in an `nn.ModuleList` or `nn.ModuleDict`."
    return "Call it by its name where it is needed; choose between functions with `if`, or make them submodules."
