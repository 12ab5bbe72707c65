"""# Module made in compiled code

## What it does

Finds `nn.ReLU()(x)`, `nn.MSELoss()`, `nn.Parameter(...)` and other modules that are made inside compiled code.

## Why TorchScript rejects it

Modules hold parameters and are laid out when the compilation begins: a compiled function cannot make one.

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

The function that the module would call, or a module that is made in `__init__`:

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

A module without parameters that is called where it is made becomes the function of `torch.nn.functional` that its
`forward` calls, with the same arguments: *safe*. A module of the file's own that has neither parameters nor buffers is
made in `__init__` too, under a new name, and that one is called where it is compiled; Python goes on making one in
every call, and the keys of the `state_dict` stay. That is *unsafe*, as it is the same instance in every compiled call
then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix
from tslint.rewrite.functional import FUNCTIONS, Function
from tslint.rewrite.module_in_constructor import in_constructor
from tslint.rewrite.spans import remove_statement
from tslint.rewrite.statements import alone_on_its_lines, function, functional, parent, quote, replace
from tslint.rewrite.when_compiled import is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.evaluation import quiet
from tslint.script.dataflow.scopes import before_all, bound_times, peeps

RULE = Rule(code="TS214", name="module-construction", events=("module-construction",))


def check(match: Match) -> Iterator[Finding]:
    """Offer the functional form of the class."""
    call = match.event.node
    name = match.event.facts["name"].rpartition(".")[2]
    form = FUNCTIONS.get(name) if match.event.facts["name"].startswith("torch.nn.") else None
    if name == "Parameter":
        message, help = (
            f"{quote(match, call)} makes a parameter, which compiled code cannot do",
            "Register it in `__init__`; where a plain tensor will do, use the tensor itself.",
        )
    else:
        message = f"{quote(match, call)} makes a module, which compiled code cannot do"
        instead = f"`F.{form.name}(...)`" if form is not None else "its functional form, if it has one"
        help = f"Make it in `__init__` and call it as `self.…`, or use {instead}."
        if match.event.facts["name"].startswith("torch.nn.") is False:
            help = "Make it in `__init__` (`self.… = …`) and call that."
    yield match.finding(message, help=help, fix=_fix(match, call, name))


def _fix(match: Match, made: ast.AST, name: str) -> Fix | None:
    outer = parent(match, made)
    if not isinstance(made, ast.Call):
        return None
    if not match.event.facts["name"].startswith("torch.nn."):
        return in_constructor(match, made, outer)
    form = FUNCTIONS.get(name)
    if form is None:
        return None
    if isinstance(outer, ast.Call) and outer.func is made:
        text = _called(match, form, made, outer) if _settled(match, made, outer) else None
        edits = [replace(match, outer, text[0]), *text[1]] if text else []
        return safe(f"Call `{form.name}` instead", *edits) if edits else None
    return _held(match, form, made, outer) if isinstance(outer, ast.Assign) else None


def _held(match: Match, form: Function, made: ast.Call, outer: ast.Assign) -> Fix | None:
    """A variable that holds the module and is only called."""
    around, target = function(match), outer.targets[0]
    if around is None or len(outer.targets) != 1 or not isinstance(target, ast.Name):
        return None
    uses = [each for each in walking.walk(around) if isinstance(each, ast.Name) and each.id == target.id]
    calls = [each for each in walking.walk(around) if isinstance(each, ast.Call) and each.func in uses]
    if not calls or len(uses) != len(calls) + 1 or not alone_on_its_lines(match, outer) or peeps(around):
        return None
    plain = all(isinstance(each, ast.Constant) for each in [*made.args, *(k.value for k in made.keywords)])
    if not plain or bound_times(around, target.id) != 1 or not before_all(match.file.tree, outer, calls):
        return None
    # What the calls are given may hold further calls of it: their edits would overlap.
    if any(inner in calls for call in calls for inner in walking.walk(call) if inner is not call):
        return None
    edits = [remove_statement(match, outer)]
    for call in calls:
        text = _called(match, form, made, call)
        if text is None:
            return None
        edits += [replace(match, call, text[0]), *text[1]]
    return safe(f"Call `{form.name}` instead of `{target.id}`", *dict.fromkeys(edits))


def _settled(match: Match, made: ast.Call, outer: ast.Call) -> bool:
    """Whether the arguments of the class can be evaluated after those of its call: nothing in one of them runs."""
    plain = (ast.Constant, ast.Name, ast.Attribute, ast.Tuple, ast.List, ast.UnaryOp)
    given = [*made.args, *(keyword.value for keyword in made.keywords)]
    if all(quiet(value) for value in [*given, *outer.args]):
        return True
    inner = [each for value in given for each in walking.walk(value) if isinstance(each, ast.expr)]
    # What a property computes may change what the arguments of the call read.
    properties = {
        n.name for n in walking.walk(match.file.tree) if isinstance(n, ast.FunctionDef) and n.decorator_list
    }
    return all(isinstance(each, plain) and getattr(each, "attr", "") not in properties for each in inner)


def _in_range(form: Function, settings: list[tuple[str, ast.expr]]) -> bool:
    """Whether the class takes its arguments: its constructor checks what the function may not check."""
    if form.name != "hardtanh":
        return True
    limits = {"min_val=": -1.0, "max_val=": 1.0}
    for (word, value), place_ in zip(settings, ["min_val=", "max_val=", "inplace="]):
        try:
            limits[word or place_] = ast.literal_eval(value)
        except ValueError:
            return False
    return limits["min_val="] < limits["max_val="]


def _called(match: Match, form: Function, made: ast.Call, outer: ast.Call) -> tuple[str, tuple[Edit, ...]] | None:
    """The call of the function that does what the module does, and the edits that import it."""
    if outer.keywords or len(outer.args) != form.tensors:
        return None
    given = [*outer.args, *made.args]
    if len(made.args) > form.positional or any(isinstance(argument, ast.Starred) for argument in given):
        return None
    if any(keyword.arg is None or keyword.arg not in form.keywords for keyword in made.keywords):
        return None
    if form.required and form.required not in {k.arg for k in made.keywords} and not made.args:
        return None
    parts = [match.text(argument) for argument in outer.args]
    settings = [("", each) for each in made.args] + [(f"{each.arg}=", each.value) for each in made.keywords]
    for index, (word, value) in enumerate(settings):
        text = match.text(value)
        if form.name == "interpolate" and (word == "scale_factor=" or (not word and index == 1)):
            # The module makes a float of it; the compiled function takes no int.
            if not isinstance(value, ast.Constant) or not isinstance(value.value, (int, float)):
                return None
            text = repr(float(value.value))
        parts.append(f"{word}{text}")
    prefix, imports = functional(match)
    if is_local(match, prefix) or not _in_range(form, settings):
        return None
    return f"{prefix}.{form.name}({', '.join(parts)})", imports
