"""# Keyword that the function does not have in TorchScript

## What it does

Finds keyword arguments that no overload of a function has in TorchScript, mostly NumPy's spellings `axis=` and
`keepdims=`, which torch accepts in eager mode only.

## Why TorchScript rejects it

Eager mode translates NumPy's names in the Python bindings. The compiler uses the operators directly, which have `dim`
and `keepdim`.

```text
Arguments for call are not valid.
Keyword argument axis unknown.
```

## Example

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum(axis=1)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Use instead

```python
import torch


def total(x: torch.Tensor) -> torch.Tensor:
    return x.sum(dim=1)


scripted = torch.jit.script(total)
inputs = (torch.rand(2, 3),)
```

## Fix safety

For operators, the fix writes `dim=` for `axis=`, and `keepdim=` for `keepdims=`. This is *safe*: in Python, both names
mean the same argument. It is *unsafe* if nothing in the file shows that the value is a tensor: an array of numpy
accepts only NumPy's names. An annotation shows that the value is a tensor. So does an earlier use that raises for an
array, such as `x.dim()` or `F.relu(x)`.

Three other fixes are *safe*. The fix removes an argument that has its default value, if Python accepts the argument:
`requires_grad=False`, `as_tuple=False`, `only_inputs=True` and `out=None`. Compiled code calls `.requires_grad_()` on
the result instead of `requires_grad=True`; functions of `torch.func` do not allow that call, so Python keeps its own.
And the fix passes `split_size_or_sections` by position.

`x.nonzero(as_tuple=True)` becomes `x.nonzero().unbind(1)` in compiled code only. This is *unsafe*: for a tensor without
dimensions, the new result is empty.

The compiler ignores decorators, and does not see a keyword that a decorator adds. If the decorator is in this file, the
fix splits the function in two: one with the author's body, and one with the code of the decorator. This is *unsafe*,
because the function loses its `__wrapped__`.

`x.cuda(non_blocking=True)` becomes `x.to("cuda", non_blocking=True)`. This is *safe*. Other keywords have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rewrite.cuda_call import moved
from tslint.rewrite.inline_decorator import written_out
from tslint.rewrite.type_reasons import callee
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.arrays import may_be_for_array
from tslint.script.events.calls import CallMismatch, OperatorMismatch
from tslint.util.suggest import nearest

RULE = Rule(code="TS304", name="unknown-keyword", events=(OperatorMismatch, CallMismatch))
_SAME = {"axis": "dim", "keepdims": "keepdim"}
# Options that torch has in Python only, with their defaults.
_DEFAULTS = {"requires_grad": False, "as_tuple": False, "only_inputs": True, "out": None}
_FACTORIES = frozenset(
    "zeros ones empty full rand randn randint randperm arange range linspace logspace eye tensor zeros_like ones_like"
    " empty_like full_like rand_like randn_like randint_like normal".split()
)
_ADVICE = {
    "requires_grad": "Remove `requires_grad`. If it is True, call `.requires_grad_()` on the result.",
    "as_tuple": "Remove `as_tuple`. If it is True, write `.nonzero().unbind(1)`.",
    "only_inputs": "Remove `only_inputs`.",
    "reverse": "Sort a copy of the list: `result = {}[:]`, then `result.sort(reverse=True)`.",
    "split_size_or_sections": "Pass this argument by position.",
    "out": "Remove `out`, and assign the result.",
    "key": "TorchScript has no `key=`: sort tuples that begin with the key, or use `torch.argsort`.",
}


def check(match: Match[OperatorMismatch | CallMismatch]) -> Iterator[Finding]:
    """Report the keyword, with a fix that renames it, removes it, or passes its value by position."""
    found = match.event.diagnosis
    if found.what != "keyword":
        return
    keyword = found.parameter
    known = list(dict.fromkeys(parameter.name for reason in found.reasons for parameter in reason.schema.arguments))
    instead = _SAME.get(keyword)
    if instead not in known:
        instead = None if keyword in _ADVICE else nearest(keyword, known)
    if keyword == "key" and m.matches(match.node, m.Call(func=m.Name("max") | m.Name("min"))):
        help = "TorchScript has no `key=`: loop over the values, and keep the best one."
    elif instead is not None:
        help = f"Write `{instead}=` instead of `{keyword}=`{_also(match, keyword, known)}."
    elif keyword in _ADVICE:
        first = match.node.args[0].value if isinstance(match.node, cst.Call) and match.node.args else None
        help = _ADVICE[keyword].format(match.code(first) if isinstance(first, (cst.Name, cst.Attribute)) else "values")
    else:
        shown = ", ".join(f"`{name}`" for name in known if name not in ("self", "out"))
        help = f"{callee(match)} accepts {shown}." if shown else "Pass its arguments by position."
    function = match.event.function if isinstance(match.event, CallMismatch) else None
    decorators = function.node.decorator_list if function is not None else []
    # Without a decorator, Python's call of the project's function has no such argument, either.
    where = " in TorchScript" if decorators or isinstance(match.event, OperatorMismatch) else ""
    if decorators:
        help = f"{help.removesuffix('.')}: TorchScript calls it without its decorator."
    yield match.finding(
        f"{callee(match)} has no argument `{keyword}`{where}",
        help=help,
        fix=_fix(match, keyword, instead) or written_out(match) or moved(match),
    )


def _also(match: Match, keyword: str, known: list[str]) -> str:
    """Return what follows the new name of a keyword in the help: the call may have another one of numpy's keywords."""
    if keyword not in _SAME:
        return ", if you mean that"
    names = [each.keyword.value for each in getattr(match.node, "args", ()) if each.keyword is not None]
    others = [each for each in names if each != keyword and _SAME.get(each) in known]
    return "".join(f", and `{_SAME[each]}=` instead of `{each}=`" for each in others)


