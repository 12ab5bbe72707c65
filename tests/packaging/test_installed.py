"""Tests that tslint, installed in each of three ways, finds every rule once, and checks without torch."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.packaging.support import Environment
from tslint.rulekit.registry import all_rules

pytestmark = pytest.mark.installs

LIST_RULES = """
import json, sys
import tslint, tslint.rulekit.registry
rules = [(r.rule.code, r.rule.name, r.module) for r in tslint.rulekit.registry.all_rules()]
json.dump({"rules": rules, "from": tslint.__file__, "torch": "torch" in sys.modules}, sys.stdout)
"""
REJECTED = """\
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        try:
            return x + 1
        except ValueError:
            return x
"""


@pytest.fixture(scope="module", params=["editable", "wheel", "sdist"])
def installed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, tree: Path, built: Path
) -> Environment:
    """Return an environment with tslint and its requirements only."""
    way = str(request.param)
    environment = Environment.create(tmp_path_factory.mktemp(way) / "venv")
    if way == "editable":
        environment.install("--editable", tree)
    else:
        (archive,) = built.glob("*.whl" if way == "wheel" else "*.tar.gz")
        environment.install(archive)
    return environment


def test_every_rule_is_there_once(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("python", "-c", LIST_RULES, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["rules"] == [[entry.rule.code, entry.rule.name, entry.module] for entry in all_rules()]
    assert Path(said["from"]).parents[1] != Path(__file__).parents[2]


def test_check_needs_no_torch(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("python", "-c", "import torch", cwd=tmp_path)
    assert "No module named 'torch'" in done.stderr

    (tmp_path / "net.py").write_text(REJECTED)
    done = installed.run("tslint", "check", "net.py", "--output-format", "json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    findings = json.loads(done.stdout)
    assert [(finding["name"], finding["location"]["row"]) for finding in findings] == [("try-block", 6)]

    (tmp_path / "net.py").write_text(REJECTED.replace("try:", "if x.dim() > 0:").replace("except ValueError:", "else:"))
    done = installed.run("tslint", "check", "net.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rule_lists_every_rule(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("tslint", "rule", "--all", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [entry.rule.code for entry in all_rules() if entry.rule.code not in done.stdout] == []


def test_verify_without_torch_says_what_to_install(installed: Environment, tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(REJECTED)
    done = installed.run("tslint", "verify", "net.py:Net", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert re.search(r"error: tslint verify needs torch: pip install (-e )?\S*\[verify\]", done.stderr), done.stderr
