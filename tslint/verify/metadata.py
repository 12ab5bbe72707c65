"""Writes a file into each archive that describes how the archive was created (worker side)."""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from tslint.verify.archive_entry import NAME
from tslint.verify.fresh import Encoded, encode
from tslint.verify.session import Session
from tslint.verify.stages.eager import summary

# The size of an archive in addition to its tensors.
_MORE = 2**20


def extra_files(session: Session, module: Any) -> dict[str, str]:
    """Return ``_extra_files`` for ``torch.jit.save``: torch's version, the inputs, and the keys of the state dict.

    The file cannot contain the size of its own archive; ``bytes`` is the size of the state dict.
    """
    state = _state(module)
    described = {
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "target": session.request.title,
        "inputs": [[summary(encode(each)) for each in arguments] for arguments in session.inputs],
        "state_dict": {name: summary(_encoded(value)) for name, value in state.items()},
        "bytes": sum(value.numel() * value.element_size() for value in state.values() if _is_tensor(value)),
    }
    return {NAME: json.dumps(described)}


def must_fit(module: Any, folder: Path) -> None:
    """Check that the archive of a module fits on the disk, because torch would abort in the middle of writing it.

    Raises:
        OSError: there is not enough space.
    """
    size = sum(value.numel() * value.element_size() for value in _state(module).values() if _is_tensor(value))
    if shutil.disk_usage(folder).free < size + _MORE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def keys(session: Session, module: Any) -> str:
    """Return a text such as ``6 state_dict keys``, with the differences from the eager module's keys."""
    saved = list(_state(module))
    count = f"{len(saved)} state_dict key{'s' if len(saved) != 1 else ''}"
    if isinstance(session.built, torch.jit.ScriptModule):
        return count
    eager = set(_state(session.built))
    more = [key for key in saved if key not in eager]
    less = sorted(eager - set(saved))
    said = [f"{_some(more)} not in eager's" if more else "", f"without {_some(less)}" if less else ""]
    differences = ", ".join(filter(None, said))
    return f"{count} ({differences})" if differences else count


def _state(module: Any) -> Mapping[str, Any]:
    try:
        state = module.state_dict()
    except Exception:  # the user's own state_dict may raise, or the module has none
        return {}
    return state if isinstance(state, Mapping) else {}


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.parameter.UninitializedTensorMixin)


def _encoded(value: Any) -> Encoded:
    # Not :func:`encode`, which copies tensors: only the form is needed.
    return {"kind": "tensor", "value": value} if _is_tensor(value) else {"kind": "object", "type": type(value).__name__}


def _some(names: list[str]) -> str:
    return ", ".join([*names[:3], f"… {len(names) - 3} more"] if len(names) > 4 else names)
