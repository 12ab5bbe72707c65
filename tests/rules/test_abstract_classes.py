"""Tests classes of which only subclasses have instances: errors that only occur in an instance of the class are not
reported.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tslint

HEAD = "from abc import ABC, abstractmethod\n\nimport numpy as np\nimport torch\nfrom torch import nn\n\n\n"
BASE = """
class Base({bases}):
    {mark}
    def encode(self, x):
        {body}

    def forward(self, x):
        return self.encode(x) * self.scale  # of Base
"""
DERIVED = """

class Net(Base):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def encode(self, x):
        return {value}


class Other(Base):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def encode(self, x):
        return x
"""


def found(text: str, folder: Path) -> list[tuple[str, str]]:
    path = folder / "net.py"
    path.write_text(HEAD + text)
    lines = path.read_text().splitlines()
    return [(d.code, lines[d.start.row - 1].strip()) for d in tslint.check(path, isolated=True)]


@pytest.mark.parametrize(
    ("bases", "mark", "body"),
    [
        ("nn.Module, ABC", "@abstractmethod", "pass"),
        ("nn.Module", "@abstractmethod", "pass"),  # Python could construct it, but no code does
        ("nn.Module, ABC", "", "return x"),
    ],
)
def test_what_an_abstract_class_lacks_is_no_finding(bases: str, mark: str, body: str, tmp_path: Path) -> None:
    base = BASE.format(bases=bases, mark=mark, body=body)
    assert found(base, tmp_path) == []
    assert found(base + DERIVED.format(value="x"), tmp_path) == []
    assert found(base + DERIVED.format(value="np.abs(x)"), tmp_path) == [("TS208", "return np.abs(x)")]


@pytest.mark.parametrize("mark", ["@abstractmethod", "@property\n    @abstractmethod"])
@pytest.mark.parametrize("bases", ["nn.Module, ABC", "nn.Module"])
def test_abstract_methods_are_not_compiled(bases: str, mark: str, tmp_path: Path) -> None:
    base = f"class Base({bases}):\n    {mark}\n    def forward(self, x) -> int:\n        ...\n"
    assert found(base, tmp_path) == []


def test_a_class_that_can_be_constructed_needs_what_it_reads(tmp_path: Path) -> None:
    base = BASE.format(bases="nn.Module", mark="", body="return x")
    assert found(base, tmp_path) == [("TS408", "return self.encode(x) * self.scale  # of Base")]


def test_syntax_in_an_abstract_class_is_refused_in_every_derived_one(tmp_path: Path) -> None:
    base = BASE.format(bases="nn.Module, ABC", mark="@abstractmethod", body="pass")
    base = base.replace("self.scale  # of Base", "np.abs(2)")
    for text in (base, base + DERIVED.format(value="x")):
        assert found(text, tmp_path) == [("TS208", "return self.encode(x) * np.abs(2)")]


CALLED = """
class Base(nn.Module):
    measure = None

    def forward(self, x):
        {body}


class Mean(Base):
    measure = staticmethod(torch.mean)
"""


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("return self.measure(x) * 2", []),
        ("return x if self.measure is None else x.mean()", ["return x if self.measure is None else x.mean()"]),
    ],
)
def test_a_class_that_calls_a_none_of_its_own_has_no_instances(body: str, lines: list[str], tmp_path: Path) -> None:
    text = CALLED.format(body=body)
    assert found(text, tmp_path) == [("TS409", line) for line in lines]
    alone = text.partition("class Mean")[0]
    assert [code for code, _ in found(alone, tmp_path)] == ["TS409"]
