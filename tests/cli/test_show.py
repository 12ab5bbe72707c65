"""``--show-files``, ``--show-settings``, ``--extend-select``: what a run is about, without the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.config import load_file

CONFIGURED = """\
[tool.tslint]
select = ["TS1", "toy-bad"]
ignore = ["TS101"]
extend-exclude = ["gen"]
entry-points = ["net.py:Net"]
per-file-ignores = { "tests/*" = ["TS7"], "a \\"b\\"" = [] }
fail-on = "warning"
baseline = "b.json"
jobs = 2

[tool.tslint.targets."net 1"]
target = "net.py:Net"
inputs = ["torch.rand(1)"]
rtol = 0.5
"""


def check(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["check", *arguments], input="")


@pytest.mark.usefixtures("toy_rules")
def test_settings_are_toml_that_means_the_same(folder: Callable[..., Path]) -> None:
    root = folder({"pyproject.toml": CONFIGURED})
    result = check("--show-settings")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"# pyproject.toml; paths count from {root}\nselect = ")
    folder({"shown.toml": result.stdout})
    shown = load_file(root / "shown.toml")
    assert replace(shown, source=root / "pyproject.toml") == load_file(root / "pyproject.toml")
    overridden = check("--show-settings", "--select", "TS2", "--extend-select", "TS1", "--fail-on", "info", "sub")
    assert 'select = ["TS2", "TS1"]\n' in overridden.stdout
    assert 'fail-on = "info"\n' in overridden.stdout


def test_settings_without_a_file_say_what_holds(folder: Callable[..., Path]) -> None:
    folder({})
    text = check("--show-settings").stdout
    assert text.startswith("# no configuration file; paths count from ")
    for line in ("# fail-on: error", "# entry-points: every module in the files", 'mode = "both"'):
        assert line in text.splitlines()
    found = json.loads(check("--show-settings", "--output-format", "json").stdout)
    assert (found["source"], found["select"], found["fail-on"]) == (None, ["TS"], None)


def test_files(folder: Callable[..., Path]) -> None:
    root = folder({"b.py": "", "a/net.py": "", "a/x.txt": "", "build/c.py": "", ".gitignore": "", "bad.py": "def f(:"})
    assert check("--show-files").stdout == "a/net.py\nb.py\nbad.py\n"
    assert json.loads(check("--show-files", "--output-format", "json", "a").stdout) == [str(root / "a/net.py")]
    assert check("--show-files", "build", "b.py").stdout == "b.py\nbuild/c.py\n"
    assert check("--show-files", "--stdin-filename", "x.py", "-").stdout == "x.py\n"
    missing = check("--show-files", "c.py", "b.py")
    assert (missing.exit_code, missing.stdout) == (2, "b.py\n")
    assert missing.stderr.startswith("error: c.py: no such file or folder")
    assert check("--show-files", "--show-settings").exit_code == 2


@pytest.mark.usefixtures("toy_rules")
def test_extend_select_adds_to_what_is_configured(folder: Callable[..., Path]) -> None:
    folder({"net.py": "bad, ugly, remark\n", "tslint.toml": 'select = ["TS292"]\nignore = ["TS291"]'})

    def codes(*arguments: str) -> list[str]:
        return [each["code"] for each in json.loads(check("--output-format", "json", *arguments).stdout)]

    assert codes() == ["TS292"]
    assert codes("--extend-select", "toy-bad,TS294") == ["TS291", "TS292", "TS294"]
    assert codes("--select", "TS291", "--extend-select", "TS294") == ["TS291", "TS294"]
    assert codes("--extend-select", "TS2", "--ignore", "TS292") == []
    assert check("--extend-select", "TS29O").stderr.startswith("error: --extend-select: unknown rule 'TS29O'")
