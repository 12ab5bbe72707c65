"""# Assignment to an attribute that the module does not have

## What it does

Finds `self.x = value` in code that `torch.jit.script` compiles where `__init__` sets no `x`, or `x` is a constant.

## Why TorchScript rejects it

A compiled module has only the attributes that it had when it was scripted. If the method runs in Python before that, it
creates the attribute, and scripting succeeds. This is why the warning says "when the module is scripted before any of
its methods runs". Constants (`Final`, `__constants__`) are part of the code and cannot change.

```text
Tried to set nonexistent attribute: last. Did you forget to initialize it in __init__()?
```

## Example

```python
import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x):
        self.last = x.size(0)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = 0

    def forward(self, x):
        self.last = x.size(0)
        return x * 2


inputs = (torch.rand(2, 3),)
```

## Fix safety

If no other code reads the attribute, and computing the value has no other effect, the fix puts the assignment under `if
not torch.jit.is_scripting():`. If only the method itself reads the attribute, after setting it, the method uses a
variable instead, and sets the attribute in Python only, once, to the last value.

If the function does nothing else, you have to decide: compiled code would compute nothing.

Both fixes are *unsafe*, because the compiled module does not have the attribute. In other cases there is no fix: only
the author knows the value before the first call, and a module that ran before scripting would keep an old value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.annotate import as_written
from tslint.rewrite.attribute_to_local import attribute_to_local
from tslint.rewrite.scripting import eager_only
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, for_a_person
from tslint.script.dataflow.attribute_uses import read_besides
from tslint.script.dataflow.changes import is_read_by_others
from tslint.script.dataflow.evaluation import quiet
from tslint.script.dataflow.stores import file_facts
from tslint.script.events.modules import SetMissingAttribute
from tslint.script.types import plain
from tslint.script.values import EMPTY

_TEXT = m.SimpleString() | m.ConcatenatedString()
_ONLY_RETURNS = m.Return(m.Name()) | m.Return(None)
RULE = Rule(code="TS411", name="set-missing-attribute", events=(SetMissingAttribute,))
_EXAMPLES = {"list": "List[Tensor]", "dict": "Dict[str, Tensor]"}
_ZERO = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}


def check(match: Match[SetMissingAttribute]) -> Iterator[Finding]:
    """Report the assignment, with a fix that makes it run in eager mode only."""
    event = match.event
    name, target = event.attribute, f"{event.owner}.{event.attribute}"
    why = event.why
    given = plain(event.given) if event.given is not None else ""
    if why == "constant":
        message = f"`{target}` is a constant of the class and cannot be assigned to"
        help = f"Remove `Final` (or the entry in `__constants__`) from `{name}` if it changes."
    elif why == "read-only":
        message = f"`{target}` is a property without a setter"
        help = f"Assign the attributes that the property reads, or write a setter: `@{name}.setter`."
    elif why == "inconvertible":
        kind = event.detail.removeprefix(EMPTY).removeprefix("object of ").rpartition(".")[2]
        what = f"a Python `{kind}`, which TorchScript does not support"
        if kind in _EXAMPLES:
            what = f"a {kind} of values without a common TorchScript type"
        if event.detail.startswith(EMPTY):
            what = f"an empty {kind}, so its type is unknown"
        message = f"`{target}` starts as {what}"
        such = f", such as `{as_written(match, _EXAMPLES[kind])}`" if kind in _EXAMPLES else ""
        help = f"Annotate `{name}` in the class body with a TorchScript type{such}."
        if event.detail.endswith(" of modules"):
            message = f"`{target}` is a plain {event.detail}, which TorchScript does not support"
            help = (
                "Store an `nn.ModuleList` or `nn.ModuleDict` there in `__init__`, and do not set it in compiled code."
            )
    elif why == "class-variable":
        message = f"`{target}` is a class variable: the module itself has no such attribute"
        help = f"Set `self.{name}` in `__init__` first."
    else:
        where = "`__init__`" if event.owner == match.self_name else "the `__init__` of its class"
        message = f"`{target}` is set here, but not in {where}"
        help = f"Set `self.{name}{f' = {_ZERO[given]}' if given in _ZERO else ''}` in {where} first."
        optional = as_written(match, "Optional[Tensor]")
        if given == "Tensor" and _of_script_class(match):
            help += f" To start with None, write `self.{name} = torch.jit.annotate({optional}, None)` there."
        elif given == "Tensor":
            help += f" To start with None, annotate `{name}: {optional}` in the class body."
    yield match.finding(message, help=help, fix=_fix(match) if why == "absent" else None)


def _of_script_class(match: Match[SetMissingAttribute]) -> bool:
    """Return whether the object is of a script class, whose attributes get no types from annotations."""
    unit, owner = match.event.unit, match.event.owner
    return (unit is not None and unit.role == "script class") or (owner.isidentifier() and owner != match.self_name)


def _fix(match: Match[SetMissingAttribute]) -> Fix | None:
    """If the rest of the function does not read the value, run the assignment in eager mode only, together with similar
    statements right below it; otherwise keep the value in a variable.
    """
    member = match.statement()
    if not isinstance(member, cst.Assign) or match.line(member) is None:
        return None
    unit, owner, name = match.event.unit, match.owner, match.event.attribute
    if unit is None or owner is None or is_read_by_others(match.file.tree, owner, unit.function.node, name):
        return None  # after a run, the attribute exists when the module is scripted, with an old value
    block = match.siblings(member)
    below = takewhile(lambda each: _is_kept_too(match, each), block[block.index(member) + 1 :])
    run = [member, *below] if _stored(match, member) is not None else []
    while run and {_stored(match, each) for each in run} & read_besides(unit.function.node, map(match.model, run)):
        run.pop()
    lines = [line for each in run if (line := match.line(each)) is not None]
    if not lines:
        return attribute_to_local(match, name)
    fix = eager_only(match, lines, "Assign it in eager mode only")
    body = [match.libcst(each) for each in unit.function.node.body]
    rest = [each for each in body if not any(each is one for one in run) and not m.matches(each, m.Expr(_TEXT))]
    # Without the attributes, the compiled function would compute nothing: they are what it is for.
    return for_a_person(fix) if all(m.matches(each, _ONLY_RETURNS) for each in rest) else fix


def _stored(match: Match, member: cst.CSTNode) -> str | None:
    """Return the attribute in which a statement stores a value, if it does nothing else."""
    if not isinstance(member, cst.Assign) or len(member.targets) != 1 or match.line(member) is None:
        return None
    target = member.targets[0].target
    return target.attr.value if isinstance(target, cst.Attribute) and quiet(match.model(member.value)) else None


def _is_kept_too(match: Match[SetMissingAttribute], member: cst.CSTNode) -> bool:
    """Return whether a statement stores a value in an attribute that only this function sets."""
    name, facts, unit = _stored(match, member), file_facts(match.file.tree), match.event.unit
    if name is None or not isinstance(member, cst.Assign):
        return False
    target = cst.ensure_type(member.targets[0].target, cst.Attribute)
    if unit is None or not m.matches(target.value, m.Name(match.self_name or "")) or facts.is_set_by_name(name):
        return False
    if match.owner is None or is_read_by_others(match.file.tree, match.owner, unit.function.node, name):
        return False
    related = facts.related(match.owner)
    others = [each for each in facts.stores.get(name, ()) if each.function is not unit.function.node]
    return bool(facts.line(match.owner)) and all(each.own and each.owner not in related for each in others)
