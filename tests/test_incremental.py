"""Tests which files are analysed again when files change: only those that need it, with the same result as
a full run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tslint.config import Settings
from tslint.fixing.rounds import fix
from tslint.lint import engine
from tslint.lint.engine import Loaded, judge
from tslint.lint.incremental import Judge
from tslint.sources.file import SourceFile

PROJECT = {
    "pkg/__init__.py": "",
    "pkg/tools.py": "def scale(x):\n    return f'{x:>3}'\n\n\ndef unused(x):\n    yield x\n",
    "pkg/net.py": (
        "from torch import nn\nfrom torch.autograd import Variable\nfrom .tools import scale\n\n\n"
        "class Net(nn.Module):\n    def forward(self, x):\n        return scale(Variable(x))\n"
    ),
    "pkg/big.py": (
        "from torch import nn\nfrom pkg.net import Net\n\n\nclass Big(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.net = Net()\n\n"
        "    def forward(self, x):\n        return self.net(x)\n"
    ),
    "alone.py": ("from torch import nn\n\n\nclass Alone(nn.Module):\n    def forward(self, x):\n        yield x\n"),
    "trained.py": "import torch\nfrom alone import Alone\n\nif __name__ == '__main__':\n    torch.jit.script(Alone())",
}


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the names of the files in each analysis."""
    log: list[list[str]] = []
    original = engine.raw_findings

    def logged(sources: list[SourceFile], settings: Settings, **more: Any) -> engine.Raw:
        log.append(sorted(source.path.name for source in sources))
        return original(sources, settings, **more)

    monkeypatch.setattr(engine, "raw_findings", logged)
    return log


def changed(loaded: Loaded, name: str, old: str, new: str) -> Loaded:
    sources = [
        replace(each, text=each.text.replace(old, new)) if each.path.name == name else each for each in loaded.sources
    ]
    assert sources != list(loaded.sources)
    return replace(loaded, sources=tuple(sources))


def load(root: Path) -> Loaded:
    return engine.load([root], Settings(root=root))


def test_after_a_change_the_file_and_its_importers_are_judged(
    folder: Callable[..., Path], judged: list[list[str]]
) -> None:
    root = folder(PROJECT)
    loaded = load(root)
    judging = Judge(Settings(root=root))
    judging(loaded)
    judging(loaded)
    assert len(judged) == 1
    loaded = changed(loaded, "net.py", "Variable(x)", "x")
    judging(loaded)
    assert judged[1:] == [["big.py", "net.py"]]
    report = judging.settle(loaded)
    assert judged[2:] == [["big.py", "net.py", "tools.py"]]
    del judged[:]
    assert report == judge(loaded, Settings(root=root))
    assert judging.settle(loaded) == report
    assert len(judged) == 1


def test_outdated_findings_in_other_files_disappear_at_the_end(folder: Callable[..., Path]) -> None:
    root = folder(PROJECT)
    loaded = load(root)
    judging = Judge(Settings(root=root))
    assert "tools.py" in {Path(each.filename).name for each in judging(loaded).diagnostics}
    loaded = changed(loaded, "net.py", "scale(Variable(x))", "x")
    assert "tools.py" in {Path(each.filename).name for each in judging(loaded).diagnostics}
    assert judging.settle(loaded).diagnostics == judge(loaded, Settings(root=root)).diagnostics
    assert "tools.py" not in {Path(each.filename).name for each in judging.settle(loaded).diagnostics}


def test_the_text_that_counts_is_not_the_one_on_disk(folder: Callable[..., Path]) -> None:
    root = folder(PROJECT)
    judging = Judge(Settings(root=root))
    loaded = load(root)
    judging(loaded)
    loaded = changed(loaded, "tools.py", "f'{x:>3}'", "x")
    judging(loaded)
    # Only net.py is analysed now; it reads tools.py.
    loaded = changed(loaded, "net.py", "Variable(x)", "x")
    found = [each for each in judging(loaded).diagnostics if Path(each.filename).parent.name == "pkg"]
    assert found == []


