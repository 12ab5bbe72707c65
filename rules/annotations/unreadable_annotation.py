"""# Annotation that TorchScript cannot read

## What it does

Finds annotations that name no TorchScript type (`Sequence`, `Callable`, `Literal`, `np.ndarray`, `tuple[int, ...]`,
a bare `dict` …) on parameters, returns and variables of code that `torch.jit.script` compiles.

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

Python does not look at annotations. Still a fix is *safe* only where the new annotation says the same
(`-> (Tensor, Tensor)` → `Tuple[Tensor, Tensor]`, `Literal["a"]` → `str`). `Sequence[int]` → `List[int]` narrows what
callers may pass and is *unsafe*. Where the type that is meant has to be filled in, the fix is display-only.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tslint.border import Match
from tslint.diagnostics import Edit, Fix
from tslint.rule import Finding, Rule, display, safe, unsafe
from tslint.rules.annotations._common import merged, replace

RULE = Rule(code="TS506", name="unreadable-annotation", events=("unreadable-annotation",))
_LISTS = ("Sequence", "Iterable", "Iterator", "Collection", "MutableSequence", "Generator")
_DICTS = ("Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict")
_BARE = {
    "List": "List[...]",
    "Dict": "Dict[..., ...]",
    "dict": "Dict[..., ...]",
    "Tuple": "Tuple[...]",
    "Optional": "Optional[...]",
}
_HELP = {
    "Callable": "TorchScript cannot pass functions: call the function by its name, or keep a module in `self`.",
    "Module": "TorchScript cannot pass modules: call them through `self`, and drop the parameter.",
    "Set": "There are no sets in TorchScript: use a List, or the keys of a Dict.",
    "FrozenSet": "There are no sets in TorchScript: use a List, or the keys of a Dict.",
    "set": "There are no sets in TorchScript: use a List, or the keys of a Dict.",
    "ndarray": "There is no NumPy in TorchScript: pass a Tensor, made with `torch.from_numpy` before the call.",
    "Size": "A shape is a `List[int]` in TorchScript.",
    "TypeVar": "TorchScript has no type variables: annotate the one type that is passed.",
    "float32": "A dtype is no type of a value: Tensors are annotated `torch.Tensor`, numbers `float`.",
}
Rewrite = tuple[Callable[..., Fix], str, tuple[Edit, ...]]


def check(match: Match) -> Iterator[Finding]:
    """Write the TorchScript type that is meant, where there is one."""
    node = match.event.node
    fix, help = None, "Annotate it with a type that TorchScript knows."
    if isinstance(node, ast.expr):
        name = _last(node)
        rewrite = _rewrite(match, node, name)
        help = _HELP.get(name, help)
        if rewrite is not None:
            make, text, imports = rewrite
            help = _HELP.get(name, f"Write `{text}`.").replace("...", "…")
            fix = make(f"Write `{text}`", *merged(*imports, replace(match, node, text)))
    said = match.text(node) if isinstance(node, ast.AST) else match.event.facts["spelled"]
    yield match.finding(f"TorchScript has no type `{' '.join(said.split())}`", help=help, fix=fix)


def _last(node: ast.expr) -> str:
    base = node.value if isinstance(node, ast.Subscript) else node
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""


def _rewrite(match: Match, node: ast.expr, name: str) -> Rewrite | None:
    inner = [match.text(part) for part in _inner(node)]
    if isinstance(node, ast.Constant) or any("\n" in part for part in inner):
        return None
    if isinstance(node, ast.Tuple):
        # For a parameter it may be meant as a tuple, or as one of several types.
        if match.event.unit is None or node is not match.event.unit.function.node.returns:
            return None
        return _generic(match, safe, "Tuple", [match.text(part) for part in node.elts])
    if isinstance(node, ast.List) and len(node.elts) == 1:
        return _generic(match, safe, "List", [match.text(node.elts[0])])
    if isinstance(node, ast.Subscript):
        return _subscript(match, node, name, inner)
    if name in _BARE:
        word, _, rest = _BARE[name].partition("[")
        return _generic(match, display, word, [rest[:-1]])
    if name in _LISTS:
        return _generic(match, display, "List", ["..."])
    if name in _DICTS:
        return _generic(match, display, "Dict", ["..., ..."])
    if name == "Size":
        return _generic(match, unsafe, "List", ["int"])
    if name in ("any", "object"):
        text, imports = match.imported("typing", "Any")
        return (safe if name == "any" else unsafe), text, imports
    if name == "ndarray":
        text, imports = match.imported("torch", "Tensor")
        return unsafe, text, imports
    return None


def _subscript(match: Match, node: ast.Subscript, name: str, inner: list[str]) -> Rewrite | None:
    if name in ("Tuple", "tuple") and len(inner) == 2 and inner[1] == "...":
        return _generic(match, unsafe, "List", inner[:1])
    if name in _LISTS and inner:
        return _generic(match, unsafe, "List", inner[:1])
    if name in _DICTS and len(inner) == 2:
        return _generic(match, unsafe, "Dict", inner)
    if name == "Annotated" and inner:
        return safe, inner[0], ()
    if name == "Literal":
        kinds = {type(part.value).__name__ for part in _inner(node) if isinstance(part, ast.Constant)}
        if len(kinds) == 1 and kinds <= {"str", "int", "bool"}:
            return safe, kinds.pop(), ()
    return None


def _inner(node: ast.expr) -> list[ast.expr]:
    if not isinstance(node, ast.Subscript):
        return []
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _generic(match: Match, make: Callable[..., Fix], name: str, parts: list[str]) -> Rewrite:
    text, imports = match.imported("typing", name)
    return make, f"{text}[{', '.join(parts)}]", imports
