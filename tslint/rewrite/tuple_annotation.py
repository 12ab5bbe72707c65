"""Fixes tuple annotations with one element whose author means any number of elements."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.type_reasons import parameter
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe

_NAMED = m.Name("Tuple") | m.Name("tuple")
_SINGLE = m.Subscript(
    value=_NAMED | m.Attribute(attr=_NAMED),
    slice=[m.SubscriptElement(m.Index(~m.Tuple()), comma=~m.Comma())],
)


def longer(match: Match, name: str, least: int = 2) -> Fix | None:
    """Annotate a parameter as a tuple with as many elements as the function reads.

    Args:
        match: a match in the function.
        name: the parameter.
        least: the least number of elements to write, for example the length of a tuple that the function assigns to the
            parameter.

    Returns:
        The fix; None if the parameter is not annotated as a tuple of one element, or if an index is not a literal.
    """
    argument = parameter(match, name, annotated=True)
    tuples = _singles(argument)
    places = _places(match, name)
    if len(tuples) != 1 or None in places:
        return None
    count = max([least, *(each + 1 for each in places if each is not None)])
    return unsafe(
        f"Annotate `{name}` as a tuple of {count} elements",
        lambda: match.replace(tuples[0], repeated(tuples[0], count)),
        risks=(Risk.REFUSES,),
        assumes=f"not every call is known to pass {count} elements",
    )


def flat(match: Match, argument: cst.CSTNode) -> Fix | None:
    """Write ``p: Tuple[Tuple[Tensor]]`` as ``p: Tuple[Tensor, Tensor]``, for a parameter whose items are elements of a
    list: ``[x, p[0]]``. Return None if there is no such parameter.
    """
    if match.function is None or not isinstance(argument, (cst.List, cst.Tuple)):
        return None
    named = {
        each.value.value.value for each in argument.elements
        if isinstance(each.value, cst.Subscript) and isinstance(each.value.value, cst.Name)
    }  # fmt: skip
    return next(filter(None, (flattened(match, each) for each in sorted(named))), None)


def flattened(match: Match, name: str) -> Fix | None:
    """Write ``p: Tuple[Tuple[Tensor]]`` as ``p: Tuple[Tensor, Tensor]``: as many elements as the function reads."""
    argument = parameter(match, name, annotated=True)
    tuples = _singles(argument)
    places = [each for each in _places(match, name) if each is not None]
    if len(tuples) != 2 or element(tuples[0]) is not tuples[1] or not places:
        return None
    return unsafe(
        f"Annotate `{name}` as a tuple of tensors",
        lambda: match.replace(tuples[0], repeated(tuples[1], max(places) + 1)),
        risks=(Risk.REFUSES,),
        assumes=f"not every call is known to pass {max(places) + 1} tensors",
    )


def _singles(argument: cst.Param | None) -> list[cst.Subscript]:
    """Return the parts of a parameter's annotation that are tuples of one element, the outermost first."""
    if argument is None or argument.annotation is None:
        return []
    found = [each for each in _walked(argument.annotation) if m.matches(each, _SINGLE)]
    return [each for each in found if isinstance(each, cst.Subscript)]


def _walked(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for each in node.children:
        yield from _walked(each)


def _places(match: Match, name: str) -> list[int | None]:
    """Return the indices at which the function reads a variable; None for an index that is not a number literal."""
    found = m.findall(match.function, m.Subscript(value=m.Name(name))) if match.function is not None else []
    return [_number(each) for each in found]


def _number(node: cst.CSTNode) -> int | None:
    index = element(node)
    return index.evaluated_value if isinstance(index, cst.Integer) else None


def element(node: cst.CSTNode) -> cst.BaseExpression | None:
    """Return the only element between the brackets of a subscript; None if there are several, or slices."""
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return None
    index = node.slice[0].slice
    return index.value if isinstance(index, cst.Index) else None


def repeated(tuple_: cst.Subscript, count: int) -> cst.Subscript:
    """Return a one-element tuple type with its element repeated."""
    return tuple_.with_changes(slice=[tuple_.slice[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)] * count)
