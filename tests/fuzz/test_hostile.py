"""Tests files that are made to break a parser of Python: every run ends in time, without an internal error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.config import Settings
from tslint.diagnostics import Diagnostic
from tslint.lint.parallel import analyse_in_chunks
from tslint.sources.file import SourceFile

HEAD = "import torch\nfrom torch import nn\nfrom typing import Dict, List, Optional, Union\n\n\n"


def net(body: str, before: str = "") -> str:
    """Return a module whose ``forward`` has a body, and always returns a value of a wrong type."""
    lines = "".join(f"        {line}\n" for line in [*body.splitlines(), "return +x"])
    return f"{HEAD}{before}class Net(nn.Module):\n    def forward(self, x):\n{lines}"


def scripted(body: str) -> str:
    return f"{HEAD}@torch.jit.script\ndef f(x, n: int):\n{body}    return +x\n"


def chain(length: int) -> str:
    links = "".join(f"def f{i}(x):\n    y = f{i + 1}(x)\n    return y\n\n\n" for i in range(1, length))
    return f"{HEAD}@torch.jit.script\ndef f0(x):\n    return f1(x)\n\n\n{links}def f{length}(x):\n    return +x\n"


def methods(length: int) -> str:
    links = "".join(f"    def f{i}(self, x):\n        return self.f{i + 1}(x)\n\n" for i in range(length))
    first = "    def forward(self, x):\n        return self.f0(x)\n\n"
    return f"{HEAD}class Net(nn.Module):\n{first}{links}    def f{length}(self, x):\n        return +x\n"


_HOLDER = """\
class C{0}(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = C{1}()

    def forward(self, x):
        return self.m(x)


"""


def submodules(length: int) -> str:
    first = "class C0(nn.Module):\n    def forward(self, x):\n        return +x\n\n\n"
    return HEAD + first + "".join(_HOLDER.format(i, i - 1) for i in range(1, length))


def bases(length: int, second: str = "") -> str:
    first = "class C0(nn.Module):\n    def forward(self, x):\n        return +x\n\n\nclass D0:\n    pass\n\n\n"
    return (
        HEAD
        + first
        + "".join(
            f"class C{i}(C{i - 1}{second.format(i - 1)}):\n    pass\n\n\n"
            f"class D{i}(C{i - 1}{second.format(i - 1)}):\n    pass\n\n\n"
            for i in range(1, length)
        )
    )


def nested(header: str, depth: int) -> str:
    lines = [f"{'    ' * (i + 1)}{header.format(i)}:\n" for i in range(depth)]
    return scripted("".join(lines) + "    " * (depth + 1) + "x = x + 1\n")


JUDGED = {
    "unary": net(f"y = {'-' * 900}x"),
    "sum": net(f"y = {' + '.join(['x'] * 1500)}"),
    "and": net(f"y = {' and '.join(['True'] * 3000)}"),
    "comparison": net(f"y = {' < '.join(['x'] * 1000)}"),
    "attributes": net(f"y = x{'.a' * 900}"),
    "calls": net(f"y = x{'.abs()' * 900}"),
    "items": net(f"y = x{'[0]' * 300}"),
    "parentheses": net(f"y = {'(' * 150}x{')' * 150}"),
    "lambdas": net(f"y = {'lambda: ' * 60}x"),
    "choices": net(f"y = {'x if x else ' * 90}x"),
    "powers": net(f"y = {'x ** ' * 900}x"),
    "elif": net("if x is None:\n    y = 1\n" + "".join(f"elif self.a == {i}:\n    y = {i}\n" for i in range(150))),
    "decided elif": net(
        "if self.a == 'a':\n    x = x\n"
        + "".join(f"elif self.a == '{i}':\n    x = self.missing{i}(x)\n" for i in range(2000))
    ).replace(
        "    def forward",
        "    def __init__(self, a):\n        super().__init__()\n        self.a = a\n\n    def forward",
    ),
    "passed on": net("self.f0(*x)").replace(
        "return +x\n",
        "return +x\n\n"
        + "".join(
            f"    def f{i}(self, *args, **kwargs):\n"
            + "".join(f"        self.f{j}(*args, **kwargs)\n" for j in range(20))
            + "\n"
            for i in range(20)
        ),
    ),
    "loops": nested("for i{} in range(n)", 18),
    "whiles": nested("while n > {}", 30),
    "ifs": nested("if n > {}", 90),
    "chain": chain(2000),
    "methods": methods(2000),
    "submodules": submodules(400),
    "bases": bases(300),
    "diamonds": bases(60, ", D{}"),
    "integer": net(f"y = {'9' * 4000}\nz = 0x{'f' * 50_000}"),
    "text": net(f"y = '{'a' * 1_000_000}'"),
    "list": net(f"y = [{', '.join(map(str, range(20_000)))}]"),
    "bombs": net(
        "y = 2 ** 2 ** 2 ** 40\nz = 'a' * 10 ** 12\nw = [0] * 10 ** 12\nv = 1 << 10 ** 10\nfor i in range(10 ** 18):\n"
        "    pass\nif 9 ** 9 ** 9 ** 9 > N:\n    pass",
        before="N = 10 ** 10 ** 10\nS = 'x' * 10 ** 13\n\n\n",
    ),
    "annotation": f"{HEAD}@torch.jit.script\ndef f(x, y: {'Optional[' * 60}int{']' * 60}):\n    return +x\n",
    "quoted annotation": f"{HEAD}@torch.jit.script\ndef f(x, y: '{'List[' * 90}int{']' * 90}'):\n    return +x\n",
    "surrogates": net("y = '\\ud800'"),
    "own base": HEAD + "class A(A, nn.Module):\n    def forward(self, x):\n        return super().forward(+x)\n",
    "bases in a circle": net("return self.a(x)", before="class A(B):\n    pass\n\n\nclass B(A):\n    pass\n\n\n"),
    "names in a circle": net("return a(b(x))", before="a = b\nb = a\nc = c.c\nX = List[X]\n\n\n"),
    "calls in a circle": scripted("    x = g(x)\n") + "\n\ndef g(x):\n    return f(x, 1)\n",
    "module in itself": net(
        "",
        before="class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.a = A()\n\n    def forward(self, x):\n        return self.a(x)\n\n\n",
    ),
    "carriage returns": net("y = x").replace("\n", "\r"),
    "line ends of all kinds": net("y = x\nz = '''\n'''").replace("class", "\f\rclass").replace("nn\n", "nn\r\n"),
}
# Files that Python itself cannot parse.
REFUSED = {
    "unary": net(f"y = {'-' * 100_000}x"),
    "calls": net(f"y = x{'.abs()' * 60_000}"),
    "parentheses": net(f"y = {'(' * 5000}x{')' * 5000}"),
    "lambdas": net(f"y = {'lambda: ' * 20_000}x"),
    "integer": net(f"y = {'9' * 5000}"),
    "indentation": nested("if n > {}", 120),
    "null": "x = 1\n\0\n",
    "surrogate": b"x = '\xed\xa0\x80'\n",
    "utf-16": "x = 1\n".encode("utf-16"),
    "unknown encoding": b"# coding: martian\n",
    "codec that is none": b"# coding: rot13\nk = 1\n",
    "codec of bytes": b"# coding: hex\n00\n",
    "binary": bytes(range(1, 256)) * 50,
    "two encodings": b"\xef\xbb\xbf# coding: latin-1\nx = 1\n",
    "cut off": net("y = '''"),
}


def findings(text: str) -> list[Diagnostic]:
    path = Path("hostile.py").absolute()
    found = analyse_in_chunks([SourceFile(path, text)], Settings(root=path.parent))
    return [each for every in found.values() for each in every]


def check(*arguments: str | Path) -> Result:
    options = ["--isolated", "--no-cache", "--output-format", "concise"]
    return CliRunner().invoke(cli, ["check", *options, *map(str, arguments)])


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", JUDGED)
def test_hostile_code_is_analysed_without_an_internal_error(name: str) -> None:
    found = findings(JUDGED[name])
    codes = {each.code for each in found}
    assert "TS900" not in codes, [each for each in found if each.code == "TS900"]
    if "TS901" not in codes and name not in ("own base", "bases in a circle", "names in a circle"):
        assert "TS122" in codes


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", REFUSED)
def test_what_python_refuses_is_one_finding(folder: Callable[..., Path], name: str) -> None:
    folder({"bad.py": REFUSED[name], "good.py": net("")})
    for options in ((), ("--fix", "--unsafe-fixes")):
        lines = check(*options).stdout.splitlines()
        assert len([line for line in lines if line.startswith("bad.py:") and ": TS901 " in line]) == 1, lines
        assert not [line for line in lines if "TS900" in line]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_ten_thousand_fixes_that_stand_together(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": net("\n".join(["x = +x"] * 10_000))})
    result = check("--fix", "--unsafe-fixes")
    assert "TS900" not in result.output and result.exit_code in (0, 1)
    assert "x = +x" not in (root / "net.py").read_text()


def test_sixty_fixes_inside_each_other(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": net(f"x = {'+ ' * 60}x")})
    result = check("--fix", "--unsafe-fixes")
    assert "TS900" not in result.output and result.exit_code in (0, 1)
    # Whether the line is wrapped or not.
    assert f"else{'operator.pos(' * 60}x{')' * 60}" in "".join((root / "net.py").read_text().split())


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_file_of_forty_thousand_lines(folder: Callable[..., Path]) -> None:
    text = HEAD + "".join(
        f"class N{i}(nn.Module):\n    def forward(self, x):\n        y = x\n        z = y\n        return +z\n\n\n"
        for i in range(40_000 // 7)
    )
    folder({"net.py": text})
    assert check().stdout.count(" TS122 ") == 40_000 // 7


def test_imports_in_circles(folder: Callable[..., Path]) -> None:
    circle = "from pkg.{0} import *\nfrom pkg.{0} import f as f, g\nfrom . import {0}, missing\nimport pkg.{0} as h\n"
    body = "import torch\n\n\n@torch.jit.script\ndef f(x):\n    return +g(h.f({0}.{0}.f(x)))\n"
    folder(
        {
            "pkg/__init__.py": "from .a import *\nfrom . import *\nfrom .. import *\nfrom ... import x\n",
            "pkg/a.py": circle.format("b") + body.format("b"),
            "pkg/b.py": circle.format("a") + body.format("a"),
            "pkg/c.py": "from pkg.c import *\nfrom .c import c\nimport pkg.c\n" + body.format("c"),
        }
    )
    out = check().stdout
    assert "TS900" not in out and out.count("TS122") == 3


def test_links_in_circles(folder: Callable[..., Path]) -> None:
    root = folder({"pkg/net.py": net("")})
    (root / "pkg/loop").symlink_to(root / "pkg", target_is_directory=True)
    (root / "pkg/self.py").symlink_to(root / "pkg/self.py")
    (root / "pkg/lost.py").symlink_to(root / "nowhere.py")
    (root / "pkg/again.py").symlink_to(root / "pkg/net.py")
    (root / "pkg/folder.py").mkdir()
    (root / "pkg/net.ipynb").symlink_to(root / "pkg/net.ipynb")
    result = check()
    assert result.exit_code == 1 and result.stdout.count("TS122") == 1
    assert check("pkg/self.py").exit_code == 2


def test_a_file_that_vanishes_or_cannot_be_read(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder({name: net("") for name in ("gone.py", "locked.py", "net.py")})

    def opened(path: Path, mode: str) -> IO[bytes]:
        if path.name == "gone.py":
            path.unlink()
        if path.name == "locked.py":
            raise PermissionError(13, "Permission denied")
        return open(path, mode)

    monkeypatch.setattr("tslint.lint.engine.open", opened, raising=False)
    lines = check().stdout.splitlines()
    assert lines[:2] == [
        "gone.py:1:1: TS901 cannot be read: No such file or directory",
        "locked.py:1:1: TS901 cannot be read: Permission denied",
    ]
    assert "TS122" in lines[2]
