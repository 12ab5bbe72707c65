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

Making a list or dict of modules an `nn.ModuleList` or `nn.ModuleDict` registers the modules. It is *safe* where all of
them are made there by classes that have no parameters and do the same in training, such as `nn.ReLU()`, and the file
only loops over them or takes them one by one. Other modules' parameters would be trained, moved and saved from then on,
under new keys of the `state_dict`, so that fix is display-only. Calling the function of a `functools.partial` itself is
*safe* where it binds constants and nothing else is put into the attribute; elsewhere compiled code alone calls it, with
what it binds kept in attributes, which is *unsafe*: another value may be put there later. For an empty list or dict the
element type has to be filled in, so that fix is display-only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix
from tslint.project.definitions import Class
from tslint.rewrite.class_annotations import body_top, can_annotate, initial_value
from tslint.rewrite.expand_partial import called_directly
from tslint.rewrite.loop_parts import place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, safe
from tslint.script.dataflow.bool_attributes import file_facts, instance_stores

RULE = Rule(code="TS412", name="inconvertible-attribute", events=("attribute-inconvertible",))
_BARE = tuple(
    "ReLU LeakyReLU ELU SELU CELU GELU SiLU Sigmoid Tanh Softmax Softplus Softsign LogSoftmax LogSigmoid Hard Mish"
    " Identity Flatten Unflatten Upsample MaxPool AvgPool AdaptiveMaxPool AdaptiveAvgPool Pixel"
    " ZeroPad ConstantPad ReflectionPad ReplicationPad".split()
)
_MODULE_WORDS = frozenset(
    "training forward type add_module apply train eval children modules parameters buffers".split()
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
    message = f"Make it an `nn.{container}`"
    alike = _bare(made.value) and name not in _filled(match.file.tree) and _only_walked(match, name, made.value)
    return (safe if alike else display)(message, *imports, *edits)


def _only_walked(match: Match, name: str, value: ast.expr) -> bool:
    """Whether nothing in the file does with an attribute what a container of modules does not do as a list or dict."""
    if isinstance(value, (ast.Dict, ast.DictComp)):
        keys = [key.value if isinstance(key, ast.Constant) else None for key in getattr(value, "keys", [])]
        if not keys or not all(isinstance(k, str) and k.isidentifier() and not hasattr(dict, k) for k in keys):
            return False
        if any(k in _MODULE_WORDS for k in keys):
            return False
    tree = match.file.tree
    parents, facts = walking.parents(tree), file_facts(tree)
    owner = next((a for a in walking.around(tree, value) if isinstance(a, ast.ClassDef)), None)
    stores = instance_stores(facts, owner, name) if owner is not None else None
    if stores is None or len(stores) != 1 or name in facts.changes or not _torch_nn(match):
        return False
    for node in walking.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load):
            around = parents.get(node)
            item = isinstance(around, ast.Subscript) and not isinstance(around.slice, ast.Slice)
            walk = isinstance(around, (ast.For, ast.comprehension)) and around.iter is node
            call = isinstance(around, ast.Call) and getattr(around.func, "id", "") in (
                "len",
                "enumerate",
                "zip",
                "reversed",
            )
            method = isinstance(around, ast.Attribute) and around.attr in ("items", "keys", "values")
            if not (item or walk or call or method):
                return False
    return True


def _torch_nn(match: Match) -> bool:
    """Whether ``nn`` is the one of torch."""
    for statement in match.file.tree.body:
        if isinstance(statement, ast.ImportFrom) and any((a.asname or a.name) == "nn" for a in statement.names):
            if statement.module != "torch":
                return False
        elif isinstance(statement, ast.Import) and any(
            a.asname == "nn" and a.name != "torch.nn" for a in statement.names
        ):
            return False
    return True


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
