"""Tests ``super().forward(...)`` of torch's own classes and of the project's: the replacement compiles and computes the
same.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn


"""


def fixed(text: str) -> str:
    """Return a text with all fixes applied until none is left."""
    for _ in range(8):
        found = [f.fix for f in findings(text) if f.fix and f.fix.applicability is not Applicability.DISPLAY]
        if not found:
            return text
        applied = apply_fixes(SourceFile(HERE, text), found)
        assert not applied.invalid
        text = applied.text
    raise AssertionError("the fixes do not come to an end")


# The base, the arguments of its constructor, and its inputs.
TORCH = {
    "Linear": ("4, 2", "torch.rand(3, 4)"),
    "Bilinear": ("4, 2, 3", "torch.rand(3, 4), torch.rand(3, 2)"),
    "Embedding": ("5, 3, padding_idx=1", "torch.tensor([[1, 2]])"),
    "Conv1d": ("2, 3, 3", "torch.rand(1, 2, 6)"),
    "Conv2d": ("2, 3, 3, padding=1, padding_mode='reflect'", "torch.rand(1, 2, 6, 6)"),
    "Conv3d": ("1, 2, 2", "torch.rand(1, 1, 3, 3, 3)"),
    "ConvTranspose1d": ("2, 3, 3", "torch.rand(1, 2, 6)"),
    "ConvTranspose2d": ("2, 4, 3, stride=2, output_padding=1, groups=2", "torch.rand(1, 2, 6, 6)"),
    "ConvTranspose3d": ("1, 2, 2, dilation=2", "torch.rand(1, 1, 3, 3, 3)"),
    "LayerNorm": ("4", "torch.rand(3, 4)"),
    "GroupNorm": ("2, 4", "torch.rand(3, 4)"),
    "BatchNorm1d": ("4, momentum=None", "torch.rand(3, 4)"),
    "BatchNorm2d": ("4", "torch.rand(3, 4, 2, 2)"),
    "BatchNorm3d": ("4, track_running_stats=False", "torch.rand(3, 4, 2, 2, 2)"),
    "InstanceNorm1d": ("4", "torch.rand(4, 5)"),  # inputs without a batch
    "InstanceNorm2d": ("4, affine=True, track_running_stats=True", "torch.rand(3, 4, 2, 2)"),
    "InstanceNorm3d": ("4", "torch.rand(3, 4, 2, 2, 2)"),
    "MaxPool1d": ("2", "torch.rand(1, 2, 6)"),
    "MaxPool2d": ("2, stride=1, padding=1, ceil_mode=True", "torch.rand(1, 2, 6, 6)"),
    "MaxPool3d": ("2", "torch.rand(1, 2, 4, 4, 4)"),
    "AvgPool2d": ("2, count_include_pad=False, padding=1", "torch.rand(1, 2, 6, 6)"),
    "AdaptiveAvgPool2d": ("2", "torch.rand(1, 2, 6, 6)"),
    "ReLU": ("", "torch.rand(3) - 0.5"),
    "LeakyReLU": ("0.3", "torch.rand(3) - 0.5"),
    "ELU": ("", "torch.rand(3) - 0.5"),
    "PReLU": ("", "torch.rand(3) - 0.5"),
    "Dropout": ("0.0", "torch.rand(3)"),
    "Dropout2d": ("0.0", "torch.rand(1, 2, 3, 3)"),
    "Upsample": ("scale_factor=2.0, mode='bilinear'", "torch.rand(1, 2, 3, 3)"),
    "Sequential": ("nn.Linear(3, 3), nn.ReLU()", "torch.rand(3)"),
    "MSELoss": ("", "torch.rand(3), torch.rand(3)"),
    "L1Loss": ("reduction='sum'", "torch.rand(3), torch.rand(3)"),
    "CrossEntropyLoss": ("label_smoothing=0.1", "torch.rand(2, 3), torch.tensor([0, 2])"),
    "NLLLoss": ("torch.tensor([1.0, 2.0, 3.0])", "torch.rand(2, 3), torch.tensor([0, 2])"),
    "BCELoss": ("", "torch.rand(3), torch.rand(3)"),
    "BCEWithLogitsLoss": ("pos_weight=torch.tensor(2.0)", "torch.rand(3), torch.rand(3)"),
}


