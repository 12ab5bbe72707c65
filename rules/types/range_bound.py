"""# `range` of a value that is not an int

## What it does

Finds `range(n)` where `n` is not an int in TorchScript: a Tensor, a parameter without annotation (which is a Tensor),
or a float such as `2 ** k`.

## Why TorchScript rejects it

`range` accepts only ints, and the compiler does not convert its arguments.

```text
all inputs of range must be ints, found Tensor (inferred) in argument 0
```

## Example

```python
import torch


def repeated(x: torch.Tensor, times):
    for _ in range(times):
        x = x * 2
    return x


scripted = torch.jit.script(repeated)
inputs = (torch.rand(3), 2)
```

## Use instead

```python
import torch


def repeated(x: torch.Tensor, times: int):
    for _ in range(times):
        x = x * 2
    return x


scripted = torch.jit.script(repeated)
inputs = (torch.rand(3), 2)
```

## Fix safety

A parameter without annotation is annotated as int. This is *safe* if the body, the default and every call in the file
agree on the type: Python ignores annotations. It is *unsafe* if only the body shows the type, or if the type of an
argument is not known: compiled code rejects other types. There is no fix if the uses contradict each other, or if
nothing shows a type.

Other values get an `int(…)`, which is *safe* for a value that is certainly an int in Python. For the rest, only
compiled code gets it, `range(int(n) if torch.jit.is_scripting() else n)`. This is *safe* for a Tensor that certainly
has ints, such as `x.argmax()`. It is *unsafe* for other Tensors and for a float such as `2 ** k`, because Python raises
if the Tensor has floats, or `k` is negative.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotate_parameter, annotation_in
from tslint.rewrite.argument_types import whole_numbers
from tslint.rewrite.compiled_form import in_compiled_code, int_of
from tslint.rewrite.type_reasons import because, unannotated
from tslint.rewrite.whole_numbers import as_int
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import a
from tslint.script.dataflow.items import is_whole
from tslint.script.dataflow.whole_numbers import whole_in_python
from tslint.script.events.types import RangeBound
from tslint.script.types import FLOAT, NUMBER, TENSOR, is_inferred

RULE = Rule(code="TS325", name="range-bound", events=(RangeBound,))


def check(match: Match[RangeBound]) -> Iterator[Finding]:
    """Report the bound, with a fix that annotates the parameter or converts the value."""
    type_, bound = match.event.type, match.libcst(match.event.argument)
    parameter = unannotated(match, bound) if is_inferred(type_) else None
    fix: Fix | None = None
    if parameter is not None:
        name = parameter.name.value
        fix = annotate_parameter(match, parameter, wanted="int")
        message = f"`{name}` has no annotation, so it is a Tensor, and `range` takes ints"
        maybe = parameter.default is not None and match.code(parameter.default) == "None"
        written = annotation_in(fix) or f"{name}: {'Optional[int] = None' if maybe else 'int'}"
        help = f"Annotate it: `{written}`."
    elif not isinstance(bound, cst.BaseExpression):  # an argument after a star
        message, help = (
            f"`range` takes ints, but {match.quote(bound)} passes {a(type_)}",
            "Write each bound out as an int.",
        )
    else:
        kind = "may be a float" if type_ == NUMBER else f"is {a(type_)}"
        message = f"`range` takes ints, but {match.quote(bound)} {kind}"
        reason = _reason(match, bound) if type_ == TENSOR else None
        if reason is not None:
            message = f"`{reason}` has no annotation, so {match.quote(bound)} is a Tensor, and `range` takes ints"
        help = (
            f"Annotate it: `{reason}: int`."
            if reason
            else because(match, bound, type_) or f"Write `{code(int_of(bound)())}`."
        )
        if type_ == FLOAT and whole_in_python(match.model(bound)):
            fix = as_int(match, bound, Risk.DIFFERS)
        elif type_ in (TENSOR, FLOAT, NUMBER):
            risks = () if _is_whole(match, bound) else (Risk.DIFFERS,)
            fix = whole_numbers(match, bound) if type_ == TENSOR else None
            words = f"Write `int(…)` around {match.quote(bound)} in compiled code"
            fix = fix or in_compiled_code(match, bound, int_of(bound), words, *risks)
    yield match.finding(message, help=help, fix=fix)


def _is_whole(match: Match, bound: cst.CSTNode) -> bool:
    """Return whether the bound is certainly a Tensor of ints: of one with floats, Python makes no range."""
    return match.function is not None and is_whole(match.model(match.function), match.model(bound))


def _reason(match: Match, bound: cst.CSTNode) -> str | None:
    """Return ``n`` for a bound such as ``n + 1``, if ``n`` is a parameter without annotation; otherwise None."""
    if not isinstance(bound, cst.BinaryOperation) or isinstance(bound.operator, cst.Divide):
        return None
    named = [each for each in (bound.left, bound.right) if isinstance(each, cst.Name)]
    if len(named) != 1 or not any(isinstance(each, cst.Integer) for each in (bound.left, bound.right)):
        return None
    name = named[0].value
    type_ = match.event.variables.get(name)
    return name if type_ is not None and is_inferred(type_) and unannotated(match, named[0]) is not None else None
