"""Tests methods that constructors inherit: they run once for all classes in which they read the same, with the same
result.
"""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from tests.script.model import holds
from tslint.project.index import Project
from tslint.script.attributes import ClassFacts, PyConst, PyParameter, PyValue
from tslint.script.construct import inlining
from tslint.script.model import Model
from tslint.sources.file import SourceFile

_BASE = """
from torch import nn

class Base(nn.Module):
    wide = False
    def __init__(self, size=3):
        super().__init__()
        self.size = size
        self.finish()
        self.again = self.first(size)
    def finish(self):
        self.mode = self.depth() if self.wide else 1
        if self.size is None:
            self.limit = 2
        self.register()
    def depth(self):
        return 5
    def first(self, size):
        if isinstance(size, int):
            self.whole = size
        self.raw = size
        return self.second()
    def second(self):
        return 3 if self.size is None else self.third()
    def third(self):
        return self.depth()
    def register(self):
        self.done = True
"""
_CLASSES = {
    "Plain": "class Plain(Base):\n    pass",
    "Second": "class Second(Base):\n    def __init__(self):\n        super().__init__(None)",
    "Wide": "class Wide(Base):\n    wide = True",
    "Deep": "class Deep(Base):\n    wide = True\n    def depth(self):\n        return 7",
    "Held": "class Held(Base):\n    def __init__(self, n=1):\n        self.limit = 9\n        super().__init__()",
    "Other": "class Other(Base):\n    def register(self):\n        self.done = self.limit",
    "Twice": "class Twice(Base):\n    def __init__(self, n):\n        super().__init__(n)\n        self.finish()",
    "Whole": "class Whole(Base):\n    def __init__(self, size: int):\n        super().__init__(size)",
    "Text": "class Text(Base):\n    def __init__(self, size: str):\n        super().__init__(size)",
    "Half": "class Half(Base):\n    def __init__(self, size: float = 2.0):\n        super().__init__(size)",
    "Both": "class Both(Base):\n"
    "    def __init__(self, size, x):\n        self.x = self.first(x)\n        super().__init__(size)",
    "Third": "class Third(Base):\n    def third(self):\n        return self.depth() + self.depth()",
    "Set": "class Set(Base):\n"
    "    @property\n    def raw(self): return 1\n    @raw.setter\n    def raw(self, x): self.y = x",
    "Last": "class Last(Base):\n    def __init__(self, x):\n        super().__init__(x)\n        self.x = x",
}


def all_facts(names: list[str]) -> dict[str, ClassFacts]:
    project = Project()
    text = "\n".join([_BASE, *(_CLASSES[name] for name in names)])
    module = project.add(SourceFile(Path("net.py"), textwrap.dedent(text)))
    model = Model(project)
    return {each.name: model.facts(each) for each in list(module.classes())}


def shown_value(value: PyValue | None) -> str:
    if isinstance(value, PyParameter):
        return f"{value.name}: {ast.unparse(value.annotation) if value.annotation is not None else None}"
    return repr(value.value) if isinstance(value, PyConst) else type(value).__name__


def shown(found: ClassFacts) -> dict[str, list[tuple[str, str]]]:
    return {
        name: sorted((holds(each), shown_value(each.value)) for each in stored)
        for name, stored in found.attributes.items()
    }


@pytest.mark.parametrize("name", _CLASSES)
def test_a_class_has_the_same_values_alone_and_after_others(name: str) -> None:
    others = all_facts([*_CLASSES])
    assert shown(others[name]) == shown(all_facts([name])[name])
    assert others[name].open == all_facts([name])[name].open
    assert others[name].methods == all_facts([name])[name].methods


def names_of_runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which the name of each method is added that is interpreted from now on."""
    runs: list[str] = []
    inlined = inlining.Inlining._inlined

    def counted(self, frame, function, *rest):  # type: ignore[no-untyped-def]
        runs.append(function.name)
        return inlined(self, frame, function, *rest)

    monkeypatch.setattr(inlining.Inlining, "_inlined", counted)
    return runs


def test_a_method_is_run_once_for_classes_in_which_it_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = names_of_runs(monkeypatch)
    all_facts(["Plain"])
    before = runs.count("finish")
    runs.clear()
    monkeypatch.setitem(_CLASSES, "Plain", "\n".join(f"class Plain{number}(Base):\n    pass" for number in range(20)))
    all_facts(["Plain"])
    assert runs.count("finish") == before


def test_a_method_that_gets_a_parameter_is_run_once_for_classes_with_other_annotations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = names_of_runs(monkeypatch)
    for number in range(20):
        code = f"class C{number}(Base):\n    def __init__(self, size: Config{number}):\n        super().__init__(size)"
        monkeypatch.setitem(_CLASSES, f"C{number}", code)
    found = all_facts([f"C{number}" for number in range(20)])
    assert runs.count("finish") == 1 + 1  # for Base itself, where size may be left out, and for the others
    assert all(shown(found[f"C{number}"])["raw"] == [("", f"size: Config{number}")] for number in range(20))


def test_a_method_that_reads_an_attribute_is_run_once_for_parameters_of_other_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = names_of_runs(monkeypatch)
    counts = []
    for number in range(20):
        code = (
            f"class Config{number}:\n    pass\nclass C{number}(Base):\n    def __init__(self, size: Config{number}):\n"
            "        super().__init__()\n        self.size = size\n        self.finish()"
        )
        monkeypatch.setitem(_CLASSES, f"C{number}", code)
    for classes in (1, 20):
        runs.clear()
        found = all_facts([f"C{number}" for number in range(classes)])
        counts.append(runs.count("finish"))
    assert counts[0] == counts[1]
    assert all(("", f"size: Config{number}") in shown(found[f"C{number}"])["size"] for number in range(20))
