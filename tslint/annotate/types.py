"""Converts recorded kinds to a TorchScript type."""

from __future__ import annotations

from tslint.annotate.kinds import Kinds, merged, sort_of
from tslint.util.record import record


class NoType(Exception):
    """TorchScript has no type for the recorded values; the message names the obstacle."""


@record
class Type:
    """A type as an annotation writes it.

    Args:
        name: ``int``, ``Tensor``, ``List`` …, or ``class:NAME``.
        parts: the types in the brackets.
    """

    name: str
    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        name = self.name.removeprefix("class:").rpartition(".")[2]
        if self.name == "Tuple" and not self.parts:
            return "Tuple[()]"
        return f"{name}[{', '.join(map(str, self.parts))}]" if self.parts else name


INT, FLOAT, TENSOR, NONE = Type("int"), Type("float"), Type("Tensor"), Type("None")
_KEYS = {"int", "float", "complex", "str", "bool", "Tensor", "device"}


@record
class Typed:
    """A type, with notes on how it was determined.

    Args:
        type: the type.
        notes: one clause each, sorted.
    """

    type: Type
    notes: tuple[str, ...] = ()


def type_of(kinds: Kinds) -> Typed | None:
    """Return the one type of all values; None if nothing or only empty containers were seen.

    Raises:
        NoType: TorchScript has no type for some of them.
    """
    notes: set[str] = set()
    found = _type(kinds, notes)
    return Typed(found, tuple(sorted(notes))) if found else None


def optional(type_: Type) -> Type:
    """Return ``Optional`` of a type."""
    return type_ if type_ == NONE or type_.name == "Optional" else Type("Optional", (type_,))


def _type(kinds: Kinds, notes: set[str]) -> Type | None:
    rest = {kind: found for kind, found in kinds.items() if kind != "None"}
    for kind in sorted(rest):
        prefix, colon, name = kind.partition(":")
        if colon and prefix != "class":
            what = "a module" if prefix == "module" else f"{name}, which has no type in TorchScript"
            raise NoType(what)
    if not rest:
        return NONE if kinds else None
    types = _alternatives(rest, notes)
    if not types:
        return None
    if len(types) > 1:
        notes.add("several types were seen")
    result = types[0] if len(types) == 1 else Type("Union", (*types, *((NONE,) if "None" in kinds else ())))
    return optional(result) if "None" in kinds and len(types) == 1 else result


def _alternatives(rest: Kinds, notes: set[str]) -> list[Type]:
    """Return the types of the kinds (without None), sorted by name; empty if a type is unknown (an empty list)."""
    types: set[Type] = set()
    sequences = {kind for kind in rest if sort_of(kind) in ("List", "Tuple", "Size")}
    as_list = _as_list(rest, sequences, notes)
    if as_list is not None:
        types.add(as_list)
    unknown = False
    for kind in rest.keys() - (sequences if as_list else set()):
        found = _plain(kind, rest, notes)
        unknown = unknown or found is None
        if found is not None:
            types.add(found)
    if unknown and types:
        return []
    if {INT, FLOAT} <= types:
        types.discard(INT)
        notes.add("int and float were seen: always pass a float")
    bool_ = Type("bool")
    if bool_ in types and types & {INT, FLOAT}:
        types.discard(bool_)
    return sorted(types, key=str)


def _as_list(rest: Kinds, sequences: set[str], notes: set[str]) -> Type | None:
    """Return one list type for all lists, sizes and tuples that were seen, if they can be lists; otherwise None.

    The compiler treats a size (``x.shape``) as a list of ints.
    """
    if not any(sort_of(kind) in ("List", "Size") for kind in sequences) and len(sequences) < 2:
        return None
    elements: list[Kinds] = []
    for kind in sequences:
        if sort_of(kind) == "Size":
            elements.append({"int": rest[kind]})
        else:
            elements += [part for part in rest[kind].parts if part]
    aside: set[str] = set()
    element = _type(merged(elements), aside) if elements else None
    if element is None or (element.name == "Union" and "List" not in sequences):
        return None
    if len(sequences) > 1 and any(sort_of(kind) == "Tuple" for kind in sequences):
        if element.name == "Union":
            return None
        notes.add("tuples of several lengths, or lists too, were seen")
    notes.update(aside)
    return Type("List", (element,))


def _plain(kind: str, rest: Kinds, notes: set[str]) -> Type | None:
    parts = rest[kind].parts
    if kind == "List":
        element = _type(parts[0], notes)
        return Type("List", (element,)) if element else None
    if kind == "Dict":
        key, value = _type(parts[0], notes), _type(parts[1], notes)
        if key is None or value is None:
            return None
        if key.name not in _KEYS:
            raise NoType(f"a dict with keys of type {key}")
        return Type("Dict", (key, value))
    if sort_of(kind) == "Tuple":
        elements = [_type(part, notes) for part in parts]
        known = [element for element in elements if element is not None]
        return Type("Tuple", tuple(known)) if len(known) == len(elements) else None
    if sort_of(kind) == "Size":
        return Type("List", (INT,))
    return Type(kind)
