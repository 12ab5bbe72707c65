"""Shortens quoted code and types in messages, so that what remains can still be recognised."""

from __future__ import annotations

import re
from collections.abc import Iterator

CODE = re.compile(r"`([^`]+)`")
_BRACKET = re.compile(r"""[()\[\]{}]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
_TYPE = re.compile(r"\b[A-Z]\w*\[")
_CLASS = re.compile(r"\b[A-Z]\w*…?")
# Where code can be cut: not inside of a name or a number.
_END_OF_WORD = re.compile(r"[\w)\]}](?=\W)")
Span = tuple[int, int]


def cut_code(message: str, room: int, shortest: int, *, names: bool) -> str:
    """Shorten the longest quotes of a message until it fits.

    Args:
        message: the message, with code in backticks.
        room: how many columns it may have.
        shortest: how many columns of each quote always remain.
        names: whether dotted names are shortened, too.
    """
    while len(message) > room:
        found = [
            each
            for each in CODE.finditer(message)
            if len(each[1]) > shortest and (names or not each[1].replace(".", "").isidentifier())
        ]
        if not found:
            break
        code = max((each[1] for each in found), key=len)
        # The same code is shortened in the same way everywhere in the message.
        times = message.count(f"`{code}`")
        kept = max(len(code) + (room - len(message)) // times, shortest)
        message = message.replace(f"`{code}`", f"`{shortened(code, kept)}`")
    return message


def shortened(code: str, room: int) -> str:
    """Return code in at most a number of columns: first the contents of brackets become ``…``, then the end."""
    while len(code) > room:
        # Empty the shortest brackets with which the code then fits; if there are none, the longest brackets.
        inside = [(start, end) for start, end in _bracketed(code) if end - start > 1]
        enough = [each for each in inside if len(code) - _width(each) + 1 <= room]
        if not inside:
            break
        code = _elided(code, min(enough, key=_width) if enough else max(inside, key=_width))
    if len(code) <= room:
        return code
    end = room - 1
    # The cut is not inside of brackets, and if enough remains, not inside of a name either.
    inside = [*_bracketed(code)]
    end = min([start - 1 for start, stop in inside if start - 1 < end <= stop and start > 1] or [end])
    words = [each.end() for each in _END_OF_WORD.finditer(code, 0, end + 1) if end // 2 <= each.end() <= end]
    words = [each for each in words if not any(start <= each <= stop for start, stop in inside)]
    return f"{code[: max(words, default=end)].rstrip(' …')}…"


def cut_types(message: str, room: int) -> str:
    """Remove parameters of types until a message fits: first those that two types have in common, then inner ones."""
    if len(message) > room:
        message = _without_common(message)
    while len(message) > room:
        found = [each for each in _parameters(message) if message[slice(*each)] != "…"]
        if not found:
            break
        enough = [each for each in found if len(message) - _width(each) + 1 <= room]
        innermost = [each for each in found if not any(other != each and _contains(each, other) for other in found)]
        message = _elided(message, min(enough, key=_width) if enough else max(innermost, key=_width))
    return message


def cut_classes(message: str, room: int, shortest: int) -> str:
    """Shorten the longest names of classes outside of quoted code until a message fits."""
    quoted = [each.span() for each in CODE.finditer(message)]
    classes = [each.span() for each in _CLASS.finditer(message) if _width(each.span()) > shortest]
    classes = [each for each in classes if not any(_contains(other, each) for other in quoted)]
    if len(message) <= room or not classes:
        return message
    start, end = max(classes, key=_width)
    kept = max(end - start - (len(message) - room), shortest)
    return cut_classes(_elided(message, (start + kept - 1, end)), room, shortest)


def differ(shown: str, message: str) -> bool:
    """Return whether a shortened message shows how the types in a message differ: ``List[…]`` twice does not."""
    whole, short = ([text[_start(text, start) : end + 1] for start, end in _outer(text)] for text in (message, shown))
    types = dict(zip(whole, short)).values()
    names = [each.partition("[")[0] for each in types]
    unclear = any("[…]" in each and names.count(name) > 1 for each, name in zip(types, names))
    return not unclear and len(set(types)) == len(types)


def _without_common(message: str) -> str:
    """Leave out what the last two types in a message have in common, if they differ: ``Tuple[…, int]``."""
    spans = [(_start(message, start), end + 1) for start, end in _outer(message)][-2:]
    if len(spans) < 2:
        return message
    (first, end), (second, last) = spans
    one, other = _distinguished(message[first:end], message[second:last])
    return f"{message[:first]}{one}{message[end:second]}{other}{message[last:]}"


def _distinguished(one: str, other: str) -> tuple[str, str]:
    """Return two types without the parameters before the first one that differs."""
    (name, parts), (other_name, others) = map(_split, (one, other))
    if name != other_name or parts == others:
        return one, other
    same = next((i for i, (a, b) in enumerate(zip(parts, others)) if a != b), min(len(parts), len(others)))
    if same < min(len(parts), len(others)):
        parts[same], others[same] = _distinguished(parts[same], others[same])
    common = ["…"] if same else []
    shown = (f"{name}[{', '.join([*common, *each[same:]])}]" for each in (parts, others))
    return next(shown), next(shown)


def _split(type_: str) -> tuple[str, list[str]]:
    """Return the name of a type, and its parameters one by one."""
    name, _, parameters = type_.removesuffix("]").partition("[")
    depth, found = 0, list[str]()
    for each in parameters:
        depth += {"[": 1, "]": -1}.get(each, 0)
        if not found or (each == "," and depth == 0):
            found.append("")
        found[-1] += "" if each == "," and depth == 0 else each
    return name, [each.strip() for each in found]


def _width(span: Span) -> int:
    return span[1] - span[0]


def _contains(span: Span, other: Span) -> bool:
    return span[0] <= other[0] and other[1] <= span[1]


def _elided(text: str, span: Span) -> str:
    return f"{text[: span[0]]}…{text[span[1] :]}"


def _bracketed(code: str) -> Iterator[Span]:
    """Yield the positions of what is in brackets; brackets in strings do not count."""
    starts: list[int] = []
    for found in _BRACKET.finditer(code):
        if found[0] in "([{":
            starts.append(found.end())
        elif found[0] in ")]}" and starts:
            yield starts.pop(), found.start()


def _start(message: str, parameters: int) -> int:
    """Return where the type begins whose parameters begin at a position."""
    return next(each.start() for each in _TYPE.finditer(message) if each.end() == parameters)


def _outer(message: str) -> list[Span]:
    """Return the positions of the parameters of the types that are not inside of other types."""
    found = list(_parameters(message))
    return [each for each in found if not any(other != each and _contains(other, each) for other in found)]


def _parameters(message: str) -> Iterator[Span]:
    """Yield the positions of the parameters of each type in a message, without their brackets; not in quoted code."""
    quoted = [each.span() for each in CODE.finditer(message)]
    for found in _TYPE.finditer(message):
        depth, end = 1, found.end()
        while depth and end < len(message):
            depth += {"[": 1, "]": -1}.get(message[end], 0)
            end += 1
        if not depth and not any(_contains(each, (found.start(), end)) for each in quoted):
            yield found.end(), end - 1
