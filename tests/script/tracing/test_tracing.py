"""Tests what the analysis of traced code reports, and what it does not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tslint.config import Settings, Target
from tslint.diagnostics import Diagnostic
from tslint.lint.analysis import analyse
from tslint.sources.file import SourceFile

HEAD = """\
import math
import random

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

"""
NET = (
    HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.blocks = nn.ModuleList([nn.Linear(3, 3) for _ in range(2)])
        self.calls = 0
        self.register_buffer("buf", torch.zeros(3))

    def forward(self, x, mask=None):
{body}


traced = torch.jit.trace(Net().eval(), torch.ones(2, 3))
"""
)
PATH = Path("/example/net.py")


def found(text: str, settings: Settings | None = None) -> list[Diagnostic]:
    ast.parse(text)
    every = analyse([SourceFile(PATH, text)], settings=settings)[PATH]
    assert not [finding for finding in every if finding.code == "TS900"]
    return [finding for finding in every if finding.code.startswith("TS7")]


def names(text: str, settings: Settings | None = None) -> set[str]:
    return {finding.name for finding in found(text, settings)}


def body(*lines: str) -> str:
    return NET.replace("{body}", "\n".join(f"        {line}" for line in lines))


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["return x if x.mean() > 0 else -x"], "traced-tensor-condition"),
        (["while x.sum() > 1:", "    x = x / 2", "return x"], "traced-tensor-condition"),
        (["return x * (not x.any())"], "traced-tensor-condition"),
        (["y = self.linear(x)", "if torch.isnan(y).any() and self.training:", "    return x", "return y"],
         "traced-tensor-condition"),
        (["for block in self.blocks:", "    x = block(x)", "if x.max() > 1:", "    x = -x", "return x"],
         "traced-tensor-condition"),
        (["if torch.rand(1) < 0.5:", "    return x", "return -x"], "traced-tensor-condition"),
        (["b, c = x.shape", "if b == 1 or c == 2:", "    return x", "return -x"], "traced-shape-condition"),
        (["if x.shape != self.linear(x).shape:", "    return x", "return -x"], "traced-shape-condition"),
        (["if any(s % 2 for s in x.shape[1:]):", "    return x", "return -x"], "traced-shape-condition"),
        (["if len(x.size()) == 2:", "    return x", "return -x"], "traced-rank-or-device-branch"),
        (["if x.device.type == 'cuda':", "    return x", "return -x"], "traced-rank-or-device-branch"),
        (["if x.dtype == torch.float16:", "    return x", "return -x"], "traced-rank-or-device-branch"),
        (["return x * math.ceil(x.shape[0] / 2)"], "traced-shape-to-number"),
        (["n = x.size(0)", "return x * max(n, 2)"], "traced-shape-to-number"),
        (["return x * torch.tensor([x.shape[0], 1, 1])"], "traced-shape-to-number"),
        (["return x * x.norm().item()"], "traced-tensor-to-number"),
        (["return x * np.sqrt(x.detach())"], "traced-tensor-to-numpy"),
        (["return torch.stack([row * 2 for row in x])"], "traced-loop"),
        (["for a, b in zip(x, x):", "    x = x + a", "return x"], "traced-loop"),
        (["for part in torch.split(x, 1):", "    x = x + part", "return x"], "traced-loop"),
        (["return self.buf.to(x) + x"], "traced-device"),
        (["return torch.zeros(3, device=self.buf.device) + x"], "traced-device"),
        (["return torch.zeros(3).to(x.dtype) + x"], "traced-dtype"),
        (["self.calls += 1", "return x"], "traced-rebound-state"),
        (["assert x.dim() == 2", "return x"], "traced-assert"),
        (["return x * np.random.rand()"], "traced-python-random"),
        (["return x, 3"], "untraceable-output"),
    ],
)  # fmt: skip
def test_what_is_baked_is_found(lines: list[str], name: str) -> None:
    assert names(body(*lines)) == {name}


@pytest.mark.parametrize(
    "lines",
    [
        ["return x.view(x.shape[0], -1)[:, : x.shape[1] // 2]"],
        ["return F.pad(x, (0, x.shape[1] - 1)) * x.numel()"],
        ["b, c = x.size()", "return x + torch.arange(c) * math.prod(x.shape)"],
        ["if mask is not None:", "    x = x * mask", "return x"],
        ["if mask:", "    x = -x", "return x"],
        ["if self.training:", "    x = -x", "return x"],
        ["if torch.jit.is_tracing():", "    return x", "if x.sum() > 0:", "    return -x", "return x"],
        ["if torch.jit.is_scripting():", "    return x * len(x)", "return x"],
        ["assert self.calls == 0", "return x"],
        ["for block in self.blocks:", "    x = block(x)", "return x"],
        ["a, b = x.chunk(2)", "for part in x.chunk(2):", "    x = a + part", "return x"],
        ["for i in range(3):", "    x = x + i", "return x"],
        ["self.buf += 1", "self.buf.add_(1)", "return x + self.buf"],
        ["return x.new_zeros(3) + torch.zeros_like(x) + self.buf.type_as(x)"],
        ["return F.dropout(x, 0.5, self.training)"],
        ["y = unknown(x)", "if y > 0:", "    return x", "return -x"],
        ["return (x, [x, (x, x)])"],
    ],
)
def test_what_is_recorded_is_silent(lines: list[str]) -> None:
    assert names(body(*lines)) == set()


HELPERS = (
    HEAD
    + """
def positive(x):
    if x.sum() > 0:
        return x
    return -x


class Part(nn.Module):
    def forward(self, x, flag):
        if flag:
            x = positive(x)
        return x
"""
)
CALLER = """

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = {part}

    def forward(self, x):
        return self.part(x, True)


def export():
    net = Net()
    return torch.jit.trace(net, (torch.ones(3),))
"""


