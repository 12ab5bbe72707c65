"""Protects expressions that a fix moves unchanged: another fix may change such an expression at the same time only if
its new text needs no parentheses in the new place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import libcst as cst

from tslint.rulekit.template import bare, fitting, holder
from tslint.util.record import record

Part = tuple[int, int, str]
Where = Callable[[cst.CSTNode], tuple[int, int, ast.AST] | None]
"""Returns the position of a node in the old code, and its node in the static model; None for nodes that only libcst
has.
"""
# Samples of expressions, the loosest operator first. They show which expressions need parentheses at a place.
_PROBES = (
    "_p if _q else _r", "_p or _q", "_p and _q", "not _p", "_p < _q", "_p | _q", "_p ^ _q", "_p & _q", "_p << _q",
    "_p + _q", "_p * _q", "-_p", "_p ** _q",
)  # fmt: skip
_TEXTS = (cst.FormattedString, cst.ConcatenatedString)


@record
class Spot:
    """An expression that a fix keeps unchanged.

    Args:
        start: where it begins in the old code.
        end: where it ends there.
        probe: a sample to parse in its place: of the samples that need no parentheses in the old code, the one whose
            operator binds least tightly.
    """

    start: int
    end: int
    probe: str


def together_with_kept(
    old: str,
    parts: list[Part],
    nodes: Sequence[cst.CSTNode],
    parent: cst.CSTNode | None,
    where: Where,
    indentation: str,
) -> list[Part]:
    """Extend differences over expressions that another fix must not change at the same time.

    ``x //= f(y)`` becomes ``x = x // f(y)``: if another fix replaced ``f(y)`` by ``y + 1``, parentheses would be
    missing.

    Args:
        old: the code that is changed.
        parts: the replacements.
        nodes: the nodes of the old code.
        parent: the parent of these nodes.
        where: returns the positions of nodes.
        indentation: the indentation of the statements, if the nodes are statements.
    """
    node = nodes[0]
    spots = [spot for each in nodes for spot in _spots(parts, each, parent, where)]
    if not parts or not spots or _parses(node, _made(old, parts), indentation) is None:
        return parts

    def apart(some: Sequence[Spot]) -> bool:
        plain = _made(old, [*parts, *((each.start, each.end, each.probe) for each in some)])
        safe = _made(old, [*parts, *((each.start, each.end, f"({each.probe})") for each in some)])
        one, other = _parses(node, plain, indentation), _parses(node, safe, indentation)
        return one is not None and other is not None and ast.dump(one) == ast.dump(other)

    if apart(spots):
        return parts
    exposed = [each for each in spots if not apart([each])] or spots
    return _with(old, parts, exposed)


def _spots(parts: Sequence[Part], node: cst.CSTNode, parent: cst.CSTNode | None, where: Where) -> Iterator[Spot]:
    """Yield the largest unchanged expressions in changed statements."""
    pending: list[tuple[cst.CSTNode, cst.CSTNode | None]] = [(node, parent)]
    while pending:
        each, around = pending.pop()
        found = where(each)
        if found is not None:
            start, end, model = found
            untouched = not any((first < end and start < last) or start < first < end for first, last, _ in parts)
            if isinstance(getattr(model, "ctx", None), (ast.Store, ast.Del)) and not isinstance(
                each, cst.BaseStatement
            ):
                continue
            if untouched and isinstance(each, cst.BaseExpression) and not isinstance(each, cst.StarredElement):
                probe = _probe(each, around)
                if probe is not None:
                    yield Spot(start, end, probe)
                continue
            if untouched and isinstance(each, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                continue
        if not isinstance(each, _TEXTS):
            holds = isinstance(each, (cst.BaseExpression, cst.CompFor, cst.CompIf, cst.BaseSmallStatement))
            holds = holds or isinstance(each, cst.BaseCompoundStatement)
            pending += [(child, each if holds else around) for child in each.children]


def _probe(node: cst.BaseExpression, around: cst.CSTNode | None) -> str | None:
    """Return the expression to parse in a node's place (see :class:`Spot`); None if all of them need parentheses."""
    if bare(node) is not node:
        return _PROBES[0]
    for each in _PROBES:
        probe = _parsed(each)
        if fitting(probe, holder(node, around)) is probe:
            return each
    return None


@cache
def _parsed(probe: str) -> cst.BaseExpression:
    return cst.parse_expression(probe)


def _made(text: str, parts: Sequence[Part]) -> str:
    written: list[str] = []
    done = 0
    for start, end, content in sorted(parts, key=lambda part: part[:2]):
        written += [text[done:start], content]
        done = end
    return "".join([*written, text[done:]])


def _parses(node: cst.CSTNode, text: str, indentation: str) -> ast.AST | None:
    """Return the tree of a text that stands in place of a node; None if the text cannot be parsed by itself."""
    if isinstance(node, cst.BaseExpression):
        text = f"(\n{text}\n)"
    elif isinstance(node, (cst.Arg, cst.Param)):
        return None
    elif indentation:
        text = f"if 1:\n{indentation}{text}"
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _with(old: str, parts: list[Part], exposed: Sequence[Spot]) -> list[Part]:
    """Merge each expression that must not be changed with the difference next to it."""
    ranges: list[tuple[int, int]] = []
    for each in exposed:
        first, last, _ = min(parts, key=lambda part: max(part[0] - each.end, each.start - part[1]))
        ranges.append((min(first, each.start), max(last, each.end)))
    for first, last in sorted(ranges):
        inside = [part for part in parts if first <= part[1] and part[0] <= last]
        start, end = min([first, *(part[0] for part in inside)]), max([last, *(part[1] for part in inside)])
        moved = [(low - start, high - start, content) for low, high, content in inside]
        rest = [part for part in parts if part not in inside]
        parts = sorted([*rest, (start, end, _made(old[start:end], moved))], key=lambda part: part[:2])
    return parts
