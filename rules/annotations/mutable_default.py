"""# List or dict as a default

## What it does

Finds parameters whose default is a list, dict or set, in code that `torch.jit.script` compiles, and NamedTuples with a
field whose default is a Tensor.

## Why TorchScript rejects it

Python creates the default once, and all calls share it. A compiled function cannot share a value between calls.

```text
Mutable default parameters are not supported because Python binds them to the function and they persist across
```

## Example

```python
from typing import List

import torch


def pad(x: torch.Tensor, sizes: List[int] = [1, 1]) -> torch.Tensor:
    return torch.nn.functional.pad(x, sizes)


scripted = torch.jit.script(pad)
inputs = (torch.rand(3),)
```

## Use instead

```python
from typing import List, Optional

import torch


def pad(x: torch.Tensor, sizes: Optional[List[int]] = None) -> torch.Tensor:
    if sizes is None:
        sizes = [1, 1]
    return torch.nn.functional.pad(x, sizes)


scripted = torch.jit.script(pad)
inputs = (torch.rand(3),)
```

## Fix safety

A list of constants becomes a tuple if the function only reads it (`for i in sizes`, `sizes[0]`, `len(sizes)`). This is
*safe*, because the compiler makes a list of the tuple. There is no fix in a file that reads the defaults of functions
(`__defaults__`, `inspect.signature`). Other defaults have no fix: with the default None, changes to the list would no
longer persist between calls, and a None that callers pass would mean the default.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.annotate import from_def
from tslint.rewrite.type_reasons import parameter
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code
from tslint.script.dataflow.defaults import may_be_read
from tslint.script.dataflow.sequence_reads import is_only_read
from tslint.script.events.annotation import MutableDefault

RULE = Rule(code="TS503", name="mutable-default", events=(MutableDefault,))
_LITERALS = m.List(elements=[m.ZeroOrMore(m.Element(LITERAL | m.UnaryOperation()))])


def check(match: Match[MutableDefault]) -> Iterator[Finding]:
    """Report the default, with a fix that writes a list as a tuple."""
    name, default = match.event.name, match.node
    if match.event.owner:
        yield match.finding(
            f"`{match.event.owner}` has a Tensor as the default of its field `{name}`",
            help=f"Annotate `{name}` as Optional with the default None, or pass a Tensor in each call.",
        )
        return
    fix = _as_tuple(match, name, default)
    typed = "" if parameter(match, name, annotated=False) is None else f", and annotate `{name}: List[…]`"
    instead = f"Write the default as a tuple{typed}. Or annotate" if fix is not None else "Annotate"
    yield from_def(
        match,
        match.event.node,
        f"`{name}` has a mutable default: `{match.code(default)}`",
        f"{instead} `{name}` as Optional with the default None, and create the value in the body.",
        fix,
    )


def _as_tuple(match: Match, name: str, default: cst.CSTNode) -> Fix | None:
    """Write ``[1, 2]`` as ``(1, 2)``, of which the compiler makes a list; None if the function may change the list."""
    unit = match.event.unit
    if unit is None or not isinstance(default, cst.List) or not m.matches(default, _LITERALS):
        return None
    tree = match.file.tree
    if "\n" in match.code(default) or may_be_read(tree) or not is_only_read(tree, unit.function.node, name):
        return None
    elements = list(default.elements)
    if elements:
        alone = cst.Comma() if len(elements) == 1 else cst.MaybeSentinel.DEFAULT
        elements[-1] = elements[-1].with_changes(comma=alone)
    new = cst.Tuple(elements)
    return safe(f"Write `{code(new)}`", lambda: match.replace(default, new))
