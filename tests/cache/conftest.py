"""Here the cache is what it is about."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def without_cache() -> None:
    """It is there."""