@pytest.mark.parametrize("name", TORCH)
def test_super_of_a_class_of_torch(name: str) -> None:
    given, inputs = TORCH[name]
    two = inputs.count("torch.") > 1 and name != "Embedding"
    names = "a, b" if two else "a"
    text = HEAD + dedent(
        f"""
        class Own(nn.{name}):
            def forward(self, {names}):
                return super().forward({names}) + 1


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.own = Own({given})

            def forward(self, {names}):
                return self.own({names})


        inputs = ({inputs},)
        """
    )
    mended = fixed(text)
    copied = name.startswith(("BatchNorm", "InstanceNorm"))  # another torch may have other lines: Python runs its own
    assert ("if torch.jit.is_scripting() else super().forward" in mended) == copied
    assert ("super().forward" in mended) == copied
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (
            "y = super().forward(F.relu(x))\n        return x + y",
            "y = F.relu(x)\n        for module in self:\n            y = module(y)\n        return x + y\n",
        ),
        (
            "x = super().forward(x)\n        return x * 2",
            "for module in self:\n            x = module(x)\n        return x * 2\n",
        ),
    ],
)
def test_a_stored_result_of_a_sequential_is_computed_in_place(body: str, lines: str) -> None:
    text = (
        f"{HEAD}class Own(nn.Sequential):\n    def forward(self, x):\n        {body}\n\n\n"
        "module = Own(nn.Linear(3, 3), nn.Tanh())\ninputs = (torch.rand(3),)\n"
    )
    mended = fixed(text)
    assert lines in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager == compiled.eager == compiled.scripted and judged.keys == compiled.keys


OWN = {
    "several bases": """
        class A(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x + 1


        class B(A):
            pass


        class C(A):
            def forward(self, x: Tensor) -> Tensor:
                return x * 2


        class Net(B, C):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(x)


        inputs = (torch.rand(3),)
        """,
    "a class that is imported by its name": """
        from torch.nn import Linear


        class Net(Linear):
            def __init__(self):
                super().__init__(3, 3)

            def forward(self, x):
                return Linear.forward(self, x) * 2


        inputs = (torch.rand(3),)
        """,
    "a header with comments": """
        class Base(nn.Module):
            # before
            def forward(  # the base's
                self,
                x: Tensor,  # what comes in
            ) -> Tensor:
                # first
                y = x + 1
                return y


        class Net(Base):
            def forward(self, x: Tensor) -> Tensor:
                return Base.forward(
                    self,
                    x,
                )


        inputs = (torch.rand(3),)
        """,
    "a name that is imported twice": """
        from torchgen import model as F


        class Own(nn.ReLU):
            def forward(self, x):
                return super(Own, self).forward(x)


        inputs = (torch.rand(3),)
        """,
}


@pytest.mark.parametrize("name", OWN)
def test_super_of_a_class_of_the_project(name: str) -> None:
    text = HEAD + dedent(OWN[name])
    mended = fixed(text)
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


@pytest.mark.parametrize(
    ("base", "own", "after"),
    [
        ("return self.part(x) + x", "return super().forward(y)", "return self.part(y) + y"),
        ("return F.relu(x + 1)", "return 2 * super().forward(y)", "return 2 * F.relu(y + 1)"),
        ("return x + 1", "F = y\n        return F * super().forward(y)", "return F * (y + 1)"),
        ("return F.relu(x)", "F = y\n        return F * super().forward(y)", "return F * self._base_forward(y)"),
        ("return x + self.__own", "return super().forward(y)", "return self._base_forward(y)"),
        ("return [z + x for z in [x]][0]", "return super().forward(y)", "return self._base_forward(y)"),
        ("return x + 1", "return super().forward(y + 1)", "return self._base_forward(y + 1)"),
        ("return x * len(__class__.__name__)", "return super().forward(y)", "return self._base_forward(y)"),
    ],
)
def test_a_method_that_only_returns_an_expression_is_written_out(base: str, own: str, after: str) -> None:
    text = (
        f"{HEAD}class Base(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.__own = 2.0\n        self.part = nn.ReLU()\n\n"
        f"    def forward(self, x):\n        {base}\n\n\n"
        f"class Net(Base):\n    def forward(self, y):\n        {own}\n\n\ninputs = (torch.rand(3),)\n"
    )
    mended = fixed(text)
    assert f"        {after}\n" in mended
    assert the_compiler()(mended).eager == the_compiler()(text).eager


