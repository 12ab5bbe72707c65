"""Tests modules that are created in ``forward``: replaced by functions, or created once in ``__init__``."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.test_super_fixes import HEAD, fixed

MENDED = {
    "an upsampling": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                x = nn.Upsample(scale_factor=2, mode="bilinear")(x)
                return nn.Upsample(size=x.shape[2:], mode="nearest")(x)
        inputs = (torch.rand(1, 2, 3, 3),)
        """,
        'F.interpolate(x, scale_factor=2.0, mode="bilinear")',
    ),
    "a variable that holds a loss": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, y: Tensor) -> Tensor:
                loss = nn.CrossEntropyLoss(ignore_index=1)
                return loss(x, y) + loss(x * 2, y)
        inputs = (torch.rand(2, 3), torch.tensor([0, 2]))
        """,
        "return F.cross_entropy(x, y, ignore_index=1) + F.cross_entropy(x * 2, y, ignore_index=1)",
    ),
    "a variable for a loss in each branch": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, y: Tensor) -> Tensor:
                if x.dim() == 1:
                    loss = nn.MSELoss()
                    total = loss(x, y)
                else:
                    ignored = x.size(1)
                    loss = nn.CrossEntropyLoss(ignore_index=ignored)
                    total = loss(x, y) + loss(x * 2, y)
                loss = nn.L1Loss(reduction="sum")
                return total + loss(x, x * 3)
        inputs = (torch.rand(2, 3), torch.tensor([0, 2]))
        """,
        '        return total + F.l1_loss(x, x * 3, reduction="sum")',
    ),
    "a module of one's own": (
        """
        class ScaledProduct(nn.Module):
            def __init__(self, scale=2):
                super().__init__()
                self.scale = scale

            def forward(self, x, y):
                return x * y * self.scale


        class Net(nn.Module):
            def __init__(self):
                super(Net, self).__init__()
                self.lin = nn.Linear(3, 3)

            def forward(self, x: Tensor) -> Tensor:
                return self.lin(ScaledProduct(3)(x, x))
        inputs = (torch.rand(2, 3),)
        """,
        "self.scaled_product = ScaledProduct(3)",
    ),
}


@pytest.mark.parametrize("name", MENDED)
def test_modules_are_made_once_or_not_at_all(name: str) -> None:
    code, expected = MENDED[name]
    text = HEAD + dedent(code).lstrip("\n")
    mended = fixed(text)
    assert expected in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


def test_a_module_with_parameters_stays() -> None:
    text = HEAD + dedent(
        """
        class Own(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(3))

            def forward(self, x):
                return x * self.weight


        class Net(nn.Module):
            def __init__(self):
                super().__init__()

            def forward(self, x: Tensor) -> Tensor:
                return Own()(x)
        """
    )
    assert fixed(text) == text


@pytest.mark.parametrize(
    "lines",
    [
        ["loss = nn.MSELoss()", "if x.dim() > 1:", "    loss = nn.L1Loss()", "return loss(x, y)"],
        ["if x.dim() > 1:", "    loss = nn.L1Loss()", "else:", "    loss = nn.MSELoss()", "return loss(x, y)"],
        ["for i in range(2):", "    if i > 0:", "        x = loss(x, y)", "    loss = nn.L1Loss()", "return x"],
        ["loss = nn.MSELoss()", "total = loss(x, y)", "return total, [loss]"],
        ["part = nn.Dropout(float(y))", "return part(x)"],
        ["p = 2.0", "part = nn.Dropout(p)", "if x.dim() > 9:", "    x = part(x)", "return x"],
        ["n = 2", "part = nn.Softmax(dim=n)", "n = 1", "return part(x)"],
    ],
)
def test_a_variable_that_may_hold_another_module_stays(lines: list[str]) -> None:
    body = "".join(f"        {line}\n" for line in lines)
    text = f"{HEAD}class Net(nn.Module):\n    def forward(self, x: Tensor, y: Tensor):\n{body}"
    assert "F." not in fixed(text).removeprefix(HEAD)


PADS = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        h, w = x.shape[-2:]
        return {}(x)
inputs = (torch.arange(24).reshape(1, 2, 3, 4){},)
"""


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("nn.ReplicationPad2d((0, w % 3, 0, h % 2))", 'F.pad(x, (0, w % 3, 0, h % 2), mode="replicate")'),
        ("nn.ReflectionPad2d(1)", 'F.pad(x, (1, 1, 1, 1), mode="reflect")'),
        ("nn.ZeroPad2d(padding=[1, 0, 2, -1])", "F.pad(x, [1, 0, 2, -1])"),
        ("nn.ConstantPad2d((1, 0, 2, 0), 3)", "F.pad(x, (1, 0, 2, 0), value=3.0)"),
        ("nn.ConstantPad2d(value=-1.5, padding=2)", "F.pad(x, (2, 2, 2, 2), value=-1.5)"),
        ("nn.ConstantPad1d((1, 1), 0)", "F.pad(x, (1, 1))"),
        # An argument that is a variable, a wrong number of sides, a missing argument, a class that checks more.
        ("nn.ReplicationPad2d(h)", None),
        ("nn.ConstantPad2d((1, 1, 1, 1), h)", None),
        ("nn.ZeroPad2d((1, *[1, 1], 1))", None),
        ("nn.ZeroPad2d((1, 1))", None),
        ("nn.ConstantPad2d(1)", None),
        ("nn.CircularPad2d(1)", None),
    ],
)
@pytest.mark.parametrize("dtype", ["", ".float()"])
def test_padding_modules(module: str, expected: str | None, dtype: str) -> None:
    text = HEAD + PADS.format(module, dtype).lstrip("\n")
    after = fixed(text)
    if expected is None:
        assert after == text
        return
    assert f"return {expected}" in after
    judged, compiled = the_compiler()(text), the_compiler()(after)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager == compiled.eager == compiled.scripted