def _fix(match: Match, option: str, instead: str | None) -> Fix | None:
    node = match.node
    named = m.Arg(keyword=m.Name(option))
    found = [each for each in node.args if m.matches(each, named)] if isinstance(node, cst.Call) else []
    if not isinstance(node, cst.Call) or not found:
        return None
    keyword = found[0]
    event = match.event if isinstance(match.event, OperatorMismatch) else None
    builtin = event is not None and event.builtin
    if instead is not None and instead == _SAME.get(option):
        # Only operators accept both names; functions that are written in Python do not.
        renamed = keyword.with_changes(keyword=cst.Name(instead))
        # An array of NumPy has this method, too, but accepts only NumPy's names of the arguments.
        assumes = f"a method of a NumPy array has no `{instead}`"
        make = partial(unsafe, assumes=assumes) if may_be_for_array(match.file.tree, match.model(node)) else safe
        return make(f"Write `{instead}=`", lambda: match.replace(keyword, renamed)) if builtin else None
    if option == "split_size_or_sections" and len(node.args) > 1 and node.args[1] is keyword:
        by_place = keyword.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT)
        return safe("Pass `split_size_or_sections` by position", lambda: match.replace(keyword, by_place))
    if option not in _DEFAULTS or event is None or not _knows(option, event):
        return None
    if m.matches(keyword.value, m.Name(str(_DEFAULTS[option]))):
        message = f"Remove `{option}={_DEFAULTS[option]}`"
        return safe(message, lambda: match.replace(node, _without(node, keyword)))
    if option == "requires_grad" and m.matches(keyword.value, m.Name("True")):
        after = expression("{call}.requires_grad_()", call=_without(node, keyword))
        # In Python, functions of `torch.func` do not allow that call.
        return in_compiled_code(match, node, lambda: after, "Call `.requires_grad_()` in compiled code")
    if option == "as_tuple" and m.matches(keyword.value, m.Name("True")) and _alone(node):
        # For a tensor without dimensions, the new code returns no tensors, and Python returns one.
        words = "Add `.unbind(1)` in compiled code"
        return in_compiled_code(match, node, lambda: _unbound(node, keyword), words, Risk.DIFFERS)
    return None


def _alone(node: cst.Call) -> bool:
    """Return whether a call has one keyword, and at most one other argument."""
    others = [each for each in node.args if each.keyword is None and each.star != "**"]
    return len(others) < 2 and len(node.args) == len(others) + 1


def _without(node: cst.Call, argument: cst.Arg) -> cst.Call:
    """Return a call without one of its arguments."""
    rest = [each for each in node.args if each is not argument]
    if rest and argument is node.args[-1]:
        rest[-1] = rest[-1].with_changes(comma=argument.comma, whitespace_after_arg=argument.whitespace_after_arg)
    return node.with_changes(args=rest)


def _unbound(node: cst.Call, argument: cst.Arg) -> cst.BaseExpression:
    return expression("{call}.unbind(1)", call=_without(node, argument))


def _knows(option: str, event: OperatorMismatch) -> bool:
    """Return whether Python accepts an option in this call; if not, the call raises in Python, too."""
    name = event.operator.rpartition(".")[2].rpartition("::")[2]
    if option == "requires_grad":
        return event.builtin and (name in _FACTORIES or name.startswith("new_"))
    if option == "out":
        return event.takes_out
    return name == {"as_tuple": "nonzero", "only_inputs": "grad"}[option]
