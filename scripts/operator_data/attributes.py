"""Lists the attributes of a Tensor, a device and the other builtin types, and whether they can be read."""

from __future__ import annotations

from typing import Any

import torch

from operator_data.variants import variants

_TYPES: dict[str, tuple[type, str]] = {
    "Tensor": (torch.Tensor, "Tensor"),
    "Device": (torch.device, "Device"),
    "Generator": (torch.Generator, "Generator"),
    "Stream": (torch.Stream, "Stream"),
    "str": (str, "str"),
    "int": (int, "int"),
    "float": (float, "float"),
    "complex": (complex, "complex"),
    "list": (list, "List[int]"),
    "dict": (dict, "Dict[str, int]"),
}


def _compile(annotation: str, expression: str) -> tuple[str, str]:
    unit = torch._C.CompilationUnit()
    try:
        unit.define(
            f"def f(x: {annotation}):\n  return {expression}\n", lambda name: torch.device if name == "Device" else None
        )
        return str(unit.find_function("f").schema).split(" -> ", 1)[1], ""
    except RuntimeError as error:
        lines = [line for line in str(error).strip().splitlines() if line.strip()]
        return "", lines[0].rstrip(":")


def _entry(annotation: str, name: str) -> list[Any]:
    type_, _ = _compile(annotation, f"x.{name}")
    if type_:
        return ["property", type_]
    if variants(f"aten::{name}"):
        return ["method"]
    called, message = _compile(annotation, f"x.{name}()")
    if called or "INTERNAL ASSERT" in message or "tolist" in message:
        return ["special"]
    return ["unsupported", message]


def attributes() -> dict[str, dict[str, list[Any]]]:
    """Return what the compiler makes of each public attribute, by type and attribute: ``property`` with its type,
    ``method`` (see ``aten::``), ``special``, or the compiler's message.
    """
    return {
        name: {
            attribute: _entry(annotation, attribute)
            for attribute in sorted(dir(python))
            if not attribute.startswith("__")
        }
        for name, (python, annotation) in _TYPES.items()
    }
