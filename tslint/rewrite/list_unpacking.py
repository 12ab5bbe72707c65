"""Replaces unpackings of lists with a star: the compiler does not know the length of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import both_ways, can_go_both_ways
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import Line, code, expression, statement
from tslint.script.dataflow.liveness import read_later
from tslint.script.dataflow.names import names_read
from tslint.script.dataflow.scopes import is_needed_elsewhere, peeps

_SIZE = m.Call(m.Attribute(attr=m.Name("size")), [])
_SIZES = m.Attribute(attr=m.Name("shape")) | _SIZE


def separately(match: Match, value: cst.Tuple) -> Fix | None:
    """Write ``b, n, d, h = *x.shape, heads`` as ``b, n, d = x.shape`` and ``h = heads``.

    Write ``(b, n, d), h = x.shape, heads`` instead if two lines may have another effect, for example because a later
    value reads an earlier target.
    """
    assign = match.parent(value)
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1:
        return None
    target = assign.targets[0].target
    stars = [index for index, each in enumerate(value.elements) if isinstance(each, cst.StarredElement)]
    if not isinstance(target, cst.Tuple) or len(stars) != 1 or m.findall(target, m.StarredElement()):
        return None
    start, stop = stars[0], len(target.elements) - (len(value.elements) - 1 - stars[0])
    if stop <= start:
        return None  # Python raises, or the starred target becomes an empty list

    if (lines := _lines(match, assign, target, value, (start, stop))) is not None:
        line = match.line()
        return safe("Unpack the list on a line of its own", lambda: match.rewrite(line, *lines)) if line else None

    def edits() -> tuple[Edit, ...]:
        inner = [cst.Element(each.value) for each in target.elements[start:stop]]
        targets = [*target.elements[:start], cst.Element(cst.Tuple(inner)), *target.elements[stop:]]
        values = [cst.Element(each.value) for each in value.elements]
        whole = cst.AssignTarget(cst.Tuple(targets, lpar=[], rpar=[]))
        return match.replace(assign, assign.with_changes(targets=[whole], value=value.with_changes(elements=values)))

    return safe("Unpack the list into separate targets", edits)


def _lines(
    match: Match, node: cst.Assign, target: cst.Tuple, value: cst.Tuple, part: tuple[int, int]
) -> list[Line] | None:
    """Return an assignment of the starred value, and assignments of the values before and after it; None if the
    author's single assignment may have another effect.

    Args:
        match: provides the file.
        node: the assignment.
        target: its target.
        value: its value, with one star.
        part: where the targets of the starred value begin and end.
    """
    names = [each.value.value for each in target.elements if isinstance(each.value, cst.Name)]
    line, function = match.line(), match.function
    if line is None or function is None or len(names) < len(target.elements) or len(set(names)) < len(names):
        return None
    inside = takewhile(lambda each: not isinstance(each, cst.FunctionDef), match.ancestors(node))
    if any(isinstance(each, (cst.Try, cst.With)) for each in inside):
        return None  # if an exception is caught, later code may see which targets are bound
    if m.findall(line, m.Comment()) or any("\n" in match.code(each.value) for each in value.elements):
        return None
    model = match.model(function)
    read = set(names_read(match.model(value)))
    # An inner function may read a target, but only a call could run it in between.
    seen = bool(m.findall(value, m.Call())) and any(is_needed_elsewhere(model, name) for name in names)
    if read & set(names) or seen or peeps(model):
        return None
    (start, stop), values = part, [each.value for each in value.elements]
    groups = [
        (names[:start], values[:start]),
        (names[start:stop], values[start : start + 1]),
        (names[stop:], values[start + 1 :]),
    ]
    return [
        statement("{targets} = {values}", targets=_joined(map(cst.Name, left)), values=_joined(right))
        for left, right in groups
        if left
    ]


def _joined(values: Iterable[cst.BaseExpression]) -> cst.BaseExpression:
    """Return a tuple without parentheses, or its only value."""
    first, *rest = values
    return cst.Tuple([cst.Element(each) for each in (first, *rest)], lpar=[], rpar=[]) if rest else first


def by_index(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> Fix | None:
    """Write ``first, *rest = values`` with slices or indices. Python keeps the old line, unless the new code also
    raises for the same values.
    """
    root = node.value.func if isinstance(node.value, cst.Call) and m.matches(node.value, _SIZE) else node.value
    while isinstance(root, cst.Attribute):
        root = root.value
    line, plain = match.line(), [each for each in targets if not isinstance(each, cst.StarredElement)]
    if line is None or any(not isinstance(each.value, cst.Name) for each in plain):
        return None
    if (part := _read_part(match, node, targets)) is not None:
        names = cst.AssignTarget(cst.Tuple([cst.Element(each.value) for each in plain], lpar=[], rpar=[]))
        new = node.with_changes(targets=[names], value=part)
        return safe(f"Unpack `{code(part)}`", lambda: match.replace(node, new))
    if (only := _only_read(match, node, targets)) is not None:
        return only
    if not isinstance(root, cst.Name) or not can_go_both_ways(match, line):
        return None  # the new code evaluates the value several times, so it must be the same each time
    if (parts := _sliced(match, node, targets)) is not None:
        return safe("Read the values by slices", lambda: match.rewrite(line, *parts))

    def edits() -> tuple[Edit, ...]:
        read = [pair for pair in zip(targets, _values(node.value, targets)) if not _is_unread(match, node, pair[0])]
        names = cst.Tuple([cst.Element(each.value) for each, _ in read], lpar=[], rpar=[])
        values = cst.Tuple([cst.Element(each) for _, each in read], lpar=[], rpar=[])
        assigned = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(names)], values)])
        # If the list is too short, Python raises, but indices from both ends would read some elements twice.
        long = statement("assert len({value}) >= {count}", value=node.value, count=_number(len(plain)))
        return both_ways(match, line, [long, assigned] if _has_star_inside(targets) else [assigned])

    return safe("Read the values by their indices in compiled code", edits)


def _sliced(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> list[Line] | None:
    """Return the lines ``a, b = x.shape[:2]`` and ``rest = list(x.shape[2:])``, which raise the same errors as the
    author's line; None for other forms.
    """
    *plain, last = targets
    names = [each.value.value for each in targets if isinstance(each.value, cst.Name)]
    rest = isinstance(last, cst.StarredElement) and isinstance(last.value, cst.Name)
    if not rest or len(plain) < 2 or not m.matches(node.value, _SIZES):
        return None
    if any(each.value in names for each in m.findall(node.value, m.Name()) if isinstance(each, cst.Name)):
        return None
    *_, between = _values(node.value, targets)
    first = cst.Subscript(node.value, [cst.SubscriptElement(cst.Slice(None, _number(len(plain))))])
    unpacked = cst.Tuple([cst.Element(each.value) for each in plain], lpar=[], rpar=[])
    return [
        cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(unpacked)], first)]),
        statement("{rest} = {between}", rest=last.value, between=between),
    ]


def _read_part(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> cst.BaseExpression | None:
    """Return ``x.shape[:2]`` for ``a, b, *_ = x.shape`` if nothing reads ``_``: Python raises the same exception for a
    shorter shape.
    """
    star = next(i for i, each in enumerate(targets) if isinstance(each, cst.StarredElement))
    count = len(targets) - 1
    if count < 2 or star not in (0, count) or not m.matches(node.value, _SIZES):
        return None
    if not _is_unread(match, node, targets[star]):
        return None
    index = cst.Slice(None, _number(count)) if star else cst.Slice(_number(-count), None)
    return cst.Subscript(node.value, [cst.SubscriptElement(index)])


def _only_read(match: Match, node: cst.Assign, targets: Sequence[cst.BaseElement]) -> Fix | None:
    """Write ``a, *_ = x.shape`` as ``a = x.shape[0]`` if nothing reads ``_``; for an empty shape, the new code raises
    IndexError.
    """
    if len(targets) != 2 or not m.matches(node.value, _SIZES):
        return None
    one, rest = sorted(targets, key=lambda each: isinstance(each, cst.StarredElement))
    if not _is_unread(match, node, rest) or not isinstance(one.value, cst.Name):
        return None
    index = _number(0 if targets[0] is one else -1)
    item = cst.Subscript(node.value, [cst.SubscriptElement(cst.Index(index))])
    new = node.with_changes(targets=[cst.AssignTarget(cst.Name(one.value.value))], value=item)
    return unsafe(f"Read `{code(item)}`", lambda: match.replace(node, new), risks=(Risk.EXCEPTION,))


def _is_unread(match: Match, node: cst.Assign, target: cst.BaseElement) -> bool:
    """Return whether a target is the starred one, and a name that nothing reads later, such as ``_``."""
    named = target.value if isinstance(target, cst.StarredElement) else None
    model = match.model(node)
    return isinstance(named, cst.Name) and not read_later(match.file.tree, model, model, named.value)


def _has_star_inside(targets: Sequence[cst.BaseElement]) -> bool:
    return not any(isinstance(each, cst.StarredElement) for each in (targets[0], targets[-1]))


def _values(value: cst.BaseExpression, targets: Sequence[cst.BaseElement]) -> Iterator[cst.BaseExpression]:
    star = next(i for i, target in enumerate(targets) if isinstance(target, cst.StarredElement))
    after = len(targets) - star - 1
    for index in range(len(targets)):
        if index == star:
            between = cst.Slice(_number(star) if star else None, _number(-after) if after else None)
            yield expression("list({part})", part=cst.Subscript(value, [cst.SubscriptElement(between)]))
        else:
            place = _number(index if index < star else index - len(targets))
            yield expression("{value}[{place}]", value=value, place=place)


def _number(value: int) -> cst.BaseExpression:
    return cst.parse_expression(str(value))
