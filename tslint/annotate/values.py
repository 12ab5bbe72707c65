"""Converts values to kinds (worker side); it must be fast, because it runs for every argument of every call."""

from __future__ import annotations

import enum
import inspect
from collections import OrderedDict
from typing import Any

import torch

from tslint.annotate.kinds import Kinds, count, sort_of

_PLAIN: dict[type, str] = {
    int: "int", float: "float", bool: "bool", str: "str", complex: "complex", type(None): "None",
    torch.Tensor: "Tensor", torch.nn.Parameter: "Tensor", torch.device: "device", torch.dtype: "dtype",
    torch.Generator: "Generator",
}  # fmt: skip
_MOST_ITEMS = 64
_DEEPEST = 6

# The classes of the values of kind ``class:``, by the kind's name.
classes: dict[str, type] = {}


def add(kinds: Kinds, value: Any, number: int = 1, depth: int = 0) -> None:
    """Count a value."""
    kind = _PLAIN.get(type(value))
    if kind is not None:
        found = kinds.get(kind)
        if found is None:
            count(kinds, kind, number)
        else:
            found.number += number
        return
    kind = _kind(value)
    found = count(kinds, kind, number)
    if depth > _DEEPEST:
        return
    if kind == "List":
        _add_items(found.parts[0], value, depth)
    elif kind == "Dict":
        _add_items(found.parts[0], list(value), depth)
        _add_items(found.parts[1], list(value.values()), depth)
    elif sort_of(kind) == "Tuple":
        for part, item in zip(found.parts, value):
            add(part, item, 1, depth + 1)


def _add_items(part: Kinds, items: list[Any], depth: int) -> None:
    kinds = [_PLAIN.get(cls) for cls in set(map(type, items))]
    if None not in kinds:
        for kind in kinds:
            count(part, str(kind))
        return
    for item in items[:_MOST_ITEMS]:
        add(part, item, 1, depth + 1)


def _kind(value: Any) -> str:
    cls = type(value)
    if isinstance(value, torch.Tensor):
        return "Tensor"
    if cls is list:
        return "List"
    if cls in (dict, OrderedDict):
        return "Dict"
    if cls is torch.Size:
        return f"Size/{len(value)}"
    if cls is tuple or (isinstance(value, tuple) and hasattr(cls, "n_sequence_fields")):
        return f"Tuple/{len(value)}"
    if isinstance(value, torch.nn.Module):
        return f"module:{cls.__name__}"
    name = f"{cls.__module__}.{cls.__qualname__}"
    if _can_be_annotation(cls):
        classes[name] = cls
        return f"class:{name}"
    return f"other:{name.removeprefix('builtins.')}"


def _can_be_annotation(cls: type) -> bool:
    if issubclass(cls, enum.Enum):
        return True
    if issubclass(cls, tuple):
        return hasattr(cls, "_fields") and bool(inspect.get_annotations(cls))
    return is_script_class(cls)


def is_script_class(cls: type) -> bool:
    """Return whether ``torch.jit.script`` has compiled the class."""
    try:
        return torch.jit._state._get_script_class(cls) is not None
    except (AttributeError, TypeError):
        return False
