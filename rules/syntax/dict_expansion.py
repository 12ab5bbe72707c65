"""# `**` expansion in a dict of compiled code

## What it does

Finds dict literals with `**other` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A dict literal is compiled entry by entry, each with a key and a value. (If the expansion is not the first entry, the
compiler crashes with `'NoneType' object has no attribute 'lineno'`.)

```text
Dict expansion (e.g. `{**dict}`) is not supported
```

## Example

```python
from typing import Dict

import torch


def extend(sizes: Dict[str, int], extra: int) -> Dict[str, int]:
    merged = {**sizes, "extra": extra}
    return merged


scripted = torch.jit.script(extend)
inputs = ({"a": 1}, 2)
```

## Use instead

```python
from typing import Dict

import torch


def extend(sizes: Dict[str, int], extra: int) -> Dict[str, int]:
    merged = sizes.copy()
    merged["extra"] = extra
    return merged


scripted = torch.jit.script(extend)
inputs = ({"a": 1}, 2)
```

## Fix safety

If each `**` expands a variable that holds a dict, and the new dict is assigned to another name, the fix creates the new
dict with `dict(…)`, `update()` and item assignments. This is *unsafe*: if such a variable is not a mapping in Python,
another exception is raised than before.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.rulekit.template import Line, statement
from tslint.script.dataflow.scopes import module_bindings, peeps
from tslint.script.events.syntax import DictExpansion
from tslint.script.types import DictType

RULE = Rule(code="TS119", name="dict-expansion", events=(DictExpansion,))
# A dict literal evaluates the key before the value, and an assignment the value before the key.
_KEY = m.Name() | m.SimpleString() | m.Integer() | m.Float()
_ASSIGNED = m.Assign(targets=[m.AssignTarget(m.Name())])


def check(match: Match[DictExpansion]) -> Iterator[Finding]:
    """Report the ``**``, with a fix that copies the dict and adds the other entries."""
    node, help = (
        match.node,
        "Create the dict from its first entries. Then add the others with `update()` or by assignment.",
    )
    first = node.elements[0] if isinstance(node, cst.Dict) else None
    if isinstance(first, cst.StarredDictElement):
        copied = match.quote(first.value)
        help = f"Copy {copied} with `copy()`. Then add the other entries with `update()` or by assignment."
    yield match.finding(
        "`**` in a dict cannot be compiled",
        help=help,
        fix=_written_out(match),
    )


def _written_out(match: Match) -> Fix | None:
    node = match.node
    assignment, line, function = match.parent(node), match.line(), match.function
    if not isinstance(node, cst.Dict) or line is None or function is None:
        return None
    if not isinstance(assignment, cst.Assign) or not m.matches(assignment, _ASSIGNED):
        return None
    target = assignment.targets[0].target
    assert isinstance(target, cst.Name)
    if m.findall(node, m.Name(target.value)) or peeps(match.model(function)):
        return None
    if match.binds("dict") or "dict" in module_bindings(match.file.tree):
        return None
    plain = next(i for i, each in enumerate(node.elements) if isinstance(each, cst.StarredDictElement))
    if not all(_can_follow(match, each) for each in node.elements[plain:]):
        return None
    keys = [each.key for each in node.elements if isinstance(each, cst.DictElement)]
    if any("\n" in match.code(part) for part in (*keys, *(each.value for each in node.elements))):
        return None
    return unsafe(
        "Copy the dict and add to it",
        lambda: match.rewrite(line, *_lines(target, node, plain)),
        risks=(Risk.EXCEPTION,),
    )


def _can_follow(match: Match, element: cst.BaseDictElement) -> bool:
    """Return whether an entry can be added by a statement of its own."""
    if isinstance(element, cst.DictElement):
        return m.matches(element.key, _KEY)
    # If the value is not a dict in Python, `.items()` raises, as `**` does.
    entries = element.value
    return isinstance(entries, cst.Name) and isinstance(match.event.variables.get(entries.value), DictType)


def _lines(target: cst.BaseExpression, node: cst.Dict, plain: int) -> Iterator[Line]:
    first = node.elements[:plain]
    if first:
        entries = [each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in first]
        yield statement("{target} = {entries}", target=target, entries=cst.Dict(entries))
    for index, each in enumerate(node.elements[plain:]):
        if isinstance(each, cst.DictElement):
            yield statement("{target}[{key}] = {value}", target=target, key=each.key, value=each.value)
        elif first or index:
            yield statement("{target}.update(dict({value}.items()))", target=target, value=each.value)
        else:
            yield statement("{target} = dict({value}.items())", target=target, value=each.value)
