"""Writes a pattern of einops as methods of a Tensor: those that einops calls, in its order, so that views stay views.

einops raises if the Tensor has more or fewer dimensions than the pattern, and so must the methods. ``permute`` and
``expand`` raise if they name all dimensions of the pattern; ``unflatten``, ``flatten`` and reductions do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

Group = list[str]

_TOKEN = re.compile(r"\s*([()]|[\w.]+)")
_AXIS = re.compile(r"\.\.\.|[1-9][0-9]*|[a-zA-Z](\w*[a-zA-Z0-9])?")
_REDUCTIONS = {"mean": "mean", "sum": "sum", "max": "amax", "min": "amin"}
REST = "..."


def methods(function: str, pattern: str, sizes: Collection[str], reduction: str = "") -> str | None:
    """Return the code of the methods, with ``{axis}`` for the given sizes: ``.unflatten(2, ({h}, -1))``.

    Args:
        function: ``rearrange``, ``repeat`` or ``reduce``.
        pattern: the pattern of axes.
        sizes: the axes for which the call passes sizes.
        reduction: what ``reduce`` computes.

    Returns:
        None if einops rejects the pattern, or if no methods raise wherever it raises.
    """
    left, right = (_groups(each) for each in pattern.split("->")) if pattern.count("->") == 1 else (None, None)
    if left is None or right is None:
        return None
    before, after = _axes(left), _axes(right)
    new, gone = set(after).difference(before), set(before).difference(after)
    if len(set(before)) < len(before) or len(set(after)) < len(after) or REST in new or not before:
        return None
    if (new and function != "repeat") or bool(gone) != (function == "reduce"):
        return None
    composed = {axis for group in left if len(group) > 1 for axis in group}
    numbers = {axis for axis in (*before, *after) if axis.isdecimal()}
    if not new - numbers <= set(sizes) <= new | composed or not numbers <= new:
        return None
    if any(len(set(group).difference(sizes)) > 1 for group in left):
        return None
    if function == "reduce" and reduction not in _REDUCTIONS:
        return None
    if REST in before:
        return _around_rest(left, right, sizes) if not new and not gone else None
    return _whole(left, right, sizes, _REDUCTIONS[reduction] if function == "reduce" else "")


def _groups(side: str) -> list[Group] | None:
    """Return the axes of each dimension on one side of a pattern: ``[["b"], ["h", "w"], []]`` for ``b (h w) 1``. Return
    None if the side is not a valid pattern.
    """
    groups: list[Group] = []
    is_open = False
    place = 0
    side = side.rstrip()
    while place < len(side):
        token = _TOKEN.match(side, place)
        if token is None:
            return None
        place, word = token.end(), token[1]
        if word in "()":
            if is_open == (word == "("):
                return None
            is_open = not is_open
            groups += [[]] if is_open else []
        elif not _AXIS.fullmatch(word) or (is_open and word == REST):
            return None
        else:
            groups += [] if is_open else [[]]
            groups[-1] += [word] if word != "1" else []
    return None if is_open else groups


def _axes(groups: Sequence[Group]) -> list[str]:
    return [axis for group in groups for axis in group]


def _size(axis: str, sizes: Collection[str]) -> str:
    return f"{{{axis}}}" if axis in sizes else axis if axis.isdecimal() else "-1"


def _tuple(items: Iterable[object]) -> str:
    return ", ".join(map(str, items))


def _whole(left: list[Group], right: list[Group], sizes: Collection[str], reduction: str) -> str | None:
    """Return the methods for a pattern that names all dimensions."""
    # `unflatten` begins with the last dimension, so that earlier dimensions keep their places; `flatten`, at the end,
    # begins with the first.
    written = [_unflatten(place, group, sizes) for place, group in reversed(_composed(left))]
    before, after = _axes(left), _axes(right)
    known = [] in left
    stay = known and _stay(_flat(left), _flat(right))
    if known:
        written += _checked(_flat(left), squeezed=not stay)
    kept = [axis for axis in after if axis in before]
    order = [before.index(axis) for axis in kept + [axis for axis in before if axis not in after]]
    flat = _flat(right)
    added = [axis for axis in flat if axis not in before]
    leading = not known and bool(flat) and not flat[0]  # `1` in front
    expands = any(added)
    if order != sorted(order) or (not known and (not expands or leading)):
        if order == sorted(order) and not _changes(left, right, reduction, added):
            return None
        written.append(f".permute({_tuple(order)})")
        known = True
    if reduction:
        places = range(len(kept), len(order))
        written.append(f".{reduction}({places[0] if len(places) == 1 else f'({_tuple(places)})'})")
    if added and not stay:
        written.append(_with_dimensions(flat, before, known))
    if expands:
        written.append(f".expand({_tuple([-1 if axis in ('', *before) else _size(axis, sizes) for axis in flat])})")
    return "".join(written + [_flatten(place, len(group), len(right)) for place, group in _composed(right)])


def _stay(left: list[str], right: list[str]) -> bool:
    """Return whether no dimension is added, removed or moved: each axis keeps its place, and each dimension of size 1
    stays or is expanded.
    """
    return len(left) == len(right) and all(old in ("", new) for old, new in zip(left, right))


def _checked(flat: list[str], *, squeezed: bool) -> list[str]:
    """Return the methods that check that dimensions without a name have size 1 and, if ``squeezed``, remove these."""
    # If the first dimension is missing, `expand` would add it, but `permute` raises.
    checks = [] if flat[0] else [f".permute({_tuple(range(len(flat)))})"]
    checks.append(f".expand({_tuple([-1 if axis else 1 for axis in flat])})")
    ones = [place for place, axis in enumerate(flat) if not axis]
    return checks + [f".squeeze({place})" for place in reversed(ones) if squeezed]


def _changes(left: list[Group], right: list[Group], reduction: str, added: list[str]) -> bool:
    """Return whether a pattern changes anything."""
    return left != right or bool(reduction or added)


def _composed(groups: Sequence[Group]) -> list[tuple[int, Group]]:
    """Return the groups with more than one axis, each with its place."""
    return [(place, group) for place, group in enumerate(groups) if len(group) > 1]


def _flat(groups: Sequence[Group]) -> list[str]:
    """Return the axes one by one; an empty name is a dimension of size 1."""
    return [axis for group in groups for axis in group or [""]]


def _unflatten(place: int, group: Group, sizes: Collection[str]) -> str:
    return f".unflatten({place}, ({_tuple([_size(axis, sizes) for axis in group])}))"


def _flatten(place: int, length: int, dimensions: int) -> str:
    if place + 1 == dimensions:
        return f".flatten({place or ''})"
    return f".flatten({place}, {place + length - 1})"


def _with_dimensions(flat: list[str], before: list[str], known: bool) -> str:
    """Return the code that inserts dimensions of size 1: ``.unsqueeze(1)``, or ``[None, :]``.

    The second form is for several dimensions, and for the first dimension unless the number of dimensions is ``known``:
    it raises if another dimension is missing.
    """
    places = [place for place, axis in enumerate(flat) if axis not in before]
    if len(places) == 1 and (known or places[0]):
        return f".unsqueeze({places[0]})"
    return f"[{_tuple([':' if axis in before else None for axis in flat])}]"


def _around_rest(left: list[Group], right: list[Group], sizes: Collection[str]) -> str | None:
    """Return the method for a pattern that only changes axes on one side of ``...``.

    Return None if no method does this and raises, as einops does, for a Tensor that has too few dimensions.
    """
    place, rest = left.index([REST]), [REST]
    if rest not in right:
        return None
    target = right.index(rest)
    if left[:place] == right[:target] == []:
        old, new, ends = left[1:], right[1:], True
    elif left[place + 1 :] == right[target + 1 :] == []:
        old, new, ends = left[:-1], right[:-1], False
    else:
        return None
    if [] in old:
        return None
    if len(old) == 1 and len(old[0]) > 1 and new == [[axis] for axis in old[0]]:
        return _unflatten(-1 if ends else 0, old[0], sizes)
    if len(new) == 1 and len(new[0]) > 1 and old == [[axis] for axis in new[0]]:
        return f".flatten({-len(old) if ends else f'0, {len(old) - 1}'})"
    if ends and len(old) == 2 and new == old[::-1] and max(map(len, old)) == 1:
        return ".transpose(-1, -2)"
    outer = 0 if ends else len(new) - 1
    if len(new) == len(old) + 1 and new[outer] == [] and [*new[:outer], *new[outer + 1 :]] == old:
        return f".unsqueeze({-len(new) if ends else len(old)})" if max(map(len, old), default=1) == 1 else None
    return None
