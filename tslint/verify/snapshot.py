"""Takes a snapshot of eager outputs and ``state_dict`` keys, to compare after a change (worker side)."""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

from tslint.verify.blame import is_users
from tslint.verify.fresh import Encoded
from tslint.verify.session import Session


def after(stage: str, session: Session, tell: Callable[[str, Any], None]) -> None:
    """Send the data that is known after a stage.

    Args:
        stage: the name of the stage.
        session: the session of the target.
        tell: called with a name and plain JSON: ``keys`` (each with the form of its value), ``classes`` (file and name
            of the submodules' classes), ``files`` (the loaded files of the author), ``outputs`` (for each set of inputs
            its form and the digest of its values), ``unsteady`` (whether two runs differ).
    """
    if stage == "build" and session.module is not None:
        tell("keys", _keys(session.module))
        tell("classes", list(_classes(session.module)))
        tell("files", _files())
    if stage == "eager" and session.eager is not None:
        tell("files", _files())
        tell("unsteady", session.unsteady is not None)
        tell("outputs", [{"form": form(output), "digest": digest(output)} for output in session.eager])


def _keys(module: Any) -> dict[str, str]:
    try:
        state = module.state_dict()
    except Exception:
        state = {**dict(module.named_parameters()), **dict(module.named_buffers())}
    return {str(name): _form_of_state(value) for name, value in state.items()}


def _form_of_state(value: Any) -> str:
    try:
        return _traits(value)
    except Exception:  # the value is not initialised yet, or is not a tensor
        return type(value).__name__


def _traits(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"


def _classes(module: torch.nn.Module) -> Iterator[tuple[str, str]]:
    seen: set[type] = set()
    for part in module.modules():
        kind = type(part)
        if kind not in seen:
            seen.add(kind)
            try:
                file = inspect.getsourcefile(kind)
            except (TypeError, OSError):
                continue
            if file and is_users(file):
                yield os.path.realpath(file), kind.__qualname__


def _files() -> list[str]:
    found = set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py") and is_users(file):
            found.add(os.path.realpath(file))
    return sorted(found)


def form(encoded: Encoded) -> str:
    """Return the description of an output without its values."""
    kind: str = encoded["kind"]
    if kind == "tensor":
        return _traits(encoded["value"])
    if kind == "object":
        return str(encoded["type"])
    if kind in ("tuple", "list"):
        opening, closing = "()" if kind == "tuple" else "[]"
        return opening + ", ".join(form(item) for item in encoded["items"]) + closing
    if kind == "dict":
        return "{" + ", ".join(sorted(f"{_plain(key)}: {form(item)}" for key, item in encoded["items"])) + "}"
    return kind


def _plain(key: Encoded) -> str:
    return repr(key["value"]) if key["kind"] in ("str", "int", "float", "bool") else form(key)


def digest(encoded: Encoded) -> str:
    """Return a short digest of an output with all its values; equal outputs have equal digests, in any process."""
    state = hashlib.sha256()
    _feed(encoded, state.update)
    return state.hexdigest()


def _feed(encoded: Encoded, update: Callable[[bytes], None]) -> None:
    kind = encoded["kind"]
    update(f"{kind}(".encode())
    if kind == "tensor":
        tensor = encoded["value"]
        update(f"{tensor.dtype} {tuple(tensor.shape)} {tensor.layout} {encoded['requires_grad']} ".encode())
        update(_bytes(tensor))
    elif kind == "object":
        update(str(encoded["type"]).encode())
    elif kind in ("tuple", "list"):
        for item in encoded["items"]:
            _feed(item, update)
    elif kind == "dict":
        for key, item in sorted(encoded["items"], key=lambda pair: _plain(pair[0])):
            _feed(key, update)
            _feed(item, update)
    else:
        update(repr(encoded["value"]).encode())
    update(b")")


def _bytes(tensor: torch.Tensor) -> bytes:
    try:
        dense = tensor.detach().cpu()
        dense = dense.dequantize() if dense.is_quantized else dense
        dense = dense.to_dense() if dense.layout is not torch.strided else dense
        dense = dense.resolve_conj().resolve_neg().contiguous()
        if dense.is_floating_point():
            dense = dense + 0.0  # makes the two zeros equal
        flat = dense.reshape(-1)
        numbers = torch.view_as_real(flat).reshape(-1) if flat.is_complex() else flat
        octets = numbers.view(torch.uint8) if numbers.dtype is not torch.bool else numbers.to(torch.uint8)
        try:
            return bytes(octets.numpy().data)
        except (RuntimeError, ImportError):  # this torch was built without numpy
            return bytes(octets.tolist())
    except (RuntimeError, NotImplementedError) as error:
        # The layout or the device (meta) has no values.
        return type(error).__name__.encode()