def test_what_is_traced_is_followed_with_its_path() -> None:
    (finding,) = found(HELPERS + CALLER.format(part="Part()"))
    assert finding.name == "traced-tensor-condition"
    assert [step.name for step in finding.compiled_via] == ["Net.forward", "Part.forward", "positive"]


def test_scripted_parts_are_silent() -> None:
    assert names(HELPERS + CALLER.format(part="torch.jit.script(Part())")) == set()
    for decorator in ("torch.jit.script", "torch.jit.script_if_tracing"):
        text = (HELPERS + CALLER).replace("def positive", f"@{decorator}\ndef positive").replace("{part}", "Part()")
        assert names(text) == set()


def test_functions_methods_and_modules_of_methods_are_roots() -> None:
    assert names(HELPERS + "\n\ntraced = torch.jit.trace(positive, torch.ones(3))\n") == {"traced-tensor-condition"}
    encode = "    def encode(self, x):\n        return x * len(x)\n\n    def forward(self, x):\n        return x\n"
    text = NET.replace("    def forward(self, x, mask=None):\n{body}\n", encode)
    assert names(text) == set()
    for call in ("trace(Net().encode, x)", "trace_module(Net(), {'encode': x})"):
        assert names(text + f"\nx = torch.ones(2)\nmore = torch.jit.{call}\n") == {"traced-len"}


def test_only_traced_code_has_trace_findings_and_the_mode_decides() -> None:
    text = body("return x * len(x)").partition("traced =")[0]
    assert names(text) == set()
    assert names(text, Settings(mode="script")) == set()
    assert names(text, Settings(mode="trace")) == {"traced-len"}
    assert names(body("return x * len(x)"), Settings(mode="script")) == set()


def test_a_configured_target_is_traced(tmp_path: Path) -> None:
    text = body("return x * len(x)").partition("traced =")[0]
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    for modes, expected in ((("trace",), {"traced-len"}), (("script",), set())):
        settings = Settings(root=tmp_path, targets={"net": Target("net:Net", modes=modes)})
        every = analyse([SourceFile(path, text)], settings=settings)[path]
        assert {finding.name for finding in every if finding.code.startswith("TS7")} == expected


def test_with_mode_trace_errors_of_the_compiler_are_not_reported() -> None:
    text = body("try:", "    return x", "except ValueError:", "    return -x").partition("traced =")[0]
    codes = {mode: {f.code for f in analyse([SourceFile(PATH, text)], settings=Settings(mode=mode))[PATH]}
             for mode in ("script", "trace")}  # fmt: skip
    assert "TS101" in codes["script"]
    assert "TS101" not in codes["trace"]


def test_a_dict_may_be_returned_where_the_call_allows_it() -> None:
    assert names(body("return {'a': x}")) == {"untraceable-output"}
    assert names(body("return {'a': x}").replace("torch.ones(2, 3))", "torch.ones(2, 3), strict=False)")) == set()


def test_with_mode_trace_the_entry_points_are_what_is_traced() -> None:
    one = "class {}(nn.Module):\n    def forward(self, x: torch.Tensor) -> torch.Tensor:\n        return {}\n"
    text = "import torch\nfrom torch import nn\n" + one.format("A", "x * len(x)") + one.format("B", "x * float(x)")
    assert names(text, Settings(mode="trace")) > {"traced-len"}
    assert names(text, Settings(mode="trace", entry_points=(f"{PATH}:A",))) == {"traced-len"}


LISTED = """

class Net(nn.Module):
    def forward(self, xs, y):
        total = y
        for x in xs:
            total = total + x
        return total / len(xs)


def build():
    example = ([torch.rand(3)] * 2, torch.rand(3))
    return Net(), example
"""


@pytest.mark.parametrize(
    ("target", "inputs", "expected"),
    [
        ("net:Net", (), {"traced-len", "traced-loop"}),
        ("net:Net", ("torch.rand(2, 3), torch.rand(3)",), {"traced-len", "traced-loop"}),
        ("net:Net", ("[torch.rand(3), torch.rand(3)], torch.rand(3)",), {"traced-loop"}),
        ("net:Net", ("[torch.rand(3) for _ in range(2)], torch.rand(3)",), {"traced-loop"}),
        ("net:Net", ("(torch.rand(3), torch.rand(3)), torch.rand(3)",), set()),
        ("net:Net", ("[torch.rand(3)], torch.rand(3)", "torch.rand(3), torch.rand(3)"), set()),
        ("net:Net", ("not Python",), {"traced-len", "traced-loop"}),
        ("net:build", (), {"traced-loop"}),
    ],
)
def test_inputs_tell_lists_from_tensors(
    tmp_path: Path, target: str, inputs: tuple[str, ...], expected: set[str]
) -> None:
    settings = Settings(root=tmp_path, mode="both", targets={"net": Target(target, inputs, ("trace",))})
    (tmp_path / "net.py").write_text(HEAD + LISTED)
    source = SourceFile(tmp_path / "net.py", HEAD + LISTED)
    kinds = {each.name for each in analyse([source], settings=settings)[source.path]}
    assert kinds & {"traced-len", "traced-loop"} == expected


def test_inputs_of_a_call_tell_lists_from_tensors() -> None:
    text = HEAD + LISTED + "\n\ntraced = torch.jit.trace(Net(), {})\n"
    assert "traced-len" in names(text.format("(torch.rand(2, 3), torch.rand(3))"))
    assert "traced-len" not in names(text.format("([torch.rand(3)], torch.rand(3))"))
    assert "traced-len" not in names(text.format("example_inputs=([torch.rand(3)], torch.rand(3))"))
