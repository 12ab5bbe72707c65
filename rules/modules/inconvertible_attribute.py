"""# Attribute whose Python value TorchScript does not have

## What it does

Finds uses of attributes that hold a plain list of modules, an empty or mixed list, a set, a `functools.partial`, a
lambda, a bound method … in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

An attribute without annotation gets its type from its value; where there is no such type, compiled code cannot see it.

```text
Module 'Net' has no attribute 'layers' (This attribute exists on the Python module, but we failed to convert Python
type: 'list' to a TorchScript type.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.ReLU(), nn.Sigmoid()]

    def forward(self, x):
        for layer in self.layers:
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
        self.layers = nn.ModuleList([nn.ReLU(), nn.Sigmoid()])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


inputs = (torch.rand(2, 3),)
```

An empty list or dict needs an annotation in the class body (one in `__init__` is not read):

```text
class Net(nn.Module):
    history: List[torch.Tensor]
```

## Fix safety

Making a list or dict of modules an `nn.ModuleList` or `nn.ModuleDict` registers the modules. It is *unsafe* where all
of them are made there by classes without parameters, such as `nn.ReLU()`, and nothing is put in later. Other modules'
parameters would be trained, moved and saved from then on, under new keys of the `state_dict`, so that fix is
display-only. Calling the function of a `functools.partial` itself, with what it binds kept in attributes, is *unsafe*:
another value may be put into the attribute later. For an empty list or dict the element type has to be filled in, so
that fix is display-only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Fix
from tslint.project.definitions import Class
from tslint.rule import Finding, Rule, display, unsafe
from tslint.rules.modules._classes import body_top, can_annotate, initial_value
from tslint.rules.modules._common import place
from tslint.rules.modules._partials import called_directly

RULE = Rule(code="TS412", name="inconvertible-attribute", events=("attribute-inconvertible",))
_BARE = tuple(
    "ReLU LeakyReLU ELU SELU CELU GELU SiLU Sigmoid Tanh Softmax Softplus Softsign LogSoftmax LogSigmoid Hard Mish"
    " Identity Dropout AlphaDropout Flatten Unflatten Upsample MaxPool AvgPool AdaptiveMaxPool AdaptiveAvgPool Pixel"
    " ZeroPad ConstantPad ReflectionPad ReplicationPad".split()
)
_FILLING = frozenset(["append", "extend", "insert", "update", "setdefault"])
_HELP = {
    "functools.partial": "Write a method that calls the function with these arguments.",
    "function": "Write a method instead of the lambda.",
    "method": "Call the method itself, `self.method(...)`, instead of keeping it in an attribute.",
    "set": "Keep a list; `in` works on it.",
    "bytes": "Keep a Tensor, or a list of integers.",
}


def check(match: Match) -> Iterator[Finding]:
    """Wrap modules, or annotate what is empty."""
    facts = match.event.facts
    name, detail = facts["attribute"], facts["detail"]
    own = facts["class_"]
    made = initial_value(match, own if isinstance(own, Class) else None, name)
    whole, fix = f"{facts['owner']}.{name}", None
    help = _HELP.get(
        detail, f"Annotate `{name}` in the class body with a TorchScript type, or keep something else in it."
    )
    what = f"a Python {detail}"
    if detail.endswith("of modules"):
        container = "ModuleDict" if detail.startswith("dict") else "ModuleList"
        what = f"a plain {detail.replace('of modules', '')}of modules"
        help = f"Make it an nn.{container}; its parameters are then part of the module, and its state_dict gets keys."
        fix = _wrapped(match, made, container, name)
    elif detail == "function":
        what = "a lambda"
    elif detail in ("list", "dict", "OrderedDict"):
        empty = made is not None and ast.unparse(made.value) in ("[]", "list()", "{}", "dict()", "OrderedDict()")
        what = f"an empty {detail}" if empty else f"a {detail} of values of several types"
        spelled = "List[...]" if detail == "list" else "Dict[str, ...]"
        guess = spelled.replace("...", "Tensor")
        help = (
            f"Annotate it in the class body, `{name}: {guess}` for instance: an annotation in `__init__` is not read."
        )
        if not empty:
            help = "Keep values of one type in it, or a tuple."
        fix = _annotated(match, name, spelled) if empty else None
    elif detail == "functools.partial" and made is not None:
        fix = called_directly(match, made, name)
    yield match.finding(f"`{whole}` holds {what}, which TorchScript does not have", help=help, fix=fix)


def _wrapped(match: Match, made: ast.Assign | None, container: str, name: str) -> Fix | None:
    if made is None or not isinstance(made.value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp)):
        return None
    start, end = place(match, made.value)
    nn, imports = match.imported("torch.nn")
    if imports:
        nn, imports = match.imported("torch", "nn")
    edits = (match.insert(start, f"{nn}.{container}("), match.insert(end, ")"))
    make = unsafe if _bare(made.value) and name not in _filled(match.border.tree) else display
    return make(f"Make it an `nn.{container}`", *imports, *edits)


def _bare(value: ast.expr) -> bool:
    """Whether all modules of a list or dict are made there, and have neither parameters nor buffers."""
    if isinstance(value, (ast.ListComp, ast.DictComp)):
        made: list[ast.expr] = [value.elt if isinstance(value, ast.ListComp) else value.value]
    else:
        made = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    names = [ast.unparse(each.func) for each in made if isinstance(each, ast.Call)]
    known = all(name.startswith(("nn.", "torch.nn.")) and name.rpartition(".")[2].startswith(_BARE) for name in names)
    return 0 < len(names) == len(made) and known


@walking.kept
def _filled(tree: ast.Module) -> frozenset[str]:
    """The attributes into which something is put anywhere in a file, besides what they are made with."""
    found = set()
    for node in walking.walk(tree):
        holder: ast.AST | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
            holder = node.func.value
        elif isinstance(node, ast.AugAssign):
            holder = node.target
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            holder = node.value
        if isinstance(holder, ast.Attribute):
            found.add(holder.attr)
    return frozenset(found)


def _annotated(match: Match, name: str, annotation: str) -> Fix | None:
    own = match.event.facts["class_"]
    body = own if isinstance(own, Class) else None
    top = (
        body_top(match, body)
        if body is not None and can_annotate(match, body, match.event.facts["annotated"])
        else None
    )
    if top is None:
        return None
    word, _, rest = annotation.partition("[")
    text, imports = match.imported("typing", word)
    edit = match.insert(top[0], f"{top[1]}{name}: {text}[{rest}{match.source.newline}")
    return display("Annotate it in the class body", *imports, edit)
