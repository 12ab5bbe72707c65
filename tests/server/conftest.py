"""Provides a server for each test, and skips tests in a real editor if the editor is not installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.server.client import Client

# Without Neovim, its tests cannot run; CI installs it, so they fail there if it is missing.
collect_ignore = [] if shutil.which("nvim") or os.environ.get("CI") else ["test_neovim.py"]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Return a function that writes files into a new folder."""

    def write(files: Mapping[str, str]) -> Path:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        return tmp_path

    return write


@pytest.fixture
def connect() -> Iterator[Callable[..., Client]]:
    """Yield a function that starts servers as ``Client`` does, and end them afterwards."""
    started: list[Client] = []

    def start(*arguments: object, **named: object) -> Client:
        client = Client(*arguments, **named)  # type: ignore[arg-type]
        started.append(client)
        return client

    yield start
    for client in started:
        client.kill()
