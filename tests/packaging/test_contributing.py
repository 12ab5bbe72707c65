"""CONTRIBUTING.md is right: the rule that it shows registers, fires, mends, and is what the compiler says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.packaging.support import ROOT, clean_environ

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
(RULE,) = re.findall(r"^````python\n(.*?)^````$", PAGE, re.MULTILINE | re.DOTALL)
(PLACE,) = set(re.findall(r"`(rules/\w+/\w+\.py)`", PAGE))
BAD, GOOD = re.findall(r"^```python\n(.*?)^```$", RULE, re.MULTILINE | re.DOTALL)
HEADER = "import torch\nfrom torch import nn\n\n\n"


def tslint(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**clean_environ(), "PYTHONPATH": str(copy)}
    command = [sys.executable, "-m", "tslint", *arguments]
    return subprocess.run(command, cwd=copy.parent, capture_output=True, text=True, env=environ)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to import tslint from, laid out as it is installed, with the rule of the page in it."""
    folder = tmp_path_factory.mktemp("contributing") / "copy"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tslint", folder / "tslint", ignore=ignore)
    shutil.copytree(ROOT / "rules", folder / "tslint" / "rules", ignore=ignore)
    place = folder / "tslint" / PLACE
    assert not place.exists(), "the page shows a rule of its own"
    place.write_text(RULE, encoding="utf-8")
    return folder


def test_the_rule_registers_itself(copy: Path) -> None:
    done = tslint(copy, "rule", "plus-sign")
    assert done.returncode == 0, done.stderr
    assert "A plus sign before a value" in done.stdout


def test_the_rule_fires_and_mends(copy: Path) -> None:
    net = copy.parent / "net.py"
    net.write_text(HEADER + BAD)
    done = tslint(copy, "check", "--isolated", "--select", "plus-sign", "--output-format", "json", str(net))
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)
    assert (finding["code"], finding["message"]) == ("TS198", "`+x` cannot be compiled")
    assert finding["location"] == {"row": 7, "column": 16}

    done = tslint(copy, "check", "--isolated", "--select", "plus-sign", "--fix", str(net))
    assert done.returncode == 0, done.stdout + done.stderr
    assert net.read_text() == HEADER + GOOD


def test_the_compiler_says_what_the_page_says(tmp_path: Path) -> None:
    (message,) = re.findall(r"^```text\n\w+: (.*?)\n```$", RULE, re.MULTILINE)
    for example in (BAD, GOOD):
        path = tmp_path / "net.py"
        path.write_text(HEADER + example)
        names: dict[str, type[torch.nn.Module]] = {}
        exec(compile(path.read_text(), str(path), "exec"), names)
        if example == BAD:
            with pytest.raises(Exception) as caught:
                torch.jit.script(names["Net"]())
            assert message in str(caught.value)
        else:
            assert torch.jit.script(names["Net"]())(torch.ones(1)) == 1


def test_the_files_that_the_page_names_are_there() -> None:
    for name in re.findall(r"\]\((\S+?)\)", PAGE):
        assert (ROOT / name).exists(), name
    for name in re.findall(r"`((?:tslint|tests|\.ci)/[\w./]*)`", PAGE):
        assert (ROOT / name).exists(), name
