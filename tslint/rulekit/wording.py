"""Prints code and types for messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tslint.rulekit.shortening import CODE, cut_classes, cut_code, cut_types, differ, shortened
from tslint.script.types import ANYTHING, DEVICE, NONE, ClassType, TupleType, Type, TypeVariable, plain

LONGEST_MESSAGE = 100
_LONGEST = 48
# Line breaks that one line does not need: in brackets, and before the next method of a chain.
_BREAK = re.compile(r"(?<=[(\[{])\s*\n\s*|\s*\n\s*(?=[)\]}])|\s*\n\s*(?=\.)")
# Between the parts of a condition; not inside of quoted code.
_AND = re.compile(r" and (?=(?:[^`]*`[^`]*`)*[^`]*$)")
# Quoted code that is too long for a condition in the help, up to the last operand that has room.
_LONG = re.compile(r"`(?=[^`]{121})([^`]{1,100} (?:and|or)) [^`]+`")
_SOMETIMES = "in some cases, "
# How many columns of quoted code always remain: of expressions, which are shortened first, and of names.
_SHORTEST, _SHORTEST_NAME = 20, 12
_MANGLED = "__torch__."
_SAID: dict[Type, str] = {NONE: "None", DEVICE: "torch.device", ANYTHING: "…"}


def short(text: str) -> str:
    """Return a text on one line, not too long, in backticks."""
    line = " ".join(_BREAK.sub("", text).split())
    return f"`{shortened(line, _LONGEST)}`"


def fitted(message: str, start: str = "") -> str:
    """Return a message that fits into ``LONGEST_MESSAGE`` columns, if shortening quoted code, types and the names of
    classes is enough; otherwise, the shortest form of it.

    Args:
        message: the message of a finding.
        start: a text that is put before it if there is room for both.
    """
    starts = tuple(dict.fromkeys((start, "")))
    for first in starts:
        for found in _cut(message, LONGEST_MESSAGE - len(first)):
            if len(first) + len(found) <= LONGEST_MESSAGE and differ(found, message):
                return first + found
    for first in starts:
        found = next(_cut(message, LONGEST_MESSAGE - len(first)))
        if len(first) + len(found) <= LONGEST_MESSAGE:
            return first + found
    return cut_classes(found, LONGEST_MESSAGE, _SHORTEST_NAME)


def shortened_to(room: int, message: str, end: str) -> str | None:
    """Return a message with an end that is not shortened; None if the two do not fit into the columns, or if the
    message would not show how two types differ.
    """
    left = room - len(end)
    found = cut_types(cut_code(message, left, _SHORTEST, names=False), left)
    return found + end if len(found) <= left and differ(found, message) else None


def _cut(message: str, room: int) -> Iterator[str]:
    """Yield a message with shortened code and types, then names; then one with shortened code and names, then types."""
    found = cut_code(message, room, _SHORTEST, names=False)
    yield cut_code(cut_types(found, room), room, _SHORTEST_NAME, names=True)
    yield cut_types(cut_code(found, room, _SHORTEST_NAME, names=True), room)


def with_condition(
    message: str, help: str | None, condition: str | None, certain: bool = False
) -> tuple[str, str | None]:
    """Return the message and help of a finding, with the condition under which the problem occurs.

    Args:
        message: the rule's message.
        help: the rule's help.
        condition: the condition, as a clause after "when"; the help has all of it if there is no room in the message.
        certain: whether each construction in which it is false has another error.
    """
    if condition is None:
        return fitted(message), help
    others = " In all other cases, the module does not compile either, for another reason." if certain else ""
    # Another construction may have the same problem, so the help does not say "only when".
    readable = _LONG.sub(r"`\1 …`", condition)
    whole_help = f"This happens when {readable}.{others} {help or ''}".rstrip()
    for clause in _clauses(condition):
        conditional = shortened_to(LONGEST_MESSAGE, message, _end(message, clause))
        if conditional is not None:
            whole = clause == f"when {condition}"
            return conditional, f"{help or ''}{others}".lstrip() or None if whole else whole_help
    return fitted(message, _SOMETIMES), whole_help


def _end(message: str, clause: str) -> str:
    """Return a clause as the end of a message: in parentheses, unless the message itself ends with parentheses."""
    if not message.endswith(")"):
        return f" ({clause})"
    return f", depending{clause.removeprefix('depends')}" if clause.startswith("depends") else f", {clause}"


def _clauses(condition: str) -> Iterator[str]:
    """Yield clauses for a message: the whole condition, shorter forms of it, and the name that it depends on."""
    yield f"when {condition}"
    parts = _AND.split(condition)
    for count in range(len(parts) - 1, 0, -1):
        yield f"when {' and '.join(parts[:count])} and …"
    first = cut_code(parts[0], 0, _SHORTEST, names=False)
    if first != parts[0]:
        yield f"when {first}{' and …' if len(parts) > 1 else ''}"
    subject = next((each for each in CODE.findall(condition) if each != "self"), "")
    last = subject.rpartition(".")[2]
    if last.isidentifier():
        yield from (f"depends on `{name}`" for name in (subject, last, shortened(last, _SHORTEST_NAME)))


def said(type_: Type) -> str:
    """Return a type in the author's terms: ``None``, ``torch.device``, ``list`` for any list, a class by its name."""
    named = isinstance(type_, ClassType) or (isinstance(type_, TupleType) and type_.name is not None)
    if named:
        text = type_.name if isinstance(type_, ClassType) and type_.kind == "enum" else str(type_)
        kind, mangled, path = text.partition(_MANGLED)
        return kind + path.rpartition(".")[2] if mangled else text
    parts = type_.inside
    if any(isinstance(part, TypeVariable) for part in parts):
        return str(type_).partition("[")[0].lower()
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


def both(one: Type, other: Type) -> tuple[str, str]:
    """Return two types with their articles: of two tuples of different lengths, only the lengths."""
    tuples = [each for each in (one, other) if isinstance(each, TupleType) and each.name is None]
    counts = [len(each.elements) for each in tuples]
    if len(set(counts)) != 2:
        return a(one), a(other)
    first, second = (
        f"a tuple of {count} value{'' if count == 1 else 's'}" if count else "an empty tuple" for count in counts
    )
    return first, second


def listed(names: Sequence[str]) -> str:
    """Return names as code; of more than two, the first two and the number of the others."""
    shown = ", ".join(f"`{name}`" for name in names[:2])
    return f"{shown} and {len(names) - 2} more" if len(names) > 2 else shown
