"""Tests that findings do not depend on the groups in which the files of a run are analysed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tslint.config import Settings
from tslint.diagnostics import CallStep
from tslint.lint import parallel
from tslint.lint.cache import invalidation
from tslint.lint.cache.cached import Cache, check
from tslint.lint.engine import judge, load, read

HEAD = "import torch\nfrom torch import nn\n\n\n"
BASE = (
    "class Base(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.gain = 'high'\n\n"
    "    def forward(self, x):\n        return {}\n"
)
DERIVED = (
    "from a import Base\n\n\nclass Derived(Base):\n    def __init__(self):\n        super().__init__()\n"
    "        self.head, self.gain = nn.Linear(2, 2), 2\n"
)
EITHER = (
    "class Base(nn.Module):\n    def __init__(self, wide):\n        super().__init__()\n        if wide:\n"
    "            self.a, self.b = 'high', 1\n        else:\n            self.a, self.b = 1, 'high'\n\n"
    "    def forward(self, x):\n        x = x * self.a\n        return x * self.b\n"
)
NEITHER = (
    "from a import Base\n\n\nclass Derived(Base):\n    def __init__(self):\n        super().__init__(True)\n"
    "        self.a, self.b = 1, 2\n"
)
TESTS_NONE = (
    "class Part(nn.Module):\n    def forward(self, x, mask=None):\n        if mask is not None:\n"
    "            x = x + mask\n        return x\n"
)
CALLS = (
    "from a import Part\n\n\nclass Whole(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.part = Part()\n\n    def forward(self, x):\n        return self.part(x, {})\n"
)
TRIES = (
    "class Net(nn.Module):\n    def forward(self, x):\n        try:\n            return x\n        finally:\n"
    "            pass\n"
)
PRUNED = "`mask is not None` is always true in TorchScript: the parameter is not Optional"
TRACES = "import a\n\ntorch.jit.trace(a.Net(), torch.rand(1))\n"
SCRIPTS = "import a\n\ntorch.jit.script(a.Net())\n"
HELPER = "def helper(x):\n    return x.numpy()\n"
VIEWS = "def helper(x, n):\n    return x.view(n, -1) if n else x\n"
USES = "from a import helper\n\n\nclass {0}(nn.Module):\n    def forward(self, x):\n        return {1}\n"
MODED = (
    "class Moded:\n    @property\n    def mode(self) -> int:\n        return self.kept\n\n\n"
    "class Net(nn.Module, Moded):\n    def __init__(self):\n        super().__init__()\n{}"
    "    def forward(self, x):\n        return x\n"
)
MODED_TOO = (
    "from a import Moded, Net\n\n\nclass Other({}):\n    def __init__(self):\n        super().__init__()\n"
    "        self.kept = 2\n\n    def forward(self, x):\n        return x\n"
)
PROJECTS = {
    "a class of another file sets the attribute": (
        {"a": BASE.format("self.head(x)"), "b": DERIVED},
        [],
    ),
    "a class of another file sets the attribute, and has another method": (
        {"a": BASE.format("self.head(x)"), "b": f"{DERIVED}\n    def forward(self, x):\n        return x\n"},
        [],
    ),
    "no class sets the attribute": (
        {"a": BASE.format("self.tail(x)"), "b": DERIVED},
        [("a", 11, "error", "`self.tail` does not exist: no constructor of `Base` sets it")],
    ),
    "a class of another file sets what a property reads": (
        {"a": MODED.format(""), "b": MODED_TOO.format("nn.Module, Moded")},
        [
            (
                "a",
                8,
                "warning",
                "`Net` does not set `self.kept`, which the property `mode` reads (when `self` is a `Net`)",
            )
        ],
    ),
    "a derived class of another file sets what a property reads": (
        {"a": MODED.format(""), "b": MODED_TOO.format("Net")},
        [],
    ),
    "the method compiles for a class of another file": (
        {"a": BASE.format("x * self.gain"), "b": DERIVED},
        [
            (
                "a",
                11,
                "warning",
                "`*` does not work between `x` (a Tensor) and `self.gain` (a str), when `self` is a `Base`",
            )
        ],
    ),
    "every construction fails": (
        {"a": EITHER},
        [
            ("a", 14, "error", "`*` does not work between `x` (a Tensor) and `self.a` (a str), when `wide` is true"),
            ("a", 15, "error", "`*` does not work between `x` (a Tensor) and `self.b` (a str), when `wide` is false"),
        ],
    ),
    "every construction fails, but for a class of another file": (
        {"a": EITHER, "b": NEITHER},
        [
            ("a", 14, "warning", "`*` does not work between `x` (a Tensor) and `self.a` (a str), when `wide` is true"),
            (
                "a",
                15,
                "warning",
                "`*` does not work between `x` (a Tensor) and `self.b` (a str), when `wide` is false",
            ),
        ],
    ),
    "the method compiles for the base only": (
        {
            "a": BASE.format("self.step(x)") + "\n    def step(self, x):\n        return x\n",
            "b": f"{DERIVED}\n    def step(self, x):\n        return x.numpy()\n",
        },
        [("b", 14, "error", "`x.numpy` creates a numpy array, and compiled code has no numpy")],
    ),
    "compiled code in another file passes a tensor": (
        {"a": TESTS_NONE, "b": CALLS.format("x + x")},
        [],
    ),
    "compiled code in another file passes what Python passed": (
        {"a": TESTS_NONE, "b": CALLS.format("mask").replace("self, x)", "self, x, mask)")},
        [("a", 7, "warning", PRUNED)],
    ),
    "only another file traces the module": (
        {"a": TRIES, "b": TRACES},
        [],
    ),
    "one file traces the module, and another one scripts it": (
        {"a": TRIES, "b": TRACES, "c": SCRIPTS},
        [("a", 7, "error", "`try` cannot be compiled: TorchScript has no exception handling")],
    ),
    "every file passes an int": (
        {"a": VIEWS, "b": USES.format("First", "helper(x, 1)"), "c": USES.format("Second", "helper(x, 2)")},
        [
            ("a", 5, "error", "`n` has no annotation, so it is a Tensor, but `First.forward` passes an int"),
            ("b", 10, "error", "`n` of `helper` has no annotation, so it is a Tensor, but gets an int"),
            ("c", 10, "error", "`n` of `helper` has no annotation, so it is a Tensor, but gets an int"),
        ],
    ),
    "another file passes a Tensor": (
        {"a": VIEWS, "b": USES.format("First", "helper(x, 1)"), "c": USES.format("Second", "helper(x, x)")},
        [("b", 10, "error", "`n` of `helper` has no annotation, so it is a Tensor, but gets an int")],
    ),
    "a module that is compiled by itself gets a Tensor": (
        {"a": TESTS_NONE, "b": CALLS.format("3")},
        [("b", 14, "error", "`mask` of `forward` has no annotation, so it is a Tensor, but gets an int")],
    ),
    "two files reach a function": (
        {"a": HELPER, "b": USES.format("First", "helper(x)"), "c": USES.format("Second", "helper(x)")},
        [("a", 6, "error", "`x.numpy` creates a numpy array, and compiled code has no numpy")],
    ),
}


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make each file a group of its own."""

    def in_turn(function: Callable[[Any], Any], items: Sequence[Any], *_: object) -> list[Any]:
        return [function(item) for item in items]

    for module in (parallel, invalidation):
        monkeypatch.setattr(module, "in_one_go", lambda size, jobs: False)
        monkeypatch.setattr(module, "even", lambda size, jobs: 1)
        monkeypatch.setattr(module, "share", in_turn)


