"""# Attribute whose value has no TorchScript type

## What it does

Finds attributes that compiled code uses although their values have no TorchScript type: a plain list of modules, or of
tuples with modules, a list of functions, an empty or mixed list or dict, a set, a `functools.partial`, a lambda, a
bound method, an overloaded function such as `F.interpolate`, a method with `functools.lru_cache`, a dataclass and
others. A class variable with a list or dict of functions is found, too.

## Why TorchScript rejects it

An attribute without annotation gets the type of its value. If there is no such type, compiled code cannot read the
attribute.

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

A list or dict of modules becomes an `nn.ModuleList` or `nn.ModuleDict`, which registers the modules. This is *safe*
under three conditions. The list or dict itself creates the modules, from classes such as `nn.ReLU`, which have no
parameters and behave the same in training and in eval mode. The file only loops over the attribute or indexes it.
Registering has no other effect: the class is not an `nn.Sequential`, which calls all its submodules, and no value in
its body and no `__getattr__` hides the attribute. If a condition is not met, the fix is only shown (*display*):
parameters of the modules would be trained, moved and saved, under new keys of the `state_dict`.

For an attribute that is a `functools.partial`, the fix calls the function of the partial. This is *safe* if the partial
only binds literals and nothing else is assigned to the attribute. If these conditions are not met, only compiled code
calls the function, and reads the bound values from attributes. This is *unsafe*: other code may assign another value to
the attribute later.

A `lambda x: x` becomes an `nn.Identity()`. This is *safe*, and is offered if the file only calls the attribute and
never lists the submodules.

For an empty list or dict, the fix annotates the attribute in the class body. It is only shown (*display*): you must
fill in the type of the elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import libcst as cst

from tslint.diagnostics import Fix
from tslint.project.definitions import Class
from tslint.rewrite.annotate import as_written
from tslint.rewrite.convertible_attribute import as_container, as_identity, in_class_body
from tslint.rewrite.expand_partial import called_directly
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.dataflow.class_annotations import initial_value
from tslint.script.events.modules import AttributeInconvertible
from tslint.script.scope import CACHES
from tslint.script.values import CONTAINING, EMPTY, OVERLOADED

RULE = Rule(code="TS412", name="inconvertible-attribute", events=(AttributeInconvertible,))
_CONTAINERS = {
    "list of modules": "ModuleList",
    "tuple of modules": "ModuleList",
    "dict of modules": "ModuleDict",
}
_LITERAL_KEY = m.Subscript(slice=[m.SubscriptElement(m.Index(m.SimpleString()))])
_HELP = {
    "functools.partial": "Instead of the partial, write a method that calls its function with the stored arguments.",
    **dict.fromkeys(CACHES, "Remove the decorator, or compute the values that compiled code needs in `__init__`."),
    "function": "Instead of the lambda, write a method, or store a module, such as `nn.Identity()` for `lambda x: x`.",
    "method": "Call the method itself here. To choose between methods, write `if`.",
    "numpy.ndarray": "Store a Tensor instead, made with `torch.from_numpy(…)`.",
    "dataclass": "Store each field that compiled code reads in its own attribute, set in `__init__`.",
    "set": "Use a list; `in` works on it.",
    OVERLOADED: "Call the function itself here, instead of keeping it in an attribute.",
    "builtin function": "Call the function itself here, instead of keeping it in an attribute.",
    "module": "Use the Python module by its name here, instead of keeping it in an attribute.",
    **dict.fromkeys(
        ("generator", "map", "zip", "filter", "enumerate"), "Make it a list: an iterator can be read only once."
    ),
    "range": "Store the bounds as ints, and write the `range` here.",
}


def check(match: Match[AttributeInconvertible]) -> Iterator[Finding]:
    """Report the attribute, with a fix for lists of modules, partials, and empty lists or dicts."""
    event = match.event
    name, detail = event.attribute, event.detail.removeprefix(EMPTY)
    own = event.class_
    made = initial_value(match.file.tree, own if isinstance(own, Class) else None, name)
    whole = f"{event.owner}.{name}"
    if detail in ("list", "tuple", "dict", "OrderedDict", "defaultdict"):
        describe = _several if detail == event.detail else _empty
        message, help, fix = describe(match, made, detail)
        yield match.finding(f"`{whole}` is {message}", help=help, fix=fix)
        return
    what, help, fix = _single(match, made, detail)
    yield match.finding(f"`{whole}` is {what}, which TorchScript does not support", help=help, fix=fix)


def _single(match: Match[AttributeInconvertible], made: Any, detail: str) -> tuple[str, str, Fix | None]:
    """Return a description of a single value without a TorchScript type, the help, and the fix."""
    name = match.event.attribute
    stored = "Store the values that compiled code needs from it in attributes of `self`, in `__init__`."
    typed = f"Annotate `{name}` in the class body with a TorchScript type, or assign a value of such a type."
    help = _HELP.get(detail, stored if "." in detail else typed)
    if detail.startswith(("numpy.int", "numpy.uint", "numpy.float", "numpy.bool")):
        help = (
            f"Convert it in `__init__`: `{'float' if 'float' in detail else 'bool' if 'bool' in detail else 'int'}(…)`."
        )
    if detail in _CONTAINERS:
        container = _CONTAINERS[detail]
        help = f"Make it an nn.{container}; its parameters then belong to the module, and the state_dict gets new keys."
        return f"a plain {detail}", help, as_container(match, made, container, name)
    if detail.endswith(CONTAINING):
        help = "Put the modules into an `nn.ModuleList`, the other values into a list of their own, and loop over both."
        return f"a {detail}", help, None
    if detail.endswith(" of functions"):
        return f"a {detail}", "Call the functions by their names, and choose between them with `if`.", None
    if detail == "function":
        return "a lambda", help, as_identity(match)
    if detail == OVERLOADED:
        return "an overloaded function in an attribute", help, None
    if detail == "type":
        return "a class", "Use the class by its name here, or create the object in `__init__`.", None
    if detail.startswith("object of "):
        return f"an object of `{detail.removeprefix('object of ')}`", stored, None
    if detail == "method":
        if made is not None and m.matches(match.libcst(made.value), m.Attribute()):
            help = f"Call `{match.text(made.value)}` itself here, instead of keeping it in an attribute."
        return "a method in an attribute", help, None
    fix = called_directly(match, made, name) if detail == "functools.partial" and made is not None else None
    fix = replace(fix, unset=(name,)) if fix is not None else None
    article = "an" if detail[0] in "aeiou" else "a"
    return f"{article} `{detail}`" if "." in detail else f"a Python {detail}", help, fix


def _empty(match: Match[AttributeInconvertible], made: Any, detail: str) -> tuple[str, str, Fix | None]:
    """Return a description of an empty list or dict, the help, and the fix."""
    name = match.event.attribute
    guess = as_written(match, "List[Tensor]" if detail == "list" else "Dict[str, Tensor]")
    help = f"Annotate it in the class body, `{name}: {guess}` for instance: an annotation in `__init__` is not read."
    if made is None or isinstance(match.libcst(made.value), cst.IfExp):
        help = f"If `{name}` is a module in other cases, store None instead. Otherwise, annotate it in the class body."
    fix = in_class_body(match, name, "List" if detail == "list" else "Dict") if made is not None else None
    return f"an empty {detail}, so its type is unknown", help, fix


def _several(match: Match, made: Any, detail: str) -> tuple[str, str, Fix | None]:
    """Return a description of a container with values of wrong types, the help, and None as the fix."""
    if detail == "tuple":
        return "a tuple with a value that has no TorchScript type", "Store Tensors, numbers or strings in it.", None
    value = match.libcst(made.value) if made is not None else None
    if isinstance(value, cst.List) and value.elements and all(isinstance(e.value, cst.Lambda) for e in value.elements):
        help = "Make them modules with a `forward`, and put these into an `nn.ModuleList`."
        return "a list of lambdas", help, None
    article = "an" if detail == "OrderedDict" else "a"
    what = f"{article} {detail} of values without a common TorchScript type"
    return what, _one_type(match), None


def _one_type(match: Match) -> str:
    """Return the help for values of several types: where one is read by a literal key, it can be stored alone."""
    read = match.parent(match.node)
    if isinstance(read, cst.Subscript) and m.matches(read, _LITERAL_KEY):
        key = cst.ensure_type(cst.ensure_type(read.slice[0].slice, cst.Index).value, cst.SimpleString).evaluated_value
        if isinstance(key, str) and key.isidentifier():
            own = f"self.{key.lower()} = {match.code(read)}"
            return f"In `__init__`, store the value in an attribute of its own: `{own}`."
    return "Give all values one TorchScript type."
