"""# Variable annotation without a value in compiled code

## What it does

Finds `name: type` without a value in functions that `torch.jit.script` compiles.

## Why TorchScript rejects it

A variable gets its type when it gets its value; TorchScript has no statement that only declares a variable.

```text
annotated assignments without assigned value aren't supported
```

## Example

```python
from typing import List

import torch


def collect(n: int) -> List[int]:
    found: List[int]
    found = []
    for i in range(n):
        found.append(i)
    return found


scripted = torch.jit.script(collect)
inputs = (3,)
```

## Use instead

```python
from typing import List

import torch


def collect(n: int) -> List[int]:
    found: List[int] = []
    for i in range(n):
        found.append(i)
    return found


scripted = torch.jit.script(collect)
inputs = (3,)
```

## Fix safety

If the next statement assigns the variable, the annotation moves to that statement. If a later statement does, the fix
removes the declaration, provided that the compiler infers the type without it: a number, a bool, a string or a tensor.
Both are *safe*, because Python never evaluates annotations of local variables. There is no fix for other types. A
variable that is never assigned has no fix, either: it is local only because of the declaration.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.removal import removed, without
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import bound_times
from tslint.script.events.syntax import AnnotationWithoutValue

_INFERRED = ("int", "float", "bool", "str", "Tensor", "torch.Tensor")
RULE = Rule(code="TS124", name="annotation-without-value", events=(AnnotationWithoutValue,))
_REMOVED = "Remove the declaration"


def check(match: Match[AnnotationWithoutValue]) -> Iterator[Finding]:
    """Report the variable, with a fix that moves the annotation to the next assignment."""
    node = match.node
    if isinstance(node, cst.AnnAssign):
        name, annotation = match.code(node.target), match.code(node.annotation.annotation)
        help = f"Annotate the assignment: `{name}: {annotation} = …`."
        if "..." in annotation:
            help = (
                f"Assign a list to `{name}`, and annotate it there, such as `{name}: List[…] = …`: TorchScript has no"
                f" `{annotation}`."
            )
        fix = _move(match, node)
        if fix is not None and fix.message == _REMOVED:
            help = f"Remove the line: the assignments of `{name}` show its type."
        yield match.finding(
            f"`{name}` is annotated without a value, which cannot be compiled",
            help=help,
            fix=fix,
            at=node.target,
        )


def _move(match: Match, node: cst.AnnAssign) -> Fix | None:
    if not isinstance(node.target, cst.Name) or match.function is None:
        return None
    name = node.target.value
    siblings = match.siblings(node)
    following = siblings[siblings.index(node) + 1 :][:1]
    pattern = m.Assign(targets=[m.AssignTarget(m.Name(name))])
    if following and isinstance(following[0], cst.Assign) and m.matches(following[0], pattern):
        return _joined(match, node, following[0])
    if bound_times(match.model(match.function), name) < 2 or match.code(node.annotation.annotation) not in _INFERRED:
        return None
    return safe(_REMOVED, lambda: removed(match, node))


def _joined(match: Match, node: cst.AnnAssign, assignment: cst.Assign) -> Fix | None:
    annotated = cst.AnnAssign(node.target, node.annotation, assignment.value, semicolon=assignment.semicolon)
    words = "Annotate the assignment"
    if match.line(node) is not None:
        return safe(words, lambda: removed(match, node), lambda: match.replace(assignment, annotated))
    shared = match.shared_line(node)
    if shared is None or assignment not in shared.body:
        return None
    body = [annotated if each is assignment else each for each in shared.body]
    joined = without(shared.with_changes(body=body), node)
    return safe(words, lambda: match.rewrite(shared, joined))
