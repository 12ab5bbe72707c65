"""Tests which attributes a constructor sets through defaults and helper functions, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

HEAD = """import numpy as np
import torch
from torch import nn


def keep_all(self, values=None):
    if values:
        for name, value in values.items():
            if name != "self":
                setattr(self, name, value)


"""
LOOP = """class Net(nn.Module):
    def __init__(self, sizes=(){more}):
        super().__init__()
        {filled}
        self.layers = nn.{kind}(layers)

    def forward(self, x):
        for layer in self.layers{items}:
            x = x["a"]
        return x


scripted = torch.jit.script(Net())
"""
FILLED = [
    ("layers = [nn.Linear(1, size) for size in sizes]", "ModuleList", ""),
    ("layers = []\n        for size in sizes:\n            layers.append(nn.Linear(1, size))", "ModuleList", ""),
    ("layers = {}\n        for size in sizes:\n            layers[str(size)] = nn.ReLU()", "ModuleDict", ".values()"),
]


def errors(text: str) -> list[tuple[str, str]]:
    return [(each.code, each.severity) for each in findings(text) if each.severity != "info" and each.code < "TS6"]


@pytest.mark.parametrize(("filled", "kind", "items"), FILLED)
def test_the_body_of_a_loop_over_no_modules_is_not_compiled(filled: str, kind: str, items: str) -> None:
    text = HEAD + LOOP.format(filled=filled, kind=kind, items=items, more="")
    assert the_compiler()(text).ok
    assert errors(text) == [("TS312", "warning")]


@pytest.mark.parametrize(
    ("count", "severity"),
    [("(depth + 1) // 5", "warning"), ("count", "warning"), ("depth", "error"), ("depth + 1 // 5", "error")],
)
def test_a_quotient_of_ints_may_be_0(count: str, severity: str) -> None:
    filled = f"count = depth // 5\n        layers = [nn.Linear(1, 1) for _ in range({count})]"
    text = HEAD + LOOP.format(filled=filled, kind="ModuleList", items="", more="")
    text = text.replace("sizes=()", "depth").replace("Net()", "Net(3)")
    assert the_compiler()(text).ok is (severity == "warning")
    assert errors(text) == [("TS312", severity)]


def test_without_a_default_there_is_no_such_construction() -> None:
    text = HEAD + LOOP.format(filled=FILLED[0][0], kind="ModuleList", items="", more="")
    text = text.replace("sizes=()", "sizes").replace("Net()", "Net([1, 2])")
    assert not the_compiler()(text).ok
    assert errors(text) == [("TS312", "error")]


OWN = """class Net(nn.Sequential):
    KINDS = [1]

    def forward(self, x):
        for layer in self:
            if self.KINDS:
                x = layer(x)
        return x


scripted = torch.jit.script(Net())
"""


def test_a_container_of_a_class_without_a_constructor_may_be_empty() -> None:
    assert the_compiler()(HEAD + OWN).ok
    assert errors(HEAD + OWN) == [("TS409", "warning")]
    text = HEAD + OWN.replace("Net()", "Net(nn.ReLU())")
    assert not the_compiler()(text).ok


LOCALS = """class Net(nn.Module):
    def __init__(self, flag: bool = False, layer=None):
        super().__init__()
        keep_all(self, locals())

    def forward(self, x):
        if self.flag:
            return x
        return {returned}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("returned", "found"),
    [("x", []), ("self.layer(x)", [("TS413", "warning")]), ("x + self.nothing", [("TS408", "error")])],
)
def test_a_helper_sets_what_locals_gives_it(returned: str, found: list[tuple[str, str]]) -> None:
    text = HEAD + LOCALS.format(returned=returned)
    assert the_compiler()(text).ok is (not found)
    assert errors(text) == found


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ("nn.Conv1d(1, 1, np.prod([5, 3]))", "TS425"),
        ("nn.ReflectionPad1d((np.prod([5, 3]) - 1) // 2)", "TS425"),
        ("nn.Conv1d(1, 1, int(np.prod([5, 3])))", ""),
        ("nn.Upsample(scale_factor=np.int64(2))", ""),
        ("nn.AdaptiveAvgPool2d((1, None))", "TS425"),
        ("nn.AdaptiveAvgPool2d((1, 2))", ""),
    ],
)
def test_arguments_that_no_layer_compiles_with(made: str, code: str) -> None:
    text = f"{HEAD}scripted = torch.jit.script(nn.Sequential({made}))\n"
    assert the_compiler()(text).ok is (not code)
    assert [each for each, _ in errors(text)] == ([code] if code else [])


