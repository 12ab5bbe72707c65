"""# Star or tuple() on a list

## What it does

Finds `f(*shape)`, `[*shape, 1]`, `tuple(values)` and `a, *rest = values` for a value that is a list in TorchScript.
`x.shape` is a `List[int]` in TorchScript. The rule also finds `zip(*pairs)`, `list(*x)`, `tuple(*x)` and
`enumerate(*x)` for any value.

## Why TorchScript rejects it

The length of a tuple is part of its type, but the length of a list is not. So the compiler does not know how many
arguments or elements the star stands for.

```text
cannot statically infer the expected size of a list in this context
```

## Example

```python
import torch


def same_shape(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    flat = x.view(y.shape[0], *x.shape[1:])
    return flat.reshape(*y.shape)


scripted = torch.jit.script(same_shape)
inputs = (torch.rand(2, 3), torch.rand(2, 3))
```

## Use instead

```python
import torch


def same_shape(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    flat = x.view([y.shape[0]] + list(x.shape[1:]))
    return flat.reshape(y.shape)


scripted = torch.jit.script(same_shape)
inputs = (torch.rand(2, 3), torch.rand(2, 3))
```

## Fix safety

Many functions of torch and methods of tensors accept one list of sizes or dimensions. The fix passes one list to them,
`x.view([a] + list(sizes))` for `x.view(a, *sizes)`, and writes `[*a, b]` as `list(a) + [b]`. This is *safe*. If the
list may be empty, only compiled code passes one list: without any size, Python raises, and compiled code makes a tensor
without dimensions.

The fix writes a list instead of `tuple(values)`. This is *safe* in four cases:

- The tuple is an argument of `torch.stack`, `torch.cat` or a similar function.
- Torch uses the tuple only as sizes or dimensions: `x.view((2, *sizes))` becomes `x.view([2] + list(sizes))`. If
  nothing shows that `x` in `x.mean(tuple(dims))` is a tensor, this is *unsafe*: an array of numpy takes no list.
- The tuple is unpacked immediately.
- The tuple gets a name, and the function only iterates over it: `for t in qkv`, `map(f, qkv)`.

In other places only compiled code gets the list, which is *unsafe*. In a `return`, the fix is only shown (*display*):
compiled code would return a list where Python returns a tuple. `x[tuple(index)]` has no fix: as an index, a list
selects rows.

`a, b, *rest = x.shape` becomes `a, b = x.shape[:2]`, and a second line, `rest = list(x.shape[2:])`, if `rest` is read.
This is *safe*: the new code raises for shorter shapes, too. `a, *_ = x.shape` becomes `a = x.shape[0]` if nothing reads
`_`. This is *unsafe*: if there are no sizes, Python raises IndexError instead of ValueError. Other unpackings use
indices in compiled code only, which is *safe*.

`b, n, h = *x.shape, heads` becomes two lines, `b, n = x.shape` and `h = heads`. If the value for `h` reads `b` or `n`,
it becomes `(b, n), h = x.shape, heads`. Both are *safe*. Calls of functions that take no list have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.list_unpacking import by_index, separately
from tslint.rewrite.starred_arguments import as_iterated, as_one_list, as_sizes, concatenated, one_list, without_tuple
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import short
from tslint.script.events.types import StarredUnknownLength
from tslint.script.types import INT, ListType

RULE = Rule(code="TS307", name="starred-unknown-length", events=(StarredUnknownLength,))
_LONG, _LONGEST = 40, 90
_RANGE, _MAP = m.Call(m.Name("range")), m.Call(m.Name("map"))


def check(match: Match[StarredUnknownLength]) -> Iterator[Finding]:
    """Report the value, with a fix that passes the list itself, or its items by index."""
    value, what = match.event.value, match.event.what
    if what == "unpack":
        yield from _unpacking(match)
        return
    node = match.libcst(value) if value is not None else None
    shown = match.quote(node) if node is not None else "a list"
    v = match.code(node) if isinstance(node, (cst.Name, cst.Attribute)) else "v"
    text = match.code(node) if node is not None else ""
    text = shown.strip("`") if "\n" in text else text
    if isinstance(node, cst.GeneratorExp):
        text = f"[{text[1:-1] if node.lpar else text}]"
    if m.matches(node, _MAP):
        text = "[f(x) for x in xs]"
    first = f"`v = {text}`, " if v == "v" and node is not None else ""
    over = node if node is not None and m.matches(node, _RANGE) else None
    length = "the length of the list" if over is None else "the length of the range"
    if what == "tuple()":
        message = f"`tuple(…)` of {shown}: TorchScript does not know {length}"
        help = f"Use the list itself, or write the elements out: {first}`({v}[0], {v}[1])`."
        if over is not None:
            added = match.parent(match.node)
            beside = " Write the other side of `+` as a list, too." if isinstance(added, cst.BinaryOperation) else ""
            help = f"Use a list: `list({match.code(over)})`.{beside}"
        elif isinstance(node, (cst.ListComp, cst.GeneratorExp)):
            help = "Use a list instead of the tuple: write the comprehension in brackets, without `tuple`."
    elif what == "iterable":
        form = match.event.form
        message = f"`*` before {shown}: `{form}` accepts no starred argument in TorchScript"
        help = f"Write the arguments out: {first}`{form}({v}[0], {v}[1])`."
    else:
        message = f"`*` before {shown}: TorchScript does not know {length}"
        help = f"Pass the list itself if the function takes a list, or write the elements out: {first}`{v}[0], {v}[1]`."
        if what in ("list", "tuple"):
            instead = "Concatenate lists" if what == "list" else "Use a list instead of the tuple"
            help = f"{instead}: {first}`list({v}) + […]`; or write the elements out: `{v}[0], {v}[1]`."
        elif over is not None:
            help = f"Pass `list({match.code(over)})` if the function takes a list, or write the elements out."
        help = _one_list(match) or help
    yield match.finding(message, help=help, fix=_fix(match, what))


def _one_list(match: Match[StarredUnknownLength]) -> str | None:
    """Return the advice to pass one list; None if the value is no argument, or the function does not accept a list."""
    call = as_one_list(match, match.parent(match.node)) if match.event.what == "call" else None
    if call is None:
        return None
    whole, listed = code(call), code(call.args[0].value)
    shown = " ".join((whole if len(whole) <= _LONG else listed).split())
    return f"Pass all values as one list: {f'`{shown}`' if len(shown) <= _LONGEST else short(shown)}."


def _fix(match: Match[StarredUnknownLength], what: str) -> Fix | None:
    node = match.node
    around = match.parent(node)
    if what == "tuple()" and isinstance(node, cst.Call):
        return without_tuple(match, node)
    if isinstance(around, cst.Tuple):
        return separately(match, around) or as_sizes(match, around) or as_iterated(match, around)
    if what == "list" and isinstance(around, cst.List):
        return concatenated(match, around)
    if what == "call" and isinstance(around, cst.Call) and match.event.type == ListType(INT):
        return one_list(match, around)
    return None


def _unpacking(match: Match) -> Iterator[Finding]:
    node, fix, shown, value = match.node, None, "a list", "…"
    if isinstance(node, cst.Assign):
        target, shown = node.targets[0].target, match.quote(node.value)
        value = shown.strip("`")
        if len(node.targets) == 1 and isinstance(target, (cst.Tuple, cst.List)):
            fix = by_index(match, node, target.elements)
    yield match.finding(
        f"`*` in an unpacking of {shown}: TorchScript does not know the length of the list",
        help=f"Assign the whole value to a variable, and read its elements by index: `v = {value}`, `v[0]`, `v[1:]`.",
        fix=fix,
    )
