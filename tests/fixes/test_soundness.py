"""Tests what a fix must never do: remove a comment, change the text of `{x=}`, or write a name with another meaning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.rules.driver import findings
from tslint.cli import cli

HEAD = "import torch\n\n\n@torch.jit.script\ndef f(x, n: int):\n"


def fixed(folder: Callable[..., Path], body: str) -> tuple[str, str]:
    path = folder({"net.py": HEAD + body}) / "net.py"
    output = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)]).stdout
    return path.read_text(encoding="utf-8").removeprefix(HEAD), output


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    return x * +2  # why\n", "    return x * 2  # why\n"),
        ("    # why\n    return x * +2\n", "    # why\n    return x * 2\n"),
        (
            "    return (\n        x  # why\n        * +2\n    )\n",
            "    return (\n        x  # why\n        * 2\n    )\n",
        ),
        ('    return x * len(["# none"] * +1)\n', '    return x * len(["# none"] * 1)\n'),
    ],
)
def test_a_comment_beside_the_change_stays(folder: Callable[..., Path], before: str, after: str) -> None:
    assert fixed(folder, before)[0] == after


def test_a_comment_inside_of_it_keeps_the_fix_from_being_applied(folder: Callable[..., Path]) -> None:
    before = "    return x * (\n        +  # why\n        2\n    )\n"
    after, output = fixed(folder, before)
    assert after == before
    assert "= fix: Remove the `+`, and keep the comment `# why` (never applied by --fix" in output


REBOUND = """import torch

{0}

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Identity() for _ in range(3)])

    def forward(self, x):
        for i in range(3):
            x = self.layers[i](x)
        return x
"""


@pytest.mark.parametrize("line", ["", "enumerate = None\n", "zip = None\n", "class Box:\n    def len(self): ...\n"])
def test_another_builtin_may_be_rebound(folder: Callable[..., Path], line: str) -> None:
    path = folder({"net.py": REBOUND.format(line)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", str(path)])
    assert "for layer in self.layers:" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("line", ["def range(n):\n    return [0] * n\n", "from tqdm import trange as range\n"])
def test_a_call_of_what_is_no_builtin_stays(folder: Callable[..., Path], line: str) -> None:
    path = folder({"net.py": REBOUND.format(line)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert path.read_text(encoding="utf-8") == REBOUND.format(line)


@pytest.mark.parametrize(
    ("line", "annotated"),
    [
        ("", True),
        ("class Optional:\n    pass\n", False),
        ("from typing import Optional\n", True),
        ("from typing import Optional\ndel Optional\n", False),
        ("def kinds(f):\n    return f.__annotations__\n", False),
        ("from typing import get_type_hints\n", True),
        ("from typing import get_type_hints\n\n\ndef kinds(f):\n    return get_type_hints(f)\n", False),
    ],
)
def test_an_annotation_means_the_one_of_typing(folder: Callable[..., Path], line: str, annotated: bool) -> None:
    text = "import torch\nfrom typing import *\n\n{0}\n@torch.jit.script\ndef f(x, y=None):\n"
    text += "    return x if y is None else x + y\n"
    path = folder({"net.py": text.format(line)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("Optional[torch.Tensor]" in path.read_text(encoding="utf-8")) is annotated


@pytest.mark.parametrize(
    ("head", "body", "after"),
    [
        ("", "x * 2 ** n", "x * value"),
        ("int = round\n", "x * 2 ** n", "x * 2 ** n"),
        ("def int(n): ...\n", "x * 2 ** n", "x * 2 ** n"),
        ("import math\nimport numpy as np\n\nmath = 5", "x * int(np.ceil(n / 2))", "x * int(np.ceil(n / 2))"),
        ("", 'x * len(f"{+1}")', 'x * len(f"{1}")'),
        ("", 'x * len(f"{+1=}")', 'x * len(("+1={}" if torch.jit.is_scripting() else "+1={!r}").format(1))'),
    ],
)
def test_what_a_fix_may_not_write(folder: Callable[..., Path], head: str, body: str, after: str) -> None:
    text = "import torch\n\n{0}\n@torch.jit.script\ndef f(x, n):\n    n = x.dim()\n    return {1}\n"
    path = folder({"net.py": text.format(head, body)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    wanted = text.format(head, after)
    if after.endswith("value"):
        wanted = wanted.replace(
            "    return", "    value = int(2 ** n) if torch.jit.is_scripting() else 2 ** n\n    return"
        )
    assert path.read_text(encoding="utf-8").replace("'", '"') == wanted


NUMPY = """import math
import numpy as np
import torch


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        {0}
        y = torch.from_numpy(np.roll(x.numpy(), int(math.sqrt(1.0))))
        return x + y
