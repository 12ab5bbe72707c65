"""# Conversion or format in an f-string of compiled code

## What it does

Finds `!r`, `!s`, `!a`, `=` and format specifications (`:.2f`) inside f-strings in code that `torch.jit.script`
compiles.

## Why TorchScript rejects it

An f-string becomes `"{}".format(…)`, whose compiled form supports only empty braces.

```text
Don't support conversion in JoinedStr
Don't support formatting in JoinedStr
```

## Example

```python
import torch


def describe(x: torch.Tensor, scale: int) -> str:
    return f"scaled by {scale:d}, {x.dim()} dimensions"


scripted = torch.jit.script(describe)
inputs = (torch.rand(2, 3), 4)
```

## Use instead

```python
import torch


def describe(x: torch.Tensor, scale: int) -> str:
    return f"scaled by {scale}, {x.dim()} dimensions"


scripted = torch.jit.script(describe)
inputs = (torch.rand(2, 3), 4)
```

Round numbers before they are formatted, or format them outside compiled code. Do not write `"{:.2f}".format(x)`
instead: it compiles, but the text then contains `{:.2f}` and not the number.

## Fix safety

After the fix, compiled code omits the conversions and formats. Python creates the same text as before, with
`str.format`. This is *unsafe*, because the compiled text is different.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe
from tslint.rulekit.template import expression, parenthesized
from tslint.script.dataflow.format_strings import as_format
from tslint.script.events.syntax import FStringConversion, FStringFormat

RULE = Rule(code="TS114", name="f-string-format", events=(FStringConversion, FStringFormat))


def check(match: Match[FStringConversion | FStringFormat]) -> Iterator[Finding]:
    """Report the conversion or the format, with a fix that omits it in compiled code."""
    part = match.node
    what = "a conversion" if isinstance(match.event, FStringConversion) else "a format"
    # The compiler underlines the beginning of the string up to Python 3.11, and the braces from 3.12.
    same_row = match.place(part)[0].row == match.event.span.row
    yield match.finding(
        f"`{match.code(part)}` has {what}: compiled f-strings support only plain `{{…}}`",
        help=f"Remove {what.replace('a ', 'the ')}, or create the string outside compiled code.",
        fix=_written(match),
        at=part if same_row else None,
    )


def _written(match: Match[FStringConversion | FStringFormat]) -> Fix | None:
    """Write ``f"{x:.2f}"`` as ``("{}" if torch.jit.is_scripting() else "{:.2f}").format(x)``."""
    format_, string = as_format(match.event.string), match.libcst(match.event.string)
    torch, imports = match.imported("torch")
    if format_ is None or match.binds(torch) or match.enclosing(cst.FormattedStringExpression, string) is not None:
        return None

    def call() -> cst.Call:
        plain, whole = cst.SimpleString(repr(format_.plain)), cst.SimpleString(repr(format_.whole))
        text = "({plain} if {torch}.jit.is_scripting() else {whole}).format"
        return cst.Call(
            expression(text, plain=plain, torch=torch, whole=whole),
            [cst.Arg(_argument(match.libcst(each))) for each in format_.values],
        )

    what = "conversion" if isinstance(match.event, FStringConversion) else "format"
    words = f"Remove the {what} in compiled code"
    return unsafe(words, lambda: match.replace(string, call()), *imports, risks=(Risk.DIFFERS,))


def _argument(node: cst.CSTNode) -> cst.BaseExpression:
    """Return a value as an argument: in braces, a tuple needs no parentheses."""
    assert isinstance(node, cst.BaseExpression)
    return parenthesized(node) if isinstance(node, cst.Tuple) else node
