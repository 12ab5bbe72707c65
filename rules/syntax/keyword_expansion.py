"""# `**` expansion in a call of compiled code

## What it does

Finds calls with `**kwargs` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Which argument goes to which parameter is decided when the code is compiled; the keys of a dict are not known then.

```text
keyword-arg expansion is not supported
```

## Example

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    options = {"dim": 0}
    return torch.sum(x, **options)


scripted = torch.jit.script(total)
```

## Use instead

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x, dim=0)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix where it is not known which keys the dict holds. One that is written out in the call (`**dict(a=1)`,
`**{"a": 1}`) becomes its arguments, which is *safe*.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix
from tslint.rewrite.spans import compiled_function, parent, place
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import bindings, module_bindings

RULE = Rule(code="TS118", name="keyword-expansion", events=("keyword-expansion",))


def check(match: Match) -> Iterator[Finding]:
    """Underline what is expanded."""
    node = match.event.node
    what = f"`**{node.id}`" if isinstance(node, ast.Name) else "`**` in a call"
    yield match.finding(
        f"{what} cannot be compiled: the arguments of a call must be written out",
        help="Pass each argument by its name.",
        fix=_written_out(match, node),
    )


def _written_out(match: Match, node: ast.AST) -> Fix | None:
    """``f(**dict(a=1))`` and ``f(**{"a": 1})`` → ``f(a=1)``."""
    call = parent(match, node)
    while call is not None and not isinstance(call, ast.Call):
        call = parent(match, call)
    if call is None or not isinstance(node, (ast.Dict, ast.Call)):
        return None
    around = next((each for each in call.keywords if each.arg is None and each.value is node), None)
    given = _entries(match, node)
    if around is None or not given or any(isinstance(e, ast.JoinedStr) for e in walking.around(match.file.tree, call)):
        return None
    names = [name for name, _ in given] + [each.arg for each in call.keywords if each.arg is not None]
    for each in call.keywords:
        if each.arg is None and each is not around and isinstance(each.value, (ast.Dict, ast.Call)):
            # Its names may be written out at the same time: the same one twice is an error of its own.
            names += [name for name, _ in _entries(match, each.value) or []]
    if len(set(names)) != len(names) or not all(n.isidentifier() and not keyword.iskeyword(n) for n in names):
        return None
    start = match.source.offset(place(match, node)[0])
    stars = match.source.text.rfind("**", 0, start)
    if match.source.text[stars + 2 : start].strip():
        return None
    text = ", ".join(f"{name}={match.text(value)}" for name, value in given)
    return safe("Write the arguments out", Edit(match.source.position(stars), place(match, node)[1], text))


def _entries(match: Match, node: ast.Dict | ast.Call) -> list[tuple[str, ast.expr]] | None:
    """The names and values of a dict that is written out."""
    if isinstance(node, ast.Dict):
        keys = [each.value for each in node.keys if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        return [*zip(keys, node.values)] if len(keys) == len(node.keys) else None
    plain = isinstance(node.func, ast.Name) and node.func.id == "dict" and not node.args
    function = compiled_function(match)
    shadowed = "dict" in module_bindings(match.file.tree) or (function is None or "dict" in bindings(function))
    if not plain or shadowed:
        return None
    given = [(each.arg, each.value) for each in node.keywords if each.arg is not None]
    return given if len(given) == len(node.keywords) else None
