"""Tests calls that lead into installed packages: errors there are reported at the call, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Risk
from tslint.fixing.edits import apply_fixes
from tslint.lint.engine import judge, load
from tslint.sources.file import SourceFile

SITE = ".venv/lib/python3.11/site-packages"
LIB = """
import torch
from torch import nn
from torch.ops import torchvision

def good(x):
    return x + 1

def bad(x):
    try:
        return x
    except ValueError:
        return x

def deep(x):
    return bad(good(x))

def twice(x):
    print([y for y in x if y])
    return bad(x)

def eager(x):
    if torch.jit.is_scripting():
        return x
    return bad(x)

def nms(boxes, scores):
    return torch.ops.torchvision.nms(boxes, scores, 0.5)

def numbers(n: int) -> int:
    return n

class Layer(nn.Module):
    def forward(self, x):
        return bad(x)

class Fine(nn.Module):
    def __init__(self, norm=None):
        super().__init__()
        self.norm = norm
        self.extra = nn.ReLU() if norm else None

    def forward(self, x):
        return self.norm(x)

    def features(self, x):
        return x.numpy()

class Base(nn.Module):
    def forward(self, x):
        return bad(x)
"""
HEAD = "import lib, torch\nfrom lib import *\nfrom torch import nn\n"
NET = """
class Net(nn.Module):
    def __init__(self, flag: bool = False):
        super().__init__()
        self.flag = flag
        self.layer = lib.Layer()
        self.fine = lib.Fine()
        self.maybe = lib.Layer() if flag else None

    def forward(self, x: torch.Tensor):
        return {}
"""
# The returned expression, and the findings: code, severity, underlined text, and call path.
CALLS: dict[str, list[tuple[str, str, str, str]]] = {
    "lib.good(x)": [],
    "bad(x)": [("TS225", "error", "bad(x)", "Net.forward bad")],
    "deep(x) + 1": [("TS225", "error", "deep(x)", "Net.forward deep bad")],
    # An error in the called function itself comes first.
    "twice(x)": [("TS225", "error", "twice(x)", "Net.forward twice")],
    "lib.eager(x)": [],
    "lib.nms(x, x)": [("TS807", "warning", "lib.nms(x, x)", "Net.forward")],
    "lib.numbers('a')": [("TS301", "error", "lib.numbers('a')", "Net.forward")],
    "self.layer(x)": [("TS225", "error", "self.layer(x)", "Net.forward Layer.forward bad")],
    "bad(x) + bad(x + 1)": [
        ("TS225", "error", "bad(x)", "Net.forward bad"), ("TS225", "error", "bad(x + 1)", "Net.forward bad"),
    ],
    # It is not known how an object of a package was built.
    "self.fine(x)": [],
    "self.fine.features(x)": [("TS225", "error", "self.fine.features(x)", "Net.forward Fine.features")],
    "self.maybe(x) if self.maybe is not None else x": [
        ("TS225", "warning", "self.maybe(x)", "Net.forward Layer.forward bad")
    ],
}  # fmt: skip


def found(root: Path, text: str, lib: str = LIB) -> list[Diagnostic]:
    site = root / SITE
    site.mkdir(parents=True, exist_ok=True)
    (site / "lib.py").write_text(lib)
    (root / "net.py").write_text(text)
    settings = Settings(root=root)
    return list(judge(load([root / "net.py"], settings), settings).diagnostics)


@pytest.mark.parametrize("call", CALLS)
def test_calls_into_a_package(call: str, tmp_path: Path) -> None:
    text = HEAD + NET.format(call)
    rows = text.splitlines()

    def place(each: Diagnostic) -> str:
        return rows[each.start.row - 1][each.start.column - 1 : each.end.column - 1]

    assert [
        (each.code, each.severity.value, place(each), " ".join(step.name for step in each.compiled_via))
        for each in found(tmp_path, text)
    ] == CALLS[call]


@pytest.mark.parametrize(
    "body",
    [
        "class Net(lib.Base):\n    pass\n",
        "class Net(lib.Fine):\n    def forward(self, x):\n        return x\n",
        "def f(x):\n    return bad(x)\n",
        "@torch.jit.ignore\ndef f(x):\n    return bad(x)\n@torch.jit.script\ndef g(x):\n    return x\n",
    ],
)
def test_code_that_no_call_of_the_project_reaches_is_silent(body: str, tmp_path: Path) -> None:
    assert found(tmp_path, HEAD + body) == []


def test_a_checked_package_has_its_own_findings(tmp_path: Path) -> None:
    text = HEAD + NET.format("deep(x)")
    assert [each.code for each in found(tmp_path, text)] == ["TS225"]
    settings = Settings(root=tmp_path)
    report = judge(load([tmp_path / "net.py", tmp_path / SITE / "lib.py"], settings), settings)
    assert {(Path(each.filename).name, each.code) for each in report.diagnostics if each.code < "TS2"} == {
        ("lib.py", "TS101")
    }
    assert "TS225" not in {each.code for each in report.diagnostics}


EINOPS = """
import einops
from einops import pack, rearrange, reduce
from einops.layers.torch import EinMix, Rearrange, Reduce
""" + HEAD.replace("import lib, torch\nfrom lib import *", "import torch")
LAYERS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.flat = Rearrange("b c -> (b c)")
        self.mean = Reduce("b c -> b", "mean")
        self.mixed = EinMix("b c -> b d", weight_shape="c d", c=2, d=3)
        self.all = nn.Sequential(nn.ReLU(), Rearrange("b (n c) -> n b c", n=3))

    def forward(self, x: torch.Tensor):
        {}
        return x
"""


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("x = rearrange(x, 'b c -> c b')", ["TS225"]),
        ("x = einops.repeat(x, 'b -> b n', n=2)", ["TS225"]),
        ("x = reduce(x, 'b c -> b', 'mean') + einops.einsum(x, x, 'b c, b c -> b')", ["TS225", "TS225"]),
        ("x, shapes = pack([x], 'b *')", ["TS225"]),
        ("x = einops.unpack(x, [[1]], 'b *')[0]", ["TS225"]),
        ("x = self.flat(x) + self.mean(x) + self.mixed(x)", []),
        ("q, k, v = self.all(x)", ["TS308"]),
        ("q, k = self.flat(x)", ["TS308"]),
        ("x = self.mean(x, x)", ["TS305"]),
        ("x = einops.something(x)", []),
    ],
)
def test_einops_where_it_is_not_installed(body: str, codes: list[str], tmp_path: Path) -> None:
    assert [each.code for each in found(tmp_path, EINOPS + LAYERS.format(body))] == codes


