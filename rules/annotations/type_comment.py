"""# A `# type:` comment that is not the signature

## What it does

Finds `# type:` comments in compiled functions, if they are not the function's signature, or do not match it.

## Why TorchScript rejects it

The compiler looks for the text `# type:` in every line of a function and reads it as the function's signature,
`# type: (int, Tensor) -> Tensor`. The type of a variable, `# type: List[int]`, is not a signature. The compiler skips
`# type: ignore` only at the very end of a line, with at most one code in brackets.

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

The comment of an assignment becomes the annotation of its variable. A signature at the end of the `def` line, or with a
misspelt prefix, becomes annotations. Both are *safe* if the file defines every name in the comment, or if the fix can
import it: `Tensor`, and names of `typing`. With other names, the fix is *unsafe* for a variable. There is no fix for a
signature with such names, because Python evaluates the annotations of parameters. Other comments have no fix.
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
    """Report the comment, with a fix that writes its types as annotations."""
    event = match.event
    comment = " ".join(event.comment.split())
    if event.form == "arity":
        yield match.finding(
            "the number of types in the `# type:` comment differs from the number of parameters",
            help="Write one type for each parameter except `self`, or annotate the parameters and remove the comment.",
        )
    elif _IGNORE.match(event.type):
        yield match.finding(
            f"the compiler reads `{comment}` as a type: it skips `# type: ignore` only at the end of a line",
            help="End the line with `# type: ignore` or `# type: ignore[code]`, with one code and nothing after it.",
        )
    elif event.form == "prefix":
        yield match.finding(
            f"the compiler reads `{comment}` as a misspelt `# type:` comment",
            help="Annotate the parameters instead, or reword the comment if it is not a signature.",
            fix=_fix(match),
        )
    else:
        yield match.finding(
            f"the compiler reads `{comment}` as the signature of the function",
            help=_help(match),
            fix=_fix(match),
        )


def _help(match: Match[TypeComment]) -> str:
    """Return how to write the types as annotations."""
    statement = match.event.statement
    if statement is None:
        return "Annotate the parameters and the return value instead."
    node = match.libcst(statement)
    if isinstance(node, cst.Assign) and isinstance(target := node.targets[0].target, cst.Name):
        return f"Write the type as an annotation instead: `{target.value}: {match.event.type} = …`."
    return "Write the type as an annotation instead, for example `name: List[int] = …`."


def _fix(match: Match[TypeComment]) -> Fix | None:
    statement, text = match.event.statement, match.event.type
    if statement is None:
        return signature_fix(match, text)
    node = match.libcst(statement)
    return variable_fix(match, node, text) if isinstance(node, cst.Assign) else None
