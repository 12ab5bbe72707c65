"""A printed type, parsed once: events and the compiler's messages hold types as text, ``Optional[List[int]]``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

_INFERRED = " (inferred)"
_SAID = {"NoneType": "None", "Device": "torch.device", "?": "…"}
_QUALIFIED = "__torch__."


@dataclass(frozen=True)
class TypeText:
    """A printed type.

    Args:
        name: what stands before the brackets; all of it where there are none.
        arguments: what stands between them.
        inferred: whether it is ``Tensor (inferred)``: nothing was annotated.
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
    def said(self) -> str:
        """The type as an author would name it: ``None``, ``torch.device``, a class without its modules."""
        if self.arguments or self.name == "Tuple":
            return f"{self.name}[{', '.join(each.said for each in self.arguments) or '()'}]"
        kind, mangled, path = self.name.partition(_QUALIFIED)
        name = kind + path.rpartition(".")[2] if mangled else self.name
        return _SAID.get(name, name)

    @property
    def plain(self) -> TypeText:
        """The same type without ``(inferred)``."""
        return TypeText(self.name, tuple(each.plain for each in self.arguments))

    @property
    def is_tensor(self) -> bool:
        """Whether it is a Tensor, annotated or not."""
        return self.name == "Tensor"

    @property
    def is_none(self) -> bool:
        """Whether it is the type of None alone."""
        return self.name == "NoneType"

    @property
    def may_be_none(self) -> bool:
        """Whether it is None, or an Optional."""
        return self.is_none or self.name == "Optional"

    @property
    def without_none(self) -> TypeText | None:
        """``T`` of ``Optional[T]``; None for every other type."""
        return self.arguments[0] if self.name == "Optional" and self.arguments else None

    @property
    def elements(self) -> tuple[TypeText, ...]:
        """The types of a tuple's elements; none for what is no tuple."""
        return self.arguments if self.name == "Tuple" else ()

    def holds(self, name: str) -> bool:
        """Whether it is of this name, or a part of it is."""
        return self.name == name or any(each.holds(name) for each in self.arguments)


def parsed(text: str) -> TypeText:
    """A printed type as an object."""
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
    """What commas divide, those inside brackets left out."""
    found, depth = [""], 0
    for character in text:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return [each.strip() for each in found]


def a(type_: TypeText) -> str:
    """A type with its article: ``an int``, ``a Tensor``, ``None``."""
    if type_.is_none or type_.arguments or type_.name == "Tuple":
        return type_.said
    return f"{'an' if type_.said[0] in 'aeiouAEIOU' else 'a'} {type_.said}"