DOCUMENTED = '''
class Base(nn.Module):
    def forward(self, x: Tensor, scale: float = 1.0, shift: float = 0.0) -> Tensor:
        """Scale, and shift."""
        return x * scale + shift


class Net(Base):
    def forward(self, x: Tensor, scale: float = 1.0, shift: float = 0.0) -> Tensor:
        return super().forward(x, shift=scale)


inputs = (torch.rand(3),)
'''


def test_the_docstring_stays_with_the_name_that_callers_know() -> None:
    text = HEAD + DOCUMENTED
    mended = fixed(text)
    assert (
        "    def _base_forward(self, x: Tensor, scale: float = 1.0, shift: float = 0.0) -> Tensor:\n"
        "        return x * scale + shift\n\n"
        "    def forward(self, x: Tensor, scale: float = 1.0, shift: float = 0.0) -> Tensor:\n"
        '        """Scale, and shift."""\n'
        "        return self._base_forward(x, scale=scale, shift=shift)\n"
    ) in mended
    compiled = the_compiler()(mended)
    assert compiled.ok and compiled.eager == compiled.scripted == the_compiler()(text).eager


@pytest.mark.parametrize(
    ("base", "own"),
    [
        ("return x + 1", "return super().forward(x, **self.options)"),
        ("return x + 1", "return super().forward(*self.options, x)"),
        ("try:\n            return x + 1\n        finally:\n            pass", "return super().forward(x)"),
        ("return F.relu(x, **self.options)", "return super().forward(x)"),
        ("return x + 1", "return super().forward(x) + (yield)"),
    ],
)
def test_what_cannot_be_compiled_anyway_is_not_split(base: str, own: str) -> None:
    text = (
        f"{HEAD}class Base(nn.Module):\n    def forward(self, x):\n        {base}\n\n\n"
        f"class Net(Base):\n    def forward(self, x):\n        {own}\n"
    )
    assert {each.code for each in findings(text)} >= {"TS215"}
    assert fixed(text) == text


CALLER = """

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = OWN

    def forward(self, x):
        return self.own(x)


inputs = (torch.ones(2, 3),)
"""
# The base class; the arguments of its constructor; the parameters of ``forward``; what it passes to the base's
# ``forward``; and what it returns after the fix, None if it is removed.
PASSED_ON = {
    "a sequential": ("Sequential", "nn.Linear(3, 3), nn.Tanh()", "x", "x", None),
    "batch norm": ("BatchNorm1d", "3", "x: Tensor", "x", None),
    "an argument more": ("Linear", "3, 3", "x, y=None", "x", "F.linear(x, self.weight, self.bias)"),
    "another argument": ("Linear", "3, 3", "x", "x * 2", "F.linear(x * 2, self.weight, self.bias)"),
}


@pytest.mark.parametrize("name", PASSED_ON)
def test_a_method_that_only_calls_the_base_s_is_removed(name: str) -> None:
    kind, made, names, given, returned = PASSED_ON[name]
    text = (
        f"{HEAD}class Own(nn.{kind}):\n    count = 0\n\n    def forward(self, {names}):\n"
        f"        return super().forward({given})\n{CALLER.replace('OWN', f'Own({made})')}"
    )
    mended = fixed(text)
    assert f"class Own(nn.{kind}):\n    count = 0\n\n\nclass Net" in mended if returned is None else returned in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


def test_a_method_that_is_called_with_a_keyword_is_not_removed() -> None:
    text = (
        f"{HEAD}class Own(nn.Sequential):\n    def forward(self, x):\n        return super().forward(x)\n\n\n"
        "module = Own(nn.Linear(3, 3), nn.Tanh())\ny = module(x=torch.ones(3))\n"
    )
    assert "        for module in self:\n            x = module(x)\n        return x\n" in fixed(text)
