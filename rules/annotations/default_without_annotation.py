"""# Parameter with a default but no annotation

## What it does

Finds parameters that have a default other than `None` and no annotation, in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

A parameter without annotation is a Tensor, and the default is not a Tensor.

```text
Expected a default value of type Tensor (inferred) on parameter "scale".
```

## Example

```python
import torch


def rescale(x, scale=2.0):
    return x * scale


scripted = torch.jit.script(rescale)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def rescale(x, scale: float = 2.0):
    return x * scale


scripted = torch.jit.script(rescale)
inputs = (torch.rand(3),)
```

## Fix safety

The fix annotates the parameter with the type of the default. This is *safe* if the body, the default and every call in
the file agree on the type: Python ignores annotations. It is *unsafe* if only the default or only the body shows the
type, or if the type of an argument is not known: callers may pass a float where the default is `1`, and compiled code
rejects other types. If the default is an int by which the body only multiplies or divides tensors, the fix writes
`float`. This is *unsafe*, too: the result for an int tensor may have another dtype in compiled code. There is no fix if
the uses of the parameter contradict each other, or if the function has another error without a fix, such as a `try`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.rewrite.annotate import from_def, spelled
from tslint.rewrite.annotate_parameter import annotate_parameter, annotation_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule
from tslint.rulekit.template import code
from tslint.rulekit.wording import a
from tslint.script.events.annotation import DefaultWithoutAnnotation
from tslint.script.types import NONE, TupleType, tuple_elements

RULE = Rule(code="TS501", name="default-without-annotation", events=(DefaultWithoutAnnotation,))


def check(match: Match[DefaultWithoutAnnotation]) -> Iterator[Finding]:
    """Report the parameter, with a fix that annotates it."""
    event = match.event
    name, default = event.name, match.code(match.libcst(event.default))
    help, fix = f"Annotate `{name}` with a type that TorchScript has, and give it a default of that type.", None
    held = str(event.actual)
    what = f"a {held}" if held in ("function", "type") else a(event.actual)
    if held == "type":
        help = f"If it is meant as an annotation, write `{name}: {default}`."
    elif held == "function":
        help = f"Functions cannot be passed: remove `{name}`, and call the function by its name."
    elif event.actual == TupleType(()):
        what, help = "an empty tuple", f"Annotate `{name}: List[…]`, with the type of the elements."
    # With a default of `()`, callers probably also pass tuples with elements.
    written = spelled(match, event.suggestion) if event.actual != TupleType(()) else None
    if written is not None:
        known = {id(event.default): event.suggestion}
        fix = annotate_parameter(match, match.node, known=known)
        spelling = annotation_in(fix) or f"{name}: {code(written[0])}"
        help = f"Write `{spelling} = {default}`."
        if spelling.endswith("torch.dtype"):  # an int for the compiler
            what = "a torch.dtype"
        if fix is None and NONE in tuple_elements(event.actual):
            help = f"Annotate `{name}` as a Tuple, with `Optional[…]` for each element that may be None."
    yield from_def(
        match,
        event.default,
        f"`{name}={default}` has no annotation, so it is a Tensor, but the default is {what}",
        help,
        fix,
    )
