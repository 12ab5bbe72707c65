"""# Global variable read in compiled code

## What it does

Finds global variables (numbers, strings, dtypes, lists, dictionaries …) that compiled code reads by their bare name,
constants that were imported with `from … import`, and class variables that are read through their class (`Net.EPS`).

## Why TorchScript rejects it

Compiled code runs without the Python module, so it cannot read the module's variables. The compiler does not copy their
values either, because a global variable may change. It copies only constants that are read through their module
(`math.pi`, `config.RATE`), and attributes that are declared `Final`.

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

In a function, add a parameter that has the constant as its default (`def norm(x: torch.Tensor, eps: float = EPS)`), or
read the constant through the Python module that defines it (`import config`, then `config.EPS`). Store lists and
dictionaries in attributes of the `nn.Module`: `self.table = TABLE` in `__init__`.

## Fix safety

If the only base of the class is `nn.Module`, the fix declares the constant in the class. This is *safe* for a private
name (`_EPS`) to which no other checked file gives a value. It is *unsafe* for a public name: if another file gives the
variable a new value later, the class keeps the old value. It is also *unsafe* if the constructor sets attributes by
computed names (`setattr(self, name, value)`).

A list or tuple of literals of one type counts as a constant, too, if the functions of the file only read it.

After `from math import pi`, the fix writes `math.pi`, which is *safe*. For a constant of another module, the fix lets
compiled code read it through its module (`config.RATE`); Python still reads the imported name. This is *unsafe*: the
module may give the constant a new value after the import.

A fix that writes the number itself into compiled code is only shown (*display*): you would have to keep the number the
same in two places. All uses of a constant in a file get the same fix. So if one use is in a function, or in a class
that cannot declare `EPS`, the uses in all other classes also get the number.

If a test reads `__debug__`, the fix lets only Python read it, and compiled code treats it as True. This is *unsafe*:
under `python -O`, `__debug__` is False in Python.
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
from tslint.script.dataflow.annotation_style import postpones
from tslint.script.dataflow.constants import global_assignment
from tslint.script.dataflow.inheritance import classes
from tslint.script.dataflow.names import imported_names
from tslint.script.events.names import ClosedOverGlobal

RULE = Rule(code="TS202", name="closed-over-global", events=(ClosedOverGlobal,))

_ASKED = "Read `__debug__` in eager mode only"
_CONSTANTS = ("int", "float", "bool", "str", "dtype", "device", "tuple", "layout")
_NOT_FINAL = ("complex", "memory_format")
_ANNOTATED = {"dtype": "torch.dtype", "device": "torch.device", "layout": "int", "tuple": "Tuple[…]"}


def check(match: Match[ClosedOverGlobal]) -> Iterator[Finding]:
    """Report the global variable, with a fix or help that depends on its type."""
    name, type_name = match.event.name, match.event.type_name or "object"
    statement = global_assignment(match.file.tree, name)
    called = isinstance(match.node, cst.Call) and match.code(match.node.func) == name
    where = f" on line {statement.lineno}" if statement is not None else ""
    kind = "class" if name.rpartition(".")[0] in classes(match.file.tree) else "global"
    if type_name == "NoneType":
        yield match.finding(
            f"{short(name)} is a {kind} variable with the value None{where}, which TorchScript cannot read",
            help=_none_help(match),
            fix=constant_fix(match, name),
        )
        return
    article = "an" if type_name[0] in "aeiou" else "a"
    yield match.finding(
        f"{short(name)} is {article} {type_name}{f' defined{where}' if where else ''}: "
        + ("TorchScript cannot call it" if called else f"TorchScript cannot read {kind} variables"),
        help=_help(match, name, type_name, called),
        fix=None if called else constant_fix(match, name) or decided_test(match, _debugging, _ASKED),
    )


def _debugging(node: cst.BaseExpression) -> bool | None:
    """Return True for ``__debug__``: compiled code checks assertions even under ``python -O``; None for other nodes."""
    return True if m.matches(node, m.Name("__debug__")) else None


def _none_help(match: Match) -> str:
    around = match.parent(match.node)
    if isinstance(around, cst.Attribute) or (isinstance(around, cst.Call) and around.func is match.node):
        return "Move the code that uses it into a function marked `@torch.jit.ignore`: only Python can read it."
    return "Write `None` itself, or store the value in an attribute of the module and test that."


def _help(match: Match, name: str, type_name: str, called: bool) -> str:
    if name == "__debug__":
        return "Read it under `if not torch.jit.is_scripting():`. Compiled code always checks its assertions."
    if called:
        return "Call a function that is written with `def`, or a submodule. Call other objects outside compiled code."
    if name == "NotImplemented":
        return "Raise an exception instead: `raise NotImplementedError`."
    if type_name == "ScriptModule":
        return f"Pass what it computes as an argument, or make it a submodule: `self.{name.lower()} = {name}`."
    owner, _, own = name.rpartition(".")
    module, _, imported = imported_names(match.file.tree).get(name, "").rpartition(".")
    if module and type_name in _CONSTANTS:
        known = next((local for local, full in imported_names(match.file.tree).items() if full == module), "")
        start = "Write" if known else "Import the module, and write"
        return f"{start} `{known or module.rpartition('.')[2]}.{imported}`."
    if type_name in _NOT_FINAL:
        type_ = type_name if type_name == "complex" else "int"
        other = f", or import the module and write `{module.rpartition('.')[2]}.{imported}`" if module else ""
        return (
            f"Write the value itself here, or add a parameter with it as the default, `{own}: {type_} = {name}`{other}."
        )
    if type_name in _CONSTANTS:
        if match.self_name is None or _in_script_class(match):
            type_ = _ANNOTATED.get(type_name, type_name)
            return f"Add a parameter with it as the default, `{own}: {type_} = {name}`."
        value = "…" if owner and owner == getattr(match.owner, "name", "") else name
        declaration = f"Declare `{own}: Final = {value}`"
        if postpones(match.file.tree):
            declaration = f'Write `{own} = {value}` and `__constants__ = ["{own}"]`'
        body = f"in the body of `{match.owner.name}`" if match.owner else "in the class body"
        return f"{declaration} {body}, and read `{match.self_name}.{own}`."
    if type_name in ("list", "dict"):
        short_name = name.rpartition(".")[2].lower()
        if match.self_name is None:
            return "Pass it as an argument, if all its values have one type that TorchScript supports."
        stored = f"`self.{short_name} = {name}` in `__init__`"
        return f"Store it on the module: {stored}, if all its values have one type that TorchScript supports."
    if type_name == "Tensor":
        return "Register it as a buffer in `__init__`, or pass it as an argument."
    return f"Pass the values that {short(name)} contains as arguments, or store them in attributes of the module."


def _in_script_class(match: Match) -> bool:
    """Return whether the code is in a class with ``@torch.jit.script``, which has no constants."""
    return match.event.unit is not None and match.event.unit.role == "script class"
