"""Describes the first difference between two outputs (worker side)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import torch

from tslint.util.record import record
from tslint.verify.fresh import Encoded

# The defaults that torch.testing.assert_close documents; it accepts both tolerances or none.
_DEFAULTS = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}
_KINDS = {"tensor": "a tensor", "object": "an object"}


@record
class Tolerance:
    """Tolerances of ``torch.testing.assert_close``; None for its default for the dtype.

    Args:
        rtol, atol: see ``torch.testing.assert_close``.
        steps: the allowed error of each value, in rounding errors of the largest value of its tensor: adding large
            numbers in another order changes small results by such errors.
        noise: an additional allowed absolute error of each value, because two runs of eager differ.
        in_tuple: whether the second output may be a tuple of the first output, None and empty values.
    """

    rtol: float | None = None
    atol: float | None = None
    steps: float = 0.0
    noise: float = 0.0
    in_tuple: bool = False

    def of(self, expected: torch.Tensor) -> dict[str, float]:
        """Return the keyword arguments of ``assert_close`` for a tensor."""
        if self.rtol is None and self.atol is None and not self.steps and not self.noise:
            return {}
        rtol, atol = _DEFAULTS.get(expected.dtype, (0.0, 0.0))
        return {
            "rtol": rtol if self.rtol is None else self.rtol,
            "atol": (atol if self.atol is None else self.atol) + self._error(expected),
        }

    def _error(self, expected: torch.Tensor) -> float:
        if not (expected.is_floating_point() or expected.is_complex()):
            return 0.0
        return self.noise + self._rounding(expected)

    def _rounding(self, expected: torch.Tensor) -> float:
        if not self.steps:
            return 0.0
        sizes = expected.to_dense().abs()
        sizes = sizes[torch.isfinite(sizes)]
        return self.steps * torch.finfo(expected.dtype).eps * float(sizes.max()) if sizes.numel() else 0.0


def first_difference(
    left: Encoded, right: Encoded, before: str, after: str, tolerance: Tolerance, *, values: bool = True,
    path: str = "output",
) -> str | None:  # fmt: skip
    """Compare structure, types, shapes, dtypes, ``requires_grad`` and values.

    Args:
        left, right: two outputs from :func:`tslint.verify.fresh.encode`.
        before, after: the names of the two sides in the message: ``in eager``, ``after reload``.
        tolerance: the tolerance for floating point values.
        values: False to compare everything except values and shapes.
        path: where both are in the output, for the message.

    Returns:
        For instance ``output[1]: dtype float32 in eager, float64 after reload``; None if they agree.
    """
    if tolerance.in_tuple:
        right = _unwrapped(left, right, tolerance, values)
    if left["kind"] != right["kind"]:
        return f"{path}: {_kind(left)} {before}, {_kind(right)} {after}"
    kind = left["kind"]
    if kind in ("tuple", "list", "dict"):
        if len(left["items"]) != len(right["items"]):
            return f"{path}: {len(left['items'])} items {before}, {len(right['items'])} {after}"
        return _items(left, right, before, after, tolerance, values, path)
    if kind == "tensor":
        return _tensors(left, right, before, after, tolerance, values, path)
    if kind == "object":
        same = left["type"] == right["type"]
        return None if same else f"{path}: of type {left['type']} {before}, {right['type']} {after}"
    if not values or left["value"] == right["value"]:
        return None
    if kind in ("float", "complex"):
        close = _mismatch(torch.tensor(left["value"]), torch.tensor(right["value"]), tolerance) is None
        if close:
            return None
    return f"{path}: {left['value']!r} {before}, {right['value']!r} {after}"


def with_shapes(encoded: Encoded) -> Encoded:
    """Return an output in which every tensor is replaced by its shape."""
    if encoded["kind"] == "tensor":
        return {"kind": "str", "value": f"shape {list(encoded['value'].shape)}"}
    if encoded["kind"] == "dict":
        return {**encoded, "items": [[key, with_shapes(item)] for key, item in encoded["items"]]}
    if encoded["kind"] in ("tuple", "list"):
        return {**encoded, "items": [with_shapes(item) for item in encoded["items"]]}
    return encoded


def _unwrapped(left: Encoded, right: Encoded, tolerance: Tolerance, values: bool) -> Encoded:
    """Return the right side, if it is a tuple, without its None and empty items; of equally long tuples, return it all.

    If the left side is not a tuple, return the item that equals it; if none does, the first item that is not empty.
    """
    if right["kind"] != "tuple" or (left["kind"] == "tuple" and len(left["items"]) == len(right["items"])):
        return right
    full: list[Encoded] = [item for item in right["items"] if not _is_empty(item)]
    if left["kind"] == "tuple":
        return {**right, "items": full}
    # Without targets, a loss may be zero instead of None, so several items may be left.
    alike = [item for item in full if first_difference(left, item, "", "", tolerance, values=values) is None]
    return (alike or full or [right])[0]


def _is_empty(item: Encoded) -> bool:
    return item.get("value", item) is None or item.get("items", item) in ([], ())


def _items(
    left: Encoded, right: Encoded, before: str, after: str, tolerance: Tolerance, values: bool, path: str
) -> str | None:
    if left["kind"] != "dict":
        pairs = [(str(number), *pair) for number, pair in enumerate(zip(left["items"], right["items"]))]
    else:
        # Dicts are compared by key, in any order; keys that are tensors compare by identity, so their order is used.
        own, other = _by_key(left), _by_key(right)
        missing = [key for key in own if key not in other]
        if missing:
            return f"{path}: has the key {missing[0]} {before}, not {after}"
        pairs = [(key, item, other[key]) for key, item in own.items()]
    for name, one, two in pairs:
        found = first_difference(one, two, before, after, tolerance, values=values, path=f"{path}[{name}]")
        if found:
            return found
    return None


def _by_key(encoded: Encoded) -> dict[str, Encoded]:
    """Return the items of a dict by their keys as text; the second tensor is "tensor 2"."""
    found: dict[str, Encoded] = {}
    for key, item in encoded["items"]:
        text = repr(key.get("value")) if key["kind"] in ("str", "int", "float", "bool", "complex") else key["kind"]
        repeated = sum(each == text or each.startswith(f"{text} ") for each in found) if text == key["kind"] else 0
        found[f"{text} {repeated + 1}" if repeated else text] = item
    return found


def _kind(encoded: Encoded) -> str:
    kind: str = encoded["kind"]
    if kind == "object":
        return f"an object of type {encoded['type']}"
    return _KINDS.get(kind, kind if kind == "None" else f"an {kind}" if kind == "int" else f"a {kind}")


def _tensors(
    left: Encoded, right: Encoded, before: str, after: str, tolerance: Tolerance, values: bool, path: str
) -> str | None:
    one, two = left["value"], right["value"]
    traits: list[tuple[str, Any, Any]] = [
        ("shape", list(one.shape), list(two.shape)),
        ("dtype", _short(one.dtype), _short(two.dtype)),
        ("layout", _short(one.layout), _short(two.layout)),
        ("device", one.device, two.device),
        ("requires_grad", left["requires_grad"], right["requires_grad"]),
    ]
    for name, mine, theirs in traits:
        # Without values, shapes are not compared either, because a random number may determine them.
        if mine != theirs and (values or name != "shape"):
            return f"{path}: {name} {mine} {before}, {theirs} {after}"
    if not values:
        return None
    mismatch = _mismatch(one, two, tolerance)
    return mismatch and f"{path}: {mismatch} {after}"


def _short(trait: Any) -> str:
    return str(trait).removeprefix("torch.")


def _mismatch(one: torch.Tensor, two: torch.Tensor, tolerance: Tolerance) -> str | None:
    try:
        if one.layout is torch.strided and one.dtype == two.dtype and torch.equal(one, two):
            # torch.testing imports sympy, which takes longer than many modules.
            return None
        torch.testing.assert_close(two, one, equal_nan=True, **tolerance.of(one))
    except AssertionError as error:
        text = str(error)
        count = re.search(r"Mismatched elements: (\d+) / (\d+)", text)
        greatest = re.search(r"Greatest absolute difference: (\S+)(?: at index (\([^)]*\)))?", text)
        scalar = re.search(r"Absolute difference: (\S+)", text)
        much = f"{count.group(1)} of {count.group(2)} values differ" if count else "values differ"
        if greatest:
            at = f" at {greatest.group(2)}" if greatest.group(2) else ""
            much += f" by up to {_digits(greatest.group(1))}{at}"
        elif scalar:
            much += f" by {_digits(scalar.group(1))}"
        return much
    except (RuntimeError, TypeError) as error:
        return f"values cannot be compared ({str(error).splitlines()[0]})"
    return None


def _digits(number: str) -> str:
    try:
        return f"{float(number):.3g}"
    except ValueError:
        return number


def greatest(left: Encoded, right: Encoded) -> tuple[float, float]:
    """Return the greatest absolute difference of two outputs of the same form, and the largest value of that tensor."""
    found = (0.0, 0.0)
    for one, two in zip(each_tensor(left), each_tensor(right)):
        a, b = one["value"], two["value"]
        if a.shape != b.shape or a.is_quantized or not (a.is_floating_point() or a.is_complex()) or not a.numel():
            continue
        apart = (a.to_dense() - b.to_dense()).abs()
        apart = apart[torch.isfinite(apart)]
        sizes = a.to_dense().abs()
        sizes = sizes[torch.isfinite(sizes)]
        if apart.numel() and sizes.numel():
            found = max(found, (float(apart.max()), float(sizes.max())))
    return found


def each_tensor(encoded: Encoded) -> Iterator[dict[str, Any]]:
    """Yield each tensor of an output, as encoded."""
    if encoded["kind"] == "tensor":
        yield encoded
    for item in encoded.get("items", ()):
        for each in item if encoded["kind"] == "dict" else (item,):
            yield from each_tensor(each)
