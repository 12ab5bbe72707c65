"""Writes a model repository for Triton: a verified archive and its configuration."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tslint.util.atomic import completed
from tslint.verify.results import TargetVerdict

_TYPES = {
    "bool": "BOOL", "uint8": "UINT8", "int8": "INT8", "int16": "INT16", "int32": "INT32", "int64": "INT64",
    "float16": "FP16", "bfloat16": "BF16", "float32": "FP32", "float64": "FP64",
}  # fmt: skip


class NoConfiguration(Exception):
    """Triton cannot serve the model; the message says why."""


def write(folder: Path, name: str, target: TargetVerdict) -> Path:
    """Write ``NAME/config.pbtxt`` and ``NAME/1/model.pt``.

    Args:
        folder: the model repository.
        name: the name of the model in it.
        target: a target that has passed, with its archives and interfaces.

    Returns:
        The path of ``config.pbtxt``.

    Raises:
        NoConfiguration: an input or output is not a tensor.
        OSError: a file cannot be written.
    """
    interfaces = target.interfaces or {}
    mode = next((mode for mode in ("script", "trace") if target.archives.get(mode) and mode in interfaces), None)
    if mode is None:
        raise NoConfiguration("nothing was saved")
    text = configuration(name, interfaces[mode])
    version = folder / name / "1"
    version.mkdir(parents=True, exist_ok=True)
    with completed(version / "model.pt") as part:
        shutil.copyfile(str(target.archives[mode]), part)
    written = version.parent / "config.pbtxt"
    with completed(written) as part:
        part.write_text(text, encoding="utf-8")
    return written


def configuration(name: str, interface: Mapping[str, Any]) -> str:
    """Return the text of ``config.pbtxt``.

    Raises:
        NoConfiguration: an input or output is not a tensor.
    """
    if "problem" in interface:
        raise NoConfiguration(f"Triton sends and receives only tensors: {interface['problem']}")
    return (
        f'name: "{name}"\nbackend: "pytorch"\nmax_batch_size: 0\n'
        f"input [\n{_parts(interface['inputs'])}\n]\noutput [\n{_parts(interface['outputs'])}\n]\n"
    )


def _parts(parts: Sequence[Mapping[str, Any]]) -> str:
    return ",\n".join(_part(part) for part in parts)


def _part(part: Mapping[str, Any]) -> str:
    kind = _TYPES.get(part["dtype"])
    if kind is None:
        raise NoConfiguration(f"Triton has no tensors of {part['dtype']} ({part['name']})")
    # A tensor without dimensions is sent with one dimension of size 1.
    sizes = ", ".join(map(str, part["sizes"])) or "1"
    reshape = "" if part["sizes"] else "\n    reshape: { shape: [ ] }"
    return f'  {{\n    name: "{part["name"]}"\n    data_type: TYPE_{kind}\n    dims: [ {sizes} ]{reshape}\n  }}'
