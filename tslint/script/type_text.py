"""Parses the text of a type, ``Optional[List[int]]``: one that was inferred, or that was recorded at run time."""

from __future__ import annotations

from functools import lru_cache

from tslint.script.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    TupleType,
    Type,
    optional,
)
from tslint.util.record import record

_INFERRED = " (inferred)"
_PRINTED: dict[str, Type] = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "str": STRING,
    "Tensor": TENSOR,
    "complex": COMPLEX,
    "number": NUMBER,
    "torch.device": DEVICE,
    "Device": DEVICE,
    "NoneType": NONE,
}


@record
class TypeText:
    """A printed type.

    Args:
        name: the text before the brackets; the whole text if there are none.
        arguments: the types between the brackets.
        inferred: whether it is ``Tensor (inferred)``, because there is no annotation.
    """

    name: str
    arguments: tuple[TypeText, ...] = ()
    inferred: bool = False

    def __str__(self) -> str:
        if self.name == "Tuple" and not self.arguments:
            return "Tuple[()]"
        inside = f"[{', '.join(map(str, self.arguments))}]" if self.arguments else ""
        return f"{self.name}{inside}{_INFERRED if self.inferred else ''}"

    @property
    def plain(self) -> TypeText:
        """Return the same type without ``(inferred)``."""
        return TypeText(self.name, tuple(each.plain for each in self.arguments))

    @property
    def is_none(self) -> bool:
        """Return whether this is the type of None."""
        return self.name == "NoneType"

    @property
    def may_be_none(self) -> bool:
        """Return whether this is the type of None, or an Optional."""
        return self.is_none or self.name == "Optional"

    @property
    def without_none(self) -> TypeText | None:
        """Return ``T`` for ``Optional[T]``; None for other types."""
        return self.arguments[0] if self.name == "Optional" and self.arguments else None


def parsed(text: str) -> TypeText:
    """Parse a printed type."""
    return _parsed(text)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> TypeText:
    text = text.strip()
    if text.endswith(_INFERRED):
        inner = parsed(text.removesuffix(_INFERRED))
        return TypeText(inner.name, inner.arguments, inferred=True)
    name, bracket, rest = text.partition("[")
    inside = rest.removesuffix("]").strip()
    if not bracket or not text.endswith("]") or not inside:
        return TypeText(text)
    return TypeText(name, tuple(parsed(each) for each in _parts(inside) if each != "()"))


def _parts(text: str) -> list[str]:
    """Split a text at the commas that are not inside brackets."""
    found, depth = [""], 0
    for character in text:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [each.strip() for each in found]


def type_of(text: TypeText) -> Type | None:
    """Return the type for a printed one; None if a part of it is not known here, such as a class of the project."""
    if not text.arguments:
        return _PRINTED.get(text.name)
    inner = [type_of(each) for each in text.arguments]
    known = [each for each in inner if each is not None]
    if len(known) < len(inner):
        return None
    if text.name == "Tuple":
        return TupleType(tuple(known))
    if text.name == "Dict":
        return DictType(*known)
    return ListType(known[0]) if text.name == "List" else optional(known[0]) if text.name == "Optional" else None
