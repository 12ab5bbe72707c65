"""Tests that results with the cache and without it are the same after any change of a project."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tslint.config import Settings, Target
from tslint.diagnostics import Diagnostic
from tslint.lint import parallel
from tslint.lint.cache import invalidation
from tslint.lint.cache.cached import Cache, check
from tslint.lint.engine import judge, load, read

SITE = ".venv/lib/python3.11/site-packages"
NAMES = (
    "a", "b", "c", "pkg/__init__", "pkg/d", "pkg/e", "pkg", f"{SITE}/lib/__init__", f"{SITE}/lib/inner", f"{SITE}/b",
)  # fmt: skip
IMPORTS = (
    "", "import a", "import b", "from a import Net", "from b import Net as Other", "from c import *",
    "from pkg import d", "from pkg.e import helper", "from pkg import helper", "from . import e",
    "from .e import helper", "from lib import helper", "import lib", "from lib.inner import Net",
    "from .inner import *",
)  # fmt: skip
BODIES = (
    "def helper(x):\n    return x.numpy()\n",
    "def helper(x: int):\n    return [x for x in range(x) if x]\n",
    "class Net(nn.Module):\n    def forward(self, x):\n        try:\n            return x\n"
    "        finally:\n            pass\n",
    "class Net(nn.Module):\n    def __init__(self, flag=None):\n        super().__init__()\n        self.flag = flag\n"
    "    def forward(self, x):\n        return helper(x)\n",
    "class Mine(Net):\n    def extra(self, x):\n        return self.missing\n    def forward(self, x):\n"
    "        return helper(self.extra(x))\n",
    "class Holder(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.net = Net()\n"
    "    def forward(self, x):\n        return self.net(x), a.helper(x)  # tslint: ignore[TS2]\n",
    "traced = torch.jit.trace(Net(), torch.rand(1))\n",
    "scripted = torch.jit.script(Net())\n",
    "torch.jit.script(unknown)\n",
    "@torch.jit.script\ndef f(x):\n    return helper(x)  # tslint: ignore\n",
    "def broken(:\n",
)
CONFIGURATIONS = (
    {},
    {"mode": "trace"},
    {"select": ("TS1", "TS2")},
    {"entry_points": ("a:Net",)},
    {"targets": {"net": Target("pkg.d:Net", modes=("trace",))}},
)
texts = st.builds(
    lambda imports, bodies: "import torch\nfrom torch import nn\n" + "\n".join((*imports, *bodies)),
    st.lists(st.sampled_from(IMPORTS), max_size=3),
    st.lists(st.sampled_from(BODIES), max_size=3),
)


class Project(RuleBasedStateMachine):
    """A project that is edited between runs."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        (self.root / "pkg").mkdir()
        (self.root / SITE / "lib").mkdir(parents=True)
        self.paths: tuple[str, ...] = (".",)
        self.options: dict[str, object] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    @rule(name=st.sampled_from(NAMES), text=texts)
    def edit(self, name: str, text: str) -> None:
        """Write a file."""
        (self.root / f"{name}.py").write_text(text)

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        """Delete a file."""
        (self.root / f"{name}.py").unlink(missing_ok=True)

    @rule(paths=st.sampled_from([(".",), ("a.py",), ("a.py", "pkg"), ("pkg/d.py", "c.py")]))
    def name(self, paths: tuple[str, ...]) -> None:
        """Choose the paths of the next runs."""
        self.paths = paths

    @rule(options=st.sampled_from(CONFIGURATIONS))
    def configure(self, options: dict[str, object]) -> None:
        """Change the settings."""
        self.options = options

    @invariant()
    def same(self) -> None:
        """Check that the report is the same as that of a run without the cache."""
        config = Settings(root=self.root, **self.options)  # type: ignore[arg-type]
        paths = [self.root / path for path in self.paths]
        assert outcome(config, paths, cached=True) == outcome(config, paths, cached=False)


def outcome(config: Settings, paths: list[Path], *, cached: bool) -> tuple[Diagnostic, ...] | str:
    """Return the findings of a run, or the message that ends it."""
    from tslint.config import ConfigError

    try:
        if cached:
            report, _ = check(read(paths, config), config, Cache.open(config, paths))
        else:
            report = judge(load(paths, config), config)
    except ConfigError as error:
        return str(error)
    return report.diagnostics


def test_a_star_import_that_does_not_bind_the_name_yet(tmp_path: Path) -> None:
    """A file depends on its star imports, even if none of the names that it uses is defined there yet."""
    write = {
        "a": "from c import *\n\n\ndef helper(x):\n    return x.numpy()\n\n\n@torch.jit.script\ndef f(x):\n"
        "    return a.helper(x)\n",
        "c": "",
    }
    for name, text in write.items():
        (tmp_path / f"{name}.py").write_text(f"import torch\n{text}")
    config, paths = Settings(root=tmp_path), [tmp_path]
    before = outcome(config, paths, cached=True)
    (tmp_path / "c.py").write_text("import torch\nimport a\n")
    after = outcome(config, paths, cached=True)
    assert [each.code for each in before] == ["TS201"]
    assert [each.code for each in after] == ["TS209"]


def in_small_chunks(patch: pytest.MonkeyPatch) -> None:
    """Divide runs into chunks of a few lines."""
    for module in (parallel, invalidation):
        patch.setattr(module, "in_one_go", lambda size, jobs: size <= 200)
        patch.setattr(module, "even", lambda size, jobs: 150)
        patch.setattr(module, "share", _in_turn)


def test_a_call_into_a_package_is_no_matter_of_other_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_small_chunks(monkeypatch)
    package = tmp_path / SITE / "lib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("def helper(x):\n    return x.numpy()\n")
    config, paths = Settings(root=tmp_path), [tmp_path]
    (tmp_path / "b.py").write_text("import torch\n")
    net = "class Net(nn.Module):\n    def forward(self, x):\n        return helper(x)\n"
    (tmp_path / "a.py").write_text(f"from torch import nn\nfrom lib import helper\n{'# ' + 'long ' * 40}\n{net}")
    found = outcome(config, paths, cached=True)
    assert [(each.code, each.condition) for each in found if isinstance(each, Diagnostic)] == [("TS225", None)]
    assert found == outcome(config, paths, cached=False)


class Chunks(Project):
    """The same as :class:`Project`, with runs that are divided into chunks of a few lines."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        in_small_chunks(self.patch)

    def teardown(self) -> None:
        self.patch.undo()
        super().teardown()


def _in_turn(
    function: Callable[[Any], Any], items: Sequence[Any], jobs: int, heard: Callable[[Any], object]
) -> list[Any]:
    return [function(item) for item in items]


for machine in (Project, Chunks):
    machine.TestCase.settings = settings(
        max_examples=20, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
    )
TestProject = Project.TestCase
TestChunks = Chunks.TestCase
