"""Tests --all-errors: one run lists one error of the compiler for each function, and no error that tslint
has caused.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch
from click.testing import CliRunner

from tests.verify.deployed import Deploy, deploy
from tests.verify.failing import SOURCE
from tslint.cli import cli
from tslint.verify.all_errors import forgetting
from tslint.verify.also_checked import also_checked
from tslint.verify.blame import TORCH_ROOT
from tslint.verify.observed import observe
from tslint.verify.outcome import Outcome
from tslint.verify.runner import evidence_findings

__all__ = ["deploy"]

Errors = Callable[..., tuple[Outcome, list[str]]]


@pytest.fixture
def failing(tmp_path: Path) -> Iterator[ModuleType]:
    """Yield the modules that fail."""
    path = tmp_path / "failing_modules.py"
    path.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("failing_modules", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["failing_modules"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["failing_modules"]


@pytest.fixture
def errors(deploy: Deploy, failing: ModuleType) -> Errors:
    """Run ``script`` for a class; return its outcome, and the marks after the lines with a finding."""

    def run(name: str, *, every: bool = True) -> tuple[Outcome, list[str]]:
        outcome = deploy("script", getattr(failing, name)(), torch.rand(3), all_errors=every)
        found = evidence_findings(outcome.evidence, TORCH_ROOT)
        lines = [SOURCE.splitlines()[each.start.row - 1] for each in found]
        return outcome, [line.partition("# ")[2] or line.strip() for line in lines]

    return run


def test_without_all_errors_there_is_one_error(errors: Errors) -> None:
    outcome, found = errors("Net", every=False)
    assert found == ["pair"]
    assert outcome.detail == "try blocks aren't supported"


def test_one_error_for_each_function_across_submodules_and_functions(errors: Errors) -> None:
    outcome, found = errors("Net")
    # The compiler names no line for numpy's functions.
    assert found == ["def free(x):", "pair", "part", "forward"]
    assert outcome.detail == "try blocks aren't supported (and 3 errors in other functions)"


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        # Only a hidden function calls the second one, and eager does not reach it.
        ("Chain", ["first", "second"]),
        # The third is called in code that the compiler never reads.
        ("Called", ["called-first", "called-second"]),
        # The type that pair returns is not a TorchScript type, so the code in forward that uses the result is not
        # reported.
        ("Vague", ["vague"]),
        ("Signature", ["def call(self, x, f: Callable = abs):", "other"]),
        ("Variadic", ["variadic"]),
        ("Attribute", ["attribute"]),
        ("One", ["def forward(self, x):"]),
    ],
)
def test_all_errors_are_found(errors: Errors, name: str, marks: list[str]) -> None:
    outcome, found = errors(name)
    assert found == marks
    assert outcome.status == "failed"
    assert outcome.detail.endswith(" (and one error in another function)") is (len(marks) == 2)


def test_every_error_is_one_of_the_compiler(errors: Errors, failing: ModuleType) -> None:
    """Each named function is rejected separately, after those before it compile."""
    errors("Net")
    for function in (failing.free, failing.wraps):
        with pytest.raises((RuntimeError, TypeError)):
            torch.jit.script(function)
    # A failed compilation leaves its type behind, which would disturb the next one.
    with forgetting(), pytest.raises(torch.jit.frontend.NotSupportedError, match="try blocks"):
        torch.jit.script(failing.Part())


def test_all_changes_to_functions_are_undone(errors: Errors, failing: ModuleType, deploy: Deploy) -> None:
    functions = [failing.free, failing.Part.pair, failing.Part.forward, failing.Net.forward, failing.Signature.call]
    before = [(each.__code__, each.__defaults__, vars(each).copy()) for each in functions]
    store = torch.jit._recursive.concrete_type_store
    for name in ("Signature", "Net"):
        errors(name)
    assert [(each.__code__, each.__defaults__, vars(each)) for each in functions] == before
    assert torch.jit._recursive.concrete_type_store is store
    assert deploy.stage("trace").status == "passed"


def test_without_inputs_the_errors_are_those_of_the_compiler(deploy: Deploy, failing: ModuleType) -> None:
    outcome = deploy("script", failing.Called(), all_errors=True)
    rows = [each.start.row for each in evidence_findings(outcome.evidence, TORCH_ROOT)]
    marks = [SOURCE.splitlines()[row - 1].partition("# ")[2] for row in rows]
    assert marks == ["called-first", "called-second"]


def test_a_module_that_compiles_has_none(deploy: Deploy) -> None:
    assert deploy("script", torch.nn.Linear(3, 2), torch.rand(3), all_errors=True).status == "passed"


def test_an_exception_is_no_result(failing: ModuleType) -> None:
    """The profiler of Python reports a function that raises as one that returns None."""
    session = SimpleNamespace(eager="passed", inputs=[(torch.rand(3),)], built=failing.Raising())
    returns = {key.name: type_ for key, type_ in observe(session).returns.items()}  # type: ignore[arg-type]
    assert returns == {"counted": "int", "nothing": "None", "forward": "Tensor"}


def test_a_call_into_a_file_that_is_read_later_stays_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The class after the call is not part of the built module, so its own lines are not reported."""
    package = tmp_path / ".venv/lib/python3.11/site-packages/parts"
    package.mkdir(parents=True)
    (package / "cells.py").write_text(
        "import torch\n\n\nclass Cell(torch.nn.Module):\n    def forward(self, x, states):\n"
        "        a, b = states\n        return a + x, b\n",
        encoding="utf-8",
    )
    net = package / "net.py"
    net.write_text(
        "import torch\nfrom elsewhere import made\nfrom parts.cells import Cell\n\n\n"
        "class Net(torch.nn.Module):\n    def __init__(self, mixed=False):\n        super().__init__()\n"
        "        self.mixed = mixed\n        if mixed:\n            self.cell = Cell()\n\n"
        "    def forward(self, x):\n        if self.mixed:\n            x, y = self.cell(x, made(x))\n"
        "        return x\n",
        encoding="utf-8",
    )
    (package / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    compiled = {"classes": [(str(net.resolve()), "Net")], "files": [str(net.resolve())]}
    found = also_checked([], compiled)
    assert [(each.code, each.start.row) for each in found] == [("TS225", 15)]


def test_what_check_lists_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parts_with_errors.py").write_text(
        "def last(x):\n    chosen = {1, 2}\n    with open('log') as log:\n        return x\n", encoding="utf-8"
    )
    (tmp_path / "net.py").write_text(
        "import numpy as np\nimport torch\nfrom parts_with_errors import last\n\n\n"
        "class Part(torch.nn.Module):\n    def forward(self, x):\n        a = {1, 2}\n"
        "        try:\n            y = x\n"
        "        except ValueError:\n            y = -x\n        return np.abs(y)\n\n\n"
        "class Unused(torch.nn.Module):\n    def forward(self, x):\n        return {1, 2}\n\n\n"
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.part = Part()\n\n"
        "    def forward(self, x):\n        y = self.part(x)\n        for i in {1, 2}:\n            y = y + i\n"
        "        return last(y)\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    checked = CliRunner().invoke(cli, ["check", "--isolated", "--output-format", "json", "."])
    command = ["verify", "net.py:Net", "--inputs", "torch.rand(2)", "--mode", "script", "--all-errors", "--isolated"]
    verified = CliRunner().invoke(cli, [*command, "--stages", "eager,script,compare", "--output-format", "json"])
    (script,) = [each for each in json.loads(verified.stdout)["targets"][0]["stages"] if each["name"] == "script"]

    def lines(findings: list[dict[str, Any]]) -> set[tuple[str, int]]:
        return {(Path(each["filename"]).name, each["location"]["row"]) for each in findings}

    # The lines of a class that is not part of the module are not reported.
    unused = {("net.py", 18)}
    found = lines(script["findings"])
    assert len(found) >= 6
    assert found >= lines(json.loads(checked.stdout)) - unused
    assert not found & unused
