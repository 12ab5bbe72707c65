"""# Python builtin that TorchScript does not have

## What it does

Finds calls of `reversed` (of a list or range), `map`, `filter`, `set`, `iter`, `next`, `type`, `open`, `setattr` and
other builtins that compiled code cannot call.

## Why TorchScript rejects it

TorchScript has these builtins: `abs`, `all`, `any`, `bin`, `bool`, `chr`, `complex`, `dict`, `divmod`, `enumerate`,
`float`, `getattr`, `hasattr`, `hash`, `hex`, `id` (of an object of a compiled class), `int`, `isinstance`, `len`,
`list`, `max`, `min`, `oct`, `ord`, `pow`, `print`, `range`, `round`, `slice`, `sorted`, `str`, `sum`, `tuple` and
`zip`. It has no iterators, no sets, no functions as values, and no access to Python itself. A few other builtins, such
as `reversed` and `set`, compile if all arguments are Tensors, but then Python runs the call (see `python-call`).

```text
reversed(Tensor 0) -> Tensor 0
Python builtin <built-in function next> is currently not supported in Torchscript
```

## Example

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, xs: List[torch.Tensor]) -> torch.Tensor:
        total = xs[0]
        for x in reversed(xs):
            total = total * 2 + x
        return total


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def forward(self, xs: List[torch.Tensor]) -> torch.Tensor:
        total = xs[0]
        for x in xs[::-1]:
            total = total * 2 + x
        return total


inputs = ([torch.rand(3), torch.rand(3)],)
```

The help of each finding names what to write for that builtin.

## Fix safety

`reversed(range(n))` becomes `range(n - 1, -1, -1)`; `reversed(xs)` in a loop that cannot change the list becomes
`list(xs)[::-1]`; `list(map(f, xs))` becomes a comprehension if `f` is a function of torch, or `int`, `str` or the like;
and `xrange(n)` after `xrange = range` becomes `range(n)`. These are *safe*. `a, b = map(f, xs)` becomes a
comprehension, too, which is *unsafe*: the error for too many values is raised later.

`reversed(xs)` in `zip` or `enumerate` becomes `xs[::-1]` if the loop cannot change the list. This is *unsafe*: only the
type shows that `xs` is a list. For other uses of `reversed(xs)` in a loop and of `map(f, xs)`, only compiled code gets
`xs[::-1]` or a comprehension. This is *unsafe*: compiled code computes all elements first, while Python computes each
one when it is needed. `next(self.parameters()).dtype` becomes the dtype of one layer in compiled code, which is
*unsafe*: the first parameter may have another dtype.

A property that no compiled code reads is marked `@torch.jit.unused`, which is *unsafe*: the compiled module does not
have the property.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.known_parameter import of_known_parameter
from tslint.rewrite.map_comprehension import comprehension_instead, of_named_function
from tslint.rewrite.reversal import reversal
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.rulekit.wording import short
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.names import UnsupportedBuiltin
from tslint.script.runtime_names import ENVIRONMENT
from tslint.script.types import ListType

RULE = Rule(code="TS211", name="unsupported-builtin", events=(UnsupportedBuiltin,))

_PYTHON = "Call it outside compiled code, or under `if not torch.jit.is_scripting():`."
_HELP = {
    "reversed": "Reverse a list with `xs[::-1]`, a range with `range(n - 1, -1, -1)`, a tensor with `x.flip(0)`.",
    "filter": "Write a loop that appends the values that pass the test.",
    "set": "Use a list (`if x not in seen: seen.append(x)`), a dict's keys, or `torch.unique`.",
    "frozenset": "Use a list, or a dict's keys.",
    "iter": "Iterate with `for`, or keep an index.",
    "next": "Read the element by its index, or loop with `for` and `break`.",
    "type": "Test types with `isinstance(x, T)`; a tensor's dtype is `x.dtype`.",
    "callable": "Test it in `__init__`, and store the result in a `bool` attribute.",
    "issubclass": "Test values with `isinstance(x, T)`.",
    "repr": "Use `str(x)`.",
    "ascii": "Use `str(x)`.",
    "format": 'Use an f-string without a format, or `"{}".format(x)`.',
    "bytes": "TorchScript has no bytes; use a `torch.uint8` tensor.",
    "bytearray": "TorchScript has no bytes; use a `torch.uint8` tensor.",
    "delattr": "Declare the attribute `Optional` and set it to None; attributes cannot be deleted.",
    "open": "Read files in `__init__`, and store the content on `self`.",
    "input": "Pass the value as an argument.",
    "vars": "Name the attributes one by one.",
    "dir": "Name the attributes one by one.",
    "object": "Use a NamedTuple or a class of your own.",
    "exit": "Raise an exception instead: `raise RuntimeError(…)`.",
    "quit": "Raise an exception instead: `raise RuntimeError(…)`.",
}


# The builtins whose help names their argument ``x``.
_OF_ARGUMENT = ("type", "repr", "ascii", "format")
_LISTS = m.Name("parameters") | m.Name("buffers") | m.Name("named_parameters") | m.Name("named_buffers")
_PLAIN_MAP = m.Call(args=[m.Arg(m.Name() | m.Attribute()), m.Arg()])
_NAME = m.Name("__name__")
_FIRST = m.Call(args=[m.Arg(m.Call(func=m.Name("iter"), args=[m.Arg()]), keyword=None)])


def check(match: Match[UnsupportedBuiltin]) -> Iterator[Finding]:
    """Report the builtin and what to write instead."""
    name = match.event.short
    if name in ("next", "iter") and m.findall(match.node, m.Attribute(attr=_LISTS)):
        yield match.finding(
            f"{match.event_text}: compiled code cannot list a module's parameters",
            help="Take the device and dtype from an input (`x.device`), or from a parameter or buffer by its name.",
            fix=of_known_parameter(match),
        )
        return
    own = _own_name(match, name)
    if own is not None:
        yield match.finding(
            f"{match.event_text}: TorchScript only knows `{name}` by this name",
            help=f"Write `{name}`.",
            fix=safe(f"Write `{name}`", lambda: match.replace(match.node, own)) if _is_free(match, name) else None,
        )
        return
    help = _OWN_HELP[name](match) if name in _OWN_HELP else _named(match, name, _HELP.get(name, _PYTHON))
    if name == "type" and (
        _is_of_self(match) or m.matches(match.parent(match.node), m.Attribute(m.DoNotCare(), _NAME))
    ):
        help = "Write the name of the class as a string."
    yield match.finding(
        f"{match.event_text}: TorchScript has no `{name}`",
        help=help,
        fix=_fix(match, name),
    )


def _own_name(match: Match[UnsupportedBuiltin], name: str) -> cst.Call | None:
    """Return the call with the builtin's own name, ``range(n)`` for ``xrange(n)``; None if TorchScript lacks it."""
    call = match.node
    if name not in ENVIRONMENT or not isinstance(call, cst.Call):
        return None
    return call.with_changes(func=cst.Name(name))


