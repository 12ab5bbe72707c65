"""# Call of something that cannot be called

## What it does

Finds calls, in code that `torch.jit.script` compiles, of attributes that are `None` with some arguments of `__init__`,
of tensors, and of parameters without annotation, which are tensors. The rule ignores arguments of `__init__` with which
every call of `forward` fails in Python, too.

## Why TorchScript rejects it

The compiler compiles every call that it does not drop, with the attribute's value at the time when the module is
scripted.

```text
cannot call a value of type 'NoneType'
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, norm: bool = False):
        super().__init__()
        self.use_norm = norm
        self.norm = nn.LayerNorm(3) if norm else None

    def forward(self, x):
        if self.use_norm:
            x = self.norm(x)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Use instead

Test the attribute itself against `None`: the compiler drops the branch if the attribute is None.

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, norm: bool = False):
        super().__init__()
        self.norm = nn.LayerNorm(3) if norm else None

    def forward(self, x):
        if self.norm is not None:
            x = self.norm(x)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Fix safety

If the call is under a test such as `if self.use_norm:`, and only `__init__` sets the tested attribute, the fix lets the
compiler decide the test, so that it compiles only one branch. A bool is declared constant (in `__constants__`, or as
`Final[bool]`), which is *safe*: Python ignores the declaration.

If this is not possible, and the attribute is not None with other arguments of `__init__`, the fix puts `assert
self.norm is not None` before the statement. The compiler drops what follows the assertion if the attribute is None.
This is *unsafe*: Python raises AssertionError, not TypeError. There is no such fix if `forward` always makes the call:
if the attribute is None, every call of the module fails anyway.

If the assertion cannot be written, and the call is under `if self.stride == 2:`, the comparison becomes a property,
`self._stride_is_2`, which the compiler reads once, as a constant. This is *unsafe*: setting `stride` later no longer
affects compiled code. All other calls have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.rewrite.guard_presence import where_it_is_called
from tslint.rewrite.static_branch import decided
from tslint.rewrite.type_reasons import unannotated
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, least_risky
from tslint.rulekit.wording import a
from tslint.script.events.modules import NotCallable
from tslint.script.types import BOOL, INT, NONE, STRING, OptionalType, TensorType

RULE = Rule(code="TS413", name="not-callable", events=(NotCallable,))
_NOT_PASSED = (
    "Functions and modules cannot be arguments or items: call a function by its global name, and a module by the"
    " attribute of `self` that stores it."
)


def check(match: Match[NotCallable]) -> Iterator[Finding]:
    """Report a call of a value that cannot be called."""
    callee, type_ = match.libcst(match.event.callee), match.event.type
    text = match.code(callee)
    absent, maybe = type_ == NONE, isinstance(type_, OptionalType)
    if absent:
        message = f"`{text}` is called, but it is None"
        tested = match.enclosing(cst.If) is not None
        put = f"Make `{text} is not None` the test around it:" if tested else f"Call it under `if {text} is not None:`."
        help = f"{put} TorchScript drops that branch if the value is None."
    elif maybe:
        message, help = f"`{text}` may be None, and cannot be called", _NOT_PASSED
    elif isinstance(type_, TensorType) and (type_.inferred or isinstance(callee, (cst.Name, cst.Subscript))):
        message = f"`{text}` is called, but it is a Tensor in TorchScript"
        help = _NOT_PASSED
        if unannotated(match, callee) is not None:
            help = f"`{text}` has no annotation, so it is a Tensor. {_NOT_PASSED}"
    elif type_ is None:
        message, help = f"`{text}` is called, but it is a Python module", "Call a function of that module."
    elif str(type_) == "EnumClass":
        message = f"`{text}` is an Enum, which compiled code cannot call"
        help = f"Name the member, `{text}.NAME`; convert a value to its member outside compiled code."
    else:
        message, help = f"`{text}` is {a(type_)} and cannot be called", "Call a function, a method or a module."
        if isinstance(callee, cst.Attribute) and match.event.condition is not None and type_ in (BOOL, INT, STRING):
            help = f"Store None instead of {a(type_)}, and call it under `if {text} is not None:`."
    fix = decided(match, match.event.node) if absent or maybe else None
    if absent:
        fix = least_risky(fix, where_it_is_called(match, match.event.callee))
    yield match.finding(message, help=help, fix=fix, at=callee)
