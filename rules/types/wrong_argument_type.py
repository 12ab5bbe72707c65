"""# Argument of another type than the parameter's

## What it does

Finds calls of torch functions, of methods and of your own functions where an argument's type is not what the
parameter takes, and says which argument it is and where its type came from.

## Why TorchScript rejects it

Every parameter has one type. Python would try, and torch in eager mode converts or treats None specially; the compiler
converts little more than a Tensor to a number. Very often the culprit is a parameter without annotation, which the
compiler takes for a Tensor.

```text
Arguments for call are not valid.
Expected a value of type 'Optional[Device]' for argument 'device' but instead found type 'Tensor (inferred)'.
```

## Example

```python
import torch


def grid(n: int, device):
    return torch.arange(n, device=device) * 2


scripted = torch.jit.script(grid)
inputs = (3, torch.device("cpu"))
```

## Use instead

```python
import torch


def grid(n: int, device: torch.device):
    return torch.arange(n, device=device) * 2


scripted = torch.jit.script(grid)
inputs = (3, torch.device("cpu"))
```

## Fix safety

The annotation is *safe* where the body, the default and every call in the file agree on it: Python does not look at
annotations. Where only the body shows it, as the function is called by nobody or by somebody whose types are not seen,
it is *unsafe*: compiled code refuses anything else. There is none where they contradict each other, or nothing shows a
type.

`int(…)` around what is an int in Python and a float in TorchScript is *safe* for sizes and lengths; else it is for
compiled code alone, `int(2 ** n) if torch.jit.is_scripting() else 2 ** n`, *safe* for what `round`, `floor` and `ceil`
give, and *unsafe* for powers: a negative one is a fraction in Python. Adding up a list of tensors, floats for ints and
`x.device` for `x.get_device()` are for compiled code alone, too, and *unsafe* where it may raise or give something
else. Anything else needs a decision of yours.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.argument_types import argument_fix
from tslint.rewrite.mismatch import VARIADIC, Diagnosis, diagnose
from tslint.rewrite.scripted_form import certain_int, either_fix, whole_in_python
from tslint.rewrite.type_wording import (
    a,
    because,
    function,
    optional_inside,
    quote,
    replace,
    said,
    unannotated,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe

RULE = Rule(code="TS301", name="wrong-argument-type", events=("operator-mismatch", "call-mismatch"))
# A list of ints of known length, for which one int stands as well.
_BROADCAST = re.compile(r"[iI]nt\[\d+\]")
# What the compiler calls int, and the author does not.
_ENUMERATIONS = {"dtype": "torch.dtype", "layout": "torch.layout", "memory_format": "torch.memory_format"}


def check(match: Match) -> Iterator[Finding]:
    """Name the argument, its type and the parameter's."""
    found = diagnose(match)
    if found.what != "type":
        return
    given = quote(match, found.argument) if found.argument is not None else ""
    if found.parameter == "self" and given:
        message = f"{found.callee} needs {_wanted(found)}, but {given} is {a(found.actual)}"
    elif given and found.parameter == VARIADIC:
        message = f"{found.callee} takes {_wanted(found)} for each of its sizes, but {given} is {a(found.actual)}"
    elif given:
        message = f"{found.callee} takes {_wanted(found)} for `{found.parameter}`, but {given} is {a(found.actual)}"
    else:
        message = f"{found.callee} takes {_wanted(found)} for `{found.parameter}`, not {a(found.actual)}"
    help = because(match, found.argument, found.actual) or _advice(match, found)
    yield match.finding(message, help=help, fix=_fix(match, found))


def _wanted(found: Diagnosis) -> str:
    known = _ENUMERATIONS.get(found.parameter)
    types = [a(type_) for type_ in found.expected]
    if _BROADCAST.search(found.reasons[0].written):
        types.insert(0, "an int")
    for generic in ("Dict[", "List["):
        if len(types) > 1 and all(type_.startswith(generic) for type_ in types):
            return f"a {generic[:-1]}"
    if known is not None and any("int" in type_ for type_ in found.expected):
        types = [f"a {known}"]
    return " or ".join(types[:3])


def _advice(match: Match, found: Diagnosis) -> str:
    actual, expected = said(found.actual), said(found.expected[0])
    if expected == "List[Tensor]" and actual == "Tensor":
        return "Pass a list of tensors; the rows of a tensor are `x.unbind(0)`."
    if expected == "Tensor" and actual in ("int", "float", "bool"):
        return "Make it a tensor with `torch.tensor(…)`, or use Python's arithmetic or `math` for plain numbers."
    if found.callee == "`sum`" and actual == "List[Tensor]":
        return "Add the tensors up with `torch.stack(…).sum(0)`, or in a loop."
    if expected == "Tensor" and actual == "List[Tensor]":
        return "Take one of its tensors, or join them with `torch.stack` or `torch.cat`."
    if "Empty lists default" in match.event.facts["message"] and actual == "List[Tensor]":
        return f"An empty list is a List[Tensor] to TorchScript: annotate it where it is made, `name: {expected} = []`."
    if _for_int(found):
        return "Write `int(…)` around it; `int ** int`, `/` and `round` give a float in TorchScript."
    if actual == "Tensor" and isinstance(found.argument, ast.BinOp):
        for node in walking.walk(found.argument):
            argument = unannotated(match, node)
            if argument is not None:
                return (
                    f"`{argument.arg}` has no annotation, so TorchScript takes it for a Tensor: annotate the parameter."
                )
    return f"Pass {a(expected)}."


def _for_int(found: Diagnosis) -> bool:
    """Whether a float stands where an int is taken, alone or for a list of ints."""
    written = found.reasons[0].written
    whole = written in ("int", "int?", "SymInt", "SymInt?") or _BROADCAST.search(written) is not None
    return found.actual == "float" and (whole or found.parameter == VARIADIC)


def _fix(match: Match, found: Diagnosis) -> Fix | None:
    operator = str(match.event.facts.get("operator", ""))
    if found.argument is not None and _for_int(found):
        of_torch = operator.startswith(("torch.", "aten::"))
        if not whole_in_python(found.argument):
            return None  # to Python it is no int either: it raises, or the function takes it as it is
        text = f"int({match.text(found.argument)})"
        if certain_int(found.argument):
            return safe("Write `int(…)` around it", replace(match, found.argument, text))
        risks = () if of_torch and _is_rounded(found.argument) else (Risk.DIFFERS,)
        return either_fix(match, found.argument, text, "Write `int(…)` around it in compiled code", *risks)
    if operator == "torch.autograd.grad" and found.argument is not None and found.actual == "Tensor":
        return safe("Pass a list", replace(match, found.argument, f"[{match.text(found.argument)}]"))
    argument, held = unannotated(match, found.argument), function(match)
    if argument is None or held is None or "(inferred)" not in found.actual or len(found.expected) != 1:
        return argument_fix(match, found)
    wanted = found.expected[0]
    if _BROADCAST.search(found.reasons[0].written):
        wanted = "int"
    wanted = optional_inside(wanted) or wanted
    likely = "dtype" if found.parameter == "dtype" and wanted == "int" else wanted
    return annotation_fix(match, held, argument, wanted=wanted, likely=likely)


def _is_rounded(node: ast.expr) -> bool:
    """Whether it is what ``round``, ``floor`` or ``ceil`` gives, which both worlds agree on."""
    func = node.func if isinstance(node, ast.Call) else None
    return getattr(func, "attr", getattr(func, "id", "")) in ("round", "floor", "ceil")
