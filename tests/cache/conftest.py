"""Enables the cache, which these tests are about."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def without_cache() -> None:
    """Do nothing: the cache stays enabled."""
