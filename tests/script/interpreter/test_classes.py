"""Tests classes of the project in compiled code: the installed compiler and the static model agree on the row."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events


class Case(NamedTuple):
    """Classes, and the return value of ``def f(x)``; the kind of the event, empty if it compiles."""

    kind: str
    classes: str
    result: str
    parameters: str = "x"


BOX = """
class Box:
    SIDES = 4

    def __init__(self, size: int):
        self.size = size

    def grown(self, by: int) -> int:
        return self.size + by

    def same(self, other):
        return other

    @property
    def area(self) -> int:
        return self.size * self.size

    @staticmethod
    def corners() -> int:
        return 4

    @classmethod
    def unit(cls) -> int:
        return 1
"""
HEIR = "class Base:\n    def __init__(self):\n        self.a = 1\n\n    def g(self) -> int:\n        return 1\n\n\n"
COLOR = "import enum\n\n\nclass Color(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
PAIR = "class Pair(NamedTuple):\n    a: Tensor\n    b: int = 3\n"
CASES = {
    "an attribute": Case("", BOX, "x + Box(3).size"),
    "a method": Case("", BOX, "x + Box(3).grown(1)"),
    "a property": Case("", BOX, "x + Box(3).area"),
    "a static method": Case("", BOX, "x + Box.corners()"),
    "a class method": Case("script-class-member", BOX, "x + Box.unit()"),
    "a class variable": Case("script-class-member", BOX, "x + Box(3).SIDES"),
    "a class variable through the class": Case("closed-over-global", BOX, "x + Box.SIDES"),
    "no such attribute": Case("script-class-member", BOX, "x + Box(3).depth"),
    "an argument of the wrong type": Case("call-mismatch", BOX, "x + Box('a').size"),
    "too few arguments": Case("call-mismatch", BOX, "x + Box().size"),
    "a method's argument of the wrong type": Case("call-mismatch", BOX, "x + Box(3).grown('a')"),
    "an unannotated parameter is a Tensor": Case("call-mismatch", BOX, "x + Box(3).same(1)"),
    "as an annotation": Case("", BOX, "x + box.size", "x, box: Box"),
    "as an annotation, no such attribute": Case("script-class-member", BOX, "x + box.depth", "x, box: Box"),
    "as a condition": Case("not-a-condition", BOX, "x if Box(3) else x"),
    "indexed": Case("script-class-member", BOX, "x + Box(3)[0]"),
    "every method is compiled, used or not": Case(
        "set-literal", BOX + "\n    def bad(self):\n        return {1}\n", "x + Box(3).size"
    ),
    "but static ones": Case("", BOX + "\n    @staticmethod\n    def bad():\n        return {1}\n", "x + Box(3).size"),
    "and ignored ones": Case(
        "", BOX + "\n    @torch.jit.unused\n    def bad(self):\n        return {1}\n", "x + Box(3).size"
    ),
    "attributes are set in __init__ first": Case(
        "set-missing-attribute", BOX + "\n    def put(self):\n        self.new = 1\n", "x + Box(3).size"
    ),
    "and keep their type": Case(
        "attribute-retyped", BOX + "\n    def put(self):\n        self.size = 1.5\n", "x + Box(3).size"
    ),
    "and are set outside of control flow": Case(
        "first-assignment-in-control-flow",
        "class C:\n    def __init__(self, a: int):\n        if a > 0:\n"
        "            self.a = a\n        else:\n            self.a = 1\n",
        "x + C(1).a",
    ),
    "without __init__": Case(
        "class-without-init", "class C:\n    def g(self) -> int:\n        return 1\n", "x + C().g()"
    ),
    "with an inherited one": Case("class-without-init", HEIR + "class C(Base):\n    pass\n", "x + C().a"),
    "inherited methods are not there": Case(
        "script-class-member",
        HEIR + "class C(Base):\n    def __init__(self):\n        self.b = 1\n",
        "x + c.g()",
        "x, c: C",
    ),
    "a class that names itself": Case(
        "",
        "class C:\n    def __init__(self, a: int):\n        self.a = a\n\n    "
        "def plus(self, other: 'C') -> 'C':\n        return C(self.a + other.a)\n",
        "x + C(1).plus(C(2)).a",
    ),
    "a dataclass": Case(
        "dataclass", "import dataclasses\n\n\n@dataclasses.dataclass\nclass C:\n    a: Tensor\n", "C(x).a"
    ),
    "a scripted dataclass": Case(
        "", "import dataclasses\n\n\n@torch.jit.script\n@dataclasses.dataclass\nclass C:\n    a: Tensor\n", "C(x).a"
    ),
    "a dataclass that is a dict": Case(
        "dataclass",
        "import collections\nimport dataclasses\n\n\nclass Output(collections.OrderedDict):\n    pass\n\n\n"
        "@dataclasses.dataclass\nclass C(Output):\n    a: Optional[Tensor] = None\n",
        "C(a=x)",
    ),
    "a dataclass with some generated methods": Case(
        "dataclass",
        "import dataclasses\n\n\n@dataclasses.dataclass(repr=False, eq=False)\nclass C:\n    a: Tensor\n",
        "C(x).a",
    ),
    "a dataclass with some methods of its own": Case(
        "dataclass",
        "import dataclasses\n\n\n@dataclasses.dataclass(eq=False)\nclass C:\n    a: Tensor\n\n"
        "    def __init__(self, a: Tensor):\n        self.a = a\n",
        "C(x).a",
    ),
    "a dataclass that defines all its methods": Case(
        "",
        "import dataclasses\n\n\n@dataclasses.dataclass(eq=False)\nclass C:\n    a: Tensor\n\n"
        "    def __init__(self, a: Tensor):\n        self.a = a\n\n"
        "    def __repr__(self) -> str:\n        return 'C'\n",
        "C(x).a",
    ),
    "a dataclass without generated methods": Case(
        "",
        "import dataclasses\n\n\n@dataclasses.dataclass(init=False, repr=False, eq=False)\nclass C:\n    a: Tensor\n\n"
        "    def __init__(self, a: Tensor):\n        self.a = a\n",
        "C(x).a",
    ),
    "a dict": Case("class-without-init", "class C(dict):\n    pass\n", "C(a=x)"),
    "a dict of the standard library": Case("", "import collections\n", "collections.OrderedDict()"),
    "an item of a dict": Case("script-class-member", "class C(dict):\n    pass\n", "c['a']", "x, c: C"),
    "an OrderedDict with a method of its own": Case(
        "script-class-member",
        "import collections\n\n\nclass C(collections.OrderedDict):\n    def values_of(self):\n"
        "        return [v for v in self.values()]\n",
        "x",
        "x, c: C",
    ),
    "a dict with a constructor of its own": Case(
        "", "class C(dict):\n    def __init__(self, a: Tensor):\n        self.a = a\n", "C(x).a"
    ),
    "methods of a class without __init__ read no attributes": Case(
        "script-class-member", "class C:\n    def g(self):\n        return self.a\n", "x", "x, c: C"
    ),
    "a list": Case("", "class C(list):\n    pass\n\n\nkept = C()\n", "x"),
    "a member of an enum": Case("", COLOR, "x + Color.RED.value"),
    "no member of an enum": Case("no-such-member", COLOR, "Color.GREEN"),
    "an enum as a condition": Case("not-a-condition", COLOR, "x if c else x", "x, c: Color"),
    "an enum compared": Case("", COLOR, "x if c == Color.RED else x", "x, c: Color"),
    "an enum called": Case("not-callable", COLOR, "Color(1)"),
    "a named tuple": Case("", PAIR, "Pair(x).a + Pair(x, 4).b"),
    "a named tuple of the wrong type": Case("call-mismatch", PAIR, "Pair(x, 1.5).a"),
    "a typed dict": Case(
        "script-class-member",
        "from typing import TypedDict\n\n\nclass D(TypedDict):\n    a: Tensor\n",
        "d['a']",
        "x, d: D",
    ),
    "a function's attribute": Case("unsupported-external-attribute", "def g(x):\n    return x\n", "x + g.k"),
    "an instance at module level": Case("", BOX, "x"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    case = CASES[name]
    text = (
        f"{case.classes}\n\ndef f({case.parameters}):\n    return {case.result}\n\n\nscripted = torch.jit.script(f)\n"
    )
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is not bool(case.kind), verdict.message
    found = events(text)
    assert [event.kind for event in found] == ([case.kind] if case.kind else [])
    if case.kind and verdict.lines:
        assert verdict.lines[0] in range(found[0].span.row, found[0].span.end_row + 1)


WITH = {
    "torch.no_grad()": "",
    "torch.autograd.profiler.record_function('a')": "",
    "Guard()": "",
    "Half()": "with-item",
    "x": "with-item",
    "nothing()": "with-item",
    "torch.set_grad_enabled(False)": "with-item",
    "torch.enable_grad()": "unsupported-torch-call",
    "torch.inference_mode()": "unsupported-torch-call",
}


@pytest.mark.parametrize("manager", WITH)
def test_objects_in_a_with_statement(manager: str) -> None:
    text = (
        "class Guard:\n    def __init__(self):\n        self.a = 1\n\n    def __enter__(self):\n        self.a = 2\n\n"
        "    def __exit__(self, type: Any, value: Any, traceback: Any):\n        self.a = 3\n\n\n"
        "class Half:\n    def __init__(self):\n        self.a = 1\n\n    def __enter__(self):\n        self.a = 2\n\n\n"
        f"def nothing():\n    return None\n\n\ndef f(x):\n    with {manager}:\n"
        "        x = x + 1\n    return x\n\n\nscripted = torch.jit.script(f)\n"
    )
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is not bool(WITH[manager]), verdict.message
    assert [event.kind for event in events(text)] == ([WITH[manager]] if WITH[manager] else [])
