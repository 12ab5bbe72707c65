"""# Loop over modules together with a sequence of unknown length

## What it does

Finds `zip(self.layers, features)`, where one argument is a container of modules or a tuple and another is a list, a
tensor or a range, in code that `torch.jit.script` compiles. The container itself can be compiled. If `self.layers`
is a plain Python list of modules, the finding is `inconvertible-attribute` (TS412).

## Why TorchScript rejects it

A loop over modules is unrolled: its body is compiled once for every module. To unroll `zip`, the compiler needs the
length of each argument, but the length of a list is only known when the code runs.

```text
Can not iterate over a module list or tuple with a value that does not have a statically determinable length
```

## Example

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for layer, feature in zip(self.layers, features):
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Use instead

```python
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

    def forward(self, features: List[torch.Tensor]):
        out = []
        for i, layer in enumerate(self.layers):
            feature = features[i]
            out.append(layer(feature))
        return out


inputs = ([torch.rand(3), torch.rand(3)],)
```

## Fix safety

The fix loops over the modules and reads the other values by index (`features[-i - 1]` for `features[::-1]`), under a
test (`if i < len(features)`), because `zip` stops at the end of the shorter argument. This is *unsafe*: only the type
shows that `features` is a list or a tensor, which has a length and can be indexed. There is no such fix if the loop
changes the length of `features`, or if `features` is None by default and never tested.

If `zip` combines tuples with a list, and no modules, the tuples become lists. This is *safe* for literal tuples such as
`(2, 3)`. For an attribute, the fix writes `list(self.padding)`, which is *unsafe*: only the type shows that
`self.padding` is a tuple.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.comprehension_to_loop import has_room, loop_edits
from tslint.rewrite.fresh_names import counter
from tslint.rewrite.loops import Loop, Parts, every, listed, loop_over, names_in, paired, under, with_parts, zipped
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits, Finding, Rule, safe, unsafe
from tslint.rulekit.template import expression, statement
from tslint.rulekit.wording import a
from tslint.script.dataflow.index_proofs import is_sequence, may_be_none
from tslint.script.dataflow.loops import keeps_length, leaves_turn, read_after, rebinds
from tslint.script.events.modules import UnrolledWithUnknownLength

RULE = Rule(code="TS416", name="unrolled-with-unknown-length", events=(UnrolledWithUnknownLength,))
_POSITIONAL = m.Arg(keyword=None, star="")
_COMPUTED = m.StarredElement() | m.Element(value=m.Tuple() | m.List() | m.Call())
_HELD = m.Name() | m.Attribute()
_BACKWARDS = m.Slice(lower=None, upper=None, step=m.UnaryOperation(m.Minus(), m.Integer("1")))
_REVERSED = m.Subscript(value=m.Name(), slice=[m.SubscriptElement(slice=_BACKWARDS)])
_REST = m.Subscript(value=m.Name(), slice=[m.SubscriptElement(slice=m.Slice(upper=None, step=None))])


def check(match: Match[UnrolledWithUnknownLength]) -> Iterator[Finding]:
    """Report the loop, with a fix that loops over the modules and reads other values by index."""
    node, type_ = match.node, match.event.type
    what = match.quote(node) if "\n" not in match.code(node) else "this loop"
    unrolled, help = "a tuple", "Make a list of the tuple, if its elements have one type."
    if match.event.of_modules:
        modules = _modules(match)
        loop = f"`for i, module in enumerate({match.code(modules)})`" if modules is not None else "with `enumerate`"
        unrolled, help = "modules", f"Loop over the modules only, {loop}; read the other values by the index."
    yield match.finding(
        f"{what} cannot combine {unrolled} with {a(type_)}, whose length is unknown",
        help=help,
        fix=(_lists(match, node) or _walk(match, node)) if isinstance(node, cst.Call) else None,
    )


def _modules(match: Match[UnrolledWithUnknownLength]) -> cst.BaseExpression | None:
    """Return the container of modules in ``zip(self.layers, features)``, if there is only one."""
    event = match.event
    zips = [each for each in m.findall(match.node, m.Call(m.Name("zip"))) if isinstance(each, cst.Call)]
    if len(zips) != 1 or len(zips[0].args) != len(event.unrolled):
        return None
    parts = zip(zips[0].args, event.unrolled, event.alike)
    found = [part.value for part, repeated, same in parts if repeated and not same and m.matches(part.value, _HELD)]
    return found[0] if len(found) == 1 else None


def _lists(match: Match[UnrolledWithUnknownLength], node: cst.Call) -> Fix | None:
    """Write lists of numbers instead of tuples: such a loop is not unrolled."""
    unrolled, alike = match.event.unrolled, match.event.alike
    parts = [part.value for part, repeated in zip(node.args, unrolled) if repeated]
    written = [part for part in parts if isinstance(part, cst.Tuple) and part.elements]
    held = [part.value for part, same in zip(node.args, alike) if same and m.matches(part.value, _HELD)]
    if not parts or not all(part in written or part in held for part in parts) or match.binds("list"):
        return None
    if any(m.matches(each, _COMPUTED) for part in written for each in part.elements):
        return None

    def edits() -> Iterable[Edit]:
        for part in written:
            yield from match.replace(part, listed(part))
        for held_part in held:
            yield from match.replace(held_part, expression("list({part})", part=held_part))

    if held:  # that they are tuples is only known from their types, which Python does not check
        return unsafe("Make the tuples lists", edits, risks=(Risk.ASSUMES,))
    return safe("Write the tuples as lists", edits)


def _walk(match: Match[UnrolledWithUnknownLength], node: cst.Call) -> Fix | None:
    """Iterate over the modules only, and read the other zipped values by the index."""
    loop, unrolled = loop_over(match, node), match.event.unrolled
    if loop is None or not isinstance(loop.target, cst.Tuple) or "\n" in match.code(node):
        return None
    if not m.matches(node.func, m.Name("zip")) or not all(m.matches(each, _POSITIONAL) for each in node.args):
        return None
    targets = [each.value for each in loop.target.elements]
    if not len(targets) == len(node.args) == len(unrolled):
        return None
    pairs = list(zip(targets, (each.value for each in node.args), unrolled))
    modules = [(target, value) for target, value, repeated in pairs if repeated]
    others = [(target, start) for target, value, repeated in pairs if not repeated and (start := _start(value))]
    if not modules or not others or len(modules) + len(others) < len(pairs):
        return None
    if not _can_index(match, loop, [items for _, (items, _) in others]):
        return None
    index = counter(match, "i")
    header: Parts = {
        loop.target: paired(index, [target for target, _ in modules]),
        node: expression("enumerate({over})", over=zipped([value for _, value in modules])),
    }
    rest = [_Rest(target, items, offset, index) for target, (items, offset) in others]
    if isinstance(loop.node, cst.For):
        edits = _of_statement(match, loop.node, header, rest)
    else:
        edits = _of_comprehension(match, loop, header, rest)
    return unsafe("Loop over the modules, and read the rest by index", *edits, risks=(Risk.ASSUMES,)) if edits else None


@dataclass(frozen=True)
class _Rest:
    """A value that is read by the index in every iteration.

    Args:
        target: the loop variable.
        items: the indexed value.
        offset: what is added to the index, if anything; ``-`` if the items are read from the last one on.
        index: the name of the index.
    """

    target: cst.BaseExpression
    items: cst.Name
    offset: str
    index: str

    @property
    def place(self) -> cst.BaseExpression:
        """Return how many items come before this one, and the index if they are read from the first one on."""
        return expression("{i} + {n}", i=self.index, n=self.offset) if self.offset.isdigit() else cst.Name(self.index)

    @property
    def item(self) -> cst.BaseExpression:
        """Return the item of an iteration."""
        place = expression("-{i} - 1", i=self.index) if self.offset == "-" else self.place
        return expression("{items}[{i}]", items=self.items, i=place)

    @property
    def test(self) -> cst.BaseExpression:
        """Return the test for whether the iteration has an item."""
        return expression("{i} < len({items})", i=self.place, items=self.items)


def _of_statement(match: Match, loop: cst.For, header: Parts, rest: Sequence[_Rest]) -> list[Edits]:
    """Put the body of the loop under a test, and assign the items to the loop variables at its start."""
    line, body = match.line(loop), loop.body
    if line is None or not isinstance(body, cst.IndentedBlock):
        return []

    def edits() -> Iterable[Edit]:
        first = [statement("{target} = {item}", target=each.target, item=each.item) for each in rest]
        test = statement("if {test}:\n    pass", test=every([each.test for each in rest]))
        return match.rewrite(line, with_parts(loop, header).with_changes(body=under(body, test, first=first)))

    return [edits]


def _of_comprehension(match: Match, loop: Loop, header: Parts, rest: Sequence[_Rest]) -> list[Edits]:
    """Add the test to the comprehension, and write ``features[i]`` for ``feature`` in it."""
    whole = loop.node
    named = {each.target.value: each for each in rest if isinstance(each.target, cst.Name)}
    if isinstance(whole, cst.For) or len(named) < len(rest):
        return []
    if any(rebinds(match.model(whole), name) for name in named):
        return []

    def written() -> Any:
        uses: Parts = {each: named[each.value].item for each in loop.variables if each.value in named}
        new = with_parts(whole, {**header, **uses})
        test = cst.CompIf(every([each.test for each in rest]))
        return new.with_changes(for_in=new.for_in.with_changes(ifs=[test]))

    return loop_edits(match, whole, written) or [lambda: match.replace(whole, written())]


def _can_index(match: Match, loop: Loop, others: list[cst.Name]) -> bool:
    """Return whether an index gives the same items of the other zipped values in every iteration, and nothing reads
    their variables after the loop.
    """
    tree, model = match.file.tree, match.model(loop.node)
    for each in others:
        items = match.model(each)
        if not is_sequence(items, match.event.variables) or not keeps_length(model, items):
            return False
        if may_be_none(tree, items):
            return False  # `zip` raises before the first iteration, even if there is none
    if not isinstance(loop.node, cst.For):
        return has_room(match, loop.node) and not loop.node.for_in.ifs
    if leaves_turn(model) or loop.node.orelse is not None:
        return False
    return not any(read_after(tree, model, name) for name in names_in(loop.target))


def _start(value: cst.BaseExpression) -> tuple[cst.Name, str] | None:
    """Return the indexed value, and the offset of the index for a slice; ``-`` for ``skips[::-1]``.

    The value must be cheap to evaluate in every iteration.
    """
    if isinstance(value, cst.Name):
        return value, ""
    if isinstance(value, cst.Subscript) and isinstance(value.value, cst.Name) and m.matches(value, _REVERSED):
        return value.value, "-"
    if isinstance(value, cst.Subscript) and isinstance(value.value, cst.Name) and m.matches(value, _REST):
        cut = value.slice[0].slice
        low = cut.lower if isinstance(cut, cst.Slice) else None
        if low is None or isinstance(low, cst.Integer):
            return value.value, low.value if low is not None else ""
    return None
