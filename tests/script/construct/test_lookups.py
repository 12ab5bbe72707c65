"""Tests values that a constructor looks up in a dictionary by a parameter: each key is a case of the parameter."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events

TEXT = """
TABLE = {{"relu": torch.relu, "none": None, "same": lambda x: x}}
CHANGED = {{"relu": torch.relu, "same": lambda x: x}}
CHANGED["same"] = torch.tanh


def find(name):
    return TABLE[name]


class Net(nn.Module):
    def __init__(self, act="same", table=None):
        super().__init__()
        {body}

    def forward(self, x: Tensor) -> Tensor:
        return self.act(x)


scripted = torch.jit.script(Net({given}))
"""
LOCAL = "table = {'relu': nn.ReLU(), 'same': lambda x: x}; "
LONG = "table = {" + ", ".join(f"'{each}': nn.ReLU()" for each in "abcdefgh") + ", 'same': lambda x: x}; "
BODIES = {
    "self.act = TABLE[act]": True,
    "self.act = find(act)": True,
    "self.act = TABLE.get(act)": True,
    "self.act = TABLE.get(act or 'relu', torch.tanh)": True,
    f"{LOCAL}self.act = table[act]": True,
    f"{LOCAL}self.act = table.get(act, nn.Tanh())": True,
    f"{LOCAL}self.act = table.get('other', lambda x: x)": True,
    f"{LONG}self.act = table[act]": True,
    f"{LOCAL}table['same'] = nn.Tanh(); self.act = table[act]": False,
    "self.act = CHANGED[act]": False,
}


@pytest.mark.parametrize("body", BODIES)
def test_a_value_by_the_default_of_a_parameter(body: str) -> None:
    found = BODIES[body]
    assert the_compiler()(HEAD + TEXT.format(body=body, given="")).ok is not found
    kinds = [event.kind for event in events(TEXT.format(body=body, given=""))]
    assert set(kinds) <= {"attribute-inconvertible", "not-callable"}
    assert ("attribute-inconvertible" in kinds) is (found and "or 'relu'" not in body)


@pytest.mark.parametrize("key", ["relu", "none", "same"])
def test_the_condition_names_the_key(key: str) -> None:
    text = TEXT.format(body="self.act = TABLE[act]", given=repr(key)).replace('act="same"', "act")
    assert the_compiler()(HEAD + text).ok is (key == "relu")
    assert {event.condition for event in events(text)} == {"`act` is 'same'", "`act` is 'none'"}


@pytest.mark.parametrize(
    "made", ["{'relu': nn.ReLU(), 'tanh': nn.Tanh()}[act]", "{'relu': nn.ReLU, 'tanh': nn.Tanh}[act]()"]
)
def test_other_keys_are_no_construction(made: str) -> None:
    text = f"""
class Net(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.act = {made}

    def forward(self, x: Tensor, twice: bool):
        x = self.act(x)
        if twice:
            return x, x
        return x


scripted = torch.jit.script(Net("relu"))
"""
    assert not the_compiler()(HEAD + text).ok
    assert [(event.kind, event.condition) for event in events(text)] == [("return-mismatch", None)]
