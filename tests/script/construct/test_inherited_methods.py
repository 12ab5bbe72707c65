"""Tests methods that constructors inherit: they run once for all classes in which they read the same, with the same
result.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.script.model import holds
from tslint.project.index import Project
from tslint.script.attributes import ClassFacts, PyConst
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
    def finish(self):
        self.mode = self.depth() if self.wide else 1
        if self.size is None:
            self.limit = 2
        self.register()
    def depth(self):
        return 5
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
    "Last": "class Last(Base):\n    def __init__(self, x):\n        super().__init__(x)\n        self.x = x",
}


def all_facts(names: list[str]) -> dict[str, ClassFacts]:
    project = Project()
    text = "\n".join([_BASE, *(_CLASSES[name] for name in names)])
    module = project.add(SourceFile(Path("net.py"), textwrap.dedent(text)))
    model = Model(project)
    return {each.name: model.facts(each) for each in list(module.classes())}


def shown(found: ClassFacts) -> dict[str, list[tuple[str, str]]]:
    return {
        name: sorted(
            (holds(each), repr(each.value.value) if isinstance(each.value, PyConst) else type(each.value).__name__)
            for each in stored
        )
        for name, stored in found.attributes.items()
    }


@pytest.mark.parametrize("name", _CLASSES)
def test_a_class_holds_the_same_alone_and_after_others(name: str) -> None:
    others = all_facts([*_CLASSES])
    assert shown(others[name]) == shown(all_facts([name])[name])
    assert others[name].open == all_facts([name])[name].open


def test_a_method_is_run_once_for_classes_in_which_it_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[str] = []
    inlined = inlining.Inlining._inlined

    def counted(self, frame, function, *rest):  # type: ignore[no-untyped-def]
        runs.append(function.name)
        return inlined(self, frame, function, *rest)

    monkeypatch.setattr(inlining.Inlining, "_inlined", counted)
    all_facts(["Plain"])
    before = runs.count("finish")
    runs.clear()
    monkeypatch.setitem(_CLASSES, "Plain", "\n".join(f"class Plain{number}(Base):\n    pass" for number in range(20)))
    all_facts(["Plain"])
    assert runs.count("finish") == before
