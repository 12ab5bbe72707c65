"""Tests what a name refers to, across files and packages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tslint.project.definitions import (
    Ambiguous,
    Class,
    Definition,
    External,
    Function,
    GlobalValue,
    Module,
    ModuleRef,
    Undefined,
)
from tslint.project.index import Project
from tslint.project.installed import Installed
from tslint.sources import reading


def tree(folder: Path, files: dict[str, str]) -> dict[str, Path]:
    """Write files; every folder called ``pkg…`` with an ``__init__.py`` is a package."""
    written = {}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written[name] = path
    return written


def opened(folder: Path, files: dict[str, str], name: str) -> tuple[Project, Module]:
    paths = tree(folder, files)
    project = Project()
    return project, project.add(reading.read(paths[name]))


def resolved(folder: Path, files: dict[str, str], expression: str, name: str = "main.py") -> Definition:
    project, module = opened(folder, files, name)
    return project.resolve_expression(module, ast.parse(expression, mode="eval").body)


def spelled(found: Definition) -> str:
    """Return a definition as a short string, to compare it."""
    if isinstance(found, (Class, Function)):
        return f"{found.module.name}:{found.qualname}"
    if isinstance(found, External):
        return found.name
    if isinstance(found, ModuleRef):
        return f"module {found.module.name}"
    return type(found).__name__.lower()


SINGLE = {
    "def f(): pass": ("f", "main:f"),
    "class A: pass": ("A", "main:A"),
    "import torch.nn as nn": ("nn.Linear", "torch.nn.Linear"),
    "import torch.nn": ("torch.nn.Linear", "torch.nn.Linear"),
    "from torch import nn as layers": ("layers.Linear", "torch.nn.Linear"),
    "import torch\nrelu = torch.relu": ("relu", "torch.relu"),
    "def f(): pass\ng = f\nh = g": ("h", "main:f"),
    "def f(): pass\nf = f": ("f", "main:f"),
    "K = 3": ("K", "globalvalue"),
    "def make(n):\n    def f(x): pass\n    return f\ng = make(2)": ("g", "main:make.<locals>.f"),
    "def make(n):\n    def f(x): pass\n    if n: return None\n    return f\ng = make(2)": ("g", "globalvalue"),
    "def make(n):\n    @n\n    def f(x): pass\n    return f\ng = make(2)": ("g", "globalvalue"),
    "def make(f): return f\ng = make(2)": ("g", "globalvalue"),
    "@cached\ndef make(n):\n    def f(x): pass\n    return f\ng = make(2)": ("g", "globalvalue"),
    "g = g()": ("g", "globalvalue"),
    "class A:\n    class B: pass": ("A.B", "main:A.B"),
    "class A:\n    class B:\n        class C: pass\nk = A.B.C": ("k", "main:A.B.C"),
    "class A:\n    class B: pass\n    B = None": ("A.B", "ambiguous"),
    "class A:\n    if 1:\n        class B: pass": ("A.B", "ambiguous"),
    "class A:\n    class B: pass\n    class C(B): pass": ("A.C", "ambiguous"),
    "class A:\n    B = 3": ("A.B", "ambiguous"),
    "": ("len", "builtins.len"),
    "x = 1": ("missing", "undefined"),
    "from typing import *": ("TypedDict", "typing.TypedDict"),
    "from math import *": ("pi", "math.pi"),
    "from numpy import *": ("anything", "ambiguous"),
    "try:\n    import a\nexcept ImportError:\n    a = None": ("a", "ambiguous"),
    "try:\n    from torch import nn\nexcept ImportError:\n    from torch import nn": ("nn", "torch.nn"),
    "if 1:\n    def f(): pass\nelse:\n    def f(): pass": ("f", "ambiguous"),
}


@pytest.mark.parametrize("text", SINGLE)
def test_names_of_one_file(tmp_path: Path, text: str) -> None:
    expression, wanted = SINGLE[text]
    assert spelled(resolved(tmp_path, {"main.py": text}, expression)) == wanted


FALLBACK = "try:\n    {imported}\n    class K(a.Base): pass\nexcept {error}:\n    class K: pass\n"


@pytest.mark.parametrize(
    ("imported", "error", "after", "base"),
    [
        ("import a", "ImportError", "", 1),
        ("from a import Base", "ModuleNotFoundError", "", 1),
        ("import missing", "ImportError", "", None),
        ("from a import missing", "ImportError", "", None),
        ("import a", "ValueError", "", None),
        ("import a\n    a.load()", "ImportError", "", None),
        ("import a", "ImportError", "if a:\n    class K: pass\n", None),
    ],
)
def test_a_class_with_a_fallback_for_a_missing_module(
    imported: str, error: str, after: str, base: int | None, tmp_path: Path
) -> None:
    text = FALLBACK.format(imported=imported, error=error) + after
    found = resolved(tmp_path, {"main.py": text, "a.py": "class Base: pass\n"}, "K")
    assert (len(found.node.bases) if isinstance(found, Class) else None) == base


def test_a_class_that_a_plain_value_replaces_is_not_known(tmp_path: Path) -> None:
    text = "class K:\n    pass\n\n\nmade = K()\nK = 3\n"
    assert isinstance(resolved(tmp_path, {"main.py": text}, "K"), Ambiguous)
    kept = resolved(tmp_path, {"main.py": "class K:\n    pass\n\n\nK = wrapped(K)\n"}, "K")
    assert isinstance(kept, GlobalValue)


def test_a_global_that_functions_rebind_has_no_value(tmp_path: Path) -> None:
    text = "K = 3\ndef f():\n    global K\n    K = 4\n"
    assert isinstance(resolved(tmp_path, {"main.py": text}, "K"), Ambiguous)
    kept = resolved(tmp_path, {"main.py": "K = 3\n"}, "K")
    assert isinstance(kept, GlobalValue) and ast.unparse(kept.value or ast.Constant(None)) == "3"


PACKAGE = {
    "pkg/__init__.py": "from .layers import Block\nfrom . import utils\nfrom .deep import *\n",
    "pkg/layers.py": "from .utils import helper\nfrom ..pkg.utils import other\nclass Block: pass\n",
    "pkg/utils.py": "def helper(): pass\ndef other(): pass\nFLAG = True\n",
    "pkg/deep/__init__.py": "from .leaf import Leaf\nfrom ..utils import helper as deep_helper\n",
    "pkg/deep/leaf.py": "from ...pkg import layers\nclass Leaf: pass\n",
    "main.py": (
        "import pkg\nimport pkg.layers as layers\nfrom pkg import "
        "*\nfrom pkg import Block as B\nfrom pkg.deep import leaf\n"
    ),
}
ACROSS = {
    "pkg.Block": "pkg.layers:Block",
    "B": "pkg.layers:Block",
    "layers.Block": "pkg.layers:Block",
    "layers.helper": "pkg.utils:helper",
    "pkg.utils.helper": "pkg.utils:helper",
    "pkg.deep.deep_helper": "pkg.utils:helper",
    "Leaf": "pkg.deep.leaf:Leaf",
    "leaf.Leaf": "pkg.deep.leaf:Leaf",
    "pkg.deep": "module pkg.deep",
    "pkg.nothing": "undefined",
}


@pytest.mark.parametrize("expression", ACROSS)
def test_names_across_files(tmp_path: Path, expression: str) -> None:
    assert spelled(resolved(tmp_path, PACKAGE, expression)) == ACROSS[expression]


def test_relative_imports_start_from_the_package_that_holds_the_file(tmp_path: Path) -> None:
    assert spelled(resolved(tmp_path, PACKAGE, "deep_helper", "pkg/deep/__init__.py")) == "pkg.utils:helper"
    assert spelled(resolved(tmp_path, PACKAGE, "helper", "pkg/layers.py")) == "pkg.utils:helper"


def test_relative_imports_beyond_the_top_are_not_known(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/a.py": "from ....up import thing\n"}
    assert isinstance(resolved(tmp_path, files, "thing", "pkg/a.py"), Ambiguous)


def test_cycles_come_to_an_end(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/a.py": "from .b import name\nfrom .b import *\n",
        "pkg/b.py": "from .a import name\nfrom .a import *\n",
    }
    found = resolved(tmp_path, files, "name", "pkg/a.py")
    assert isinstance(found, (Ambiguous, Undefined))
    assert isinstance(resolved(tmp_path, files, "never", "pkg/a.py"), (Ambiguous, Undefined))


def test_a_cycle_does_not_hide_what_is_there(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .a import A\n",
        "pkg/a.py": "from . import b\nclass A: pass\n",
        "pkg/b.py": "from .a import A\n",
    }
    assert spelled(resolved(tmp_path, files, "b.A", "pkg/a.py")) == "pkg.a:A"


def test_a_file_that_does_not_parse_is_not_known(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/bad.py": "def (:\n", "pkg/a.py": "from .bad import thing\n"}
    assert isinstance(resolved(tmp_path, files, "thing", "pkg/a.py"), Ambiguous)


def test_torch_is_never_read(tmp_path: Path) -> None:
    files = {"torch/__init__.py": "def relu(): pass\n", "main.py": "import torch\n"}
    assert resolved(tmp_path, files, "torch.relu") == External("torch.relu")


def test_postponed_annotations_are_seen(tmp_path: Path) -> None:
    _, module = opened(tmp_path, {"main.py": "from __future__ import annotations\n"}, "main.py")
    assert module.postponed_annotations


LAZY = {
    "pkg/__init__.py": "from .first import *\nfrom .second import *\nfrom .again import *\n",
    "pkg/first.py": "def first():\n    pass\n\n\nunit = 1\n",
    "pkg/second.py": "def second():\n    pass\n",
    "pkg/again.py": "from .deep import *\n",
    "pkg/deep.py": "class Deep:\n    pass\n",
    "pkg/unit.py": "",
    "main.py": "import pkg\nfrom pkg import first, second, unit, Deep, nothing\n",
}


@pytest.mark.parametrize(
    ("name", "expected", "unread"),
    [
        pytest.param("first", "pkg.first:first", "pkg/second.py", id="a function hides the submodule of its name"),
        pytest.param("unit", "module pkg.unit", "pkg/deep.py", id="a submodule before what other modules may have"),
        pytest.param("Deep", "pkg.deep:Deep", "pkg/second.py", id="through two packages"),
        pytest.param("nothing", "ambiguous", "pkg/deep.py", id="nowhere"),
    ],
)
def test_star_imports_are_parsed_only_where_the_name_may_be(
    tmp_path: Path, name: str, expected: str, unread: str
) -> None:
    project, module = opened(tmp_path, LAZY, "main.py")
    assert spelled(project.resolve(module, name)) == expected
    assert not project.has(tmp_path / unread)


def test_packages_whose_texts_do_not_say_a_name_are_not_parsed(tmp_path: Path) -> None:
    files = {
        "main.py": "from pkg import found, nothing, kept\n",
        "pkg/__init__.py": "if TYPE_CHECKING:\n    from .a import *\n    from .b import *\n    from .c import *\n",
        "pkg/a/__init__.py": "from .first import *\n",
        "pkg/a/first.py": "from . import other\nfrom ..a import *\n",  # back to where it began
        "pkg/b/__init__.py": "from .second import *\n",
        "pkg/b/second.py": "from ..d import *\n",
        "pkg/c.py": "from typing import *\nfrom .d import *\n",  # what another package binds is not known
        "pkg/d.py": "def found():\n    pass\nkept = found\n",
    }
    project, module = opened(tmp_path, files, "main.py")
    assert spelled(project.resolve(module, "found")) == "pkg.d:found"
    project, module = opened(tmp_path, {**files, "pkg/c.py": "from .d import *\n"}, "main.py")
    texts = {tmp_path / name for name in files if name not in ("main.py", "pkg/__init__.py")}
    assert spelled(project.resolve(module, "nothing")) == "ambiguous"
    assert not any(map(project.has, texts))
    # A change of any of them may bind it.
    assert texts <= set().union(*project.imports.values())
    assert texts <= project.others.keys()


@pytest.mark.parametrize("code", [b"# coding: utf-7\n+AGY-ound = 1\n", "gefunden = größe = 1\n".encode()])
def test_a_name_that_the_bytes_do_not_show(tmp_path: Path, code: bytes) -> None:
    project, module = opened(tmp_path, {"main.py": "from m import *\n", "m.py": ""}, "main.py")
    (tmp_path / "m.py").write_bytes(code)
    assert spelled(project.resolve(module, "found" if b"coding" in code else "größe")) == "globalvalue"


def test_many_names_of_one_package(tmp_path: Path) -> None:
    """After some names, the modules of star imports are parsed, which must not change the results."""
    names = [f"name_{number}" for number in range(200)]
    files = {f"pkg/m{number}.py": f"def {name}():\n    pass\n" for number, name in enumerate(names)}
    files["pkg/__init__.py"] = "".join(f"from .m{number} import *\n" for number in range(200))
    files["main.py"] = "from pkg import *\n"
    project, module = opened(tmp_path, files, "main.py")
    found = [spelled(project.resolve(module, name)) for name in names]
    assert found == [f"pkg.m{number}:{name}" for number, name in enumerate(names)]


@pytest.mark.parametrize(
    "module, expected",
    [
        ("pkg.basic.layers", "layers:Block"),  # its own folder has none, either
        ("pkg.layers", "pkg.layers:Block"),
        ("layers", "ambiguous"),  # outside the package: Python refuses the import
    ],
)
def test_a_relative_import_leaves_a_folder_without_init(tmp_path: Path, module: str, expected: str) -> None:
    name = "pkg/models/ranking/net.py"
    paths = tree(
        tmp_path,
        {
            "pkg/__init__.py": "",
            f"{module.replace('.', '/')}.py": "class Block: ...",
            "pkg/models/ranking/__init__.py": "",
            name: f"from ...{module.removeprefix('pkg.')} import Block",
        },
    )
    project = Project(installed=Installed([], own=tmp_path))
    found = project.resolve_expression(project.add(reading.read(paths[name])), ast.parse("Block", mode="eval").body)
    assert spelled(found) == expected
