"""# `del` of something that TorchScript cannot delete

## What it does

Finds `del` statements in compiled code whose target is a slice, an attribute, several indices, or a group in
parentheses or brackets.

## Why TorchScript rejects it

Compiled `del` accepts variables, and single items of lists and dicts.

```text
del statements are only supported for deleting list and dict items and variables
del statements only support deletion at a single index, slicing is not supported
```

## Example

```python
import torch


def product(x: torch.Tensor) -> torch.Tensor:
    left, right = x + 1, x + 2
    result = left * right
    del (left, right)
    return result


scripted = torch.jit.script(product)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def product(x: torch.Tensor) -> torch.Tensor:
    left, right = x + 1, x + 2
    result = left * right
    del left, right
    return result


scripted = torch.jit.script(product)
inputs = (torch.rand(3),)
```

For a slice of a list, assign what remains: `items = items[:i] + items[j:]`. Set an attribute to `None` instead of
deleting it.

## Fix safety

The fix removes the parentheses or brackets around a group, which is *safe*: Python deletes the same targets in the same
order. Other targets have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.events.syntax import DelSlice, DelTarget

RULE = Rule(code="TS129", name="unsupported-del", events=(DelSlice, DelTarget))
_ITEM = m.Element(value=m.Name() | m.Subscript())


def check(match: Match[DelSlice | DelTarget]) -> Iterator[Finding]:
    """Report the target, with a fix that removes the brackets around a group."""
    node = match.node
    text = match.code(node)
    if isinstance(match.event, DelSlice):
        message, help = (
            f"`del {text}`: a slice cannot be deleted",
            f"Assign the remaining items: `{_rest(match, node)}`.",
        )
    elif isinstance(node, cst.Attribute):
        message, help = (
            f"`del {text}`: an attribute cannot be deleted",
            f"Write `{text} = None`, and annotate the attribute as Optional.",
        )
    elif isinstance(node, cst.Subscript):
        message, help = f"`del {text}`: only a single index can be deleted", "Delete one item at a time."
    else:
        message, help = (
            f"`del {text}`: a group of targets cannot be deleted",
            "Write the targets without parentheses or brackets.",
        )
    yield match.finding(message, help=help, fix=_flat(match, node))


def _rest(match: Match, node: cst.CSTNode) -> str:
    """Return the assignment of the items that ``del items[i:j]`` leaves."""
    part = node.slice[0].slice if isinstance(node, cst.Subscript) else None
    if not isinstance(node, cst.Subscript) or not isinstance(part, cst.Slice) or part.step is not None:
        return "items = items[:i] + items[j:]"
    items = match.code(node.value)
    below = f"{items}[:{match.code(part.lower)}]" if part.lower is not None else ""
    above = f"{items}[{match.code(part.upper)}:]" if part.upper is not None else ""
    return f"{items} = {' + '.join(filter(None, (below, above))) or '[]'}"


def _flat(match: Match, node: cst.CSTNode) -> Fix | None:
    if not isinstance(node, (cst.Tuple, cst.List)) or not node.elements:
        return None
    if not all(m.matches(each, _ITEM) for each in node.elements):
        return None
    elements = [cst.Element(each.value) for each in node.elements]
    plain = cst.Tuple(elements, lpar=[], rpar=[]) if len(elements) > 1 else elements[0].value
    return safe("Remove the parentheses or brackets", lambda: match.replace(node, plain))
