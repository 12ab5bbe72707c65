"""Tests which files contain a target's code, compared with what Python itself reads when it builds and runs the
target.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tslint.config import Settings, Target
from tslint.gate.reach import Reach, reach
from tslint.lint.engine import load, raw_findings
from tslint.project.impact import closure

Write = Callable[..., Path]


def reached(root: Path, target: str = "pkg.net:build") -> set[str]:
    return names(reach(Target(target), root), root)


def names(found: Reach, root: Path) -> set[str]:
    assert found.unseen == ""
    return {path.relative_to(root.resolve()).as_posix() for path in found.files}


COMPILED = {
    "pkg/__init__.py": "",
    "pkg/net.py": "from .model import Net\n\n\ndef build():\n    return Net()\n",
    "pkg/model.py": "from pkg.base import *\nfrom . import parts\nfrom .sizes import WIDTH as W\n\n\n"
    "class Net(Base):\n    def forward(self, x):\n        return parts.ops.twice(self.part(x)) * W\n",
    "pkg/base.py": "from torch import nn\nfrom pkg.parts import Part\n\n\nclass Base(nn.Module):\n"
    "    def __init__(self):\n        super().__init__()\n        self.part = Part()\n",
    "pkg/parts/__init__.py": "from torch import nn\n\nfrom . import ops\n\n\nclass Part(nn.Module):\n"
    "    def forward(self, x):\n        return ops.twice(x)\n",
    "pkg/parts/ops.py": "def twice(x):\n    return x + x\n",
    "pkg/sizes.py": "WIDTH = 2\n",
}
BUILD = "from pkg.model import Net\n\n\ndef build():\n    return Net()\n"


@pytest.mark.parametrize(
    ("files", "beside"),
    [
        pytest.param(
            {"pkg/net.py": "from pkg.a import f\nfrom pkg.b import g\ndef build():\n    return f()\n",
             "pkg/a.py": "def f(): ...\n", "pkg/b.py": "def g(): ...\n"}, {"pkg/a.py"}, id="what is only imported",
        ),
        pytest.param(
            {"pkg/net.py": BUILD, "pkg/model.py": "from .base import Base\nclass Net(Base): ...\n",
             "pkg/base.py": "class Base: ...\n"}, {"pkg/model.py", "pkg/base.py"}, id="a base class",
        ),
        pytest.param(
            {"pkg/net.py": BUILD, "pkg/model.py": "from . import parts\nclass Net:\n  def f(self):\n    parts.g()\n",
             "pkg/parts.py": "from pkg.deep import h as g\n", "pkg/deep.py": "def h(): ...\n"},
            {"pkg/model.py", "pkg/parts.py", "pkg/deep.py"}, id="re-exports",
        ),
        pytest.param(
            {"pkg/net.py": "from pkg import Net as build\n",
             "pkg/__init__.py": "from .model import *\nfrom .b import B\n",
             "pkg/model.py": "class Net: ...\n", "pkg/b.py": "class B: ...\n"}, {"pkg/model.py"}, id="a star",
        ),
        pytest.param(
            {"pkg/net.py": "def build():\n    import pkg.late\n    return pkg.late.Net()\n",
             "pkg/late.py": "from .more import more\n", "pkg/more.py": "more = 1\n"},
            {"pkg/late.py", "pkg/more.py"}, id="imports inside functions",
        ),
        pytest.param(
            {"pkg/net.py": "from pkg.sizes import WIDTH\ndef build():\n    return WIDTH\n",
             "pkg/sizes.py": "from pkg.base import BASE\nWIDTH = BASE * 2\n", "pkg/base.py": "BASE = 2\n"},
            {"pkg/sizes.py", "pkg/base.py"}, id="constants",
        ),
        pytest.param(
            {"pkg/net.py": "try:\n    from pkg.fast import f\nexcept ImportError:\n    from pkg.slow import f\n"
             "def build():\n    return f()\n", "pkg/fast.py": "def f(): ...\n", "pkg/slow.py": "def f(): ...\n"},
            {"pkg/fast.py", "pkg/slow.py"}, id="one of two imports",
        ),
        pytest.param(
            {"pkg/net.py": "from pkg.registry import create\nimport pkg.models\n"
             "def build():\n    return create('net')\n",
             "pkg/registry.py": "TABLE = {}\ndef register(c):\n    TABLE[c.__name__] = c\n    return c\n"
             "def create(name):\n    return TABLE[name]()\n",
             "pkg/models.py": "from pkg.registry import register\nfrom pkg.parts import Part\n"
             "@register\nclass net: ...\n",
             "pkg/parts.py": "class Part: ...\n"},
            {"pkg/registry.py", "pkg/models.py", "pkg/parts.py"}, id="a registry",
        ),
        pytest.param(
            {"pkg/net.py": "from pkg import parts\ndef build(name='Net'):\n    return getattr(parts, name)()\n",
             "pkg/parts.py": "from pkg.base import Base\nclass Net(Base): ...\n", "pkg/base.py": "class Base: ...\n"},
            {"pkg/parts.py", "pkg/base.py"}, id="a module as a value",
        ),
        pytest.param(
            {"pkg/net.py": "def build() -> 'Net':\n    return make()\nfrom pkg.a import Net, make\n",
             "pkg/a.py": "from pkg.b import Net\ndef make():\n    return Net()\n", "pkg/b.py": "class Net: ...\n"},
            {"pkg/a.py", "pkg/b.py"}, id="names in quotes",
        ),
        pytest.param(
            {"pkg/net.py": "import pkg.patch\nfrom pkg.a import A\ndef build():\n    return A()\n",
             "pkg/a.py": "from pkg import effect\nclass A: ...\neffect.apply(A)\n", "pkg/patch.py": "",
             "pkg/effect.py": "def apply(c): ...\n"}, {"pkg/a.py", "pkg/effect.py"}, id="what importing does",
        ),
    ],
)  # fmt: skip
def test_the_files_of_a_target(folder: Callable[..., Path], files: dict[str, str], beside: set[str]) -> None:
    root = folder({"pkg/__init__.py": "", "unrelated.py": "", **files})
    assert reached(root) == {"pkg/__init__.py", "pkg/net.py", *beside}


def test_what_the_compiler_looks_into_is_among_them(folder: Callable[..., Path]) -> None:
    """The gate follows everything that a run may execute, which includes everything that is compiled."""
    root = folder(COMPILED)
    settings = Settings(root=root, entry_points=("pkg.net:build",))
    looked = raw_findings(load([root], settings).sources, settings).imports
    compiled = names(Reach(set(closure([root / "pkg/net.py"], looked))), root)
    assert compiled >= {"pkg/model.py", "pkg/base.py", "pkg/parts/__init__.py", "pkg/parts/ops.py", "pkg/sizes.py"}
    assert compiled <= reached(root)


def test_below_src_and_by_path(folder: Callable[..., Path]) -> None:
    root = folder({"src/pkg/__init__.py": "", "src/pkg/net.py": BUILD, "src/pkg/model.py": "class Net: ...\n"})
    expected = {"src/pkg/__init__.py", "src/pkg/net.py", "src/pkg/model.py"}
    assert reached(root) == expected
    assert reached(root, "src/pkg/net.py:build") == expected


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "pkg.net is not among the files"),
        ({"pkg/net.py": "def build(:\n"}, "pkg.net is a file that cannot be parsed"),
        ({"pkg/net.py": "a = 1\n"}, "where build is defined is not known from net.py"),
        ({"pkg/net.py": "from importlib import import_module\ndef build():\n    return import_module('x').Net()\n"},
         "what importlib finds is not known from net.py"),
        ({"pkg/net.py": "def build():\n    return __import__('x').Net()\n"},
         "what __import__() finds is not known from net.py"),
        ({"pkg/net.py": "def build():\n    return eval('Net')()\n"}, "what eval() finds is not known from net.py"),
    ],
)  # fmt: skip
def test_code_that_cannot_be_seen(folder: Callable[..., Path], files: dict[str, str], why: str) -> None:
    root = folder({"pkg/__init__.py": "", **files})
    assert reach(Target("pkg.net:build"), root).unseen == why


def test_a_target_of_no_form(tmp_path: Path) -> None:
    assert "is not of the form" in reach(Target("pkg.net:a-b"), tmp_path).unseen
