"""Tests that lines from fixes respect the file's width, and that the author's lines stay unchanged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli
from tslint.fixing.edits import replaced
from tslint.fixing.wrapping import wrapped
from tslint.rulekit.width import allowed_width
from tslint.sources.file import SourceFile

LONG = "y = call(first_value, second_value)"
HEADER = """\
from torch import nn


class Net(nn.Module):
    def scaled(self, x, times, upwards, minimum, maximum=3, reverse=False):  # as told
        if reverse:
            return x / times
        return x * times if upwards else x

    def forward(self, x):
        return self.scaled(x, 2, True, 1)
"""


def source(text: str, root: Path = Path("/")) -> SourceFile:
    return SourceFile(root / "net.py", text)


def wrapped_text(before: str, after: str, root: Path, limit: int = 30) -> str:
    """Return a file after fixes, with their lines wrapped."""
    (root / ".flake8").write_text(f"[flake8]\nmax-line-length = {limit}\n")
    return replaced(after, wrapped(source(before, root), source(after, root)))


BROKEN = "y = call(\n    first_value, second_value\n)"


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        pytest.param("y = 1\n", f"{LONG}\n", f"{BROKEN}\n", id="written"),
        pytest.param("y = 1\n", LONG, BROKEN, id="no line end at the end"),
        pytest.param("y = 1\r\n", f"{LONG}\r\n", BROKEN.replace("\n", "\r\n") + "\r\n", id="CRLF"),
        pytest.param("y = call(first, second_value)\n", f"{LONG}\n", f"{BROKEN}\n", id="made longer"),
        pytest.param(f"{LONG}\n", f"x = 1\n{LONG}\n", None, id="the author's"),
        pytest.param(f"{LONG}\n", f"if x:\n    {LONG}\n", None, id="the author's, in another place"),
        pytest.param(f"{LONG}\n", "y = call(first_value, second_valu)\n", None, id="made shorter"),
        pytest.param(f"{LONG}\n", "y = call(first_value, second_value.y)\n", None, id="longer than it was already"),
        pytest.param("y = 1\n", "y = 'a string as long as it is'\n", None, id="a string"),
        pytest.param("s = '''\n'''\ny = 1\n", f"s = '''\n{LONG}s\n'''\ny = 1\n", None, id="in a string"),
        pytest.param("def f(x): return x\n", f"def f(x): {LONG}\n", None, id="a body on the header's line"),
        pytest.param("y = 1; z = 2\n", f"{LONG}; z = 2\n", None, id="several statements"),
        pytest.param("y = 1\r\nx = 2\n", "y = call(first_value,\n  second_value, third_value)\r\nx = 2\n", None,
                     id="line ends of several kinds"),
        pytest.param("if x:\n\ty = 1\n", f"if x:\n\t{LONG}\n",
                     "if x:\n\ty = call(\n\t\tfirst_value,\n\t\tsecond_value,\n\t)\n", id="tabs"),
        pytest.param("if x:\n  y = 1\n", f"if x:\n  {LONG}\n",
                     "if x:\n  y = call(\n    first_value, second_value\n  )\n", id="two spaces"),
        pytest.param(
            "from typing import Dict\n",
            "from typing import Dict, Optional\n",
            "from typing import (\n    Dict,\n    Optional,\n)\n",
            id="an import",
        ),
    ],
)  # fmt: skip
def test_lines_of_fixes_are_broken(tmp_path: Path, before: str, after: str, found: str | None) -> None:
    wanted = after if found is None else found
    assert wrapped_text(before, after, tmp_path) == wanted
    assert wrapped_text(before, wanted, tmp_path) == wanted


@pytest.mark.parametrize(
    ("name", "text", "width"),
    [
        ("pyproject.toml", "[tool.ruff]\nline-length = 100\n", 100),
        ("pyproject.toml", "[tool.ruff.format]\nquote-style = 'single'\n", 88),
        ("pyproject.toml", "[tool.black]\nline-length = 79\n", 79),
        ("pyproject.toml", "[tool.black]\nskip-string-normalization = true\n", 88),
        ("pyproject.toml", "[tool.ruff]\nline-length = 'wide'\n", 95),
        ("pyproject.toml", "[tool.ruff", 95),
        ("pyproject.toml", "tool = 3\n", 95),
        ("ruff.toml", "line-length = 140\n", 140),
        (".ruff.toml", "line-length = 140\n", 140),
        ("setup.cfg", "[flake8]\nmax-line-length = 99\n", 99),
        ("setup.cfg", "[metadata]\nname = net\n", 95),
        ("tox.ini", "[pycodestyle]\nmax_line_length = 110  # wide\n", 110),
        (".flake8", "[flake8]\nmax-line-length = 72\n", 72),
        (".flake8", "max-line-length = 72\n", 95),
    ],
)
def test_the_nearest_width_that_is_configured(tmp_path: Path, name: str, text: str, width: int) -> None:
    folder = tmp_path / "package" / "nets"
    folder.mkdir(parents=True)
    (tmp_path / name).write_text(text)
    assert allowed_width(source("x" * 95 + "\n", folder)) == width


def test_a_repository_ends_the_search(tmp_path: Path) -> None:
    (tmp_path / "inner" / ".git").mkdir(parents=True)
    (tmp_path / "ruff.toml").write_text("line-length = 40\n")
    assert allowed_width(source("x\n", tmp_path / "inner")) == 88


@pytest.mark.parametrize(
    ("text", "width"),
    [("x = 1\n", 88), ("x" * 100 + "\n", 100), ("x" * 200 + "\n", 120), ("# " + "x" * 100 + "\n", 88), ("", 88)],
)
def test_without_a_formatter_the_file_shows_its_width(text: str, width: int) -> None:
    assert allowed_width(source(text)) == width


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_all_that_fixes_write_into_a_header_is_broken_once(folder: Callable[..., Path], end: str) -> None:
    root = folder({"net.py": HEADER.replace("\n", end).encode()})

    def check() -> str:
        CliRunner().invoke(cli, ["check", "--fix", "--unsafe-fixes", "--isolated", "--no-cache"])
        return (root / "net.py").read_bytes().decode()

    first = check()
    wanted = (
        "    def scaled(\n"
        "        self,\n"
        "        x,\n"
        "        times: int,\n"
        "        upwards: bool,\n"
        "        minimum: int,\n"
        "        maximum: int = 3,\n"
        "        reverse: bool = False,\n"
        "    ):  # as told\n"
    )
    assert wanted.replace("\n", end) in first
    assert check() == first
