"""# Global variable read in compiled code

## What it does

Finds module-level data (numbers, strings, dtypes, lists, dictionaries …) that compiled code reads by its bare name, the
names of constants that were imported with `from … import`, and data that belongs to a class of the project.

## Why TorchScript rejects it

A compiled function cannot read variables of its Python module later, and the compiler does not copy their values,
because a global variable may change. It only copies constants that are read through their module (`math.pi`,
`config.RATE`), and attributes that are declared constant with `Final`.

```text
python value of type 'float' cannot be used as a value. Perhaps it is a closed over global variable?
```

## Example

```python
import torch
from torch import nn

EPS = 1e-5


class Norm(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / (x.norm() + EPS)


inputs = (torch.rand(3),)
```

## Use instead

```python
from typing import Final

import torch
from torch import nn

EPS = 1e-5


class Norm(nn.Module):
    EPS: Final[float] = EPS

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x / (x.norm() + self.EPS)


inputs = (torch.rand(3),)
```

In a function, pass it as an argument (`def norm(x: torch.Tensor, eps: float = EPS)`), or read it through the module
that defines it (`import config`, then `config.EPS`). Lists and dictionaries become attributes of the module:
`self.table = TABLE` in `__init__`.

## Fix safety

Declaring the constant in the class, if its only base is `nn.Module`, is *safe*: the value is the same. So is reading an
imported constant through its module. Writing the number itself into a function is *unsafe*: the name is lost there. All
uses in a file get the same form: if a function or another class needs the number itself, methods get it, too.

Reading `__debug__` in eager mode only is *safe*, too: compiled code always checks its assertions.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.compiled_statements import decided_test
from tslint.rewrite.global_constant import constant_fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import short
from tslint.script.dataflow.constants import global_assignment
from tslint.script.events.names import ClosedOverGlobal

RULE = Rule(code="TS202", name="closed-over-global", events=(ClosedOverGlobal,))

_ASKED = "Read `__debug__` in eager mode only"
_CONSTANTS = ("int", "float", "bool", "str", "complex", "dtype", "device", "tuple", "layout", "memory_format")


def check(match: Match[ClosedOverGlobal]) -> Iterator[Finding]:
    """Report the variable's type, with a solution for that type."""
    name, type_name = match.event.name, match.event.type_name or "object"
    statement = global_assignment(match.file.tree, name)
    called = isinstance(match.node, cst.Call)
    where = f" on line {statement.lineno}" if statement is not None else ""
    if type_name == "NoneType":
        yield match.finding(
            f"{short(name)} is None at module level{where}: compiled code does not see such names",
            help="Write `None` itself, or make it an attribute of the module and test that.",
            fix=constant_fix(match, name),
        )
        return
    article = "an" if type_name[0] in "aeiou" else "a"
    yield match.finding(
        f"{short(name)} is {article} {type_name}{f' defined{where}' if where else ''}: "
        + ("TorchScript cannot call it" if called else "TorchScript cannot read global variables"),
        help=_help(match, name, type_name, called),
        fix=None if called else constant_fix(match, name) or decided_test(match, _debugging, _ASKED),
    )


def _debugging(node: cst.BaseExpression) -> bool | None:
    """Evaluate ``__debug__``: compiled code checks its assertions, whatever options Python has."""
    return True if m.matches(node, m.Name("__debug__")) else None


def _help(match: Match, name: str, type_name: str, called: bool) -> str:
    if called:
        return "Call a function or submodule by a name that compiled code can see."
    if type_name in _CONSTANTS:
        if match.event.unit is not None and match.event.unit.receiver is not None:
            return (
                f"Make it a constant of the class (`{name.rpartition('.')[2]}: Final = …`) and read that from `self`, "
                "or read it through its module (`config.NAME`)."
            )
        return "Pass it as an argument, or read it through its module (`config.NAME`)."
    if type_name in ("list", "dict"):
        short_name = name.rpartition(".")[2].lower()
        return f"Store it on the module: `self.{short_name} = {name}` in `__init__`, if its values have one type."
    return "Pass the values it contains as arguments, or store them on the module."
