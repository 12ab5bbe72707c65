"""Recognises statements that would need several searches for modules.

A search is a loop that finds a module by its index: ``for i, layer in enumerate(self.layers): if i == index: …``.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.rewrite.loops import index_of, names_in, same
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of
from tslint.rulekit.match import Match
from tslint.rulekit.template import Line
from tslint.script.events.modules import ContainerIndex

_LITERAL = m.Integer() | m.UnaryOperation(operator=m.Minus(), expression=m.Integer()) | m.SimpleString()
_IS_WANTED = m.Comparison(left=m.Name(), comparisons=[m.ComparisonTarget(operator=m.Equal())])
_COUNTED = m.Call(func=m.Name("enumerate")) | m.Call(func=m.Attribute(attr=m.Name("items")))
_WALK = m.For(iter=_COUNTED, body=m.IndentedBlock([m.If(test=_IS_WANTED, orelse=None)]))


def needs_another(match: Match, node: cst.Subscript, lines: Sequence[Line], replaced: Sequence[cst.Subscript]) -> bool:
    """Return whether a subscript is already inside a search, or whether another search would be needed inside the new
    one.

    Args:
        match: provides the containers of modules.
        node: the subscript that a search is to replace.
        lines: the lines that will be inside the new search.
        replaced: the subscripts in these lines that the new search replaces.
    """
    if any(m.matches(each, _WALK) for each in match.ancestors(node)):
        return True
    known = match.event.containers if isinstance(match.event, ContainerIndex) else ()
    others = [use for line in lines for use in all_of(line, cst.Subscript) if not any(use is each for each in replaced)]
    return any(match.code(use.value) in known and _is_searched(match, use, lines) for use in others)


def left_alone(match: Match, index: cst.BaseExpression, paths: Sequence[cst.BaseExpression]) -> set[str]:
    """Return the containers that the function also reads at an index, but over which the new loop does not iterate."""
    known = match.event.containers if isinstance(match.event, ContainerIndex) else ()
    uses = all_of(match.function, cst.Subscript) if match.function is not None else []
    alike = {
        match.code(use.value)
        for use in uses
        if match.code(use.value) in known and (at := index_of(use)) is not None and same(match, at, index)
    }
    return alike - {match.code(each) for each in paths}


def _is_searched(match: Match, use: cst.Subscript, lines: Sequence[Line]) -> bool:
    """Return whether a subscript needs a search: its index is neither a literal nor set by a loop in the lines."""
    index = index_of(use)
    if index is None or m.matches(index, _LITERAL):
        return False
    targets = [each.target for line in lines for each in all_of(line, cst.For)]
    targets += [each.target for line in lines for each in all_of(line, cst.CompFor)]
    return not any(set(names_in(each)) & set(names_in(index)) for each in targets)
