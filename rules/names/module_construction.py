"""# Module created in compiled code

## What it does

Finds `nn.ReLU()(x)`, `nn.MSELoss()`, `nn.Parameter(...)` and other modules that are created inside compiled code.

## Why TorchScript rejects it

Modules contain parameters, and their structure is fixed before the compilation begins: a compiled function cannot
create a module.

```text
Cannot instantiate class 'Softmax' in a script function
```

## Example

```python
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.Softmax(dim=-1)(nn.ReLU()(x))


inputs = (torch.rand(3),)
```

## Use instead

Call the function that the module would call, or create the module in `__init__`:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.softmax(F.relu(x))


inputs = (torch.rand(3),)
```

## Fix safety

If a module without parameters is called where it is created, the fix calls the function of `torch.nn.functional` that
the module's `forward` calls, with the same arguments. This is *safe*. It is *unsafe* if an argument of the class and
the input may both raise (`nn.Softmax(dims[0])(xs[0])`): Python then evaluates the input first, and may raise the other
exception. A padding must be a literal: `nn.ZeroPad2d(1)(x)` becomes `F.pad(x, (1, 1, 1, 1))`. If a variable holds the
module (`relu = nn.ReLU()`), the calls of the variable are replaced in the same way. All uses of the variable must be
calls after its assignment, in the same block.

If the class is in the same file, and has no parameters and no buffers, the fix creates an instance in `__init__`, and
only compiled code calls it. Python still creates a new instance in every call. The keys of the `state_dict` do not
change. This is *unsafe*: `eval()` also changes the instance of compiled code, but a new instance in Python is always in
training mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.functional import FUNCTIONS, called, functional_module, takes
from tslint.rewrite.loops import names_in
from tslint.rewrite.module_in_constructor import in_constructor
from tslint.rewrite.removal import removed
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import is_constant
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import code
from tslint.script.dataflow.evaluation import inert, quiet
from tslint.script.dataflow.names import full_name
from tslint.script.dataflow.scopes import bound_times, calls_of_variable, is_needed_elsewhere
from tslint.script.events.names import ModuleConstruction

RULE = Rule(code="TS214", name="module-construction", events=(ModuleConstruction,))
_CLASS = re.compile(r"torch\.nn\.(?:\w+\.)*[A-Z]\w*")


def check(match: Match[ModuleConstruction]) -> Iterator[Finding]:
    """Report the creation of a module, with a fix that calls a function of ``F`` instead, or creates the module in
    ``__init__``.
    """
    full, made = match.event.name, match.node
    if match.event.excluded:
        yield match.finding(
            f"{match.event_text} creates an object of a class that TorchScript does not compile",
            help=f"Create it in a method that is marked `@torch.jit.ignore`, or write `{full}` as a class that"
            " TorchScript can compile.",
        )
        return
    name, of_torch = full.rpartition(".")[2], full.startswith("torch.nn.")
    form = FUNCTIONS.get(name) if of_torch else None
    if name == "Parameter":
        message, help = (
            f"{match.event_text} creates a parameter, which compiled code cannot do",
            "Register the parameter in `__init__`, or use a plain tensor here.",
        )
    else:
        message = f"{match.event_text} creates a module, which compiled code cannot do"
        whole = _outermost(match, made)
        own, assignment = _registered(match, whole, name)
        around = match.parent(whole)
        called_here = isinstance(around, cst.Assign) or (isinstance(around, cst.Call) and around.func is whole)
        known = ", with values that are known there" if any(map(match.binds, _variables(match, whole))) else ""
        use = f"call `{own}(…)`" if called_here else f"use `{own}`"
        help = f"In `__init__`, write `{assignment}`{known}; {use} here."
        if match.self_name is None:
            help = f"Make this function a method of a module whose `__init__` has `{assignment}`{known}."
        if form is not None and whole is made:
            help += f" Or call the function: `{functional_module(match)[0]}.{form.name}(…)`."
    fix = None
    if isinstance(made, cst.Call):
        fix = _function(match, made, name) if of_torch else in_constructor(match, made)
    yield match.finding(message, help=help, fix=fix)


def _outermost(match: Match, made: cst.CSTNode) -> cst.CSTNode:
    """Return the call that creates the outermost module of ``nn.Sequential(nn.Linear(3, 4), nn.ReLU())``."""
    tree = match.file.tree
    calls = [each for each in match.ancestors(made) if isinstance(each, cst.Call)]
    modules = [each for each in calls if _CLASS.fullmatch(full_name(tree, match.code(each.func)))]
    return modules[-1] if modules else made


def _variables(match: Match, made: cst.CSTNode) -> set[str]:
    """Return the names in the arguments of a call, without ``self``."""
    arguments = made.args if isinstance(made, cst.Call) else ()
    return {name for each in arguments for name in names_in(each.value)} - {match.self_name or ""}


def _registered(match: Match, made: cst.CSTNode, name: str) -> tuple[str, str]:
    """Return an attribute for a module, and its assignment in ``__init__``."""
    around = match.parent(made)
    stored = around.targets[0].target if isinstance(around, cst.Assign) else None
    if not isinstance(made, cst.Call):
        return f"self.{_snake(name)}", f"self.{_snake(name)} = {name}(…)"
    callee = match.code(made.func)
    own = f"self.{_snake(callee.rpartition('.')[2])}"
    if isinstance(stored, cst.Attribute) and m.matches(stored.value, m.Name(match.self_name or "self")):
        own = match.code(stored)
    elif isinstance(stored, cst.Name) and stored.value not in names_in(made):
        own = f"self.{stored.value}"
    return own, f"{own} = {callee}({'…' if made.args else ''})"


def _snake(name: str) -> str:
    """Return the name of an attribute for an instance of a class."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[A-Z][a-z])", "_", name).lower()


