"""Tests what a change can affect: the cache, the rounds of fixes and the server find the same as a full run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from tslint.config import Settings
from tslint.diagnostics import Diagnostic
from tslint.lint.cache.cached import Cache, check
from tslint.lint.engine import Loaded, judge, load, raw_findings, read
from tslint.lint.incremental import Judge
from tslint.project.impact import Impact, closure, deciding, role
from tslint.project.import_graph import ImportGraph, Imports
from tslint.server.analyst import Analyst
from tslint.server.answers import Request, Result
from tslint.server.documents import Document
from tslint.sources.file import SourceFile

NET = """\
from torch import nn


class {}(nn.Module):
    def forward(self, x):
        try:
            return x
        finally:
            pass
"""
BASE = """\
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = {}
"""
BESIDE = {
    "net.py": "from base import Base\nfrom beside import use\n\n\nclass Net(Base):\n    def forward(self, x):\n"
    "        if self.part is not None:\n            x = use(x)\n        return x\n",
    "base.py": BASE.format("None"),
    "beside.py": "def use(x):\n    yield x\n",
}
TRACED = {
    "traced.py": NET.format("Traced"),
    "tracing.py": "import torch\nfrom traced import Traced\n\ntorch.jit.trace(Traced(), torch.rand(1))\n",
}
CASES = [
    pytest.param(
        {"net.py": "from torch import nn\nfrom helper import f\n\n\nclass Net(nn.Module):\n"
         "    def forward(self, x):\n        return f(x)\n", "helper.py": "def f(x):\n    return x\n"},
        {"helper.py": "def f(x):\n    yield x\n"}, ["helper.py TS109"], id="what others compile of a file",
    ),
    pytest.param(
        BESIDE, {"net.py": BESIDE["net.py"].replace("self.part is not None", "True")}, ["beside.py TS109"],
        id="what a file looks into",
    ),
    pytest.param(
        BESIDE, {"base.py": BASE.format("nn.Linear(1, 1)")}, ["beside.py TS109"],
        id="what is looked into beside a file",
    ),
    pytest.param(
        {**TRACED, "scripting.py": "import torch\nfrom traced import Traced\n\ntorch.jit.script(torch.rand)\n"},
        {"scripting.py": ""}, [], id="nothing unknown is handed to the compiler any more",
    ),
    pytest.param(
        {**TRACED, "scripting.py": "import torch\nfrom factory import Made\n\ntorch.jit.script(Made())\n",
         "factory.py": "from net import Net as Made\n", "net.py": NET.format("Net")},
        {"factory.py": "from elsewhere import Made\n"}, ["net.py TS101", "traced.py TS101"],
        id="something unknown is, in a file that says nothing of it",
    ),
]  # fmt: skip


Texts = dict[str, str]


def everything(root: Path, steps: Iterable[Texts]) -> Iterator[Iterable[Diagnostic]]:
    for _ in written(root, steps):
        yield judge(load([root], Settings(root=root)), Settings(root=root)).diagnostics


def by_the_cache(root: Path, steps: Iterable[Texts]) -> Iterator[Iterable[Diagnostic]]:
    settings = Settings(root=root)
    for _ in written(root, steps):
        yield check(read([root], settings), settings, Cache.open(settings, [root]))[0].diagnostics


def by_rounds(root: Path, steps: Iterable[Texts]) -> Iterator[Iterable[Diagnostic]]:
    judging = Judge(Settings(root=root))
    for texts in steps:
        loaded = Loaded(tuple(SourceFile(root / name, texts[name]) for name in sorted(texts)))
        judging(loaded)
        yield judging.settle(loaded).diagnostics


def by_the_server(root: Path, steps: Iterable[Texts]) -> Iterator[Iterable[Diagnostic]]:
    analyst = Analyst(pytest.fail, lambda home, session: None)
    known: dict[Path, Result] = {}
    last: Texts = {}
    for generation, texts in enumerate(steps, 1):
        documents = tuple(
            Document(name, generation, SourceFile(root / name, text), generation) for name, text in texts.items()
        )
        changed = frozenset(root / name for name, text in texts.items() if last.get(name) != text)
        request = Request(generation, documents, changed, generation == 1, folders=(root,))
        for answer in analyst.update(request, lambda: False):
            if isinstance(answer, Result):
                known[answer.document.path] = answer
        last = texts
        yield [each for result in known.values() for each in result.diagnostics]


def written(root: Path, steps: Iterable[Texts]) -> Iterator[None]:
    for texts in steps:
        for name, text in texts.items():
            (root / name).write_text(text)
        yield


@pytest.mark.parametrize("way", [by_the_cache, by_rounds, by_the_server])
@pytest.mark.parametrize(("before", "changes", "expected"), CASES)
def test_findings_are_those_of_a_new_analysis(
    folder: Callable[..., Path],
    without_cache: None,
    way: Callable[..., Iterator[Iterable[Diagnostic]]],
    before: Texts,
    changes: Texts,
    expected: list[str],
) -> None:
    steps = [before, before | changes, before]
    first, then, again = map(set, everything(folder(before), steps))
    assert sorted(f"{Path(each.filename).name} {each.code}" for each in then) == expected
    assert first == again != then
    assert list(map(set, way(folder(before), steps))) == [first, then, again]


@pytest.fixture
def without_cache() -> None:
    """Do nothing: the cache stays enabled."""


GRAPH = {
    "pkg/__init__.py": "from .deep import core\n",
    "pkg/deep/__init__.py": "",
    "pkg/deep/core.py": "def f(x):\n    return x\n",
    "pkg/near.py": "from . import parts as p\nfrom .deep.core import *\n",
    "pkg/parts.py": "",
    "far.py": "import os.path, pkg.deep.core as core\n",
    "inside.py": "def f():\n    from pkg.parts import (\n        a,  # one\n        b,\n    )\n",
    "attribute.py": "import pkg\nfrom torch import nn\n\n\nclass Net(nn.Module):\n"
    "    def forward(self, x):\n        return pkg.deep.core.f(pkg.parts.g(x))\n",
    "quoted.py": '"""\nimport pkg.parts\n"""\nimport torch.pkg\n',
    "wide.py": "from pkg import *\n",
    "plain/deep/below.py": "from pkg.parts import a\n",
}


def graph_of(root: Path, files: dict[str, str]) -> ImportGraph:
    graph = ImportGraph()
    for name, text in files.items():
        graph.put(root / name, Imports.of(SourceFile(root / name, text)))
    return graph


def names(root: Path, paths: Iterable[Path]) -> set[str]:
    return {path.relative_to(root).as_posix() for path in paths}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("pkg/parts.py", {"pkg/near.py", "inside.py", "attribute.py", "plain/deep/below.py"}),
        ("pkg/deep/core.py", {"pkg/near.py", "far.py", "attribute.py", "pkg/__init__.py", "wide.py"}),
        ("pkg/__init__.py", {"pkg/near.py", "attribute.py", "wide.py"}),
        ("quoted.py", set()),
    ],
)
def test_dependents_through_imports_and_attributes(
    folder: Callable[..., Path], changed: str, expected: set[str]
) -> None:
    root = folder(GRAPH)
    found = graph_of(root, GRAPH).impact().dependents([root / changed])
    assert next(iter(found)) == root / changed
    assert names(root, found) == {changed, *expected}


def test_a_file_that_is_being_written_keeps_its_imports(folder: Callable[..., Path]) -> None:
    root = folder(GRAPH)
    graph = graph_of(root, GRAPH)
    for text, depends in (("def (", True), ("from pkg.parts import a\n", True), ("", False)):
        graph.put(root / "inside.py", Imports.of(SourceFile(root / "inside.py", text)))
        assert (root / "inside.py" in graph.impact().dependents([root / "pkg/parts.py"])) is depends
    graph.learn({root / "inside.py": [root / "pkg/parts.py"]})
    assert root / "inside.py" in graph.impact().dependents([root / "pkg/parts.py"])
    graph.remove(root / "inside.py")
    assert root / "inside.py" not in graph.impact().dependents([root / "pkg/parts.py"])


def test_files_that_an_analysis_reads_are_listed(folder: Callable[..., Path], tmp_path: Path) -> None:
    root, net = folder(GRAPH), tmp_path / "attribute.py"
    looked = raw_findings(load([root], Settings(root=root)).sources, Settings(root=root)).imports
    reached = closure([net], looked)
    assert names(root, reached) == {
        "attribute.py", "pkg/__init__.py", "pkg/deep/__init__.py", "pkg/deep/core.py", "pkg/parts.py",
    }  # fmt: skip
    impact = graph_of(root, GRAPH).impact()
    assert all(net in impact.dependents([target]) for target in reached)


def test_near_dependents_come_first_and_cycles_end() -> None:
    impact = Impact({"a": ["b"], "b": ["c", "a"], "c": ["d"], "e": []})
    assert list(impact.dependents("c")) == ["c", "b", "a"]
    assert set(impact.affected("c")) == set("abcd")
    assert set(impact.compiled("d")) == set("abcd")
    assert set(impact.affected("e")) == {"e"}
    # Files that decide together are affected together, with the files that they import.
    together = Impact({"a": ["b"], "c": ["d"], "e": []}, ["a", "c"])
    assert set(together.affected("a")) == set("abcd")
    assert set(together.affected("e")) == {"e"}
    assert set(together.compiled("e")) == {"e", "a", "c"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["torch.jit.script(x)", "import a"], []),
        (["torch.jit.trace(x)", "from torch.jit import script", "description = 1", "import a"], [0, 1]),
        (["torch.jit._script.script(x)", "torch.jit.trace_module(x)"], [0, 1]),
    ],
)
def test_files_that_decide_what_is_only_traced(texts: list[str], expected: list[int]) -> None:
    assert sorted(deciding({number: role(text) for number, text in enumerate(texts)})) == expected
