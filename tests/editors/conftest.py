"""Provides the playground, built once for all tests, and a window of a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.site import playground
from tests.editors.browser import Browser, browser
from tests.editors.playground_page import served


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert playground.build(folder / "playground")
    return folder


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[str]:
    with served(built) as address:
        yield address


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile"), "--window-size=1300,900") as opened:
        yield opened
