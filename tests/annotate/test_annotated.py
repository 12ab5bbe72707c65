"""Tests that real modules, annotated by the command, are accepted by the real compiler."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from click.testing import CliRunner, Result

from tests.annotate.modules import INPUTS, OPS, SOURCE
from tslint.cli import cli

CASES = re.findall(r"^class (\w+)\(nn\.Module\)", SOURCE, re.MULTILINE)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("annotated")
    (folder / "parts").mkdir()
    (folder / "parts" / "__init__.py").touch()
    (folder / "parts" / "ops.py").write_text(OPS, encoding="utf-8")
    (folder / "nets.py").write_text(SOURCE, encoding="utf-8")
    return folder


def annotate(project: Path, *options: str) -> Result:
    targets = [f"{project / 'nets.py'}:{case}" for case in CASES]
    return CliRunner().invoke(cli, ["annotate", "--isolated", "--inputs", INPUTS, *options, *targets])


@pytest.fixture(scope="module")
def runs(project: Path) -> dict[str, Result]:
    """Return the results of a diff run, of a writing run, and of a second run."""
    return {
        "diff": annotate(project, "--diff"),
        "write": annotate(project, "--write"),
        "again": annotate(project, "--write"),
    }


def load(project: Path, nets: str, ops: str, name: str) -> ModuleType:
    """Import a version of the two files under unique names."""
    folder = project / name
    package = folder / f"{name}_parts"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "ops.py").write_text(ops, encoding="utf-8")
    text = nets.replace("from parts.ops", f"from {name}_parts.ops")
    (folder / f"{name}_nets.py").write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return importlib.import_module(f"{name}_nets")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def before(project: Path) -> ModuleType:
    return load(project, SOURCE, OPS, "before")


@pytest.fixture(scope="module")
def after(project: Path, runs: dict[str, Result]) -> Iterator[ModuleType]:
    nets = (project / "nets.py").read_text(encoding="utf-8")
    yield load(project, nets, (project / "parts" / "ops.py").read_text(encoding="utf-8"), "after")


def compiles(module: torch.nn.Module) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.jit.script(module)
        except Exception as error:
            print(error)
            return False
    return True


@pytest.mark.parametrize("case", CASES)
def test_the_compiler_accepts_what_it_refused(before: ModuleType, after: ModuleType, case: str) -> None:
    inputs = eval(INPUTS)
    old, new = getattr(before, case)(), getattr(after, case)()
    assert new.state_dict().keys() == old.state_dict().keys()
    assert repr(new(inputs)) == repr(old(inputs))
    refused = not compiles(getattr(before, case)())
    # It compiled before, but failed at run time: an ignored function is assumed to return a Tensor.
    assert refused or case == "Ignored"
    scripted = getattr(after, case)()
    assert compiles(scripted)
    assert plain(torch.jit.script(scripted)(inputs)) == plain(getattr(before, case)()(inputs))


def plain(value: Any) -> str:
    return repr(value).replace("(", "[").replace(")", "]")


def test_all_that_runs_once_is_written_once(runs: dict[str, Result]) -> None:
    assert runs["diff"].exit_code == 1
    assert runs["write"].exit_code == 0, runs["write"].stderr
    assert runs["again"].exit_code == 0
    assert runs["again"].stderr.endswith("Nothing to annotate.\n")


def test_nothing_but_annotations_and_imports_has_changed(project: Path, runs: dict[str, Result]) -> None:
    assert runs["write"].exit_code == 0
    new = (project / "nets.py").read_text(encoding="utf-8")
    assert stripped(new) == stripped(SOURCE)
    assert new.count("import Dict, List, NamedTuple, Optional, Union\n") == 1
    # Lines above the imports stay above them, and only the requested lines have changed.
    assert new.startswith('"""A project\'s modules."""\n# A comment of its own.\nimport enum\n')
    declared = "    sizes: List[int]\n    state: Optional[torch.Tensor]\n\n    def __init__"
    assert f'    """Attributes are declared at class level."""\n\n{declared}' in new
    assert "        sizes: List[int] = []\n        names: Dict[str, int] = {}  # two at once\n" in new
    assert "def scaled(self, x, by: float = 2.0, shift: int = -1, flag: bool = False):" in new
    picked = "self, x, count: int, factor: float, negate: bool, name: str, *, among: List[int]"
    assert f"    def pick(\n        {picked}\n    ):\n" in new


class _Strip(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value) if node.value is not None else None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "typing" else node


def stripped(text: str) -> str:
    """Return the code without its annotations, with assignments of several names written as one."""
    text = text.replace("sizes, names = [], {}", "sizes = []; names = {}")
    return ast.unparse(ast.fix_missing_locations(_Strip().visit(ast.parse(text))))


def test_the_diff_carries_places_types_and_evidence(runs: dict[str, Result], project: Path) -> None:
    lines = [line for line in runs["diff"].stdout.splitlines() if line.startswith(str(project))]
    rows = {tuple(re.split(r"  +", line)[1:3]): re.split(r"  +", line)[3] for line in lines}
    assert rows["Defaults.scaled(by)", "float"] == "seen 2×"
    assert rows["MaybeMask.masked(mask)", "Optional[Tensor]"] == "seen 2×: None 1×, Tensor 1×"
    assert rows["MaybeSize.padded(size)", "Optional[int]"] == "seen 2×: None 1×, int 1×"
    assert rows["Cache.sizes", "List[int]"].startswith("seen")
    assert rows["Ignored.limit() ->", "int"] == "seen 1×"
    assert rows["Mixed.one(other)", "Union[List[int], str]"] == "seen 2×: List 1×, str 1×; several types were seen"
    assert any(line.startswith(f"{project / 'parts' / 'ops.py'}:1:15") for line in lines)
    assert "+    sizes: List[int]\n" in runs["diff"].stdout
    assert runs["diff"].stderr.endswith("--write adds them.\n")
