"""# Function, class or range used as a value

## What it does

Finds functions, methods, builtins, classes, exceptions, Python modules and `range(...)` where compiled code needs a
value: in a list, as an argument, in a comparison, in a `return`.

## Why TorchScript rejects it

Values are tensors, numbers, strings, containers of these, and objects. Functions and classes are not: compiled code can
call them, and give them another name (`act = F.relu`), but cannot store, pass or compare them.

```text
function cannot be used as a value
```

## Example

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for activation in [F.relu, F.gelu]:
            x = activation(x)
        return x
```

## Use instead

Call each function by its name, or put modules that do the same into a `ModuleList`:

```python
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(F.relu(x))


inputs = (torch.rand(3),)
```

## Fix safety

No fix for most values: the right change depends on their purpose.

Three forms have a *safe* fix: `typing.cast(T, x)` becomes `x`, `x.type(torch.FloatTensor)` becomes `x.to("cpu",
torch.float32)`, and `torch.tensor(range(n))` becomes `torch.tensor(list(range(n)))`. The `range` in `x[range(n), y]`
becomes a list, too, if `x` is a Tensor in TorchScript. This is *unsafe*: `x` may be something else in Python.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.loops import names_in
from tslint.rewrite.not_values import DTYPES, category_of, is_dtype
from tslint.rewrite.type_casts import to_device_and_dtype
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.rulekit.wording import short
from tslint.script.dataflow.names import full_name, imported_names
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import NotAValue
from tslint.script.types import TENSOR

RULE = Rule(code="TS203", name="function-as-value", events=(NotAValue,))

_WORDS = {
    "function": "a function", "method": "a method", "builtin": "a function", "boolean dispatch": "a function",
    "Python type": "a class", "Python exception": "an exception class", "exception message": "an exception",
    "range": "a range",
    "iterabletree": "an iterator", "python module": "a Python module", "EnumClass": "an enum class",
    "Python slice class": "a slice", "super": "`super()`", "python value of type 'type'": "a class",
    "python value of type 'module'": "a Python module", "list": "a class", "dict": "a class",
    "TupleConstruct": "a class",
    "__int__": "a class", "__float__": "a class", "__bool__": "a class", "__str__": "a class", "__complex__": "a class",
}  # fmt: skip
_TWO = m.Call(args=[m.Arg(keyword=None, star=""), m.Arg(keyword=None, star="")])
_TYPE = m.Attribute(attr=m.Name("type"))
_TO = m.Attribute(attr=m.Name("to"))
_TYPE_OF = m.Call(func=m.Name("type"), args=[m.Arg(keyword=None, star="")])
_MEMBER = m.Attribute(value=m.Name(), attr=m.Name("cast"))
_MAKERS = {f"torch.{each}" for each in "tensor as_tensor Tensor FloatTensor LongTensor IntTensor DoubleTensor".split()}
_CAST = ("typing.cast", "typing_extensions.cast")


def check(match: Match[NotAValue]) -> Iterator[Finding]:
    """Report a function, class or module where a value is needed."""
    if category_of(match) is not None or is_dtype(match):
        return
    node, what, name = match.node, match.event.what, match.event.name
    word = "a class" if what == "range" and not isinstance(node, cst.Call) else _WORDS.get(what, "a function")
    if name.startswith("torch.") and name.endswith("Tensor"):
        word = "a class"
    written = match.event_text if isinstance(node, cst.BaseExpression) else short(name.rpartition(".")[2] or what)
    if what == "builtin" and _of_value(match):
        word = "a method"
    kind = "" if word in (f"a {written}", "a range") else f"{word} "
    message = f"{written} is {kind}used as a value, which TorchScript does not support"
    yield match.finding(message, help=_help(match, word, match.parent(node), written), fix=_fix(match, node))


def _of_value(match: Match[NotAValue]) -> bool:
    """Return whether the method of a variable is meant."""
    names = names_in(match.node) if isinstance(match.node, cst.Attribute) else []
    return bool(names) and names[0] != match.self_name and names[0] not in module_bindings(match.file.tree)


def _fix(match: Match[NotAValue], node: cst.CSTNode) -> Fix | None:
    """Return the fix for a range, or for the class in ``cast(T, x)`` or ``x.type(T)``; None for other values."""
    call = match.parent(node)
    if match.event.what == "range":
        return _listed(match, node)
    if not isinstance(call, cst.Call) or call.func is node:
        return None
    return to_device_and_dtype(match, call, match.event.name) or _without_cast(match, node)


def _listed(match: Match[NotAValue], node: cst.CSTNode) -> Fix | None:
    """Write ``range(n)`` as ``list(range(n))`` in an index, or as the argument of ``torch.tensor`` and the like."""
    if not isinstance(node, cst.Call) or match.binds("list") or "list" in module_bindings(match.file.tree):
        return None
    message, around = "Make it a list", match.parent(node)

    def edits() -> tuple[Edit, ...]:
        return tuple(match.replace(node, expression("list({node})", node=node)))

    if isinstance(around, cst.Call):
        made = full_name(match.file.tree, match.code(around.func)) in _MAKERS and not match.binds("torch")
        return safe(message, edits) if made and around.args[0].value is node else None
    if not isinstance(around, cst.Subscript) or not isinstance(around.value, cst.Name):
        return None
    known = match.event.variables.get(around.value.value)
    assumes = f"only its annotation may say that {match.quote(around.value)} is a Tensor"
    return unsafe(message, edits, assumes=assumes) if known == TENSOR else None


def _without_cast(match: Match, node: cst.CSTNode) -> Fix | None:
    """Write ``typing.cast(T, x)`` as ``x``."""
    call, tree = match.parent(node), match.file.tree
    if not isinstance(call, cst.Call) or not m.matches(call, _TWO) or call.args[0].value is not node:
        return None
    known = isinstance(node, cst.Name) and (node.value in module_bindings(tree) or hasattr(builtins, node.value))
    if not known or match.enclosing(cst.FormattedStringExpression, call) is not None or not _is_cast(match, call.func):
        return None
    value = call.args[1].value
    return safe("Remove `cast`", lambda: match.replace(call, value))


def _is_cast(match: Match, callee: cst.BaseExpression) -> bool:
    """Return whether a function is ``typing.cast``."""
    tree = match.file.tree
    root = callee.value if isinstance(callee, cst.Attribute) and m.matches(callee, _MEMBER) else callee
    if not isinstance(root, cst.Name) or match.binds(root.value) or module_bindings(tree).get(root.value) != 1:
        return False
    return root.value in imported_names(tree) and full_name(tree, match.code(callee)) in _CAST


def _help(match: Match[NotAValue], word: str, around: cst.CSTNode | None, written: str) -> str:
    node = match.node
    if isinstance(node, cst.Attribute) and match.event.what == "builtin" and _of_value(match):
        return (
            f"Call it, `{match.code(node)}(…)`. If `{match.code(node.value)}` is not a Tensor, annotate it; if it is a "
            "module, read its attributes in `__init__`."
        )
    if isinstance(around, cst.Comparison):
        return _compared(match, around, word, written)
    if word == "a range":
        return f"Convert it to a list: `list({written.strip('`')})`."
    if word == "an iterator":
        if isinstance(node, cst.Name):
            return f"Write the call that creates {written} where a `for` loop iterates over it."
        return f"Iterate over it where you create it: {short(f'for … in {match.code(node)}:')}."
    if word == "a Python module":
        return f"Read the function or constant that you need from it: `{written.strip('`')}.…`."
    if isinstance(around, cst.Assert):
        return 'Write the message itself: `assert condition, "…"`.'
    if word == "an exception class":
        return f"Only raise it, `raise {written.strip('`')}(…)`: compiled code can do nothing else with exceptions."
    if word == "an exception":
        return "Only raise it: compiled code can do nothing else with exceptions."
    if isinstance(around, cst.Call) and m.matches(around.func, _TYPE):
        cast = to_device_and_dtype(match, around, match.event.name)
        device = "cuda" if ".cuda." in match.event.name else "cpu"
        other = f'Write the device and the dtype, such as `.to("{device}", torch.float32)`,'
        instead = cast.message.replace("`", "`.", 1) if cast else other
        return f"{instead} instead of `.type({written.strip('`')})`."
    if isinstance(around, cst.Call) and m.matches(around, _TWO) and _is_cast(match, around.func):
        return f"Write `{match.code(around.args[1].value)}` without the `cast`."
    return _elsewhere(match, word, around, written)


def _compared(match: Match[NotAValue], around: cst.Comparison, word: str, written: str) -> str:
    """Return the help for a function or class in a comparison."""
    compared, against = around.left, around.comparisons[0].comparator
    if word == "a class":
        if isinstance(compared, cst.Call) and m.matches(compared, _TYPE_OF):
            kind = written.strip("`")
            negated = "not " if m.matches(around.comparisons[0].operator, m.IsNot() | m.NotEqual()) else ""
            if kind == "dict":
                return f"Write `{negated}torch.jit.isinstance({match.code(compared.args[0].value)}, Dict[str, …])`."
            if kind in ("set", "frozenset", "range"):  # types that the compiler does not have
                return f"Test the type outside compiled code: no value is a `{kind}` in TorchScript."
            return f"Write `{negated}isinstance({match.code(compared.args[0].value)}, {kind})`."
        if any(m.matches(each, m.Attribute(attr=m.Name("dtype"))) for each in (compared, against)):
            return "Compare with a dtype, such as `torch.bool`: a dtype never equals a class."
    test = match.quote(around)
    of_self = m.Attribute(value=m.Name(match.self_name or "self"))
    if match.self_name is not None and any(m.matches(each, of_self) for each in (compared, against)):
        return f"In `__init__`, store the result of {test} in a `bool` attribute, and test that here."
    if word == "a class":
        return "Test types with `isinstance(x, T)`."
    return f"Compare outside compiled code, and pass the result of {test} as a `bool`."


def _elsewhere(match: Match[NotAValue], word: str, around: cst.CSTNode | None, written: str) -> str:
    """Return the help for a function or class that is passed, stored or returned."""
    if word == "a class" and match.event.name.startswith("torch.") and match.event.name.endswith("Tensor"):
        return "Use a dtype and a device instead, such as `dtype=torch.float32, device=x.device`."
    if match.event.name in DTYPES and isinstance(around, cst.Call) and m.matches(around.func, _TO):
        return f"Write the dtype: `{match.imported('torch')[0]}.{DTYPES[match.event.name]}`."
    if word == "a class":
        return "In `__init__`, store what depends on the class, for example in a `bool` attribute, and use that here."
    if isinstance(around, (cst.Dict, cst.List, cst.Tuple)):
        return (
            "Choose with `if`, and call each function by its name. Put modules into an `nn.ModuleList` or "
            "`nn.ModuleDict`."
        )
    if isinstance(around, cst.Call):
        function = match.quote(around.func)
        if match.self_name is not None and written.startswith(f"`{match.self_name}."):
            return f"Functions cannot be passed: call {written} here, without {function}."
        return f"Functions cannot be passed: call {written} here, or by its name in {function}."
    return "Call it by its name where you need it. To choose between functions, write `if`, or make them submodules."