"""


@pytest.mark.parametrize(("line", "moved"), [("pass", True), ("import cmath as math", False)])
def test_code_that_reads_what_its_function_defines_stays(folder: Callable[..., Path], line: str, moved: bool) -> None:
    path = folder({"net.py": NUMPY.format(line)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("def _forward_numpy" in path.read_text(encoding="utf-8")) is moved


@pytest.mark.parametrize(
    ("imports", "body", "written"),
    [
        ("import math", "    n = int(np.ceil(x.size(0) / 3))\n    return x * n\n", "math.ceil"),
        ("import math", "    n, math = int(np.ceil(x.size(0) / 3)), 2\n    return x * n * math\n", ""),
        ("", "    n, math = int(np.ceil(x.size(0) / 3)), 2\n    return x * n * math\n", ""),
    ],
)
def test_an_imported_name_is_not_written_where_a_variable_has_it(
    folder: Callable[..., Path], imports: str, body: str, written: str
) -> None:
    head = f"{imports}\nimport numpy as np\nimport torch\n\n\n@torch.jit.script\ndef f(x):\n"
    path = folder({"net.py": head + body}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    text = path.read_text(encoding="utf-8")
    assert ("np.ceil" in text) is not bool(written)
    assert written in text


CONSTANT = """from typing import Final

import torch
from torch import Tensor, nn

_EPS = 1e-5


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + _EPS
"""


DEFAULT = """import torch
from torch import Tensor, nn


class Net(nn.Module):
    @torch.jit.ignore
    def log(self, x: Tensor, k: int = 1) -> Tensor:
        return x * k

    def forward(self, x: Tensor) -> Tensor:
        return self.log(x)
"""


@pytest.mark.parametrize(
    ("own", "other", "passed"),
    [
        ("", "class Sub(net.Net):\n    def show(self): ...\n", True),
        ("", "class Sub(net.Net):\n    def log(self, x, k=5):\n        return x * k\n", False),
        ("", "net.Net.log = None\n", False),
        ("\n\nNet.log.__defaults__ = (7,)\n", "", False),
        ("\n\nnet = Net()\nnet.log = lambda x, k=7: x * k\n", "", False),
        ('\n\nsetattr(Net, "log", lambda self, x, k=7: x * k)\n', "", False),
        ("\n\nclass Loud(Net):\n    log = print\n", "", False),
    ],
)
def test_a_default_that_may_be_another_one_is_not_passed(
    folder: Callable[..., Path], own: str, other: str, passed: bool
) -> None:
    root = folder({"net.py": DEFAULT + own, "other.py": f"import net\n\n{other}"})
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(root)])
    new = "return self.log(x, 1)" if passed else "return self.log(x)"
    assert (root / "net.py").read_text(encoding="utf-8") == DEFAULT.replace("return self.log(x)", new) + own


@pytest.mark.parametrize(
    ("other", "declared"),
    [
        ("_EPS = 2.0\nprint(net._EPS)\n", True),
        ("net._EPS = 2.0\n", False),
        ("class Sub(net.Net):\n    _EPS = 2.0\n", False),
        ('setattr(net, "_EPS", 2.0)\n', False),
    ],
)
def test_a_private_constant_that_another_file_sets_is_left(
    folder: Callable[..., Path], other: str, declared: bool
) -> None:
    root = folder({"net.py": CONSTANT, "other.py": f"import net\n\n{other}"})
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(root)])
    after = (root / "net.py").read_text(encoding="utf-8")
    assert ("return x + self._EPS" in after) is declared and (after == CONSTANT) is not declared


HELD = """import torch
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self, depth: int = 2):
        super().__init__()
        self.depth = depth
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(depth)])

    def forward(self, x: Tensor) -> Tensor:
        for i in range(self.depth):
            x = self.layers[i](x)
        return x


class Head(nn.Module):
    def __init__(self, bare: bool = False):
        super().__init__()
        self.head = None if bare else nn.Sequential(nn.Linear(2, 2))

    def forward(self, x: Tensor) -> Tensor:
        if self.head:
            x = self.head(x)
        return x


