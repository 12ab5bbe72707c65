"""How names are written."""

from __future__ import annotations

import re


def kebab_case(name: str) -> str:
    """The name of a class with hyphens: ``TryBlock`` is ``try-block``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