def _is_free(match: Match[UnsupportedBuiltin], name: str) -> bool:
    return not match.binds(name) and name not in module_bindings(match.file.tree)


def _named(match: Match[UnsupportedBuiltin], name: str, help: str) -> str:
    """Return the help with the argument of the call instead of ``x``, if the argument is a variable or attribute."""
    arguments = positional(match.node) if isinstance(match.node, cst.Call) else None
    if name not in _OF_ARGUMENT or not arguments or not isinstance(arguments[0], (cst.Name, cst.Attribute)):
        return help
    return re.sub(r"\bx\b", match.code(arguments[0]), help)


def _attribute_help(match: Match[UnsupportedBuiltin]) -> str:
    """Return what to write instead of ``setattr(owner, name, value)``."""
    call = match.node
    arguments = [each.value for each in call.args] if isinstance(call, cst.Call) else []
    owner = match.code(arguments[0]) if arguments else "self"
    name = arguments[1] if len(arguments) > 1 else None
    if not isinstance(name, cst.SimpleString):
        return f"Write an assignment for each attribute, `{owner}.name = …`; `__init__` must set it, too."
    return f"Write `{owner}.{name.evaluated_value!s} = …`; `__init__` must set it, too."


def _map_help(match: Match[UnsupportedBuiltin]) -> str:
    """Return the comprehension to write instead of ``map(function, items)``."""
    arguments = positional(match.node) if isinstance(match.node, cst.Call) else None
    if arguments is None or not m.matches(match.node, _PLAIN_MAP) or "\n" in match.code(match.node):
        written = comprehension_instead(match, match.node)
        if written is None and arguments is not None and len(arguments) == 2 and "\n" not in match.code(arguments[1]):
            written = f"Write a comprehension: `[… for item in {match.code(arguments[1])}]`."
        return written or "Write a comprehension, such as `[f(x) for x in xs]`."
    function, items = map(match.code, arguments)
    return f"Write a comprehension: `[{function}(item) for item in {items}]`."


def _reversed_help(match: Match[UnsupportedBuiltin]) -> str:
    """Return what to write instead of ``reversed(items)``, for the type of the items if it is known."""
    arguments = positional(match.node) if isinstance(match.node, cst.Call) else None
    types = match.event.types
    if arguments and m.matches(arguments[0], m.Call(m.Name("range"))):
        return "Write a range that counts down: `range(n - 1, -1, -1)` for `range(n)`."
    if arguments and types and isinstance(types[0], ListType) and isinstance(arguments[0], (cst.Name, cst.Attribute)):
        return f"Write `{match.code(arguments[0])}[::-1]`."
    return _HELP["reversed"]


def _next_help(match: Match[UnsupportedBuiltin]) -> str:
    """Return what to write instead of ``next(…)``: ``list(values)[0]`` for ``next(iter(values))``."""
    call = match.node
    if isinstance(call, cst.Call) and m.matches(call, _FIRST) and isinstance(made := call.args[0].value, cst.Call):
        return f"Write {short(f'list({match.code(made.args[0].value)})[0]')}."
    return _HELP["next"]


def _is_of_self(match: Match[UnsupportedBuiltin]) -> bool:
    """Return whether the only argument is the module itself."""
    return m.matches(match.node, m.Call(args=[m.Arg(m.Name(match.self_name or ""))]))


_OWN_HELP = {"setattr": _attribute_help, "map": _map_help, "reversed": _reversed_help, "next": _next_help}


def _fix(match: Match[UnsupportedBuiltin], name: str) -> Fix | None:
    call = match.node
    arguments = positional(call) if isinstance(call, cst.Call) else None
    if not isinstance(call, cst.Call) or not arguments:
        return None
    if name == "reversed" and len(arguments) == 1:
        types = match.event.types
        return reversal(match, call, arguments[0], of_list=bool(types) and isinstance(types[0], ListType))
    if name == "map" and len(arguments) == 2 and isinstance(arguments[0], (cst.Name, cst.Attribute)):
        return of_named_function(match, call, arguments[0], arguments[1])
    return None
