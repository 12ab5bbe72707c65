"""Names the description that ``verify`` adds to archives."""

from __future__ import annotations

NAME = "tslint.json"
"""The name of the extra file: ``files = {NAME: ""}; torch.jit.load(path, _extra_files=files)`` reads it."""
