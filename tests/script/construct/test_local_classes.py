"""Tests classes that a constructor defines: their methods see its variables, and are compiled if an
instance is stored.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self, scale: float = 2.0):
        super().__init__()
        width = 3

        class Parent(nn.Module):
            def __init__(self):
                super().__init__()
                self.size = 3

        class Inner({base}):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(width, width)

            def forward(self, x):
                return {value}

        class Outer(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x)

        self.outer = Outer()

    def forward(self, x):
        return self.outer(x)


scripted = torch.jit.script(Net())
"""
CASES = {
    "its own attributes": ("nn.Module", "self.fc(x)", ""),
    "a base that is a variable": ("Parent", "self.fc(x) * self.size", ""),
    "an attribute that nobody sets": ("nn.Module", "self.fc(x) * self.size", "missing-attribute"),
    "what is no syntax": ("nn.Module", "{self.fc(i) for i in x}", "set-comprehension"),
}


MEMBER = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = {made}

    def forward(self, x):
        return self.inner(x)

    class Inner(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 3)

        def forward(self, x):
            return {value}


scripted = torch.jit.script({scripted})
"""


@pytest.mark.parametrize("scripted", ["Net()", "Net.Inner()"])
@pytest.mark.parametrize("made", ["self.Inner()", "Net.Inner()"])
@pytest.mark.parametrize(("value", "kind"), [("self.fc(x)", ""), ("{self.fc(i) for i in x}", "set-comprehension")])
def test_a_class_in_the_body_of_a_class(scripted: str, made: str, value: str, kind: str) -> None:
    agree(kind, MEMBER.format(scripted=scripted, made=made, value=value))


@pytest.mark.parametrize("case", CASES)
def test_a_class_in_a_constructor(case: str) -> None:
    base, value, kind = CASES[case]
    agree(kind, TEXT.format(base=base, value=value))
