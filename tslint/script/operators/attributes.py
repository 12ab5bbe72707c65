"""Looks up attributes of builtin types: ``x.shape``, ``x.device.type``, ``x.numpy``."""

from __future__ import annotations

from functools import cache

from tslint.script.operators.callables import Special, Unsupported
from tslint.script.operators.schema import parse_type
from tslint.script.operators.tables import table
from tslint.script.types import Type


@cache
def builtin_attribute(type_name: str, attribute: str) -> Type | Special | Unsupported | None:
    """Return how the compiler treats an attribute of a builtin type.

    Args:
        type_name: ``Tensor``, ``Device``, ``Generator``, ``Stream``, ``str``, ``int``, ``float``, ``complex``, ``list``
            or ``dict``.
        attribute: the name of the attribute.

    Returns:
        The type of a property; :class:`Special` if the emitter handles the call itself (``x.float()``, ``x.tolist()``);
        :class:`Unsupported` if only Python has it; None for a method (use ``schemas("aten::NAME")``), or if Python does
        not have it either.
    """
    entry = table("attributes").get(type_name, {}).get(attribute)
    if entry is None or entry[0] == "method":
        return None
    name = f"{type_name}.{attribute}"
    if entry[0] == "property":
        return parse_type(entry[1])
    return Special(name, attribute) if entry[0] == "special" else Unsupported(name, "attribute", entry[1])


def tensor_attribute(name: str) -> Type | Special | Unsupported | None:
    """Return how the compiler treats an attribute of a Tensor; None for a method, and for names that Tensors do not
    have. See :func:`builtin_attribute`.
    """
    return builtin_attribute("Tensor", name)
