"""# Conversion or format in an f-string of compiled code

## What it does

Finds `!r`, `!s`, `!a`, `=` and format specifications (`:.2f`) inside f-strings in code that `torch.jit.script`
compiles.

## Why TorchScript rejects it

An f-string becomes `"{}".format(…)`, whose compiled form knows empty braces only.

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

Round numbers before they are written, or write them outside compiled code. Beware of `"{:.2f}".format(x)`: it
compiles, and the braces stay in the text.

## Fix safety

Compiled code leaves the conversions and formats out, and Python writes the text as before, with `str.format`: *unsafe*,
as the compiled text is another one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.spans import replace
from tslint.rewrite.when_compiled import is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, unsafe

_QUIET = frozenset(
    "size dim numel item mean sum min max abs float int len str round type tolist norm detach cpu".split()
)

RULE = Rule(code="TS114", name="f-string-format", events=("f-string-conversion", "f-string-format"))


def check(match: Match) -> Iterator[Finding]:
    """Drop what stands after the value, inside the braces."""
    part = match.libcst(match.event.facts["value"])
    what = "a conversion" if match.event.kind == "f-string-conversion" else "a format"
    # The compiler underlines the string's beginning before Python 3.12, the braces since.
    same_row = match.place(part)[0].row == match.event.span.row
    yield match.finding(
        f"`{match.code(part)}` has {what}: compiled f-strings know plain `{{…}}` only",
        help="Drop it, or write the text outside compiled code.",
        fix=_written(match, match.event.facts["string"]),
        at=part if same_row else None,
    )


def _written(match: Match, string: ast.JoinedStr) -> Fix | None:
    """``f"{x:.2f}"`` → ``("{}" if torch.jit.is_scripting() else "{:.2f}").format(x)``."""
    torch, imports = match.imported("torch")
    whole: list[str] = []
    plain: list[str] = []
    given: list[str] = []
    for part in string.values:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            if "{" in part.value or "}" in part.value:
                return None  # compiled code takes them for places of values
            whole.append(part.value)
            plain.append(part.value)
        elif isinstance(part, ast.FormattedValue):
            field = _field(part)
            if field is None:
                return None
            whole.append(field)
            plain.append("{}")
            # Positions inside of f-strings are not known before Python 3.12.
            given.append(ast.unparse(part.value))
    around = walking.around(match.file.tree, string)
    if is_local(match, torch) or any(isinstance(each, ast.JoinedStr) for each in around) or _runs(string, len(given)):
        return None
    new, old = (repr("".join(texts)) for texts in (plain, whole))
    text = f"({new} if {torch}.jit.is_scripting() else {old}).format({', '.join(given)})"
    words = "Leave the conversion and the format out where it is compiled"
    return unsafe(words, replace(match, string, text), *imports, risks=(Risk.DIFFERS,))


def _field(part: ast.FormattedValue) -> str | None:
    """A value's place with its conversion and format, for ``str.format``."""
    conversion = f"!{chr(part.conversion)}" if part.conversion != -1 else ""
    if part.format_spec is None:
        return f"{{{conversion}}}"
    assert isinstance(part.format_spec, ast.JoinedStr)
    texts = [each.value for each in part.format_spec.values if isinstance(each, ast.Constant)]
    if len(texts) != len(part.format_spec.values) or not all(isinstance(each, str) for each in texts):
        return None
    spec = "".join(str(each) for each in texts)
    return None if "{" in spec or "}" in spec else f"{{{conversion}:{spec}}}"


def _runs(string: ast.JoinedStr, count: int) -> bool:
    """Whether a value may change another one, which an f-string has turned into text before."""
    unsure = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.GeneratorExp)
    nodes = walking.walk(string)
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    quiet = all(
        (isinstance(each.func, ast.Attribute) and each.func.attr in _QUIET)
        or (isinstance(each.func, ast.Name) and each.func.id in _QUIET)
        for each in calls
    )  # fmt: skip
    return any(isinstance(each, unsure) for each in nodes) or (count > 1 and not quiet)
