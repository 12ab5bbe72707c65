"""# Set in compiled code

## What it does

Finds set literals and set comprehensions in code that `torch.jit.script` compiles.

## Why TorchScript rejects it

TorchScript has lists, tuples and dicts, and no sets.

```text
Set aren't supported
```

## Example

```python
import torch


def halve(x: torch.Tensor) -> torch.Tensor:
    if x.dim() in {1, 2}:
        return x / 2
    return x


scripted = torch.jit.script(halve)
inputs = (torch.rand(3),)
```

## Use instead

```python
import torch


def halve(x: torch.Tensor) -> torch.Tensor:
    if x.dim() in [1, 2]:
        return x / 2
    return x


scripted = torch.jit.script(halve)
inputs = (torch.rand(3),)
```

To remove duplicates, use the keys of a dict.

## Fix safety

If a number or a string is tested with `in` or `not in`, a set of literals becomes a list. This is *safe*: a list
compares with the same `==`. It is *unsafe* if only the annotation of a parameter shows that the value is a number or a
string: callers may pass a tensor, which no set contains, or a list, for which a set raises.

If another value is tested, only compiled code uses a list, and Python uses a `frozenset`. This is *unsafe*, because a
set raises for a value that has no hash, and a list does not. Other uses of sets have no fix.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding, Rule, safe, unsafe
from tslint.script.dataflow.local_bindings import rests_on_parameter
from tslint.script.dataflow.plain_types import plain_type
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.events.syntax import SetComprehension, SetLiteral

_NUMBERS_AND_TEXTS = ("int", "float", "bool", "str")
RULE = Rule(code="TS111", name="set", events=(SetLiteral, SetComprehension))
_MEMBERSHIP = m.Comparison(comparisons=[m.ComparisonTarget(m.In() | m.NotIn())])


def check(match: Match[SetLiteral | SetComprehension]) -> Iterator[Finding]:
    """Report the set, with a fix that writes a list in a membership test."""
    what = "a set comprehension" if isinstance(match.event, SetComprehension) else "a set"
    yield match.finding(
        f"{what} cannot be compiled: TorchScript has no sets",
        help="Use a list or a tuple; to remove duplicates, use the keys of a dict.",
        fix=_list(match, match.node) if isinstance(match.node, cst.Set) else None,
    )


def _list(match: Match, node: cst.Set) -> Fix | None:
    test = match.parent(node)
    if not isinstance(test, cst.Comparison) or not m.matches(test, _MEMBERSHIP):
        return None
    if test.left is node or not all(m.matches(each, m.Element(LITERAL)) for each in node.elements):
        return None
    opening = cst.LeftSquareBracket(whitespace_after=node.lbrace.whitespace_after)
    closing = cst.RightSquareBracket(whitespace_before=node.rbrace.whitespace_before)
    new = cst.List(node.elements, lbracket=opening, rbracket=closing)
    function = match.function
    if plain_type(match.event.variables, match.model(test.left)) in _NUMBERS_AND_TEXTS and function is not None:
        passed = rests_on_parameter(match.model(function), match.model(test.left))
        make = partial(unsafe, assumes="only annotations say which type the tested value has") if passed else safe
        return make("Test membership in a list", lambda: match.replace(node, new))
    # In Python, an operand that cannot be hashed raises, and a tensor is compared by identity.
    if "\n" in match.code(test) or not can_branch(match, test.left):
        return None
    if "frozenset" in module_bindings(match.file.tree) or match.binds("frozenset"):
        return None

    def against(values: cst.BaseExpression) -> cst.Comparison:
        return test.with_changes(comparisons=[test.comparisons[0].with_changes(comparator=values)])

    def frozen() -> cst.Comparison:
        elements = [cst.Element(each.value) for each in node.elements]
        return against(cst.Call(cst.Name("frozenset"), [cst.Arg(cst.Tuple(elements))]))

    words = "Test membership in a list in compiled code"
    return unsafe(words, lambda: branch(match, test, against(new), frozen()), risks=(Risk.DIFFERS,))
