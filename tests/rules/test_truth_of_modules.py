"""Tests modules as conditions: one that is never empty is compared with None, one that may be empty is not."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

NET = """
class Net(nn.Module):
    def __init__(self, n=0):
        super().__init__()
        self.part = None
        if n > 1:
            {}

    def forward(self, x):
        y = self.part(x) if self.part else x + 1
        return y
"""
LIST = NET.replace("self.part(x) if self.part else", "self.part[0](x) if self.part else")
EITHER = "self.part is not None if torch.jit.is_scripting() else self.part"
WRAPPED = """class Wrapped(nn.Module):
    def __init__(self, module, name="weight"):
        super(Wrapped, self).__init__()
        self.module = module
        self.name = name

    def forward(self, x):
        setattr(self.module, self.name, x.mean())
        return self.module(x)
"""

# The beginning of the class, what it stores, the code after it, and the test after the fix.
CASES: dict[str, tuple[str, str, str, str]] = {
    "a module": (NET, "self.part = nn.Linear(3, 3)", "", "self.part is not None"),
    "modules in a row": (
        NET,
        "self.part = nn.Sequential(nn.Linear(3, 3), *[nn.ReLU()])",
        "",
        "self.part is not None",
    ),
    "two of which nothing is known": (
        NET,
        "made = nn.ReLU()\n            self.part = nn.Sequential(made, made)",
        "",
        "self.part is not None",
    ),
    "one that may be a dict": (
        NET,
        "made = {} if n > 2 else nn.ReLU()\n            self.part = nn.Sequential(made)",
        "",
        EITHER,
    ),
    "only a star": (NET, "self.part = nn.Sequential(*[nn.ReLU()][n:])", "", EITHER),
    "a list": (LIST, "self.part = nn.ModuleList([nn.ReLU()])", "", "self.part is not None"),
    "what is taken away": (
        NET,
        "self.part = nn.Sequential(nn.ReLU())",
        "def strip(net):\n    del net.part[0]",
        EITHER,
    ),
    "what another name is given": (
        NET,
        "self.part = nn.Sequential(nn.ReLU())",
        "def strip(net):\n    part = net.part\n    del part[0]",
        EITHER,
    ),
    "what another object has under a name": (
        NET,
        "self.part = nn.ReLU()",
        "def look(module, name):\n    return module.__dict__[name]",
        "self.part is not None",
    ),
    "what sets anything": (
        NET,
        "self.part = nn.ReLU()",
        "def put(module, name):\n    module.__dict__[name] = []",
        EITHER,
    ),
    "what sets its usual name": (NET, "self.part = nn.ReLU()", WRAPPED, "self.part is not None"),
    "what sets another name, too": (
        NET,
        "self.part = nn.ReLU()",
        WRAPPED + "\n\ndef wrap(net):\n    return Wrapped(net, 'part')",
        EITHER,
    ),
    "what sets a name that changes": (
        NET,
        "self.part = nn.ReLU()",
        WRAPPED + "\n    def rename(self, name):\n        self.name = name",
        EITHER,
    ),
    "what sets any module": (
        NET,
        "self.part = nn.ReLU()",
        "def put(module, name):\n    module.__dict__['_modules'][name] = nn.Sequential()",
        EITHER,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_how_the_truth_of_a_module_is_tested(name: str) -> None:
    text, stored, more, asked = CASES[name]
    after = check_promise(
        text.replace("{}", stored) + (f"\n\n{more}\n" if more else ""),
        constructions=("Net(0)", "Net(2)", "Net(3)") if "list" not in name else ("Net(0)", "Net(2)"),
        differs=asked is EITHER,
    )
    written = " ".join(after.split())
    assert f"if {asked} else" in written or f"if ({asked}) else" in written


TEXT = """
class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = nn.ReLU()

    def forward(self, x):
        return self.activation(x)


class Net(nn.Module):
    def __init__(self, activation=None):
        super().__init__()
        torch.manual_seed(0)
        self.lin = nn.Linear(3, 3)
        self.activation = activation

    def forward(self, x):
        if self.activation:
            return torch.relu(self.lin(x)), x
        return self.lin(x), x


def nets():
    return Net(), Net(activation="relu")
"""


def test_the_truth_of_a_text_or_none_is_a_property() -> None:
    after = check_promise(TEXT, ["Net()", "Net('relu')", "Net('')"], differs=True)
    assert "        return bool(self.activation)\n" in after and "        if self._has_activation:\n" in after
