"""Names the file that ``verify`` adds to archives: it describes how the archive was made."""

from __future__ import annotations

NAME = "tslint.json"
"""The name of the extra file: ``files = {NAME: ""}; torch.jit.load(path, _extra_files=files)`` reads it."""
