"""# Parameter without annotation that gets something other than a tensor

## What it does

Finds calls that pass an `int`, a list, a tuple … for a parameter that its function does not annotate, in code that
`torch.jit.script` compiles. If the function is in another file, its parameter is reported there as well. Also finds
`__setstate__` without annotations in a class without `__getstate__`.

## Why TorchScript rejects it

A parameter without annotation is a Tensor, whatever callers pass.

```text
shuffle(Tensor x, Tensor groups) -> Tensor:
Expected a value of type 'Tensor (inferred)' for argument 'groups' but instead found type 'int'.
```

## Example

```python
import torch
from torch import nn


def shuffle(x, groups):
    return x.view(groups, -1).t().flatten()


class Shuffle(nn.Module):
    def forward(self, x):
        return shuffle(x, 2)


inputs = (torch.rand(6),)
```

## Use instead

```python
import torch
from torch import nn


def shuffle(x, groups: int):
    return x.view(groups, -1).t().flatten()


class Shuffle(nn.Module):
    def forward(self, x):
        return shuffle(x, 2)


inputs = (torch.rand(6),)
```

## Fix safety

The fix annotates the parameter. This is *safe* if the body, the default and every call in the file agree on the type:
Python ignores annotations. It is *unsafe* if only the body shows the type, or if the type of an argument is not known:
compiled code rejects other types. There is no fix if the uses contradict each other, if nothing shows a type, or if the
docstring names other types. There is also no fix if the function has another error that no fix removes, such as a
closure. A parameter whose type the function only tests becomes `Any`. If the function is in another file, the finding
about the parameter has the fix, and that about the call has none.

If a Tensor that may be None is passed under a test such as `if self.bias is not None:`, the fix assigns `self.bias` to
a variable, asserts that it is not None, and passes it. This is *unsafe*: Python may raise another exception.

If a `forward` gets a list, but its body also accepts a Tensor, the fix is only shown (*display*): other code may pass a
Tensor.

If the function only returns whether its argument is None, `exists(mask)`, the fix writes `mask is not None` instead of
the call. Only then does the compiler know that `mask` is not None. This is *unsafe*: Python no longer calls the
function.

If the function gets a module, `attention(q, k, v, dropout=self.dropout)`, and only calls it, the fix copies the
function into the caller's class, as a method that calls `self.dropout`. The caller then calls this method. This is
*unsafe*: later changes to the function do not affect the copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from tslint.diagnostics import Fix
from tslint.project.definitions import Function
from tslint.rewrite.annotate import spelled
from tslint.rewrite.annotate_parameter import annotate_parameter, annotation_in
from tslint.rewrite.compiled_form import small
from tslint.rewrite.function_to_method import as_method
from tslint.rewrite.guard_none import without_none_fix
from tslint.rewrite.none_test import as_none_test
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, display, least_risky
from tslint.rulekit.template import code
from tslint.rulekit.wording import a, said
from tslint.script.dataflow.callers import arguments_for
from tslint.script.dataflow.defaults import constant_default
from tslint.script.dataflow.guards import tested_for_none
from tslint.script.dataflow.inferred_parameters import inferred
from tslint.script.dataflow.nones import is_guarded, raises_with_none
from tslint.script.events.annotation import StateWithoutType
from tslint.script.events.calls import CalledFromOtherFile, CallMismatch
from tslint.script.types import GENERATED, NONE, NUMBER, TENSOR, ClassType, OptionalType, Type, holds, walk

RULE = Rule(code="TS507", name="unannotated-parameter", events=(CallMismatch, CalledFromOtherFile, StateWithoutType))


def check(match: Match[CallMismatch | CalledFromOtherFile | StateWithoutType]) -> Iterator[Finding]:
    """Report the call, and the parameter if it is in another file, with a fix that annotates the parameter."""
    event = match.event
    if isinstance(event, StateWithoutType):
        yield match.finding(
            "`__setstate__` has no annotations, and there is no `__getstate__` to take its type from",
            help="Annotate its parameter, or write and export `__getstate__` as well.",
        )
    elif isinstance(event, CalledFromOtherFile):
        if _is_module(event.actual):
            return  # no annotation helps
        fix, help = _annotation(match, event.function, event.name, event.actual, event.call)
        caller, type_ = event.caller.name, a(event.actual)
        message = f"`{event.name}` has no annotation, so it is a Tensor, but `{caller}` passes {type_}"
        yield match.finding(message, help=help, fix=fix)
    elif event.diagnosis.what == "unannotated" and isinstance(event.function, Function):
        yield _of_call(match, event.function, event.diagnosis.parameter, event.diagnosis.actual)


def _of_call(match: Match, function: Function, name: str, type_: Type) -> Finding:
    """Return the finding about a call.

    Args:
        match: the call.
        function: the called function.
        name: its parameter.
        type_: the type of the argument.
    """
    node = match.node
    certain = _certain(match, function, name, type_)
    call = match.event.node if isinstance(node, cst.Call) else None
    fix, help = _annotation(match, function, name, type_, call, certain)
    made = function.name == "__init__"
    if _is_module(type_):
        rest = "and pass its result" if made else f"or make `{function.name}` a method"
        help = f"TorchScript cannot pass modules: call the module in the caller, {rest}."
        fix = as_method(match, node, function, name) if isinstance(node, cst.Call) else None
    fix = least_risky(as_none_test(match, node, function), fix)
    start, end = match.place(node.func if isinstance(node, cst.Call) else node)
    called = function.qualname if made else function.name
    what = "a module" if _is_module(type_) else a(type_)
    return Finding(
        f"`{name}` of `{called}` has no annotation, so it is a Tensor, but gets {what}", help, fix, start, end
    )


def _is_module(type_: Type) -> bool:
    return any(isinstance(part, ClassType) and part.kind == "module" for part in walk(type_))


def _annotation(
    match: Match, function: Function, name: str, type_: Type, call: Any, fix: Fix | None = None
) -> tuple[Fix | None, str]:
    """Return the fix that annotates a parameter, or the given one, and the help.

    Args:
        match: a match in the file that the fix changes.
        function: has the parameter.
        name: the parameter.
        type_: the type of the argument.
        call: the static model's node of the call; None for another node.
        fix: a better fix.
    """
    wanted = str(type_)
    if type_ == NONE and tested_for_none(function.node, name):
        wanted = "Optional[Tensor]"
    elif constant_default(function.node, name) == "None" and not holds(type_, NONE):
        wanted = f"Optional[{type_}]"
    no_type = "__torch__" in wanted or (wanted == str(type_) and holds(type_, NONE))
    written = None if no_type else spelled(match, wanted)
    if fix is None and written is not None:
        fix = _annotated(match, function, name, str(type_), call)
    # The annotation of the fix also accepts the default and the arguments of other calls.
    spelling = annotation_in(fix) or (f"{name}: {code(written[0])}" if written is not None else "")
    return fix, _help(function, name, type_, spelling, optional=wanted == str(NONE))


def _help(function: Function, name: str, type_: Type, spelling: str, *, optional: bool) -> str:
    """Return how to annotate a parameter.

    Args:
        function: has the parameter.
        name: the name of the parameter.
        type_: the type of the argument.
        spelling: the parameter with its annotation; empty if the annotation is not known.
        optional: whether the argument is None, and nothing shows the type of other arguments.
    """
    if not spelling and isinstance(type_, ClassType) and type_.kind == "class":
        class_name = said(type_)  # in the body of the class itself, its name is not yet defined
        own = function.owner is not None and function.owner.name == class_name
        spelling = f"{name}: {class_name!r}" if own else f"{name}: {class_name}"
    start = f"Annotate `{name}` in `{function.qualname}`"
    if type_ == NUMBER:
        return f"{start} as `float`, or as `int` if the number is one: `{name}: float`."
    if type_ == GENERATED:
        return f"{start} as a List, and pass a list: TorchScript has no generators."
    if spelling:
        return f"{start}: `{spelling}`."
    unknown = "as Optional of the type of its other values" if optional else "with the type that callers pass"
    return f"{start} {unknown}."


def _certain(match: Match, function: Function, name: str, type_: Type) -> Fix | None:
    """Return the fix that asserts that an argument is not None; None unless a test around the call excludes None, or
    the argument is a variable with which the function would raise.
    """
    if type_ != OptionalType(TENSOR) or not isinstance(match.node, cst.Call) or tested_for_none(function.node, name):
        return None
    passed = [*arguments_for(function.node, name, match.model(match.node))]
    guarded = [each for each in passed if is_guarded(match.file.tree, each)]
    if not guarded and function.module.source.path == match.source.path:
        line, named = match.line(), [match.libcst(each) for each in passed]
        member = match.model(small(line)) if isinstance(line, cst.SimpleStatementLine) else None
        names = [each for each in named if isinstance(each, cst.Name)]
        if member is not None and len(names) == 1 and raises_with_none(match.file.tree, member, names[0].value):
            return without_none_fix(match, names[0], type_)
    return without_none_fix(match, match.libcst(guarded[0]), type_) if len(guarded) == 1 else None


def _annotated(match: Match, function: Function, name: str, type_: str, call: Any) -> Fix | None:
    spec = function.node.args
    arguments = [argument for argument in (*spec.args, *spec.kwonlyargs) if argument.arg == name]
    if function.module.source.path != match.source.path or not arguments:
        return None
    known: dict[int, str] = {}
    if call is not None:
        passed = arguments_for(function.node, name, call)
        known = {id(value): type_ for value in passed}
    fix = annotate_parameter(match, match.libcst(arguments[0]), known=known)
    found = inferred(match.file.tree, function.node, name, known)
    # Without the fix, a `forward` that accepts a Tensor (or a Tensor and None) compiles, and other code may pass one: a
    # person has to decide.
    if fix is not None and found is not None and found.tensor_too and "[" in found.type.replace("Optional[Tensor]", ""):
        return display(fix.message, *fix.edits)
    return fix
