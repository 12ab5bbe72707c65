"""# Too many or too few arguments

## What it does

Finds calls with more positional arguments than the function accepts, and calls that leave out an argument that has no
default in TorchScript.

## Why TorchScript rejects it

A call must match the signature that the compiler has. Some functions of torch have defaults in Python that their
operators do not have. A function under `@torch.jit.ignore` or `@torch.jit.unused` has no defaults when compiled code
calls it. A NamedTuple has only the defaults in its class body: those of its `__new__` are lost, for example in
`PackedSequence`.

```text
scaled(Tensor x, float factor) -> Tensor 0:
Argument factor not provided.
```

## Example

```python
import torch


@torch.jit.ignore
def scaled(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor


def forward(x: torch.Tensor) -> torch.Tensor:
    return scaled(x)


scripted = torch.jit.script(forward)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


@torch.jit.ignore
def scaled(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    return x * factor


def forward(x: torch.Tensor) -> torch.Tensor:
    return scaled(x, 2.0)


scripted = torch.jit.script(forward)
inputs = (torch.rand(2, 3),)
```

## Fix safety

If a call of an ignored or unused function leaves out the argument after the last given one, and the default of this
argument is a literal, the fix passes the default by position: compiled code cannot call Python with keywords. This is
*safe*, because eager mode uses the same value. There is no fix if a checked file defines another method of that name,
or sets an attribute of that name (`net.log = …`): the default may then be another one. If a decorator of this file adds
parameters, the fix splits the function in two: the author's body, and the code of the decorator. This is *unsafe*: the
function loses its `__wrapped__`.

`x.cuda(0)` becomes `x.to(torch.device("cuda", 0))`: in TorchScript, `cuda` has no arguments. This is *safe* if the
argument is certainly an int, and *unsafe* if only an annotation says that it is an int. Other calls have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Fix
from tslint.project.definitions import Function
from tslint.rewrite.cuda_call import moved
from tslint.rewrite.inline_decorator import written_out
from tslint.rewrite.type_reasons import callee
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.template import code
from tslint.script.dataflow.defaults import constant_default, is_overridden
from tslint.script.events.calls import CallMismatch, FormArguments, OperatorMismatch
from tslint.script.operators.diagnosis import Diagnosis

_MEMBER = m.Attribute()
RULE = Rule(code="TS305", name="argument-count", events=(OperatorMismatch, CallMismatch, FormArguments))
_FORMS = {
    "hasattr": "Pass an object and the name of an attribute.",
    "zip": "Pass what the loop goes over.",
    "__getitem__": "Write the index in brackets: `x[i]`.",
}


def check(match: Match[OperatorMismatch | CallMismatch | FormArguments]) -> Iterator[Finding]:
    """Report a wrong number of arguments, with a fix that passes a missing default."""
    if isinstance(match.event, FormArguments):
        event, least = match.event, match.event.least
        wanted = f"{'exactly' if event.most == least else 'at least'} {least} argument{'' if least == 1 else 's'}"
        usual = "Pass a value and a type." if event.most == least else "Pass a function as the first argument."
        help = _FORMS.get(event.function.rpartition(".")[2], usual)
        yield match.finding(f"`{event.function}` takes {wanted}, but gets {event.count}", help=help)
        return
    found = match.event.diagnosis
    if found.what == "count":
        slots = _positional(match, found)
        most = f"{f'at most {len(slots)}' if slots else 'no'} positional argument{'' if len(slots) == 1 else 's'}"
        yield match.finding(
            f"{callee(match)} takes {most}, but gets {found.positional}",
            help=_accepted(match, slots),
            fix=written_out(match) or moved(match),
        )
    elif found.what == "missing":
        default = _default(match, found)
        arguments = found.reasons[0].schema.arguments if found.reasons else ()
        required = [each.name for each in arguments if each.default is None]
        rest = required[required.index(found.parameter) :] if found.parameter in required else [found.parameter]
        passed = match.node.args if isinstance(match.node, cst.Call) else ()
        names = {each.keyword.value for each in passed if each.keyword}
        *others, last = [f"`{each}`" for each in rest if each not in names]
        missing = f"{', '.join(others)} and {last}" if others else last
        message = f"{callee(match)} is called without `{found.parameter}`"
        help = f"Pass {missing}."
        if default is None:
            message += ", which has no default"
        else:
            message += ": a function that runs in Python has no defaults in compiled code"
            help = f"Pass the default, `{code(default)}`."
        yield match.finding(message, help=help, fix=_fix(match, found, default))


def _accepted(match: Match, slots: Sequence[str]) -> str:
    """Return which arguments to pass, with the name of the function if it is one of the project."""
    if not slots:
        return f"Call {callee(match)} without arguments."
    function = match.event.function if isinstance(match.event, CallMismatch) else None
    known = " and ".join(", ".join(f"`{name}`" for name in slots).rsplit(", ", 1))
    one = len(slots) == 1
    if function is None:
        return f"{callee(match)} has only the positional parameter{'' if one else 's'} {known}."
    name = f"{function.owner.name}.{function.name}" if function.owner is not None else function.name
    has = f"`{name}` has only the parameter{'' if one else 's'} {known}"
    if function.node.decorator_list:
        return f"{has}: TorchScript calls it without its decorator."
    return f"{has}: pass {len(slots)} argument{'' if one else 's'}, or add a parameter."


def _positional(match: Match, found: Diagnosis) -> list[str]:
    """Return the parameters that positional arguments can fill, without the object whose method is called."""
    operator = match.event.operator if isinstance(match.event, OperatorMismatch) else ""
    is_method = (
        operator.startswith("aten::") and isinstance(match.node, cst.Call) and m.matches(match.node.func, _MEMBER)
    )
    has_object = not operator or is_method or operator.rpartition(".")[2][:1].isupper()
    names = [each.name for each in found.reasons[0].schema.arguments if not each.kwarg_only]
    # In Python, functions of torch call their first parameter `input`.
    return [each if each != "self" else "input" for each in names if each != "self" or not has_object]


def _default(match: Match, found: Diagnosis) -> cst.BaseExpression | None:
    """Return the default of the missing argument; None unless it is a literal, in a function of the project."""
    function = match.event.function if isinstance(match.event, CallMismatch) else None
    value = constant_default(function.node, found.parameter) if isinstance(function, Function) else None
    return cst.parse_expression(value) if value is not None else None


def _fix(match: Match, found: Diagnosis, default: cst.BaseExpression | None) -> Fix | None:
    node, function = match.node, match.event.function if isinstance(match.event, CallMismatch) else None
    if default is None or not isinstance(node, cst.Call) or any(each.keyword for each in node.args):
        return None
    if not isinstance(function, Function) or is_overridden(match.file.tree, function):
        return None
    slots = [parameter.name for parameter in found.reasons[0].schema.arguments if not parameter.kwarg_only]
    if len(node.args) >= len(slots) or slots[len(node.args)] != found.parameter:
        return None

    def passed() -> cst.Call:
        args = list(node.args)
        new = cst.Arg(default)
        if args and isinstance(args[-1].comma, cst.Comma):
            new = args[-1].with_changes(value=default)
            args[-1] = args[-1].with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
        return node.with_changes(args=[*args, new])

    fix = safe(f"Pass `{code(default)}`", lambda: match.replace(node, passed()))
    return replace(fix, settled=function.name) if function.owner is not None else fix
