"""# Annotation that TorchScript cannot read

## What it does

Finds annotations that are not TorchScript types (`Sequence`, `Callable`, `Literal`, `np.ndarray`, `tuple[int, ...]`, a
bare `dict` …) on parameters, returns and variables of code that `torch.jit.script` compiles, and such types in
`isinstance`.

## Why TorchScript rejects it

The compiler's types are Tensor, numbers, `str`, `List`, `Dict`, `Tuple`, `Optional`, `Union`, devices, enums, named
tuples and script classes.

```text
Unknown type constructor Sequence
```

## Example

```python
from typing import Sequence

import torch


def total(sizes: Sequence[int]) -> int:
    found = 0
    for size in sizes:
        found += size
    return found


scripted = torch.jit.script(total)
inputs = ([1, 2],)
```

## Use instead

```python
from typing import List

import torch


def total(sizes: List[int]) -> int:
    found = 0
    for size in sizes:
        found += size
    return found


scripted = torch.jit.script(total)
inputs = ([1, 2],)
```

## Fix safety

Python ignores annotations, but the compiler enforces them. The fix is *safe* if the new annotation means the same:
`Tuple[Tensor, Tensor]` for `(Tensor, Tensor)`, or `str` for `Literal["a"]`. Writing `List[int]` for `Sequence[int]` is
*unsafe*, because callers may pass other sequences. The fix is only shown (*display*) if the author must fill in a type,
and for `Tensor` instead of `np.ndarray`, because callers must then pass a Tensor. Other annotations have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.annotation_forms import form_for, last_name
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.script.dataflow.constants import global_assignment
from tslint.script.events.annotation import UnreadableAnnotation

RULE = Rule(code="TS506", name="unreadable-annotation", events=(UnreadableAnnotation,))
_HELP = {
    "Callable": "TorchScript cannot pass functions: call the function by its name, or keep a module in `self`.",
    "Module": "TorchScript cannot pass modules: call them through `self`, and remove the parameter.",
    "Set": "TorchScript has no sets: use a List, or the keys of a Dict.",
    "FrozenSet": "TorchScript has no sets: use a List, or the keys of a Dict.",
    "set": "TorchScript has no sets: use a List, or the keys of a Dict.",
    "ndarray": "TorchScript has no NumPy arrays: pass a Tensor, made with `torch.from_numpy` before the call.",
    "Size": "Write `List[int]`, which is the type of a shape in TorchScript.",
    "Type": "TorchScript cannot pass or return classes: use an instance, or mark the method `@torch.jit.unused`.",
    "TypeVar": "TorchScript has no type variables: annotate the type that is passed.",
    "float32": "A dtype is not a type: annotate a Tensor as `torch.Tensor`, a number as `float`.",
}
_TESTED = {
    "": "Test for a TorchScript type, such as `torch.Tensor`, `int` or `list`, or test it outside compiled code.",
    "Module": "Instead, test a `Final[bool]` attribute or `… is not None`: the compiler decides both.",
    "dict": "Write `torch.jit.isinstance({value}, Dict[str, …])`, with the types of the keys and values.",
}
_OF_ATTRIBUTE = "Test `{value}` in `__init__`, and store the result in a `Final[bool]` attribute, which you test here."


def check(match: Match[UnreadableAnnotation]) -> Iterator[Finding]:
    """Report the annotation, with a fix that writes the TorchScript type that is meant."""
    node = match.written
    spelled = " ".join(match.text(match.event.node).split())
    message = f"TorchScript has no type `{spelled}`"
    if match.event.tested:
        name = last_name(node) if isinstance(node, cst.BaseExpression) else ""
        if isinstance(node, cst.Name) and match.binds(name):
            message = f"`{name}` is a variable here, but `isinstance` needs the name of a type in TorchScript"
        elif name == "dict":
            message = f"TorchScript has no type `{spelled}` without the types of its keys and values"
        tested = _tested(match)
        help = _TESTED.get(name, _OF_ATTRIBUTE if tested.startswith(f"{match.self_name}.") else _TESTED[""])
        types = getattr(global_assignment(match.file.tree, name), "value", None)
        if types is not None and not match.binds(name) and m.matches(match.libcst(types), m.Tuple()):
            help = f"Write the types here: `isinstance({{value}}, {match.text(types)})`."
        yield match.finding(message, help=help.format(value=tested))
        return
    if match.event.undefined:
        yield match.finding(
            f"TorchScript cannot read the annotation `{spelled}`",
            help=f"Define or import `{match.event.undefined}` at run time, not under `if TYPE_CHECKING:` only.",
        )
        return
    fix, help = None, "Write a TorchScript type, such as `torch.Tensor`, `int`, `List[…]` or `Dict[str, …]`."
    if isinstance(node, cst.SimpleString):
        message = f"TorchScript cannot read the annotation `{spelled}`"
        help = "Inside the quotes, use only brackets, commas, and names that this file defines or imports at run time."
    if isinstance(node, cst.BaseExpression):
        name, form = last_name(node), form_for(match, node)
        if name[:1].isupper():
            help = f"Compiled code has no objects of `{name}`: pass and return Tensors, numbers, lists or dicts."
        help = _HELP.get(name, help)
        if form is not None:
            help = _HELP.get(name, f"Write `{code(form.annotation)}`.").replace("...", "…")
            if "…" in help:
                help = f"{help.removesuffix('.')}, with the types of what it contains."
            fix = form.fix(match)
            contains = isinstance(node, (cst.Name, cst.Attribute)) and isinstance(form.annotation, cst.Subscript)
            if contains and last_name(form.annotation).lower() == name.lower():
                parts = "its keys and values" if name.lower() == "dict" else "its elements"
                message = f"TorchScript has no type `{spelled}` without the types of {parts}"
    yield match.finding(message, help=help, fix=fix)


def _tested(match: Match) -> str:
    """Return the value that ``isinstance`` tests."""
    call = match.enclosing(cst.Call)
    return match.code(call.args[0].value) if call is not None and call.args else "…"