REWRITTEN = {
    "rearrange(x, 'b (h c) -> b h c', h=self.heads)": "x.unflatten(1, (self.heads, -1)).permute(0, 1, 2)",
    "einops.rearrange(x + 1, 'b c -> c b')": "(x + 1).permute(1, 0)",
    "einops.repeat(x, 'b c -> n b c', n=x.shape[0])": "x[None, :, :].expand(x.shape[0], -1, -1)",
    "einops.repeat(x, 'b c -> b n c', n=size)": "x.unsqueeze(1).expand(-1, size, -1)",
    "reduce(x, 'b c -> b', 'max')": "x.permute(0, 1).amax(1)",
    "rearrange(rearrange(x, 'b c -> c b'), 'b c -> c b')": "x.permute(1, 0).permute(1, 0)",
    "[rearrange(t, '... d -> ... d 1') for t in x.unbind()]": None,
    "[rearrange(t, '... -> ... 1') for t in x.unbind()]": "[t.unsqueeze(-1) for t in x.unbind()]",
    # Lists of Tensors are stacked.
    "rearrange([x, x], 'n b c -> b n c')": None,
    "rearrange(x.unbind(), 'n c -> c n')": None,
    # The pattern or a size is not known, or evaluating it could have an effect.
    "rearrange(x, self.pattern)": None,
    "rearrange(x, f'b c -> c b')": None,
    "rearrange(x, 'b c -> ' 'c b')": None,
    "rearrange(x, b'b c -> c b')": None,
    "rearrange(x, 'b (h c) -> b h c', h=x.size(0))": None,
    "rearrange(x, 'b (h c) -> b h c', **sizes)": None,
    "rearrange(x, 'b (pattern c) -> b pattern c', pattern=2)": None,
    "rearrange(x, 'b (h c) -> b h c', h=2.0)": None,
    "rearrange(x, pattern='b c -> c b')": None,
    "reduce(x, 'b c -> b', torch.mean)": None,
    "reduce(x, 'b c -> b')": None,
    "einops.einsum(x, x, 'b c, b c -> b')": None,
}
REWRITING = """
class Net(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.heads = heads

    def forward(self, x: torch.Tensor, size: int):
        return {}
"""


@pytest.mark.parametrize("is_installed", [False, True])
@pytest.mark.parametrize("call", REWRITTEN)
def test_calls_of_einops_become_methods(call: str, is_installed: bool, tmp_path: Path) -> None:
    if is_installed:
        package = tmp_path / SITE / "einops"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("def rearrange(tensor, pattern, **axes_lengths):\n    return tensor\n")
    text = EINOPS + REWRITING.format(call)
    for _ in range(2):
        fixes = [each.fix for each in found(tmp_path, text) if each.code == "TS225" and each.fix is not None]
        text = apply_fixes(SourceFile(tmp_path / "net.py", text), fixes[:1]).text if fixes else text
    assert text.splitlines()[-1].strip() == f"return {REWRITTEN[call] or call}"


def test_what_a_rewritten_call_may_change_is_said(tmp_path: Path) -> None:
    (each,) = found(tmp_path, EINOPS + REWRITING.format("rearrange(x, 'b c -> c b')"))
    assert each.fix is not None and each.fix.risks == (Risk.ASSUMES, Risk.EXCEPTION)


def test_nobody_is_told_to_change_a_class_of_a_package(tmp_path: Path) -> None:
    lib = "class Base:\n    def __init__(self, x):\n        self.x = x\n\n\nclass Grid(Base):\n    pass\n"
    text = "import lib\nimport torch\n\n\n@torch.jit.script\ndef work(x):\n    lib.Grid(x)\n    return x\n"
    help = "`Grid` belongs to a package: move this code into a method marked `@torch.jit.unused`, and call the method "
    help += "under `if not torch.jit.is_scripting():`."
    assert [(each.code, each.start.row, each.help) for each in found(tmp_path, text, lib)] == [("TS331", 7, help)]
