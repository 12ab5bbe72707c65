"""Tests what is known about a variable after an error: one mistake gives one finding."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Net(nn.Module):
    def forward(self, x: Tensor, e: Optional[Tensor], f: Optional[Tensor]):
        {body}


scripted = torch.jit.script(Net())
"""
# The uses of Optional parameters, the findings, and the `assert` after which all of them compile.
CASES = {
    "the same method twice": ("n = e.size(0)\n        return e.view(n, -1)", ["no-such-member"], "e"),
    "an attribute in an argument": (
        "n = e.size(0)\n        return torch.zeros(n, device=e.device)",
        ["no-such-member"],
        "e",
    ),
    "an operator": ("y = x + e\n        return y * e", ["operator-mismatch"], "e"),
    "an operator and its other side": ("y = x - 1\n        return (e * y) + e.sum()", ["operator-mismatch"], "e"),
    "an index": ("y = e[0]\n        return y + e[1]", ["not-subscriptable"], "e"),
    "an argument of torch": ("y = torch.relu(e)\n        return torch.cat([y, e])", ["operator-mismatch"], "e"),
    "in a branch, and after it": (
        "if x.dim() > 1:\n            x = x + e\n            x = x + e\n        return x + e",
        ["operator-mismatch", "operator-mismatch"],
        "e",
    ),
    "what a method returns": (
        "n = e.size(0)\n        return x.view(n).foo",
        ["no-such-member", "no-tensor-member"],
        "e",
    ),
    "what an index returns": ("n = x + 1\n        return e[0].foo", ["no-tensor-member", "not-subscriptable"], "e"),
    "another value": ("n = e.size(0)\n        e = f\n        return e.view(n)", ["no-such-member"] * 2, "e"),
    "another variable": ("n = e.size(0)\n        return f.view(n)", ["no-such-member"] * 2, "e"),
}


@pytest.mark.parametrize("case", CASES)
def test_one_finding_for_one_assert(case: str) -> None:
    body, found, name = CASES[case]
    text = TEXT.format(body=body)
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == found, kinds(text)
    asserted = TEXT.format(body=f"assert {name} is not None\n        {body}")
    assert the_compiler()(HEAD + asserted).ok is (kinds(asserted) == []), kinds(asserted)


HANDED_BACK = """
class Net(nn.Module):
    def same(self, found{annotation}):
        return found

    def forward(self, x: Tensor):
        found: Dict[str, Tensor] = {{"x": x}}
        if x.dim() > 1:
            found = self.same(found)
        return found


scripted = torch.jit.script(Net())
"""


def test_a_parameter_that_a_call_hands_back_has_the_type_of_its_annotation_to_come() -> None:
    text = HANDED_BACK.format(annotation="")
    assert not the_compiler()(HEAD + text).ok
    assert kinds(text) == ["call-mismatch"]
    annotated = HANDED_BACK.format(annotation=": Dict[str, Tensor]")
    assert the_compiler()(HEAD + annotated).ok
    assert kinds(annotated) == []
