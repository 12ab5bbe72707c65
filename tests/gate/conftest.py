"""Provides a scratch repository for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.repository import repository


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a committed project, as the working folder, without variables of CI services and hooks."""
    root = repository(tmp_path / "project")
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "PRE_COMMIT_FROM_REF", "GIT_DIR", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(root)
    return root
