"""Tests values that differ between constructions, as items of loops and beside each other, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Net(nn.Module):
    def __init__(self, sizes={sizes}, by={by}):
        super().__init__()
        self.sizes = sizes
        self.by = by

    def times(self, x, n):
        return x * n

    def sum(self, x, n, m):
        return x + n + m

    def forward(self, x):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
BODIES = {
    "the items of a default": "for n in self.sizes:\n            x = self.times(x, n)",
    "beside other items": "for n, _ in zip(self.sizes, self.sizes):\n            x = self.times(x, n)",
    "two arguments of one call": "x = self.sum(x, self.by, self.sizes[0])",
}


@pytest.mark.parametrize("name", BODIES)
def test_an_error_that_occurs_in_some_constructions_has_a_condition(name: str) -> None:
    text = TEXT.format(body=BODIES[name], sizes="(3, 5)", by="2")
    assert not the_compiler()(HEAD + text).ok
    tensors = TEXT.format(body=BODIES[name], sizes="(torch.ones(2), torch.ones(2))", by="torch.ones(2)")
    assert the_compiler()(HEAD + tensors).ok
    assert kinds(text) == ["call-mismatch?"]


LENGTHS = {
    "after a star": ("x = x.reshape(*self.sizes)", "starred-unknown-length?"),
    "in zip with modules": (
        "for n, layer in zip(self.sizes, self.layers):\n            x = layer(x) * n",
        "unrolled-with-unknown-length?",
    ),
}


@pytest.mark.parametrize("name", LENGTHS)
def test_the_length_of_a_default_list_is_not_known(name: str) -> None:
    body, kind = LENGTHS[name]
    layers = "self.layers = nn.ModuleList([nn.ReLU(), nn.ReLU()])"
    text = TEXT.replace("self.by = by", layers)
    listed = text.format(body=body, sizes="[1, 1]", by="2")
    assert not the_compiler()(HEAD + listed).ok
    assert kinds(listed) == [kind]
    fixed = text.format(body=body, sizes="(1, 1)", by="2")
    assert the_compiler()(HEAD + fixed).ok
    assert kinds(fixed) == []


@pytest.mark.parametrize(
    ("default", "body", "kind"),
    [
        ("{'a': 3}", "for _, n in self.sizes.items():\n            x = self.times(x, n)", "call-mismatch?"),
        ("{3, 5}", "x = x if 3 in self.sizes else x + 1", "attribute-inconvertible?"),
    ],
)
def test_a_dict_or_a_set_is_a_default_like_others(default: str, body: str, kind: str) -> None:
    text = TEXT.format(body=body, sizes=default, by="2")
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == [kind]


FACTORS = {
    "in a tuple": "(self.by, self.by)",
    "in a list": "[self.by, self.by]",
    "beside a float": "(2.0, self.by)",
    "in a list beside a float": "[2.0, self.by]",
}


@pytest.mark.parametrize("name", FACTORS)
def test_an_attribute_in_a_tuple_or_list_decides_its_type(name: str) -> None:
    body = f"x = F.interpolate(x, scale_factor={FACTORS[name]})"
    text = TEXT.format(body=body, sizes="(1.0,)", by="2")
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == ["operator-mismatch?"]
    fixed = TEXT.format(body=body, sizes="(1.0,)", by="2.0")
    assert the_compiler()(HEAD + fixed).ok
    assert kinds(fixed) == []
