"""Tests operators that are not torch's own: the module or library that registers them is named, and can be loaded
before the archive.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tests.verify.deployed import Deploy, deploy

__all__ = ["deploy"]

OPERATORS = """
import torch

library = torch.library.Library("tslint_tests", "DEF")
library.define("twice(Tensor x) -> Tensor")
library.impl("twice", lambda x: x * 2, "CPU")
"""
C10 = next((Path(torch.__file__).parent / "lib").glob("*c10.*"), None)


class Twice(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.ops.tslint_tests.twice(x)


@pytest.fixture(scope="module")
def operators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield a module that registers an operator; it is registered only once, because torch crashes if it is removed
    before its callers.
    """
    folder = tmp_path_factory.mktemp("site")
    (folder / "twice_operators.py").write_text(OPERATORS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        importlib.import_module("twice_operators")
        yield "twice_operators"


def test_a_missing_operator_is_told_with_what_registers_it(deploy: Deploy, operators: str) -> None:
    outcome = deploy("reload", Twice(), torch.rand(3), modes=("script",))
    assert outcome.status == "failed"
    assert outcome.detail == (
        "script: cannot be loaded: RuntimeError: Unknown builtin op: tslint_tests::twice; twice_operators registers "
        "it: import it there (--import twice_operators, or imports = ['twice_operators'] under "
        "[tool.tslint.targets.NAME])"
    )


def test_operators_of_an_imported_module_are_registered(deploy: Deploy, operators: str) -> None:
    outcome = deploy("reload", Twice(), torch.rand(3), modes=("script",), imports=(operators,))
    assert (outcome.status, outcome.detail) == ("passed", "script loaded and run")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"imports": ("nowhere_at_all",)}, "nowhere_at_all cannot be loaded before the archive: ModuleNotFoundError"),
        ({"libraries": ("nowhere.so",)}, "nowhere.so cannot be loaded before the archive: OSError"),
    ],
)
def test_imports_and_libraries_that_do_not_exist(
    deploy: Deploy, options: dict[str, tuple[str, ...]], said: str
) -> None:
    outcome = deploy("reload", torch.nn.ReLU(), torch.rand(3), modes=("script",), **options)
    assert outcome.status == "failed"
    assert said in outcome.detail


@pytest.mark.skipif(C10 is None, reason="a torch that is one library")
def test_libraries_are_loaded_first(deploy: Deploy) -> None:
    outcome = deploy("reload", torch.nn.ReLU(), torch.rand(3), modes=("script",), libraries=(str(C10),))
    assert (outcome.status, outcome.detail) == ("passed", "script loaded and run")
