"""Tests script classes, interfaces and Enums: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

BASES = {
    "class Box(Base):": "scripted-class",
    "class Box(Generic[T]):": "scripted-class",
    "class Box(object):": "",
    "class Box:": "",
}


@pytest.mark.parametrize("head", BASES)
def test_a_scripted_class_has_no_base(head: str) -> None:
    base = "class Base:\n    def __init__(self):\n        self.x = 1\n\n\nT = TypeVar('T')\n\n\n"
    agree(BASES[head], f"from typing import Generic, TypeVar\n\n{base}@torch.jit.script\n{head}\n" + BODY)


BODY = "    def __init__(self):\n        self.x = 1\n"


def test_a_class_of_modules_is_no_module() -> None:
    module = "class Net(nn.Module):\n    def forward(self, x: Tensor):\n        return x\n\n\n"
    agree("scripted-class", f"{module}torch.jit.script(Net)\n")
    agree("", f"{module}torch.jit.script(Net())\n")


SETTER = """
@torch.jit.script
class Box:
    def __init__(self, x: int):
        self._x = x

    @property
    def x(self) -> int:
        return self._x

    @x.setter
    def x(self, x: int):
        self._x = x


@torch.jit.script
def f(x: int):
    box = Box(x)
    box.{name} = 3
    return box.x
"""


def test_a_property_with_a_setter_is_set() -> None:
    agree("", SETTER.format(name="x"))
    agree("set-missing-attribute", SETTER.format(name="y"))


ENUM = """
from enum import Enum, auto


class Color(Enum):
    RED = {red}
    BLUE = {blue}


@torch.jit.script
def f(color: Color):
    return {result}
"""
VALUES = {
    ("1", "2"): "",
    ("-1", "2"): "",
    ("'a'", "'b'"): "",
    ("1.5", "2.5"): "",
    ("auto()", "auto()"): "",
    ("1", "2.0"): "enum-value",
    ("1", "'b'"): "enum-value",
    ("True", "False"): "enum-value",
    ("None", "None"): "enum-value",
    ("(1, 2)", "(2, 3)"): "enum-value",
    ("[1]", "[2]"): "enum-value",
    ("torch.tensor(1)", "torch.tensor(2)"): "enum-value",
}


@pytest.mark.parametrize("values", VALUES)
def test_the_values_of_an_enum_have_one_plain_type(values: tuple[str, str]) -> None:
    agree(VALUES[values], ENUM.format(red=values[0], blue=values[1], result="color.name"))


RESULTS = {
    "[each.value for each in Color]": "",
    "color == Color.RED": "",
    "color != Color.BLUE": "",
    "color < Color.RED": "operator-mismatch",
    "color == 1": "operator-mismatch",
    "Color.GREEN": "no-such-member",
}


@pytest.mark.parametrize("result", RESULTS)
def test_uses_of_an_enum(result: str) -> None:
    agree(RESULTS[result], ENUM.format(red=1, blue=2, result=result))


def test_members_may_be_annotated() -> None:
    agree("", ENUM.replace("RED =", "RED: int =").format(red=1, blue=2, result="color == Color.RED"))


def test_a_second_name_of_a_value_is_no_member() -> None:
    agree("no-such-member", ENUM.format(red=1, blue=1, result="Color.BLUE"))


INTERFACE = """
@torch.jit.interface
class Scale:
    def by(self, x: Tensor) -> Tensor:
        pass


@torch.jit.script
class Twice:
    def __init__(self):
        self.n = 2

    def {name}(self, x: Tensor) -> Tensor:
        return x * self.n


@torch.jit.script
def scaled(scale: Scale, x: Tensor):
    return {use}


@torch.jit.script
def f(x: Tensor):
    return scaled(Twice(), x)
