"""Converts names."""

from __future__ import annotations

import re


def kebab_case(name: str) -> str:
    """Return the name of a class with hyphens: ``try-block`` for ``TryBlock``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
