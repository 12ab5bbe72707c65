"""# Condition that TorchScript cannot turn into a bool

## What it does

Finds modules, `None`, Optional values, tuples and devices that are used as a condition (`if self.norm:`,
`if not mask:`) in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

Only Tensors, bools, ints, floats, strings, lists and dicts can be conditions. Other values must be compared with
something.

```text
Could not cast value of type
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        if self.norm:
            x = self.norm(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        if self.norm is not None:
            x = self.norm(x)
        return x


inputs = (torch.rand(2, 3),)
```

## Fix safety

The fix writes `is not None`. This is *safe* if, for all arguments of `__init__`, the value is None or a module that is
always true in Python: its class has no `__len__` and no `__bool__`, or the module is a container that is created with
at least one module and never loses one in this file. For other containers, the fix writes `len(self.layers) > 0`, which
is *safe*, too. If another checked file sets the attribute, `--fix` does not apply the fix.

If a variable is an Optional tensor, number, string, list or dict, the condition `x` becomes `x is not None and x`. This
is *safe*, because it means the same. If the value of `x or 3` is used, it becomes `x if x is not None and x else 3`,
which is *safe*, too. For an Optional tuple, `x or (2, 2)` becomes `x if x is not None else (2, 2)`, which is only shown
(*display*): an empty tuple counts as false in Python.

If an attribute is a number with some arguments of `__init__` and None with others, the fix puts `if self.x is not
None:` around `if self.x:`. If there is an `else`, it writes `self.x if self.x is not None else False` instead. Both are
*safe*.

If an attribute is a string with some arguments of `__init__` and None with others, the fix adds a property that returns
`bool(self.x)`, and declares the property constant. This is *unsafe*: setting the attribute later no longer affects
compiled code.

If the attribute is called or indexed, and it is None only with some arguments of `__init__`, only compiled code tests
for None: `self.x is not None if torch.jit.is_scripting() else self.x`. This is *unsafe*: a value that is false but not
None (an empty list) counts as true in compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.boolean_value import NOT_NONE, NOT_NONE_AND_TRUE, conditional
from tslint.rewrite.compare_with_none import Asked, against_none, only_tested, tested
from tslint.rewrite.type_reasons import type_first
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person, safe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import LONGEST_MESSAGE, a, said, short
from tslint.script.events.modules import NotACondition
from tslint.script.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    NONE,
    STRING,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    members,
)
from tslint.script.values import ContainerValue, ModuleValue

RULE = Rule(code="TS414", name="not-a-condition", events=(NotACondition,))


def check(match: Match[NotACondition]) -> Iterator[Finding]:
    """Report the condition, with a fix that compares it with None or tests its length."""
    type_, value, node = match.event.type, match.event.value, match.node
    text, held = match.code(node), match.event.held
    asked = tested(match, node)
    fix: Fix | None = None
    or_none = held == {"module", "none"} and match.event.condition is None
    if or_none or isinstance(value, ModuleValue):
        message = f"`{text}` is a module, which TorchScript cannot use as a condition"
        if or_none:
            message = f"`{text}` is a module or None: TorchScript can use neither as a condition"
        help = f"Test `{text} is not None`."
        if "unknown" in held and isinstance(node, cst.Attribute):
            help += f" If `{text}` is `[]` or False in other cases, store None there instead."
        fix = against_none(match, asked)
    elif isinstance(value, ContainerValue) and value.kind.startswith("Parameter"):
        message = f"`{text}` is an nn.{value.kind}, which TorchScript cannot use as a condition"
        help = f"Test it in `__init__`, and store the result: compiled code has no `len({text})`."
    elif isinstance(value, ContainerValue) or (isinstance(type_, ClassType) and type_.kind == "module"):
        message = f"`{text}` is a container of modules, which TorchScript cannot use as a condition"
        or_absent = f", or `{text} is not None` where it may be None" if held - {"container"} else ""
        help = f"Test `len({text}) > 0`{or_absent}."
        fix = against_none(match, asked)
    elif type_ == NONE:
        message = f"`{text}` is None, which TorchScript cannot use as a condition"
        help = f"Test `{text} is not None`: TorchScript drops the branch if the value is None."
        if "unknown" in held:
            help += " If other values may be false, such as 0, test them in that branch."
        fix = against_none(match, asked)
    elif NONE in members(type_):
        message = f"`{text}` may be None ({said(type_)}), which TorchScript cannot use as a condition"
        help, fix = _optional(match, type_, asked)
    else:
        message, help = _other(match, type_)
    yield match.finding(message, help=help, fix=fix)


def _optional(
    match: Match[NotACondition], type_: Type, asked: tuple[Asked, cst.BaseExpression] | None
) -> tuple[str, Fix | None]:
    """Return the help and the fix for a value that may be None."""
    node, text = match.node, match.code(match.node)
    both = isinstance(node, cst.Name) and _has_truth(type_)
    around = match.parent(node)
    if isinstance(around, cst.BooleanOperation) and not only_tested(match, node):
        help = f"Write a conditional expression: the value of {match.quote(around)} is a bool in TorchScript."
        if isinstance(around.operator, cst.Or) and around.left is node:
            test = f"{text} is not None and {text}" if _has_truth(type_) else f"{text} is not None"
            chosen = _one_line(f"{text} if {test} else {match.code(around.right)}")
            help = f"Write {chosen}: the value of {match.quote(around)} is a bool in TorchScript."
        return help, _chosen(match, around, type_)
    if both:
        help = f"Test `{text} is not None`, or `{text} is not None and {text}` if its value matters as well."
        if m.matches(around, m.UnaryOperation(m.Not())):
            help = f"Test `{text} is None`, or write `{text} is None or not {text}` if its value matters as well."
        return help, _both(match, asked)
    return f"Test `{text} is not None`; if its value matters as well, test that separately.", against_none(match, asked)


def _other(match: Match[NotACondition], type_: Type) -> tuple[str, str]:
    """Return the message and the help for a value of a type that has no truth in TorchScript."""
    node, text = match.node, match.code(match.node)
    message = (
        f"`{text}` is {'not a bool' if str(type_) == '?' else a(type_)}, which TorchScript cannot use as a condition"
    )
    help = f"Write a comparison: `{text} == …`."
    if isinstance(type_, TupleType):
        help = f"Write a comparison, such as `len({text}) > 0`."
    elif type_ == ANY or isinstance(type_, UnionType):
        help = type_first(f"`{text}`")
    elif isinstance(type_, ClassType) and type_.kind != "enum":
        message = f"`{text}` is an object of `{said(type_)}`, which TorchScript cannot use as a condition"
        help = f"Define `__bool__` in the body of `{said(type_)}`, or test an attribute of the object."
    if isinstance(around := match.parent(node), cst.BooleanOperation) and not only_tested(match, node):
        help = f"Write a conditional expression: the value of {match.quote(around)} is a bool in TorchScript."
    return message, help


def _one_line(code: str) -> str:
    """Return code to write: all of it if it fits into a line."""
    return f"`{code}`" if "\n" not in code and len(code) <= LONGEST_MESSAGE else short(code)


def _has_truth(type_: Type) -> bool:
    """Return whether a type is an Optional whose other values may be false, and can be conditions in compiled code."""
    if not isinstance(type_, OptionalType):
        return False
    plain = isinstance(type_.element, (ListType, DictType, TensorType))
    return plain or type_.element in (BOOL, INT, FLOAT, STRING)


def _chosen(match: Match[NotACondition], operation: cst.BooleanOperation, type_: Type) -> Fix | None:
    """Write ``x or b`` or ``x and b`` as a conditional expression, if ``x`` is the variable of the finding."""
    if operation.left is not match.node:
        return None
    if _has_truth(type_):
        return conditional(match, operation, NOT_NONE_AND_TRUE)
    if isinstance(type_, OptionalType) and isinstance(type_.element, TupleType) and type_.element.elements:
        # A tuple of this type is always true; but an empty one may be passed, whatever the annotation says.
        return for_a_person(conditional(match, operation, NOT_NONE))
    return None


def _both(match: Match, asked: tuple[Asked, cst.BaseExpression] | None) -> Fix | None:
    """Test a variable for None, and then for its truth: in the second test, the compiler knows that it is not None."""
    if asked is None:
        return None
    node, whole = asked
    denied = whole is not node
    words = "{x} is None or not {x}" if denied else "{x} is not None and {x}"
    message = f"Test `{match.code(node)} {'is None' if denied else 'is not None'}` first"
    return safe(message, lambda: match.replace(whole, expression(words, x=node)))