def test_a_copy_is_independent(folder: Callable[..., Path]) -> None:
    root = folder(PROJECT)
    loaded = load(root)
    judging = Judge(Settings(root=root))
    before = judging(loaded)
    judging.copy()(changed(loaded, "alone.py", "yield", "return"))
    assert judging(loaded) == before


def test_a_folder_is_fixed_without_judging_it_all_in_every_round(
    folder: Callable[..., Path], judged: list[list[str]]
) -> None:
    lonely = {f"lonely{n}.py": PROJECT["alone.py"] for n in range(20)}
    root = folder({**PROJECT, **lonely})
    outcome = fix(load(root), Judge(Settings(root=root)), unsafe=True)
    assert {after.path.name for _, after in outcome.changed} == {"net.py", "tools.py"}
    assert len(judged[0]) == len(PROJECT) + 20
    assert {name for names in judged[1:] for name in names} <= {"net.py", "big.py", "tools.py"}
    loaded = Loaded(tuple(outcome.report.sources.values()))
    del judged[:]
    assert outcome.report.diagnostics == _whole(loaded, root)


def _whole(loaded: Loaded, root: Path) -> Any:
    for source in loaded.sources:
        source.path.write_bytes(source.encode())
    return judge(loaded, Settings(root=root)).diagnostics


def test_entry_points_are_judged_with_all_that_they_reach(folder: Callable[..., Path]) -> None:
    root = folder(PROJECT)
    configured = Settings(root=root, entry_points=("pkg.big:Big",))
    loaded = load(root)
    judging = Judge(configured)
    first = judging(loaded)
    assert {Path(each.filename).name for each in first.diagnostics} == {"net.py", "tools.py"}
    loaded = changed(loaded, "net.py", "Variable(x)", "x")
    judging(loaded)
    for source in loaded.sources:
        source.path.write_bytes(source.encode())
    assert judging.settle(loaded) == judge(loaded, configured)


