"""Tests that each cell of the comparison has a proof: an existing test, or a page of the other tool's documentation."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from scripts.site.comparison import TOOLS, features, figures, figures_table

ROOT = Path(__file__).parents[2]
HOMES = {"ruff": "docs.astral.sh", "pyright": "microsoft.github.io", "fixit": "fixit.readthedocs.io"}
ROWS = [(row, tool) for row in features() for tool in TOOLS]


@pytest.mark.parametrize(("row", "tool"), ROWS, ids=[f"{row['feature']}-{tool}" for row, tool in ROWS])
def test_each_cell_has_a_test_or_a_link(row: dict[str, Any], tool: str) -> None:
    cell = row[tool]
    assert cell["says"]
    assert set(cell) == {"says", "test" if tool == "tslint" else "link"}
    if tool == "tslint":
        path, _, name = cell["test"].partition("::")
        tests = {node.name for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))) if hasattr(node, "name")}
        assert not name or name in tests
        assert any(found.startswith("test_") for found in tests if found)
    else:
        link = urlsplit(cell["link"])
        assert (link.scheme, link.hostname) == ("https", HOMES[tool])


def test_the_figures_are_of_what_is_there() -> None:
    data = figures()
    lines = (ROOT / "tests/conformance/snippets.jsonl").read_text("utf-8").splitlines()
    assert abs(data["rejected"] + data["accepted"] - len(lines)) <= 0.1 * len(lines), "run benchmarks/others.py"
    by_name = {tool["name"]: tool for tool in data["tools"]}
    assert set(by_name) == {"tslint check", "torch.jit.script", "TorchFix", "mypy"}
    assert all(0 <= tool["found"] <= data["rejected"] for tool in data["tools"])
    assert figures_table().count("\n") == 1 + len(by_name)