def test_a_module_of_torch_that_is_loaded_on_first_use_exists() -> None:
    body = "    return torch.onnx.operators.shape_as_tensor(x)\n"
    text = f"{HEAD}import torch.onnx.operators\n\n\n@torch.jit.script\ndef sizes(x):\n{body}"
    assert the_compiler()(text).ok
    assert errors(text) == []


MEMBER = """import enum


class Net(nn.Module):
    class Kind(enum.Enum):
        ONE = 1

    made = nn.ReLU
    act = nn.ReLU()

    def forward(self, x):
        return {returned}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        ("x", []),
        ("x if self.Kind.ONE == self.Kind.ONE else x + 1", [("TS409", "error"), ("TS409", "error")]),
        ("self.made()(x)", [("TS409", "error")]),
    ],
)
def test_a_class_in_a_class_variable_is_treated_as_a_method(returned: str, found: list[tuple[str, str]]) -> None:
    text = HEAD + MEMBER.format(returned=returned)
    assert the_compiler()(text).ok is (not found)
    assert errors(text) == found


MIXED = """import enum


class Kind({base}enum.Enum):
    ONE = {value}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = Kind.ONE

    def forward(self, x):
        return x + 1 if self.kind == {value} else x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("base", "value", "accepted"),
    [("str, ", '"one"', True), ("int, ", "1", True), ("", '"one"', False), ("", "1", False)],
)
def test_a_member_of_an_enum_of_strings_is_a_string(base: str, value: str, *, accepted: bool) -> None:
    text = HEAD + MIXED.format(base=base, value=value)
    assert the_compiler()(text).ok is accepted
    assert [each for each, _ in errors(text)] == ([] if accepted else ["TS306"])


SUBMODULE = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.{made}

    def forward(self, x):
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(("made", "accepted"), [("SyncBatchNorm(2)", False), ("BatchNorm1d(2)", True)])
def test_a_module_of_torch_whose_forward_never_compiles(made: str, *, accepted: bool) -> None:
    text = HEAD + SUBMODULE.format(made=made)
    assert the_compiler()(text).ok is accepted
    assert bool(errors(text)) is not accepted


CHOSEN = """class Net(nn.Module):
    default = nn.SiLU()

    def __init__(self, act={default}):
        super().__init__()
        {stored}

    def forward(self, x):
        return self.act(x)


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("default", "stored", "accepted"),
    [
        ("True", "self.act = self.default if act is True else act if isinstance(act, nn.Module) else nn.ReLU()", True),
        ("'relu'", "self.act = act if isinstance(act, (nn.Module, type)) else nn.ReLU()", True),
        ("'relu'", "self.act = act if callable(act) else nn.ReLU()", True),
        ("False", "self.act = act if act else nn.ReLU()", True),
        ("'relu'", "if isinstance(act, str):\n            act = nn.ReLU()\n        self.act = act", True),
        ("'relu'", "self.act = act if isinstance(act, str) else nn.ReLU()", False),
        ("True", "self.act = act if act is not None else nn.ReLU()", False),
        ("'relu'", "if callable(act):\n            act = nn.ReLU()\n        self.act = act", False),
    ],
)
def test_a_default_is_only_stored_where_its_tests_agree(default: str, stored: str, *, accepted: bool) -> None:
    text = HEAD + CHOSEN.format(default=default, stored=stored)
    assert the_compiler()(text).ok is accepted
    assert errors(text) == ([] if accepted else [("TS413", "warning")])


RAISES = """class Net(nn.Module):
    def __init__(self, head, wide=True):
        super().__init__()
        if isinstance(head, list):
            if {short}:
                {then}
            else:
                if all(isinstance(size, int) for size in head):
                    self.head = nn.ReLU()
                else:
                    raise ValueError("no numbers")
        else:
            self.head = head

    def forward(self, x):
        return self.head(x) if x.dim() > 1 else x


scripted = torch.jit.script(Net({head}))
"""


@pytest.mark.parametrize(
    ("short", "then", "head", "found"),
    [
        ("len(head) < 2", "raise ValueError('short')", "nn.ReLU()", []),
        ("wide", "raise ValueError('wide')", "[1, 2], wide=False", []),
        ("len(head) < 2", "self.size = len(head)", "[1]", [("TS408", "warning")]),
    ],
)
def test_a_constructor_that_raises_for_each_result_of_a_test_makes_no_instance(
    short: str, then: str, head: str, found: list[tuple[str, str]]
) -> None:
    text = HEAD + RAISES.format(short=short, then=then, head=head)
    assert the_compiler()(text).ok is not bool(found)
    assert errors(text) == found
