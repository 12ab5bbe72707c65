"""Holds what is known about the type of a parameter, and decides whether the parameter can have a given type."""

from __future__ import annotations

from dataclasses import dataclass, field

from tslint.script.type_text import parsed

NUMBERS = frozenset(["int", "float", "bool", "number"])


@dataclass
class Evidence:
    """What is known about a parameter.

    Args:
        says: types that a use proves.
        hints: types that a use makes likely: an operand next to a tensor, for example.
        equals: types of the numbers with which the parameter is compared. They prove nothing: a float can also be
            compared with ints, ``x in (0, 1)``.
        allowed: for each use that accepts several types, these types.
        barred: types that a use does not accept: ``number``, ``Tensor``, ``List`` …
        list_too: whether it may be a list although its uses make an int likely: ``x.sum(dims)``.
        nothing: whether the parameter is compared with None, or is None by default.
        several: whether it has more than one type, or no type in TorchScript.
        tested: whether ``isinstance`` tests its type, so that only callers show it.
        rebound: whether it gets a new value of unknown type.
    """

    says: dict[str, None] = field(default_factory=dict)
    hints: dict[str, None] = field(default_factory=dict)
    equals: dict[str, None] = field(default_factory=dict)
    allowed: list[frozenset[str]] = field(default_factory=list)
    barred: set[str] = field(default_factory=set)
    list_too: bool = False
    nothing: bool = False
    several: bool = False
    tested: bool = False
    rebound: bool = False

    def show(self, type_: str | None) -> None:
        """Add a type that a use proves. For ``Optional[T]``, add ``T``, and that the parameter may be None."""
        inner = parsed(type_).without_none if type_ is not None else None
        if inner is not None:
            self.nothing, type_ = True, str(inner)
        if type_ == "NoneType":
            self.nothing = True
        elif type_ is not None:
            self.says[type_] = None


def head(type_: str) -> str:
    """Return the name of a type without its arguments: ``List`` for ``List[int]``."""
    return parsed(type_).name


def admitted(evidence: Evidence, type_: str) -> bool:
    """Return whether every use accepts a value of a type."""
    kind = head(type_)
    if evidence.several or kind in evidence.barred or (kind in NUMBERS and "number" in evidence.barred):
        return False
    listed = as_list(type_)
    return all(
        type_ in each or (kind in ("int", "float") and "number" in each) or (type_ == "bool" and "int" in each)
        or listed in each
        for each in evidence.allowed
    )  # fmt: skip


def as_list(type_: str) -> str:
    """Return the list type to which the compiler converts a tuple whose items have one type; empty for other types."""
    kind = parsed(type_)
    items = {str(each) for each in kind.arguments} if kind.name == "Tuple" else set()
    return f"List[{items.pop()}]" if len(items) == 1 else ""
