"""# Member that a compiled class does not have

## What it does

Finds attributes and methods that an instance of a plain class does not have in compiled code: attributes that
`__init__` does not set, inherited members, class variables, class methods, static methods that are called on an object.
It also finds class methods that are called through the name of a module class, `Net.norm(x)`.

## Why TorchScript rejects it

The compiler reads only the methods in the body of the class, and the attributes that its own `__init__` sets. It
ignores base classes and class variables. An operator needs a method such as `__add__` in the body of the class.

```text
'SIZE' is defined as a class attribute which currently is not supported.
```

## Example

```python
import torch


class Box:
    SIZE = 3

    def __init__(self, start: int):
        self.start = start


def corner(x: torch.Tensor) -> torch.Tensor:
    box = Box(1)
    return x + box.start + box.SIZE


scripted = torch.jit.script(corner)
```

## Use instead

```python
import torch


class Box:
    def __init__(self, start: int):
        self.start = start
        self.size = 3


def corner(x: torch.Tensor) -> torch.Tensor:
    box = Box(1)
    return x + box.start + box.size


scripted = torch.jit.script(corner)
inputs = (torch.rand(2),)
```

## Fix safety

No fix: only the author knows where the value belongs.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.wording import said
from tslint.script.events.types import ScriptClassMember

RULE = Rule(code="TS330", name="script-class-member", events=(ScriptClassMember,))


def check(match: Match[ScriptClassMember]) -> Iterator[Finding]:
    """Report why the class does not have the member."""
    event = match.event
    owner, attribute, name = event.owner, event.attribute, said(event.type)
    if event.class_variable:
        message = f"`{attribute}` is a class variable of `{name}`, which compiled code does not see"
        help = f"Set `self.{attribute}` in `__init__`, or write its value here."
        if attribute.startswith("__"):
            help = "Write its value here: the compiler ignores class variables."
    elif event.class_method:
        message = f"`{owner}.{attribute}` is a class method: compiled code can call it only on an object"
        help = f"Call `{attribute}` on an object, such as `self`, or make it a static method or a function."
    else:
        message = f"`{owner}` is an object of `{name}`, which has no `{attribute}` when compiled"
        help = f"Define `{attribute}` in the body of `{name}` itself: the compiler ignores base classes."
        if attribute == "__dict__":
            help = "Read and set each attribute by its name instead."
        if attribute == "__class__":
            help = f"Write the name of the class, `{name}`, or `'{name}'` for `__name__`."
        elif event.static_method:
            help = f"It is a static method, which objects do not have: call `{name}.{attribute}(…)`."
        elif event.autograd and attribute in ("apply", "__call__"):
            help = f"Call `{name}.apply(…)`, with static methods `forward` and `backward` in the class."
        elif not attribute.startswith("__"):
            help = (
                f"Set `self.{attribute}` in the `__init__` of `{name}` itself, or define the method in its body: the "
            )
            help += "compiler ignores base classes."
    yield match.finding(message, help=help)
