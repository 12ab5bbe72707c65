"""Loops over modules, and reads the values that are zipped with them by the index of the loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.comprehension_to_loop import has_room, loop_edits
from tslint.rewrite.fresh_names import counter
from tslint.rewrite.loops import Loop, Parts, every, loop_over, names_in, paired, under, with_parts, zipped
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits, unsafe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.index_proofs import is_sequence, may_be_none
from tslint.script.dataflow.loops import keeps_length, leaves_turn, read_after, rebinds
from tslint.script.events.modules import UnrolledWithUnknownLength
from tslint.util.record import record

_POSITIONAL = m.Arg(keyword=None, star="")
_BACKWARDS = m.Slice(lower=None, upper=None, step=m.UnaryOperation(m.Minus(), m.Integer("1")))
_REVERSED = m.Subscript(value=m.Name(), slice=[m.SubscriptElement(slice=_BACKWARDS)])
_REST = m.Subscript(value=m.Name(), slice=[m.SubscriptElement(slice=m.Slice(upper=None, step=None))])


def by_index(match: Match[UnrolledWithUnknownLength], node: cst.Call) -> Fix | None:
    """Iterate over the modules only, and read the other zipped values by the index.

    Args:
        match: the match of the finding.
        node: the call of ``zip``.

    Returns:
        None if a value cannot be indexed, or if the loop may change it.
    """
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


@record
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
