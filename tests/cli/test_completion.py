"""Tests ``tslint completion``: the scripts for the shells, and the suggestions when TAB is pressed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import COMMANDS, cli


def completion(*words: str) -> list[str]:
    """Return the suggestions for the zsh script, without kinds and help, for the last word."""
    environ = {"_TSLINT_COMPLETE": "zsh_complete", "COMP_WORDS": " ".join(["tslint", *words]),
               "COMP_CWORD": str(len(words))}  # fmt: skip
    code = "import sys; from tslint.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environ})
    assert done.stderr == ""
    return done.stdout.splitlines()[1::3]


def test_commands_options_and_rules() -> None:
    assert completion("ch") == ["check"]
    assert "--write-baseline" in completion("check", "--write")
    assert completion("check", "--output-format", "js") == ["json", "json-lines"]
    assert completion("check", "--select", "TS10") == [f"TS10{i}" for i in range(1, 10)]
    assert completion("check", "--select", "try-b") == ["try-block"]
    assert completion("check", "--ignore", "TS104,TS101") == ["TS104,TS101"]
    assert completion("rule", "TS101") == ["TS101"]
    assert completion("completion", "") == ["bash", "zsh", "fish"]


def test_bash_completes(tmp_path: Path) -> None:
    (tmp_path / "tslint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tslint "$@"\n')
    (tmp_path / "tslint").chmod(0o755)
    script = (
        'eval "$(tslint completion bash)"; complete -p tslint;'
        'COMP_WORDS=(tslint comp); COMP_CWORD=1; _tslint_completion tslint; echo "${COMPREPLY[@]}"'
    )
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environ)
    assert done.stdout.splitlines() == ["complete -o nosort -F _tslint_completion tslint", "completion"]


@pytest.mark.parametrize(("shell", "sign"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete --no-fi")])
def test_scripts(shell: str, sign: str) -> None:
    result = CliRunner().invoke(cli, ["completion", shell])
    assert result.exit_code == 0
    assert sign in result.stdout
    assert f"_TSLINT_COMPLETE={shell}_complete" in result.stdout


def test_an_unknown_shell_is_one_line() -> None:
    result = CliRunner().invoke(cli, ["completion", "tcsh"])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: Invalid value for '{bash|zsh|fish}'")
    assert result.stderr.count("\n") == 1


def test_every_command_has_a_file() -> None:
    assert cli.list_commands(None) == list(COMMANDS)  # type: ignore[arg-type]
