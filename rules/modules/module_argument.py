"""# An argument of a `torch.nn` module of the wrong type

## What it does

Finds arguments of `torch.nn` modules with which the `forward` of the module does not compile, such as the `0` of
`nn.Dropout(0)` and the `eps=1` of `nn.LayerNorm(8, eps=1)`.

## Why TorchScript rejects it

The module stores the argument and passes it to an operator in `forward`. In Python it makes no difference whether it is
`0` or `0.0`; TorchScript does not convert an int to a float. Every submodule is compiled, even if it is never called.

```text
dropout(Tensor input, float p=0.5, bool training=True, bool inplace=False) -> Tensor:
Expected a value of type 'float' for argument 'p' but instead found type 'int'.
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(x)


inputs = (torch.rand(2),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.drop(x)


inputs = (torch.rand(2),)
```

## Fix safety

An int literal becomes the float with the same value, which is *safe*. There is no fix if the file reads the argument
from the module (`self.drop.p`), because this value would become a float. Other arguments have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.attribute_uses import is_read_from_another
from tslint.script.events.modules import ModuleArgument

RULE = Rule(code="TS425", name="module-argument", events=(ModuleArgument,))


_SAID = {"float": "a float", "Optional[float]": "a float or None", "int": "an int", "bool": "a bool"}


def check(match: Match[ModuleArgument]) -> Iterator[Finding]:
    """Report the argument, with a fix that writes an int as a float."""
    event, node = match.event, match.node
    name, argument, given, wanted = event.name, event.argument, event.given, event.wanted
    written = m.matches(node, LITERAL)
    shown = match.quote(node) if match.event.node is not event.call else "its value"
    fix = None
    # Python code that computes with the attribute, as in `5 - self.drop.p`, would get a float.
    read = is_read_from_another(match.file.tree, argument)
    if wanted in ("float", "Optional[float]") and isinstance(node, cst.Integer) and not event.within and not read:
        number = cst.Float(f"{node.value}.0" if node.value.isdigit() else repr(float(node.evaluated_value)))
        fix = safe(f"Write `{number.value}`", lambda: match.replace(node, number))
    article = "an" if given[:1] in "aeiou" else "a"
    of = f"`{argument}` of `nn.{name}`" + (f" in `{event.within}`" if event.within else "")
    if wanted:
        actual = given if given in ("None", "True", "False") else f"{article} {given}"
        message = f"{of} must be {_SAID.get(wanted, 'of type ' + wanted)}"
        # The condition of the finding may already say what the argument is.
        known = f"{shown} is {actual}" in (event.condition or "")
        found = "contains None" if _holds_none(node) else f"is {actual}"
        message += " to compile" if known else f", but {shown} {found}"
    elif given in ("None", "True", "False"):
        message = f"{shown} as {of} does not compile"
    else:
        message = f"{of} does not compile with {shown}, which is {article} {given}"
    yield match.finding(
        message,
        help=_help(match, wanted, written),
        fix=fix,
    )


def _holds_none(node: cst.CSTNode) -> bool:
    return isinstance(node, (cst.Tuple, cst.List)) and bool(m.findall(node, m.Name("None")))


def _help(match: Match[ModuleArgument], wanted: str, written: bool) -> str:
    node, shown = match.node, wanted.removeprefix("Optional[").removesuffix("]")
    if _holds_none(node):
        return "Call the function in `forward` instead, with a number for each None, such as `x.size(2)`."
    if shown == "float" and isinstance(node, cst.Integer):
        return f"Write the number with a decimal point: `{node.evaluated_value}.0`."
    if match.event.given == "None" and wanted:
        return f"Pass {_SAID.get(wanted, 'a value of type ' + wanted)}."
    if shown in ("float", "int", "bool") and not written and match.event.node is not match.event.call:
        return f"Write `{shown}({match.code(node)})`."
    if match.event.given.startswith("numpy.") and match.event.node is not match.event.call:
        return "Convert the number with `int(…)` or `float(…)`: TorchScript has no numbers of numpy."
    return f"Pass a value of type {wanted}." if wanted else "Pass another value."
