"""Describes inputs: as a short expression if possible, otherwise by their form (worker side)."""

from __future__ import annotations

from typing import Any

import torch

_MOST_VALUES = 12
_MOST_CHARACTERS = 90


def spelled(arguments: tuple[Any, ...], words: str = "") -> str:
    """Return arguments as text.

    For example ``torch.zeros(1, 3)``, ``torch.tensor([[0.5, 1.0]])`` or ``float32[2, 3, 5, 5] (signs flipped)``.

    Args:
        arguments: the arguments of the module.
        words: how they differ from the given ones; added if the expression does not show all values.
    """
    parts = [_value(argument) for argument in arguments]
    text = ", ".join(part for part, _ in parts)
    text = text if len(text) <= 2 * _MOST_CHARACTERS else text[: 2 * _MOST_CHARACTERS - 1] + "…"
    return text if all(exact for _, exact in parts) or not words else f"{text} ({words})"


def _value(value: Any) -> tuple[str, bool]:
    if isinstance(value, torch.Tensor):
        return _tensor(value.detach())
    if isinstance(value, (tuple, list)):
        parts = [_value(item) for item in value]
        inside = ", ".join(part for part, _ in parts)
        exact = all(each for _, each in parts)
        if isinstance(value, list):
            return f"[{inside}]", exact
        return f"({inside},)" if len(parts) == 1 else f"({inside})", exact
    if isinstance(value, dict):
        entries = [(repr(key), _value(item)) for key, item in value.items()]
        return "{" + ", ".join(f"{key}: {part}" for key, (part, _) in entries) + "}", all(
            exact for _, (_, exact) in entries
        )
    text = repr(value)
    return (text, True) if len(text) <= _MOST_CHARACTERS else (type(value).__name__, False)


def _tensor(value: torch.Tensor) -> tuple[str, bool]:
    form = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if value.layout is not torch.strided or value.device.type == "meta" or value.is_quantized:
        return form, False
    plain = {torch.float32: "", torch.int64: "", torch.bool: ""}
    suffix = plain.get(value.dtype, f", dtype={value.dtype}")
    shape = ", ".join(str(size) for size in value.shape)
    first = value.reshape(-1)[0] if value.numel() else torch.zeros(())
    if value.is_floating_point() and value.dim() and bool((value == first).all()) and bool(torch.isfinite(first)):
        if first in (0, 1):
            return f"torch.{'zeros' if first == 0 else 'ones'}({shape}{suffix})", True
        return f"torch.full(({shape}{',' if value.dim() == 1 else ''}), {_rounded(float(first))}{suffix})", True
    if 0 < value.numel() <= _MOST_VALUES and bool(torch.isfinite(value).all()):
        numbers = _rounded(value.tolist())
        text = f"torch.tensor({numbers}{suffix})"
        if len(text) <= _MOST_CHARACTERS:
            return text, True
    return form, False


def _rounded(values: Any) -> str:
    if isinstance(values, list):
        return "[" + ", ".join(_rounded(value) for value in values) + "]"
    if not isinstance(values, float):
        return repr(values)
    text = f"{values:.4g}"
    return text if set(text) & set(".e") else text + "."
