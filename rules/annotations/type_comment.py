"""# A `# type:` comment that is not the signature

## What it does

Finds `# type:` comments in compiled functions that do not give the signature of the function, or do not fit it.

## Why TorchScript rejects it

The compiler looks for the text `# type:` in every line of a function and takes it for the function's signature, `#
type: (int, Tensor) -> Tensor`. The type of a variable, as mypy once read it, is none; `# type: ignore` is passed
over at the very end of a line only, and with one code in its brackets at most.

```text
expected type comment but found 'ident' here
```

## Example

```python
from typing import List

import torch


def sizes(x: torch.Tensor) -> List[int]:
    found = []  # type: List[int]
    found.append(x.size(0))
    return found


scripted = torch.jit.script(sizes)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
from typing import List

import torch


def sizes(x: torch.Tensor) -> List[int]:
    found: List[int] = []
    found.append(x.size(0))
    return found


scripted = torch.jit.script(sizes)
inputs = (torch.rand(2, 3),)
```

## Fix safety

The comment of an assignment becomes the annotation of its variable, and a signature at the end of the `def` line, or
with a misspelt prefix, becomes annotations: *safe* where every name in it is imported in the file, or can be. Where it
is not known what a name stands for, it is *unsafe* for a variable, whose annotation Python does not look at, and there
is none for a signature. Other comments are left to the author.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.type_comments import signature_fix, variable_fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.script.events.annotation import TypeComment

RULE = Rule(code="TS509", name="type-comment", events=(TypeComment,))
_IGNORE = re.compile(r"ignore\b")


def check(match: Match[TypeComment]) -> Iterator[Finding]:
    """Turn the comment into annotations."""
    event = match.event
    comment = " ".join(event.comment.split())
    if event.form == "arity":
        yield match.finding(
            "the `# type:` comment has another number of types than the function has parameters",
            help="Write one type for each parameter, without `self`; or annotate the parameters and drop the comment.",
        )
    elif _IGNORE.match(event.type):
        yield match.finding(
            f"the compiler takes `{comment}` for a type: it passes over `# type: ignore` only at the end of its line",
            help="End the line with `# type: ignore` or `# type: ignore[code]`, with one code and nothing behind it.",
        )
    elif event.form == "prefix":
        yield match.finding(
            f"the compiler takes `{comment}` for a misspelt `# type:` comment",
            help="Annotate the parameters instead; or word the comment otherwise where it is not a signature.",
            fix=_fix(match),
        )
    else:
        yield match.finding(
            f"the compiler takes `{comment}` for the signature of the function",
            help="Write the type as an annotation.",
            fix=_fix(match),
        )


def _fix(match: Match[TypeComment]) -> Fix | None:
    statement, text = match.event.statement, match.event.type
    if statement is None:
        return signature_fix(match, text)
    node = match.libcst(statement)
    return variable_fix(match, node, text) if isinstance(node, cst.Assign) else None
