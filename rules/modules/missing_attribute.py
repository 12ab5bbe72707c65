"""# Attribute that the module does not have

## What it does

Finds `self.x` in code that `torch.jit.script` compiles where `__init__` sets no `x`, or sets it only with some
arguments. The rule ignores arguments of `__init__` with which every call of `forward` fails in Python, too.

## Why TorchScript rejects it

The compiler reads the attributes of the module as it was built. It looks up every attribute that compiled code names,
also in branches that are never taken.

```text
Module 'Net' has no attribute 'shortcut'
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, residual: bool = False):
        super().__init__()
        self.residual = residual
        if residual:
            self.shortcut = nn.Linear(3, 3)
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        out = self.body(x)
        if self.residual:
            out = out + self.shortcut(x)
        return out


inputs = (torch.rand(2, 3),)
```

## Use instead

Always set the attribute, to `None` if it is not needed, and test for `None`: the compiler drops the branch if the
attribute is None.

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, residual: bool = False):
        super().__init__()
        self.shortcut = nn.Linear(3, 3) if residual else None
        self.body = nn.Linear(3, 3)

    def forward(self, x):
        out = self.body(x)
        if self.shortcut is not None:
            out = out + self.shortcut(x)
        return out


inputs = (torch.rand(2, 3),)
```

## Fix safety

If the code is under a test such as `if self.residual:`, and only `__init__` sets the tested attribute, the fix lets the
compiler decide the test, so that it compiles only one branch. A bool is declared constant (in `__constants__`, or as
`Final[bool]`), which is *safe*: Python ignores the declaration. Methods that only Python calls, such as `fuse`, may set
the bool, too.

If this is not possible, the fix sets `self.shortcut = None` in `__init__`, before the attribute may get its value, and
puts `assert self.shortcut is not None` before the statement that reads the attribute. The compiler drops what follows
the assertion if the attribute is None. This is *unsafe*: without the attribute, Python raises AssertionError, not
AttributeError, and other code may test whether the attribute exists.

If code in the same file may make such a test, for example with `hasattr`, or reads the attribute where None would not
raise, the fix only adds `assert hasattr(self, "shortcut")`. If another checked file may make such a test, `--fix` does
not apply the fix, unless the name is private. tslint does not see files that are not checked in the same run: in these,
`hasattr` always returns True after the fix.

There is no fix if `forward` always reads the attribute, or another one that is set in the same place: without them,
every call of `forward` fails anyway.

If the assertion cannot be written, and the code is under `if self.stride == 2:`, the comparison becomes a property,
`self._stride_is_2`, which the compiler reads once, as a constant. This is *unsafe*: setting `stride` later no longer
affects compiled code.

In a class `Net`, Python reads `self.__layer` as `self._Net__layer`, and the compiler does not. The fix writes the full
name, which is *safe*. A method `__run` is renamed to `_run`, if the file does not use this name yet. This is *safe*,
too.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rewrite.guard_presence import where_it_is_set
from tslint.rewrite.private_names import unmangled
from tslint.rewrite.static_branch import decided, decided_by_callers
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, least_risky
from tslint.script.assumptions import NOT_RUN
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.stores import file_facts
from tslint.script.events.modules import MissingAttribute
from tslint.script.private_names import is_private
from tslint.util.suggest import nearest

RULE = Rule(code="TS408", name="missing-attribute", events=(MissingAttribute,))
_LISTED = {"_modules": "named_children", "_buffers": "named_buffers"}
_OF_PYTHON = ("_modules", "_parameters", "_buffers", "__dict__", "__class__", "__getattr__", "__getattribute__")


def check(match: Match[MissingAttribute]) -> Iterator[Finding]:
    """Report the attribute, with a fix that excludes the constructions without it."""
    event = match.event
    name, class_name = event.attribute, event.class_name
    whole = f"{event.owner}.{name}"
    getter = event.unit.function.name if event.unit is not None and event.unit.role == "property" else ""
    if name in _OF_PYTHON:
        message = f"`{whole}` is not visible to TorchScript"
        help = "Read the attributes by their names."
        if name in _LISTED:
            help = f"Read the attributes by their names, or loop over `{event.owner}.{_LISTED[name]}()`."
        elif name == "__class__":
            help = "Write the name of the class itself."
        if getter:
            help = f"Mark the property `{getter}` with `@torch.jit.unused`, or read the attributes by their names."
    elif name.startswith("__") and not is_private(name):
        message = f"`{whole}` begins with two underscores, so TorchScript does not see it"
        help = "Use a name without them. Only submodules, parameters, buffers and constants may have such names."
    elif getter and not is_private(name) and not event.detail:
        message = f"`{class_name}` does not set `{whole}`, which the property `{getter}` reads"
        help = f"Set `self.{name}` in `__init__`, or mark the property `@torch.jit.unused`."
    elif is_private(name) and event.condition is None and not event.in_others:
        owner = match.owner.name if match.owner is not None else class_name
        message = f"`{whole}` does not exist in TorchScript: Python stores it as `_{owner.lstrip('_')}{name}`"
        help = "Use a name with a single leading underscore."
    else:
        message, help = _unset(match, whole)
    constant = decided(match, match.event.node) or decided_by_callers(match)
    fix = unmangled(match) or least_risky(constant, where_it_is_set(match))
    yield match.finding(message, help=help, fix=fix)


def _unset(match: Match[MissingAttribute], whole: str) -> tuple[str, str]:
    """Return the message and the help for an attribute that some or all constructors do not set."""
    event = match.event
    name, class_name = event.attribute, event.class_name
    where = "`__init__`" if event.owner in ("self", match.self_name) else f"`{class_name}.__init__`"
    if NOT_RUN in (event.condition or ""):
        message = f"`{class_name}` does not set `{whole}`"
        return message, f"Set `self.{name}` in {where}, too, with a value of the type that it has later."
    if event.condition is not None or event.in_others:
        always = "" if event.condition is not None else "always "
        return f"`{class_name}` does not {always}set `{whole}`", (
            f"Set `self.{name} = None` at the start of `{_constructor(match)}`, and use it under `if {whole} is not"
            " None:`. TorchScript drops that branch if it is None."
        )
    if event.detail:
        message = f"`{whole}` is annotated in the class body of `{class_name}`, but no constructor sets it"
        return message, f"Set `self.{name}` in {where}."
    close = nearest(name, [member for member in event.members if not member.startswith("__")])
    help = f"Set `self.{name}` in {where}."
    if close:
        help = f"Did you mean `{event.owner}.{close}`? Otherwise, set `self.{name}` in {where}."
    return f"`{whole}` does not exist: no constructor of `{class_name}` sets it", help


def _constructor(match: Match[MissingAttribute]) -> str:
    """Return the constructor that can set the attribute to None, with its class if the finding is not in this class."""
    facts, class_name = file_facts(match.file.tree), match.event.class_name
    kind = facts.classes.get(class_name)
    stores = facts.stores.get(match.event.attribute, ())
    line = (facts.line(kind) or ()) if kind is not None else ()
    storing = [each for each in line if any(store.owner is each for store in stores)]
    made = (each.name for each in (*storing, *line) if method_of(each, "__init__") is not None)
    owner = next(made, class_name)
    here = owner == class_name and match.event.owner in ("self", match.self_name)
    return "__init__" if here else f"{owner}.__init__"
