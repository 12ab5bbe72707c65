"""Prints the author's code, and types, for messages."""

from __future__ import annotations

from tslint.script.types import ANYTHING, DEVICE, NONE, ClassType, TupleType, Type, plain

_LONGEST = 48
_MANGLED = "__torch__."
_SAID: dict[Type, str] = {NONE: "None", DEVICE: "torch.device", ANYTHING: "…"}


def short(text: str) -> str:
    """A text on one line, not too long, in backticks."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"


def said(type_: Type) -> str:
    """A type as an author would name it: ``None``, ``torch.device``, a class without its modules."""
    named = isinstance(type_, ClassType) or (isinstance(type_, TupleType) and type_.name is not None)
    if named:
        kind, mangled, path = str(type_).partition(_MANGLED)
        return kind + path.rpartition(".")[2] if mangled else str(type_)
    parts = type_.inside
    if parts or isinstance(type_, TupleType):
        return f"{str(type_).partition('[')[0]}[{', '.join(map(said, parts)) or '()'}]"
    return _SAID.get(type_) or plain(type_)


def a(type_: Type) -> str:
    """A type with its article: ``an int``, ``a Tensor``, ``None``."""
    text = said(type_)
    if type_ == NONE or text.endswith("]"):
        return text
    return f"{'an' if text[0] in 'aeiouAEIOU' else 'a'} {text}"