def _function(match: Match, made: cst.Call, name: str) -> Fix | None:
    """Replace each call of the module by a call of the function."""
    outer, form = match.parent(made), FUNCTIONS.get(name)
    module, imports = functional_module(match)
    if form is None or match.binds(module):
        return None
    if isinstance(outer, cst.Assign):
        calls = _calls(match, made, outer)
    elif isinstance(outer, cst.Call) and outer.func is made and _settled(match, made, outer):
        calls = [outer]
    else:
        return None
    if not calls or not all(takes(form, made, each) for each in calls):
        return None

    def edits() -> Iterator[Edit]:
        if isinstance(outer, cst.Assign):
            yield from removed(match, outer)
        for each in calls:
            yield from match.replace(each, called(form, module, made, each))

    message = f"Call `{module}.{form.name}` instead of the module"
    if isinstance(outer, cst.Call) and not _either_first(match, made, outer):
        return unsafe(message, edits, *imports, risks=(Risk.EXCEPTION,))
    return safe(message, edits, *imports)


def _calls(match: Match, made: cst.Call, outer: cst.Assign) -> list[cst.Call]:
    """Return the calls of the variable that holds the module; empty if the variable has other uses, or if an argument
    of the class may have another value in a call.
    """
    target, function = outer.targets[0].target, match.function
    if function is None or len(outer.targets) != 1 or not isinstance(target, cst.Name) or match.line(outer) is None:
        return []
    around = match.model(function)
    found = calls_of_variable(match.file.tree, around, target.value).get(match.model(outer), [])
    if is_needed_elsewhere(around, target.value) or not all(_steady(around, made, each.value) for each in made.args):
        return []
    calls = [cst.ensure_type(match.libcst(each), cst.Call) for each in found]
    # The edits of calls inside the arguments of other calls would overlap.
    return [] if any(other in match.ancestors(each) for each in calls for other in calls) else calls


def _steady(function: Any, made: cst.Call, value: cst.BaseExpression) -> bool:
    """Return whether an argument is the same where the module is called: a constant, or a variable with one value."""
    if is_constant(value):
        return True
    # The constructor of a Dropout raises for an invalid argument, even if the module is not called.
    checked = code(made.func).endswith("Dropout")
    return not checked and isinstance(value, cst.Name) and bound_times(function, value.value) == 1


def _settled(match: Match, made: cst.Call, outer: cst.Call) -> bool:
    """Return whether the arguments of the class can be evaluated after the arguments of the instance's call."""
    settings = [match.model(each.value) for each in made.args]
    if all(map(quiet, [*settings, *(match.model(each.value) for each in outer.args)])):
        return True
    return inert(match.file.tree, settings)


def _either_first(match: Match, made: cst.Call, outer: cst.Call) -> bool:
    """Return whether it makes no difference which arguments are evaluated first, even if an argument raises."""
    calls = ([match.model(each.value) for each in call.args] for call in (made, outer))
    return any(inert(match.file.tree, values) for values in calls)
