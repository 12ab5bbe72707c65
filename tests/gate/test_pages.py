"""Tests docs/ci.md and docs/pre-commit.md: their commands run, their settings are valid, and the named files exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from tests.gate.repository import write
from tests.gate.workflows import ACTION, GITLAB
from tests.packaging.support import ROOT
from tslint.cli import cli
from tslint.config import load_file

CI, HOOKS = ((ROOT / "docs" / name).read_text("utf-8") for name in ("ci.md", "pre-commit.md"))
OFFERED: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def rows(page: str) -> set[str]:
    return set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE))


@pytest.mark.parametrize("page", [CI, HOOKS], ids=["ci", "pre-commit"])
def test_its_commands_run(page: str, project: Path) -> None:
    # Since main, only a page has changed, so no target is verified.
    (project / "NEWS.md").write_text("News.\n")
    lines = [line for line in "".join(blocks(page, "console")).splitlines() if line.startswith("tslint ")]
    assert lines
    for line in lines:
        if line != "tslint gate":
            result = CliRunner().invoke(cli, line.split()[1:])
            assert result.exit_code == 0, (line, result.stdout, result.stderr)
            for file in re.findall(r"--(?:junit|report|sarif|gitlab) (\S+)", line):
                (project / file).unlink()


def test_the_settings_are_read(tmp_path: Path) -> None:
    (text,) = blocks(CI, "toml")
    (tmp_path / "pyproject.toml").write_text(text)
    assert load_file(tmp_path / "pyproject.toml").targets["net"].target == "pkg.net:build"


def test_the_hooks_that_it_names_are_offered() -> None:
    offered = {hook["id"]: hook for hook in OFFERED}
    (config,) = (yaml.safe_load(text) for text in blocks(HOOKS, "yaml"))
    assert {hook["id"] for repo in config["repos"] for hook in repo["hooks"]} <= set(offered)
    assert rows(HOOKS) == set(offered)
    assert offered["tslint-verify"]["stages"] == ["pre-push"]
    assert offered["tslint-verify"]["entry"] in HOOKS
    assert offered["tslint"]["entry"] in HOOKS


def test_the_inputs_are_those_of_the_action() -> None:
    workflow, _, job = (yaml.safe_load(text) for text in blocks(CI, "yaml"))
    (used,) = (step["with"] for step in workflow["jobs"]["tslint"]["steps"] if "with" in step)
    assert set(used) <= set(ACTION["inputs"])
    assert rows(CI) == set(ACTION["inputs"])
    assert set(job["tslint"]["variables"]) <= set(GITLAB["tslint"]["variables"])
    assert (ROOT / job["include"][0]["local"]).is_file()


def test_within_only_reports_the_named_files(project: Path) -> None:
    broken = "import torch\n\n\ndef twice(x: torch.Tensor) -> torch.Tensor:\n    try:\n        return x\n    finally:\n        pass\n"  # noqa: E501  # fmt: skip
    write(project, pkg__ops=broken, pkg__stale=broken.replace("def", "@torch.jit.script\ndef"))

    def check(*arguments: str) -> tuple[int, int]:
        result = CliRunner().invoke(cli, ["check", *arguments, "--output-format", "concise"])
        return result.exit_code, result.stdout.count("TS101")

    assert check("pkg/ops.py") == (0, 0)
    assert check("--within", ".", "pkg/ops.py") == (1, 1)
    assert check("--within", ".", "pkg/net.py") == (0, 0)
    (project / "tslint.toml").write_text('extend-exclude = ["pkg/ops.py"]\n')
    assert check("--force-exclude", "--within", ".", "pkg/ops.py") == (0, 0)
    result = CliRunner().invoke(cli, ["check", "--within", "gone", "pkg/ops.py"])
    assert (result.exit_code, result.stdout) == (2, "")