def _written(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(HEAD + text)


def _found(folder: Path, *, cached: bool = False) -> list[tuple[object, ...]]:
    settings = Settings(root=folder, ignore=("TS8",))
    if cached:
        report, _ = check(read([folder], settings), settings, Cache.open(settings, [folder]))
    else:
        report = judge(load([folder], settings), settings)
    return [
        (Path(each.filename).stem, each.start.row, each.severity.value, each.message, _names(each.compiled_via))
        for each in report.diagnostics
    ]


def _names(path: Sequence[CallStep]) -> list[str]:
    return [step.name for step in path]


@pytest.mark.parametrize("name", PROJECTS)
def test_the_findings_of_one_run(tmp_path: Path, name: str) -> None:
    texts, expected = PROJECTS[name]
    _written(tmp_path, texts)
    assert [row[:4] for row in _found(tmp_path)] == expected


@pytest.mark.parametrize("cached", [False, True], ids=["plain", "cached"])
@pytest.mark.parametrize("name", PROJECTS)
def test_the_same_findings_in_groups(tmp_path: Path, name: str, cached: bool, request: pytest.FixtureRequest) -> None:
    _written(tmp_path, PROJECTS[name][0])
    whole = _found(tmp_path)
    request.getfixturevalue("apart")
    assert _found(tmp_path, cached=cached) == whole
    assert _found(tmp_path, cached=cached) == whole


@pytest.mark.parametrize("name", PROJECTS)
def test_the_same_findings_after_each_file_has_been_added(
    tmp_path: Path, name: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("apart")
    texts, expected = PROJECTS[name]
    for each in sorted(texts):
        _written(tmp_path, {each: texts[each]})
        found = _found(tmp_path, cached=True)
    assert [row[:4] for row in found] == expected
