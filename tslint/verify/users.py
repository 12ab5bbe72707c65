"""Decides whether a file is the author's, torch's, Python's or tslint's; used by the worker and its parent."""

from __future__ import annotations

import os
import sysconfig
from functools import cache
from pathlib import Path

_OWN_ROOT = Path(__file__).resolve().parents[1]


def is_tslints(filename: str) -> bool:
    """Return whether a file is part of tslint."""
    return _OWN_ROOT in Path(filename).parents


@cache
def is_users(filename: str, torch_root: str) -> bool:
    """Return whether a file contains the author's code: not that of torch, tslint or the standard library.

    Args:
        filename: the name in a frame or a message of the compiler; ``<string>`` and similar are not files.
        torch_root: the folder of torch.
    """
    if filename.startswith("<") or not Path(filename).suffix:
        return False
    path = Path(filename).resolve()
    if any(Path(root) in path.parents for root in (_OWN_ROOT, torch_root) if root):
        return False
    # Site-packages is below the folder of the standard library, and the verified code may be installed there.
    if {"site-packages", "dist-packages"} & set(path.parts):
        return True
    return Path(os.path.realpath(sysconfig.get_paths()["stdlib"])) not in path.parents
