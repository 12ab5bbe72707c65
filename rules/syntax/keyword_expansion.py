"""# `**` expansion in a call of compiled code

## What it does

Finds calls with `**kwargs` in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

The compiler must assign each argument to a parameter when it compiles the call, but it does not know the keys of a
dict.

```text
keyword-arg expansion is not supported
```

## Example

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    options = {"dim": 0}
    return torch.sum(x, **options)


scripted = torch.jit.script(total)
```

## Use instead

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x, dim=0)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Fix safety

No fix for a dict whose keys are not known. If the call contains a dict literal, such as `**{"a": 1}` or `**dict(a=1)`,
the fix writes the arguments out (`a=1`), which is *safe*.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.syntax import KeywordExpansion

RULE = Rule(code="TS118", name="keyword-expansion", events=(KeywordExpansion,))
_NAMED = m.Arg(keyword=m.Name())


def check(match: Match[KeywordExpansion]) -> Iterator[Finding]:
    """Report the unpacked value, with a fix that writes out the entries of a literal."""
    written = match.written
    what = f"`**{written.value}`" if isinstance(written, cst.Name) else "`**` in a call"
    taken = getattr(getattr(match.scope, "args", None), "kwarg", None)
    help = "Write each argument with its name, `name=value`."
    if taken is not None and m.matches(written, m.Name(taken.arg)):
        help = f"Replace `**{taken.arg}` in the `def`, too: name each parameter, and pass it with `name=name`."
    yield match.finding(
        f"{what} cannot be compiled: the arguments of a call must be written out",
        help=help,
        fix=_written_out(match, match.node) if isinstance(written, (cst.Call, cst.Dict)) else None,
    )


def _written_out(match: Match[KeywordExpansion], node: cst.CSTNode) -> Fix | None:
    """Write ``f(**dict(a=1))`` and ``f(**{"a": 1})`` as ``f(a=1)``."""
    call, entries = match.libcst(match.event.call), _entries(match, node)
    if not isinstance(call, cst.Call) or not entries or match.enclosing(cst.FormattedStringExpression, call):
        return None
    names = [each.keyword.value for each in (*entries, *call.args) if each.keyword is not None]
    for each in call.args:
        if each.star == "**" and each.value is not node:
            # Another dict of the call may be written out at the same time; a name that occurs twice would be a syntax
            # error.
            names += [other.keyword.value for other in _entries(match, each.value) or [] if other.keyword is not None]
    if len(set(names)) != len(names) or not all(each.isidentifier() and not keyword.iskeyword(each) for each in names):
        return None
    return safe("Write the arguments out", lambda: _in_place(match, call, node, entries))


def _in_place(match: Match, call: cst.Call, node: cst.CSTNode, entries: Sequence[cst.Arg]) -> tuple[Edit, ...]:
    args: list[cst.Arg] = []
    for each in call.args:
        if each.value is node:
            last = entries[-1].with_changes(comma=each.comma, whitespace_after_arg=each.whitespace_after_arg)
            args += [*entries[:-1], last]
        else:
            args.append(each)
    return match.replace(call, call.with_changes(args=args))


def _entries(match: Match, node: cst.CSTNode) -> list[cst.Arg] | None:
    """Return the names and values of a literal dict, as arguments."""
    if isinstance(node, cst.Dict):
        found = [_argument(each) for each in node.elements]
        return [each for each in found if each is not None] if None not in found else None
    if not isinstance(node, cst.Call) or not m.matches(node, m.Call(func=m.Name("dict"))):
        return None
    if not all(m.matches(each, _NAMED) for each in node.args):
        return None
    if match.binds("dict") or "dict" in module_bindings(match.file.tree):
        return None
    plain = {"comma": cst.MaybeSentinel.DEFAULT, "whitespace_after_arg": cst.SimpleWhitespace("")}
    return [each.with_changes(**plain) for each in node.args]


def _argument(element: cst.BaseDictElement) -> cst.Arg | None:
    """Return an entry of a dict as an argument; None if its key is not a string."""
    if not isinstance(element, cst.DictElement):
        return None
    name = element.key.evaluated_value if isinstance(element.key, cst.SimpleString) else None
    if not isinstance(name, str) or not name.isidentifier():
        return None
    nothing = cst.SimpleWhitespace("")
    equal = cst.AssignEqual(whitespace_before=nothing, whitespace_after=nothing)
    return cst.Arg(element.value, keyword=cst.Name(name), equal=equal)
