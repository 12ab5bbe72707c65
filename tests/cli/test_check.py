"""Tests ``tslint check`` from the user's side: paths, options, streams and exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli

pytestmark = pytest.mark.usefixtures("toy_rules")


def tslint(*arguments: str, stdin: bytes | None = None, **environ: str) -> Result:
    return CliRunner(env=environ).invoke(cli, arguments, input=stdin)


def check(*arguments: str, stdin: bytes | None = None) -> Result:
    return tslint("check", "--output-format", "concise", *arguments, stdin=stdin)


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        ("x = 1", "", 0),
        ("bad", "", 1),
        ("ugly", "", 0),
        ("ugly", "--fail-on warning", 1),
        ("remark", "--fail-on info", 0),
        ("remark", "--fail-on info --select TS294", 1),
        ("remark", "--select TS294", 0),
        ("bad", "--exit-zero", 0),
        ("bad", "--diff", 1),
        ("ugly", "--diff --unsafe-fixes", 1),
        ("ugly", "--diff", 0),
        ("todo", "--diff", 1),
        ("bad", "--diff --exit-zero", 0),
        ("bad", "--fix", 0),
        ("bad", "--statistics", 1),
        ("bad", "--no-cache --jobs 2 --isolated", 1),
        ("def f(:", "", 1),
        ("def f(:", "--select TS1", 1),
    ],
)
def test_exit_status(folder: Callable[..., Path], text: str, options: str, status: int) -> None:
    folder({"net.py": text})
    assert check(*options.split()).exit_code == status


def test_a_missing_path_is_an_error_after_checking_the_rest(folder: Callable[..., Path]) -> None:
    folder({"net.py": "bad"})
    result = check("nett.py", "net.py", "--exit-zero")
    assert result.exit_code == 2
    assert result.stderr == "error: nett.py: no such file or folder; did you mean 'net.py'?\n"
    assert "net.py:1:1: TS291" in result.stdout


def test_only_missing_paths_do_not_pass(folder: Callable[..., Path]) -> None:
    folder({})
    result = check("nett.py")
    assert (result.exit_code, result.stdout) == (2, "")


def test_what_cannot_be_read_or_parsed_is_a_finding_and_the_rest_is_checked(folder: Callable[..., Path]) -> None:
    folder({"a.py": b"\x89PNG\0\0", "b.py": b"x = '\xff'\n", "c.py": "def f(:\n", "d.py": "bad\n"})
    result = check()
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.split(": ")[1].split()[0] for line in lines[:4]] == ["TS901", "TS901", "TS901", "TS291"]
    assert lines[0] == "a.py:1:1: TS901 cannot be parsed: contains null bytes; is it a binary file?"


def test_no_files_is_success_with_a_note(folder: Callable[..., Path]) -> None:
    folder({"readme.txt": ""})
    result = check()
    assert (result.exit_code, result.stdout) == (0, "All checks passed!\n")
    assert result.stderr == "note: no Python files found under the given paths\n"
    assert tslint("check", "--output-format", "json").stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--select", "TS29O"], "--select: unknown rule 'TS29O'; did you mean 'TS29"),
        (["check", "--ignore", "toy-bad,toy-bda"], "--ignore: unknown rule 'toy-bda'; did you mean 'toy-bad'?"),
        (["check", "--config", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["check", "--config", "broken.toml"], "broken.toml: broken TOML: "),
        (["check", "--config", "keys.toml"], "keys.toml: unknown key selekt; did you mean 'select'?"),
        (["check", "--config", "rules.toml"], "rules.toml: ignore: unknown rule 'TS29O'; did you mean 'TS29"),
        (["check", "--config", "keys.toml", "--isolated"], "--config and --isolated cannot be used together"),
        (["check", "--output-format", "xml"], "Invalid value for '--output-format': 'xml' is not one of "),
        (["check", "--fxi"], "No such option"),
        (["check", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["check", "--stdin-filename", "x.py", "net.py"], "--stdin-filename names the standard input"),
        (["check", "-", "net.py"], "`-` must be the only path"),
        (["check", "-o", "no/such/folder"], "no/such/folder: the report cannot be written: there is no folder"),
        (["chekc"], "no such command: 'chekc'; did you mean 'check'?"),
        (["net.py"], "no such command: 'net.py'; did you mean `tslint check net.py`?"),
    ],
)
def test_bad_input_is_one_line_on_stderr(folder: Callable[..., Path], arguments: list[str], message: str) -> None:
    folder(
        {
            "net.py": "bad",
            "broken.toml": "[tool",
            "keys.toml": "selekt = []",
            "rules.toml": 'ignore = ["TS29O"]',
        }
    )
    result = tslint(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1


def test_configuration_and_what_overrides_it(folder: Callable[..., Path]) -> None:
    folder(
        {
            "pyproject.toml": '[tool.tslint]\nselect = ["TS2"]\nignore = ["TS291"]\nfail-on = "warning"\n'
            'output-format = "json"\nextend-exclude = ["gen"]\n',
            "net.py": "bad, ugly\ntry: pass\nfinally: pass\n",
            "gen/net.py": "bad",
        }
    )

    def codes(*arguments: str) -> tuple[int, list[str]]:
        result = tslint("check", *arguments)
        return result.exit_code, [each["code"] for each in json.loads(result.stdout)]

    assert codes() == (1, ["TS292"])
    assert codes("--fail-on", "error") == (0, ["TS292"])
    assert codes("--select", "TS1") == (1, ["TS191"])
    assert codes("--select", "TS1,toy-bad") == (1, ["TS291", "TS191"])
    assert codes("--ignore", "toy-ugly") == (0, [])
    assert codes("--isolated", "--output-format", "json", "gen") == (1, ["TS291"])


def test_standard_input_takes_the_settings_of_its_name(folder: Callable[..., Path]) -> None:
    folder({"pkg/tslint.toml": 'per-file-ignores = { "net.py" = ["TS291"] }'})
    assert check("--stdin-filename", "pkg/net.py", "-", stdin=b"bad").exit_code == 0
    result = check("--stdin-filename", "pkg/other.py", "-", stdin=b"bad")
    assert result.stdout.startswith("pkg/other.py:1:1: TS291")
    assert check("-", stdin=b"bad").stdout.startswith("<stdin>:1:1: TS291")
    assert check("-", stdin=b"\0").exit_code == 1


def test_a_report_in_a_file(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "bad"})
    result = tslint("check", "--output-format", "json", "-o", "report.json", FORCE_COLOR="1")
    assert (result.exit_code, result.stdout) == (1, "")
    assert [each["code"] for each in json.loads((root / "report.json").read_text())] == ["TS291"]


@pytest.mark.parametrize(
    ("option", "environ", "colored"),
    [
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_color(folder: Callable[..., Path], option: str, environ: dict[str, str], colored: bool) -> None:
    folder({"net.py": "bad"})
    clear = {"NO_COLOR": "", "FORCE_COLOR": "", **environ}
    for command in (["check"], ["rule", "TS902"]):
        assert ("\x1b[" in tslint(*command, "--color", option, **clear).stdout_bytes.decode()) is colored


@pytest.mark.parametrize("arguments", [["--version"], ["check", "--version"]])
def test_version(arguments: list[str]) -> None:
    import tslint as package

    assert tslint(*arguments).stdout == f"tslint {package.__version__}\n"


def test_a_failure_of_tslint_itself_is_one_line(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder({"net.py": "bad"})

    def fail(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("tslint.lint.engine.raw_findings", fail)
    result = check()
    assert result.exit_code == 2
    assert result.stderr.startswith("error: tslint itself failed: RuntimeError: two lines; please report it")
    assert result.stderr.count("\n") == 1
    assert isinstance(tslint("check", TSLINT_DEBUG="1").exception, RuntimeError)


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run the real command, in a process of its own."""
    command = [sys.executable, "-m", "tslint", *arguments]
    return subprocess.run(command, capture_output=True, env={**os.environ, **environ})


def test_the_command_line_loads_neither_rules_nor_libcst() -> None:
    code = (
        "import sys, tslint.cli, tslint.cli.check;"
        "print([name for name in ('libcst', 'torch', 'tslint.rules', 'pathspec') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_process_of_its_own(folder: Callable[..., Path]) -> None:
    folder({"net.py": b"\0"})
    done = run("check", "--output-format", "concise", "net.py", "elsewhere.py")
    assert done.returncode == 2
    assert done.stdout.startswith(b"net.py:1:1: TS901 ")
    assert done.stderr == b"error: elsewhere.py: no such file or folder\n"


def test_a_stream_that_cannot_show_everything(folder: Callable[..., Path]) -> None:
    folder({"漢.py": b"\0"})
    done = run("check", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b" ?.py:1:1" in done.stdout


def test_a_reader_that_leaves_is_no_error(folder: Callable[..., Path]) -> None:
    folder({f"net{i}.py": b"\0" for i in range(500)})
    command = f"{sys.executable} -m tslint check; echo status $? >&2"
    done = subprocess.run(["bash", "-c", f"({command}) | head -n 1"], capture_output=True, text=True)
    assert done.stdout.startswith("TS901")
    assert done.stderr == "status 1\n"
