"""Tests ``--show-files``, ``--show-settings`` and ``--extend-select``: what a run would cover."""

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
    assert result.stdout.startswith(f"# pyproject.toml; paths are relative to {root}\nselect = ")
    folder({"shown.toml": result.stdout})
    shown = load_file(root / "shown.toml")
    assert replace(shown, source=root / "pyproject.toml") == load_file(root / "pyproject.toml")
    overridden = check("--show-settings", "--select", "TS2", "--extend-select", "TS1", "--fail-on", "info", "sub")
    assert 'select = ["TS2"]\nextend-select = ["TS1"]\n' in overridden.stdout
    assert 'fail-on = "info"\n' in overridden.stdout


def test_settings_without_a_file_are_the_defaults(folder: Callable[..., Path]) -> None:
    folder({})
    text = check("--show-settings").stdout
    assert text.startswith("# no configuration file; paths are relative to ")
    for line in (
        "# python: found, see below",
        "# fail-on: error",
        "# entry-points: every module in the files",
        'mode = "both"',
    ):
        assert line in text.splitlines()
    found = json.loads(check("--show-settings", "--output-format", "json").stdout)
    assert (found["source"], found["select"], found["fail-on"]) == (None, ["TS"], None)


SITE = "lib/python3.11/site-packages"


@pytest.mark.parametrize(
    ("configured", "arguments", "folder_", "origin"),
    [
        ("", (), ".venv", "`.venv` beside the configuration"),
        ('python = "env"', (), "env", "configured"),
        ('python = "env/bin/python"', (), "env", "configured"),
        ('python = "env"', ("--python", ".venv"), ".venv", "configured"),
    ],
)
def test_where_installed_packages_are_read(
    configured: str, arguments: tuple[str, ...], folder_: str, origin: str, folder: Callable[..., Path]
) -> None:
    root = folder({f".venv/{SITE}/a.py": "", f"env/{SITE}/a.py": "", "env/bin/python": "", "tslint.toml": configured})
    line = f"# installed packages are read from {folder_}/{SITE} ({origin})"
    assert line in check("--show-settings", *arguments).stdout.splitlines()
    found = json.loads(check("--show-settings", "--output-format", "json", *arguments).stdout)["environment"]
    assert found == {"folder": str(root / folder_), "origin": origin, "packages": [str(root / folder_ / SITE)]}


@pytest.mark.parametrize(
    ("configured", "arguments", "said"),
    [
        ('python = "gone"', (), "python: gone does not exist; name an interpreter or the folder of an environment"),
        ("", ("--python", "gone"), "python: gone does not exist; name an interpreter or the folder of an environment"),
        ('python = "net.py"', (), "python: net.py is neither an interpreter nor the folder of an environment; name"),
        ("python = 3", (), "tslint.toml: python: expected a string, not 3"),
    ],
)
@pytest.mark.parametrize("command", ["check", "--show-settings"])
def test_an_environment_that_cannot_be_used(
    command: str, configured: str, arguments: tuple[str, ...], said: str, folder: Callable[..., Path]
) -> None:
    folder({"net.py": "import torch\n", "tslint.toml": configured})
    words = ("check", command) if command.startswith("--") else (command,)
    result = CliRunner().invoke(cli, [*words, *arguments], input="")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith(f"error: {said}")


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
    # A family includes its rules that are off by default and its remarks.
    assert codes("--extend-select", "TS2", "--ignore", "TS292") == ["TS294"]
    assert check("--extend-select", "TS29O").stderr.startswith("error: --extend-select: unknown rule 'TS29O'")


@pytest.mark.usefixtures("toy_rules")
@pytest.mark.parametrize(
    ("config", "arguments", "expected"),
    [
        # The found rules, with an asterisk for those that would be fixed.
        ("", [], ["bad*", "todo", "ugly"]),
        ("", ["--unsafe-fixes"], ["bad", "todo", "ugly*"]),
        ("unsafe-fixes = true", [], ["bad", "todo", "ugly*"]),
        ("unsafe-fixes = true", ["--no-unsafe-fixes"], ["bad*", "todo", "ugly"]),
        ('unfixable = ["TS2"]', [], ["bad", "todo", "ugly"]),
        ('unfixable = ["TS2"]\nfixable = ["toy-bad"]', [], ["bad*", "todo", "ugly"]),
        ('fixable = ["TS1"]', ["--unsafe-fixes"], ["bad", "todo", "ugly"]),
        ('fixable = ["TS1"]', ["--fixable", "ALL", "--unfixable", "TS292", "--unsafe-fixes"], ["bad", "todo", "ugly"]),
        ("", ["--select", "ALL"], ["bad*", "remark", "shy", "todo", "ugly"]),
        ('extend-select = ["TS294"]', [], ["bad*", "remark", "todo", "ugly"]),
        ('extend-select = ["TS294"]', ["--select", "TS291"], ["bad*"]),
        ('extend-select = ["TS294"]', ["--extend-select", "TS293"], ["bad*", "remark", "shy", "todo", "ugly"]),
        ("", ["--per-file-ignores", "*.py:TS291,net.py:toy-ugly"], ["todo"]),
        ("", ["--per-file-ignores", "other.py:TS2", "--per-file-ignores", "net.py:ALL"], []),
        ('per-file-ignores = { "net.py" = ["TS2"] }', [], ["todo"]),
        ('per-file-ignores = { "net.py" = ["TS2"] }', ["--per-file-ignores", "net.py:TS1"], ["bad*", "ugly"]),
    ],
)
def test_what_is_selected_and_fixed(
    folder: Callable[..., Path], config: str, arguments: list[str], expected: list[str]
) -> None:
    # With --unsafe-fixes, a fix waits if the same code is rejected for another reason, too.
    files = {"net.py": "bad, shy, remark\ntry: todo\nfinally: pass\n", "nets/net.py": "ugly\n"}
    root = folder({**files, "tslint.toml": config})
    found = json.loads(check("--output-format", "json", *arguments).stdout)
    check("--fix", *arguments)
    left = (root / "net.py").read_text() + (root / "nets/net.py").read_text()
    words = {each["name"].removeprefix("toy-").replace("try", "todo") for each in found}
    assert sorted(word if word in left else f"{word}*" for word in words) == expected


def test_a_pattern_without_a_rule_is_an_error(folder: Callable[..., Path]) -> None:
    folder({"net.py": ""})
    assert "is not a pattern and a rule, as in tests/*:TS7" in check("--per-file-ignores", "tests/*").stderr
