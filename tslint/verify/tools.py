"""Checks that the verdict comes from torch's own functions, and not from code that replaces ``torch.jit.script``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import torch.testing

from tslint.verify.blame import TORCH_ROOT, definition, place
from tslint.verify.outcome import Outcome

# The functions of torch that each stage needs, as attributes of torch.
_USED = {
    "script": ("jit.script",),
    "trace": ("jit.trace",),
    "save": ("jit.save", "save"),
    "reload": ("save", "load"),
    "freeze": ("jit.freeze",),
    "compare": ("testing.assert_close", "equal"),
}
_ALWAYS = ("manual_seed", "set_grad_enabled")


class Tools:
    """torch's own functions, saved before the user's code runs."""

    def __init__(self) -> None:
        names = {*_ALWAYS, *(name for used in _USED.values() for name in used)}
        self._original = {name: _get(name) for name in sorted(names)}

    def replaced(self, stage: str) -> Outcome | None:
        """Return a failed outcome if the user's code has replaced a function that a stage needs; restore torch's own.

        Replacing a function of torch by another function of torch is allowed.
        """
        for name in (*_USED.get(stage, ()), *_ALWAYS):
            now, original = _get(name), self._original[name]
            if now is original or _is_torchs(now):
                continue
            owner, _, attribute = name.rpartition(".")
            setattr(_get(owner) if owner else torch, attribute, original)
            where = definition(now) if callable(now) else None
            at = f" ({place(where['filename'], where['row'])})" if where else ""
            called = getattr(now, "__qualname__", type(now).__qualname__)
            return Outcome("failed", f"torch.{name} has been replaced by {called}{at}; so its result proves nothing")
        return None


def _get(name: str) -> Any:
    found: Any = torch
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


def _is_torchs(function: Any) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and Path(TORCH_ROOT) in Path(code.co_filename).resolve().parents
