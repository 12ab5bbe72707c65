"""Tests annotations that compute a value instead of naming a type: each row asks the compiler before and after."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tests.script.agreement import agree
from tests.script.model import HEAD as MODEL_HEAD
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = (
    "import torch\nfrom typing import Optional, Union\nfrom torch import Tensor\n\n\ndef made():\n    return int\n\n\n"
)
TEXT = HEAD + "def f(x: Tensor, n: {annotation}):\n    return x\n\n\nscripted = torch.jit.script(f)\n"
# The annotation, the compiler's word for it, and what the fix writes; None if there is none.
ANNOTATIONS = [
    ("int or None", "or", "Optional[int]"),
    ("None or torch.Tensor", "or", "Optional[torch.Tensor]"),
    ("int or float", "or", "Union[int, float]"),
    ("int or float or None", "or", None),
    ("int and float", "and", None),
    ("not int", "not", None),
    ("3 + 3", "+", None),
    ("-1", "unary minus", None),
    ("made()", "apply", None),
    ("int if made else float", "if", None),
    ("[int for _ in range(2)]", "list comprehension", None),
]


@pytest.mark.parametrize(("annotation", "word", "meant"), ANNOTATIONS)
def test_a_computed_annotation_is_no_type(annotation: str, word: str, meant: str | None) -> None:
    text = TEXT.format(annotation=annotation)
    verdict = the_compiler()(text)
    assert f"Expression of type {word} cannot be used in a type expression" in verdict.message
    (found,) = findings(text)
    assert (found.code, found.message) == ("TS506", f"TorchScript has no type `{annotation}`")
    assert found.start.row == verdict.lines[0]
    assert (found.fix is not None) is (meant is not None)
    if meant is not None and found.fix is not None:
        fixed = apply_fixes(SourceFile(HERE, text), [found.fix]).text
        assert fixed == TEXT.format(annotation=meant)
        assert the_compiler()(fixed).ok


# Python evaluates these annotations: the compiler gets their values, or does not look at them.
EVALUATED = {
    "an attribute": ("n: int or None", "self.n = 3", "x + self.n", ""),
    "an attribute in the constructor": ("", "self.n: int or None = 3", "x + self.n", ""),
    "an ignored method": ("", "self.n = 3", "x + self.ignored(3)", ""),
    "a variable": ("", "self.n = 3", "self.local(x)", "unreadable-annotation"),
}
NET = """
class Net(nn.Module):
    {declared}

    def __init__(self):
        super().__init__()
        {set}

    def forward(self, x):
        return {value}

    @torch.jit.ignore
    def ignored(self, n: int or None) -> int or None:
        return n

    def local(self, x):
        n: int or None = 3
        return x + n


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize("name", EVALUATED)
def test_annotations_that_python_evaluates(name: str) -> None:
    declared, stored, value, kind = EVALUATED[name]
    text = NET.format(declared=declared, set=stored, value=value)
    assert the_compiler()(MODEL_HEAD + text).ok is not bool(kind)
    agree(kind, text)


NAMED = {
    "torch.distributions.Normal": "unreadable-annotation",
    "Tuple[Tensor, torch.distributions.normal.Normal]": "unreadable-annotation",
    "torch.distributions.Transform": "unreadable-annotation",
    "torch.optim.Adam": "unreadable-annotation",
    "torch.nn.utils.rnn.PackedSequence": "",
}


@pytest.mark.parametrize("annotation", NAMED)
def test_classes_of_torch_that_cannot_be_compiled(annotation: str) -> None:
    agree(NAMED[annotation], f"def f(x: Tensor, d: {annotation}):\n    return x\n\n\nscripted = torch.jit.script(f)\n")
