"""Prints code and types for messages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tslint.script.types import ANYTHING, DEVICE, NONE, ClassType, TupleType, Type, plain

LONGEST_MESSAGE = 100
_LONGEST = 48
_CODE = re.compile(r"`([^`]+)`")
_BRACKET = re.compile(r"""[()\[\]{}]|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
# Line breaks that one line does not need: in brackets, and before the next method of a chain.
_BREAK = re.compile(r"(?<=[(\[{])\s*\n\s*|\s*\n\s*(?=[)\]}])|\s*\n\s*(?=\.)")
_TYPE = re.compile(r"\b[A-Z]\w*\[")
# Between the parts of a condition; not inside of quoted code.
_AND = re.compile(r" and (?=(?:[^`]*`[^`]*`)*[^`]*$)")
# How many columns of quoted code always remain: of expressions, which are shortened first, and of names.
_SHORTEST, _SHORTEST_NAME = 20, 12
_MANGLED = "__torch__."
_SOMETIMES = "In some cases, "
_SAID: dict[Type, str] = {NONE: "None", DEVICE: "torch.device", ANYTHING: "…"}


def short(text: str) -> str:
    """Return a text on one line, not too long, in backticks."""
    line = " ".join(_BREAK.sub("", text).split())
    return f"`{_shortened(line, _LONGEST)}`"


def fitted(message: str, start: str = "") -> str:
    """Return a message that fits into ``LONGEST_MESSAGE`` columns, if shortening quoted code and types is enough.

    Args:
        message: the message of a finding.
        start: a text that is put before it if there is room for it.
    """
    room = LONGEST_MESSAGE - len(start)
    message = _cut_code(message, room, _SHORTEST, names=False)
    message = _cut_types(message, room)
    if len(message) > room:
        room, start = LONGEST_MESSAGE, ""
    return start + _cut_code(message, room, _SHORTEST_NAME, names=True)


def shortened_to(room: int, message: str, end: str) -> str | None:
    """Return a message with an end that is not shortened; None if the two do not fit into the columns."""
    left = room - len(end)
    message = _cut_types(_cut_code(message, left, _SHORTEST, names=False), left)
    return message + end if len(message) <= left else None


def with_condition(message: str, help: str | None, condition: str | None) -> tuple[str, str | None]:
    """Return the message and help of a finding; a condition that is too long for the message is in the help."""
    if condition is None:
        return fitted(message), help
    whole_help = f"{help or ''} The problem occurs only when {condition}.".lstrip()
    for begun in _beginnings(condition):
        conditional = shortened_to(LONGEST_MESSAGE, message, f" (when {begun})")
        if conditional is not None:
            return conditional, help if begun == condition else whole_help
    return fitted(message, _SOMETIMES), whole_help


def _beginnings(condition: str) -> Iterator[str]:
    """Yield a condition, then without its last part, then without its last two parts, and so on."""
    yield condition
    parts = _AND.split(condition)
    for count in range(len(parts) - 1, 0, -1):
        yield f"{' and '.join(parts[:count])} and …"


def _cut_code(message: str, room: int, shortest: int, *, names: bool) -> str:
    """Shorten the longest quotes; dotted names only if ``names`` is true."""
    while len(message) > room:
        found = [
            each
            for each in _CODE.finditer(message)
            if len(each[1]) > shortest and (names or not each[1].replace(".", "").isidentifier())
        ]
        if not found:
            break
        code = max(found, key=lambda each: len(each[1]))
        kept = max(len(code[1]) - (len(message) - room), shortest)
        message = f"{message[: code.start(1)]}{_shortened(code[1], kept)}{message[code.end(1) :]}"
    return message


def _shortened(code: str, room: int) -> str:
    """Return code in at most a number of columns: first the contents of brackets become ``…``, then the end."""
    while len(code) > room:
        # Of the brackets that are enough by themselves, those with the least code; otherwise, those with the most.
        inside = [(start, end) for start, end in _bracketed(code) if end - start > 1]
        enough = [each for each in inside if len(code) - (each[1] - each[0]) + 1 <= room]
        if not inside:
            break
        start, end = min(enough, key=_width) if enough else max(inside, key=_width)
        code = f"{code[:start]}…{code[end:]}"
    if len(code) <= room:
        return code
    end = room - 1
    # The cut is not inside of brackets.
    end = min([start - 1 for start, stop in _bracketed(code) if start - 1 < end <= stop and start > 1] or [end])
    return f"{code[:end].rstrip(' …')}…"


def _width(span: tuple[int, int]) -> int:
    return span[1] - span[0]


def _bracketed(code: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of what is in brackets; brackets in strings do not count."""
    starts: list[int] = []
    for found in _BRACKET.finditer(code):
        if found[0] in "([{":
            starts.append(found.end())
        elif found[0] in ")]}" and starts:
            yield starts.pop(), found.start()


def _cut_types(message: str, room: int) -> str:
    """Remove the parameters of the longest types."""
    while len(message) > room:
        found = [(start, end) for start, end in _parameters(message) if message[start:end] != "…"]
        if not found:
            break
        start, end = max(found, key=lambda each: each[1] - each[0])
        message = f"{message[:start]}…{message[end:]}"
    return message


def _parameters(message: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of the parameters of each type in a message, without their brackets."""
    for found in _TYPE.finditer(message):
        depth, end = 1, found.end()
        while depth and end < len(message):
            depth += {"[": 1, "]": -1}.get(message[end], 0)
            end += 1
        if not depth:
            yield found.end(), end - 1


def said(type_: Type) -> str:
    """Return a type in the author's terms: ``None``, ``torch.device``, a class without its modules."""
    named = isinstance(type_, ClassType) or (isinstance(type_, TupleType) and type_.name is not None)
    if named:
        kind, mangled, path = str(type_).partition(_MANGLED)
        return kind + path.rpartition(".")[2] if mangled else str(type_)
    parts = type_.inside
    if parts or isinstance(type_, TupleType):
        return f"{str(type_).partition('[')[0]}[{', '.join(map(said, parts)) or '()'}]"
    return _SAID.get(type_) or plain(type_)


def a(type_: Type) -> str:
    """Return a type with its article: ``an int``, ``a Tensor``, ``None``."""
    text = said(type_)
    if type_ == NONE or text.endswith("]"):
        return text
    if text == "Any":
        return "a value of type Any"
    return f"{'an' if text[0] in 'aeiouAEIOU' else 'a'} {text}"
