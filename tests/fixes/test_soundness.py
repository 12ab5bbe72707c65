"""What no fix does: take a comment away, change the text of `{x=}`, or write a builtin that the file has rebound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

HEAD = "import torch\n\n\n@torch.jit.script\ndef f(x, n: int):\n"


def fixed(folder: Callable[..., Path], body: str) -> tuple[str, str]:
    path = folder({"net.py": HEAD + body}) / "net.py"
    told = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)]).stdout
    return path.read_text(encoding="utf-8").removeprefix(HEAD), told


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    return x * +2  # why\n", "    return x * 2  # why\n"),
        ("    # why\n    return x * +2\n", "    # why\n    return x * 2\n"),
        (
            "    return (\n        x  # why\n        * +2\n    )\n",
            "    return (\n        x  # why\n        * 2\n    )\n",
        ),
        ('    return x * len(+1 * "# none")\n', '    return x * len(1 * "# none")\n'),
    ],
)
def test_a_comment_beside_the_change_stays(folder: Callable[..., Path], before: str, after: str) -> None:
    assert fixed(folder, before)[0] == after


def test_a_comment_inside_of_it_keeps_the_fix_from_being_applied(folder: Callable[..., Path]) -> None:
    before = "    return x * (\n        +  # why\n        2\n    )\n"
    after, told = fixed(folder, before)
    assert after == before
    assert "= fix: Remove the `+`, and keep the comment `# why` (never applied by --fix" in told


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


@pytest.mark.parametrize(
    ("line", "applied"),
    [
        ("", True),
        ("enumerate = None\n", True),
        ("def zip(*x): ...\n", True),
        ("range = None\n", True),
        ("class Box:\n    def len(self): ...\n", True),
    ],
)
def test_another_builtin_may_be_rebound(folder: Callable[..., Path], line: str, applied: bool) -> None:
    path = folder({"net.py": REBOUND.format(line)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", str(path)])
    assert ("for layer in self.layers:" in path.read_text(encoding="utf-8")) is applied


@pytest.mark.parametrize(
    ("head", "body", "after"),
    [
        ("", "x * 2 ** n", "x * (int(2 ** n) if torch.jit.is_scripting() else 2 ** n)"),
        ("int = round\n", "x * 2 ** n", "x * 2 ** n"),
        ("def int(n): ...\n", "x * 2 ** n", "x * 2 ** n"),
        ("", 'x * len(f"{+1}")', 'x * len(f"{1}")'),
        ("", 'x * len(f"{+1=}")', 'x * len(("+1={}" if torch.jit.is_scripting() else "+1={!r}").format(1))'),
    ],
)
def test_what_a_fix_may_not_write(folder: Callable[..., Path], head: str, body: str, after: str) -> None:
    text = "import torch\n\n{0}\n@torch.jit.script\ndef f(x, n):\n    n = x.dim()\n    return {1}\n"
    path = folder({"net.py": text.format(head, body)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert path.read_text(encoding="utf-8").replace("'", '"') == text.format(head, after)


def test_what_a_function_imports_is_not_read_elsewhere(folder: Callable[..., Path]) -> None:
    text = (
        "import numpy as np\nimport torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        import math as m\n        y = np.log(m.sqrt(2.0)) * x.detach().numpy()\n"
        "        return x + torch.from_numpy(y)\n"
    )
    path = folder({"net.py": text}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    after = path.read_text(encoding="utf-8")
    assert "_forward_numpy" not in after or "import math as m\n\n" in after.partition("def forward")[0]