"""
USES = {
    "scale.by(x)": "",
    "scale.by(x).relu()": "",
    "scale.by('a')": "call-mismatch",
    "scale.to(x)": "no-such-member",
    "scale.n": "no-such-member",
    "scale(x)": "not-callable",
}


@pytest.mark.parametrize("use", USES)
def test_an_interface_has_what_it_declares(use: str) -> None:
    agree(USES[use], INTERFACE.format(name="by", use=use))


def test_an_object_has_the_methods_of_an_interface() -> None:
    agree("call-mismatch", INTERFACE.format(name="to", use="scale.by(x)"))


DECLARED = {
    "    def by(self, x: Tensor) -> Tensor:\n        pass": "",
    '    def by(self, x: Tensor) -> Tensor:\n        """Scale."""\n        pass': "",
    "    def by(self, x: Tensor) -> Tensor:\n        ...": "interface-method",
    "    def by(self, x: Tensor) -> Tensor:\n        return x": "interface-method",
    "    def by(self, x: Tensor):\n        pass": "interface-method",
}


@pytest.mark.parametrize("method", DECLARED)
def test_declarations_of_an_interface(method: str) -> None:
    agree(DECLARED[method], f"@torch.jit.interface\nclass Scale:\n{method}\n")


@pytest.mark.parametrize(("bases", "kind"), [("", ""), ("(nn.Module)", ""), ("(Base)", "scripted-class")])
def test_an_interface_has_no_base_but_modules(bases: str, kind: str) -> None:
    method = "    def by(self, x: Tensor) -> Tensor:\n        pass\n"
    base = f"@torch.jit.interface\nclass Base:\n{method}\n\n"
    method += f"\n\n{HIDDEN}"
    agree(kind, f"{base}@torch.jit.interface\nclass Scale{bases}:\n{method}")


# Otherwise the test's compiler would create an instance: see tests/rules/forge.py.
HIDDEN = "Scale.__module__ = 'hidden'\n"
HELD = """
@torch.jit.interface
class Scale(nn.Module):
    def by(self, x: Tensor) -> Tensor:
        pass

    def forward(self, x: Tensor) -> Tensor:
        pass


Scale.__module__ = "hidden"


class Twice(nn.Module):
    def {method}:
        return x

    def forward(self, x: Tensor) -> Tensor:
        return x


class Net(nn.Module):
    scale: Scale

    def __init__(self):
        super().__init__()
        self.scale = Twice()

    def forward(self, x: Tensor) -> Tensor:
        return self.scale{call}


torch.jit.script(Net())
"""
HOLDING = {
    ("by(self, x: Tensor) -> Tensor", ".by(x)"): "",
    ("by(self, x: Tensor, n: int = 2) -> Tensor", ".by(x)"): "attribute-cast",
    ("by(self, x: Tensor) -> Tensor", "(x)"): "",
    ("to(self, x: Tensor) -> Tensor", ".by(x)"): "attribute-cast",
    ("by(self, x: int) -> int", ".by(x)"): "attribute-cast",
    ("by(self, y: Tensor) -> Tensor", ".by(x)"): "attribute-cast",
    ("by(self, x: Tensor, n: int) -> Tensor", ".by(x)"): "attribute-cast",
}


@pytest.mark.parametrize("parts", HOLDING)
def test_a_module_behind_an_interface(parts: tuple[str, str]) -> None:
    text = HELD.format(method=parts[0], call=parts[1])
    agree(HOLDING[parts], text.replace("return x\n", "return y\n", 1) if "y: Tensor" in parts[0] else text)


def test_tuples_are_joined() -> None:
    text = "@torch.jit.script\ndef f(x: Tuple[int, str], y: Tuple[int]):\n    {0}\n    return x\n"
    agree("", text.format("z = x + y"))
    agree("operator-mismatch", text.format("x += y"))


@pytest.mark.parametrize("value", ["6", "1.5", "True", "'a'", "None"])
def test_a_class_variable_is_not_read_through_the_class(value: str) -> None:
    text = f"class Net(nn.Module):\n    KIND = {value}\n\n    def forward(self, x: Tensor, {{parameter}}):\n"
    text += "        return x if kind == {read} else -x\n\n\ntorch.jit.script(Net())\n"
    kind = {"'a'": "str", "True": "bool"}.get(value, "float")
    agree("closed-over-global", text.format(parameter=f"kind: {kind}", read="Net.KIND"))


MEMBER = """
from enum import Enum


class Layout(str, Enum):
    FIRST = "first"
    LAST = "last"


class Mode(Enum):
    FAST = 1
    EXACT = 2


def moved(x, layout: Layout):
    return x + 1 if layout == Layout.LAST else x


class Net(nn.Module):
{declared}
    def __init__(self):
        super().__init__()
        self.layout = Layout.FIRST
        self.mode = Mode.FAST

    def forward(self, x: Tensor) -> Tensor:
        if {test}:
            x = x + 1
        return {result}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("declared", "test", "result", "kind"),
    [
        ("    layout: Layout", "self.layout != Layout.FIRST", "moved(x, self.layout)", ""),
        ("    layout: Layout", "self.layout == 'first'", "x", "operator-mismatch"),
        ("", "self.layout == 'first'", "x", ""),
        ("", "self.layout != Layout.FIRST", "x", "operator-mismatch"),
        ("    mode: Mode", "self.mode == Mode.FAST", "x", ""),
        ("", "self.mode == Mode.FAST", "x", ""),
    ],
)
def test_an_annotation_makes_a_str_an_enum_again(declared: str, test: str, result: str, kind: str) -> None:
    agree(kind, MEMBER.format(declared=declared, test=test, result=result))