class Act(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = lambda x: x

    def forward(self, x: Tensor) -> Tensor:
        return self.act(x) * 2


class Fast(nn.Module):
    def __init__(self, fast: bool = False):
        super().__init__()
        self.fast = fast

    def forward(self, x: Tensor):
        if self.fast:
            return x, x
        return x
"""
# What another file contains, and the attribute of which it keeps the fix from being applied.
SETTING: list[tuple[str, str]] = [
    ("print(net.Net().depth, len(net.Net().layers))", ""),
    ("class Other(nn.Module):\n    def __init__(self):\n        self.depth = 5\n        self.head = None", ""),
    ("def of_torch():\n    act = nn.ReLU()\n    act.depth = 2", ""),
    ("def cut(model):\n    model.depth = 1", "depth"),
    ("def cut(model):\n    setattr(model, 'depth', 1)", "depth"),
    ("class Sub(net.Net):\n    def __init__(self):\n        super().__init__()\n        self.depth = 1", "depth"),
    ("class Sub(net.Net):\n    pass\n\nclass Two(Sub):\n    def cut(self):\n        self.depth = 1", "depth"),
    ("def cut(model):\n    del model.layers[1:]", "depth"),
    ("def cut(model):\n    model.layers.append(nn.ReLU())", "depth"),
    ("def cut(model):\n    model.head = nn.Sequential()", "head"),
    ("def cut(model):\n    model.act = torch.tanh", "act"),
    ("def add(model):\n    model.add_module('head', nn.Sequential())", "head"),
    ("def add():\n    block = nn.Sequential()\n    block.add_module('head', nn.ReLU())\n    return block", ""),
    (
        "class Other(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.conv = nn.Sequential()\n        self.conv.add_module('head', nn.ReLU())",
        "",
    ),
    ("model = torch.jit.script(net.Fast())\nmodel.fast = True", "fast"),
    ("print(net.Fast().fast)", ""),
]


@pytest.mark.parametrize(("other", "kept"), SETTING)
def test_what_another_file_sets_is_not_relied_on(folder: Callable[..., Path], other: str, kept: str) -> None:
    root = folder({"net.py": HELD, "other.py": f"import net\nimport torch\nfrom torch import nn\n\n{other}\n"})
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(root)])
    after = (root / "net.py").read_text(encoding="utf-8")
    old = {"depth": "for i in range(self.depth):", "head": "if self.head:", "act": "self.act = lambda x: x",
           "fast": "class Fast(nn.Module):\n    def"}  # fmt: skip
    new = {"depth": "for layer in self.layers:", "head": "if self.head is not None:", "act": "self.act = nn.Identity()",
           "fast": '    __constants__ = ["fast"]\n'}  # fmt: skip
    for each in old:
        assert (old[each] in after, new[each] in after) == (each == kept, each != kept), after


def test_a_base_method_that_another_file_replaces_is_not_renamed(folder: Callable[..., Path]) -> None:
    text = """from torch import Tensor, nn


class Base(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Net(Base):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + 1
"""
    for other, stays in (("print(net.Base.forward)", False), ("net.Base.forward = lambda self, x: x", True)):
        root = folder({"net.py": text, "other.py": f"import net\n\n{other}\n"})
        CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(root)])
        assert ((root / "net.py").read_text(encoding="utf-8") == text) is stays


def test_no_fix_reads_a_module_whose_name_is_a_parameter() -> None:
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, {name}):\n"
        "        self.seen = {name}\n        return {name} * 2\n\n    def last(self):\n        return self.seen\n"
    )
    for name, offered in (("x", True), ("torch", False)):
        fixes = [each.fix for each in findings(text.format(name=name)) if each.code == "TS411"]
        assert [fix is not None for fix in fixes] == [offered]


MASKED = """from typing import Optional

from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        return x * mask.float()


def run(net, x):
    try:
        return net(x)
    except ImportError:
        return x
"""


@pytest.mark.parametrize(
    ("handler", "asserted"),
    [
        ("except ImportError:\n        return x", True),
        ("except RuntimeError:\n        return x", True),
        ("except AttributeError:\n        raise", True),
        ("except AttributeError:\n        return x", False),
        ("except (OSError, TypeError):\n        return x", False),
        ("except AssertionError as error:\n        print(error)", False),
    ],
)
def test_an_exception_that_the_file_catches_stays(folder: Callable[..., Path], handler: str, asserted: bool) -> None:
    """Python raises AttributeError where the mask is None, and AssertionError after the fix."""
    text = MASKED.replace("except ImportError:\n        return x", handler)
    path = folder({"net.py": text}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("assert mask is not None" in path.read_text(encoding="utf-8")) is asserted


@pytest.mark.parametrize(
    ("head", "handler", "asserted"),
    [
        ("import net", "except AttributeError:", False),
        ("from net import Net", "except (TypeError, ValueError):", False),
        ("import net", "except ValueError:", True),
        ("import net", "except AttributeError:\n        raise\n    except OSError:", True),
        ("import math", "except AttributeError:", True),
    ],
)
def test_an_exception_that_a_file_catches_around_imported_code_stays(
    folder: Callable[..., Path], head: str, handler: str, asserted: bool
) -> None:
    own = MASKED.partition("\n\ndef run")[0]
    other = f"{head}\n\n\ndef run(model, x):\n    try:\n        return model(x)\n    {handler}\n        return x\n"
    root = folder({"net.py": own, "use.py": "from deeper import run\n", "deeper.py": other})
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(root)])
    assert ("assert mask is not None" in (root / "net.py").read_text(encoding="utf-8")) is asserted


@pytest.mark.parametrize(
    ("code", "asserted"),
    [
        ("x.float().mean()", True),
        ("nn.init.zeros_(net.weight)", True),
        ("net.__getattr__('scale')", True),
        ("Net()", True),
        ("int(x)", True),
        ("net(x)", False),
        ("net.layer(x)", False),
        ("net.layers[0](x)", False),
        ("run(net, x)", False),
        ("evaluate(net, x)", False),
        ("torch.jit.trace(net, x)", False),
        ("torch.relu(x)", True),
        ("math.sqrt(x)", True),
    ],
)
def test_code_that_runs_no_module_may_catch_exceptions(folder: Callable[..., Path], code: str, asserted: bool) -> None:
    text = (
        "import math\n\nimport torch\nfrom trainer import evaluate\n"
        + MASKED
        + f"\n\ndef other(net, x):\n    try:\n        return {code}\n    except AttributeError:\n        return x\n"
    )
    path = folder({"net.py": text}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert ("assert mask is not None" in path.read_text(encoding="utf-8")) is asserted