@st.composite
def edits(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Return changes of bodies and of imports, one after the other."""
    names = st.sampled_from(["a", "b", "c", "d"])
    return draw(st.lists(st.tuples(names, text(draw)), min_size=1, max_size=4))


def text(draw: st.DrawFn) -> st.SearchStrategy[str]:
    imported = draw(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=2, unique=True))
    lines = [f"from {name} import f as f_{name}" for name in imported]
    body = st.sampled_from(["x", "x + 'a'", "len(x)", *(f"f_{name}(x)" for name in imported)])
    return st.tuples(body, body).map(
        lambda bodies: "\n".join(
            [
                "from torch import nn",
                *lines,
                f"def f(x):\n    return {bodies[0]}",
                f"class Net(nn.Module):\n    def forward(self, x):\n        return {bodies[1]}\n",
            ]
        )
    )


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits(), edits())
def test_in_the_end_it_is_as_if_everything_were_judged(
    tmp_path_factory: pytest.TempPathFactory, start: list[tuple[str, str]], then: list[tuple[str, str]]
) -> None:
    root = tmp_path_factory.mktemp("project")
    texts = dict.fromkeys("abcd", "def f(x):\n    return x\n") | dict(start)
    loaded = Loaded(tuple(SourceFile(root / f"{name}.py", text) for name, text in texts.items()))
    for source in loaded.sources:
        source.path.write_text(source.text)
    configured = Settings(root=root)
    judging = Judge(configured)
    judging(loaded)
    for name, new in then:
        sources = [replace(each, text=new) if each.path.stem == name else each for each in loaded.sources]
        loaded = replace(loaded, sources=tuple(sources))
        judging(loaded)
    for source in loaded.sources:
        source.path.write_text(source.text)
    assert list(_places(judging.settle(loaded))) == list(_places(judge(loaded, configured)))


def _places(report: engine.Report) -> Iterator[tuple[object, ...]]:
    for each in report.diagnostics:
        yield each.filename, each.start, each.code, each.severity


MANY = """from typing import List

import torch
from torch import nn


def scale(x, by):
    return x * by


class Low(nn.Module):
    def forward(self, x):
        return scale(x, 2)


class High(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.low = Low()
        self.size = size

    def forward(self, x):
        return f'{self.low(x):>3}' if self.size else x


class Other(nn.Module):
    def forward(self, x, sizes: List[int]):
        yield scale(x, sizes[0])


class Last(nn.Module):
    def forward(self, x):
        return nn.functional.relu(x, inplce=True)
"""


@pytest.mark.parametrize(
    "old, new, compiled",
    [
        ("inplce=True", "inplace=True", {"Last"}),
        ("scale(x, 2)", "scale(x, 3)", {"High", "Low", "scale"}),
        ("self.low = Low()", "self.low = Last()", {"High", "Last"}),
        ("return x * by", "return x + by", {"scale", "Low", "High", "Other"}),
        # The fixes of these two import something.
        ("import List", "import List, Optional", {"High", "Low"}),
        ("class Last", "def added(x):\n    return x\n\n\nclass Last", {"added", "High", "Low"}),
        ("class Last", "torch.jit.script(Low())\n\n\nclass Last", None),
    ],
)
def test_of_a_changed_file_only_what_may_compile_differently_is_compiled(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, old: str, new: str, compiled: set[str] | None
) -> None:
    root = folder({"many.py": MANY})
    log: list[Any] = []
    original = engine.raw_findings

    def logged(sources: list[SourceFile], settings: Settings, **more: Any) -> engine.Raw:
        log.append(more.get("only"))
        return original(sources, settings, **more)

    monkeypatch.setattr(engine, "raw_findings", logged)
    judging, loaded = Judge(Settings(root=root)), load(root)
    judging(loaded)
    loaded = changed(loaded, "many.py", old, new)
    report = judging(loaded)
    names = {name for each in log[1].values() for name in each if f" {name}(" in loaded.sources[0].text}
    assert names == (compiled or set())
    assert bool(log[1]) is (compiled is not None)
    assert list(_places(report)) == list(_places(judge(loaded, Settings(root=root))))
    assert judging.settle(loaded).diagnostics == judge(loaded, Settings(root=root)).diagnostics


def test_findings_below_a_change_move_with_their_fixes(folder: Callable[..., Path]) -> None:
    root = folder({"many.py": MANY})
    judging, loaded = Judge(Settings(root=root)), load(root)
    judging(loaded)
    loaded = changed(loaded, "many.py", "    return x * by\n", "    by = by + 1\n\n    return x * by\n")
    loaded = changed(
        loaded, "many.py", "        self.size = size\n", "        self.size = size\n        self.more = 1\n"
    )
    assert judging(loaded).diagnostics == judge(loaded, Settings(root=root)).diagnostics


PARTS = [
    "def f(x, n=2):\n    return {}\n",
    "class A(nn.Module):\n    def forward(self, x):\n        return f({})\n",
    "class B(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = A()\n\n"
    "    def forward(self, x):\n        return self.a({})\n",
    "class C(nn.Module):\n    def forward(self, x):\n        yield {}\n",
]
VALUES = st.sampled_from(["x", "x + 'a'", "len(x)", "f'{x:>3}'", "f(x)", "x.flatten(dim=0)"])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(VALUES, min_size=4, max_size=4), min_size=2, max_size=4), st.integers(0, 3))
def test_in_the_end_it_is_as_if_the_whole_file_were_judged(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[str]], blank: int
) -> None:
    root = tmp_path_factory.mktemp("file")
    judging = Judge(Settings(root=root))
    for number, values in enumerate(rounds):
        texts = [part.format(value) for part, value in zip(PARTS, values)]
        text = "from torch import nn\n" + "\n" * (number * blank) + "\n\n".join(texts)
        (root / "parts.py").write_text(text)
        loaded = load(root)
        judging(loaded)
    assert judging.settle(loaded).diagnostics == judge(loaded, Settings(root=root)).diagnostics
