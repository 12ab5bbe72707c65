"""Tests that the site builds without a warning, and that its search finds what people look for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from tslint.rulekit.registry import all_rules

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    # Readers would not find a page without links to it.
    assert 'not included in the "nav"' not in done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_every_rule_is_where_its_findings_say(site: Path) -> None:
    for registered in all_rules():
        path = registered.rule.url.removeprefix("https://tslint.readthedocs.io/")
        assert registered.rule.code in (site / path / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_search_finds_the_rule_by_the_compilers_words(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    for words, name in [
        ("try blocks aren't supported", "try-block"),
        ("Expected integer literal for index", "container-index"),
        ("Comprehension ifs are not supported yet", "comprehension-condition"),
    ]:
        found = [page["location"] for page in index["docs"] if words in unescape(page["text"])]
        assert any(place.startswith(f"rules/{name}/") for place in found)
        assert any(place.startswith("messages/") for place in found)


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    page = (site / "index.html").read_text("utf-8")
    for attribute in ('src="http', '<link rel="stylesheet" href="http', "fonts.g"):
        assert attribute not in page


def test_the_service_builds_what_is_tested() -> None:
    text = (ROOT / ".readthedocs.yaml").read_text("utf-8")
    assert "configuration: mkdocs.yml" in text
    assert "extra_requirements: [docs]" in text
    assert "fail_on_warning: true" in text
