"""Tests that conditional errors are certain if every construction has one of them, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

HEAD = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
        {set}

    def forward(self, x):
        {body}
        return x

    def other(self, x):
        return x.nothing()


scripted = torch.jit.script(Net({arguments}))
"""
LAYERS = """if use_conv:
            self.conv = nn.Conv1d(1, 1, 1)
        else:
            self.fc = nn.Linear(1, 1)
        self.use_conv = use_conv"""
BRANCHES = """if self.use_conv:
            x = self.conv(x)
        else:
            x = self.fc(x)"""
ON_NONE = """if self.norm is None:
            {}
        else:
            {}"""
SEVERAL = """if mode == "a":
            self.one = 1
        elif mode == "b":
            self.two = 2
        else:
            self.three = 3"""
READ = ["x = x + self.one", "x = x + self.two", "x = x + self.three"]
LINES = "\n        "


@pytest.mark.parametrize(
    ("parameters", "setting", "body", "constructions", "severities"),
    [
        # Attributes decide only if they are constants, so both branches are compiled.
        ("use_conv", LAYERS, BRANCHES, {"True": False, "False": False}, ["error", "error"]),
        (
            "use_conv",
            LAYERS,
            "if self.use_conv:\n            x = self.conv(x)",
            {"True": True, "False": False},
            ["warning"],
        ),
        (
            "use_conv",
            LAYERS,
            "if self.use_conv is True:\n            x = self.conv(x)",
            {"True": True, "False": False},
            ["warning"],
        ),
        (
            "norm",
            "self.norm = norm",
            ON_NONE.format("x = x.absent()", "x = x.missing()"),
            {"None": False, "nn.ReLU()": False},
            ["error", "error"],
        ),
        # The other case is an error of a method that is compiled only for it.
        (
            "norm",
            "self.norm = norm",
            ON_NONE.format("x = x.absent()", "x = self.other(x)"),
            {"None": False, "nn.ReLU()": False},
            ["error", "error"],
        ),
        (
            "norm",
            "self.norm = norm",
            ON_NONE.format("x = x.absent()", "x = torch.relu(x)"),
            {"None": False, "nn.ReLU()": True},
            ["warning"],
        ),
        # Each construction lacks two of the attributes.
        ("mode", SEVERAL, LINES.join(READ), {"'a'": False, "'b'": False, "'c'": False}, ["error", "error", "error"]),
        ("mode", SEVERAL, f"if x.dim() > 1:\n            {READ[2]}", {"'b'": False, "'c'": True}, ["warning"]),
        # In Python, every call of the other constructions fails, too.
        ("mode", SEVERAL, READ[2], {"'b'": False, "'c'": True}, []),
        ("use_conv", LAYERS, "x = self.conv(x)", {"True": True, "False": False}, []),
        (
            "use_conv",
            LAYERS,
            "if x.dim() > 1:\n            return x\n        x = self.conv(x)",
            {"False": False},
            ["warning"],
        ),
        ("a", "self.a = nn.ReLU() if a else None", "x = self.a(x)", {"True": True, "False": False}, []),
        (
            "a",
            "self.a = nn.ReLU() if a else None",
            "x = self.a(x) if x.dim() > 1 else x",
            {"False": False},
            ["warning"],
        ),
        # A further condition does not matter for the others.
        (
            "use_conv, b",
            f"{LAYERS}\n        self.b = b",
            f"{BRANCHES}\n        if self.b is not None:\n            torch.missing()",
            {"True, None": False, "False, 1": False},
            ["error", "error", "warning"],
        ),
        # Conditions on different parameters leave a construction.
        (
            "a, b",
            "self.a, self.b = a, b",
            "if self.a is None:\n            torch.absent()\n        if self.b is not None:\n            torch.no()",
            {"None, None": False, "1, None": True, "1, 2": False},
            ["warning", "warning"],
        ),
    ],
)
def test_conditions_that_leave_no_construction_are_errors(
    parameters: str, setting: str, body: str, constructions: dict[str, bool], severities: list[str]
) -> None:
    texts = {
        arguments: HEAD.format(parameters=parameters, set=setting, body=body, arguments=arguments)
        for arguments in constructions
    }
    assert {arguments: the_compiler()(text).ok for arguments, text in texts.items()} == constructions
    for text in texts.values():
        found = [each for each in findings(text) if each.severity != "info" and each.code < "TS6"]
        assert all("(when " in each.message for each in found)
        assert [each.severity for each in sorted(found, key=lambda each: each.start)] == severities


SHARED = """import torch
from torch import nn


class Base(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.wide = wide
        if wide:
            self.first = nn.ReLU()
        else:
            self.second = nn.ReLU()

    def forward(self, x):
        return self.first(x) + self.second(x)


class Both(Base):
    def __init__(self):
        super().__init__(True)
        self.first, self.second = nn.ReLU(), nn.ReLU()


scripted = torch.jit.script({})
"""


@pytest.mark.parametrize(("name", "accepted"), [("Base(True)", False), ("Both()", True)])
def test_a_method_that_compiles_for_a_subclass_has_no_certain_error(name: str, accepted: bool) -> None:
    text = SHARED.format(name)
    assert the_compiler()(text).ok is accepted
    assert [each.severity for each in findings(text) if each.code == "TS408"] == ["warning", "warning"]


TWO = """import torch
from torch import nn


class Part(nn.Module):
    def __init__(self, wide=False):
        super().__init__()
        if wide:
            self.first = 1
        else:
            self.second = 2

    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = Part(True), Part(False)

    def forward(self, x):
        return x + self.a.first + self.b.second


scripted = torch.jit.script(Net())
"""


def test_conditions_of_two_instances_of_a_class_are_not_complementary() -> None:
    assert the_compiler()(TWO).ok
    assert not [each for each in findings(TWO) if each.severity == "error"]
