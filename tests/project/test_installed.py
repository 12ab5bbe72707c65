"""Tests what names of installed packages refer to."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.project.test_resolution import spelled, tree
from tslint.project.definitions import Class
from tslint.project.index import Project
from tslint.project.installed import Installed
from tslint.sources import reading

FILES = {
    "app/net.py": "import lib, torch, numpy as np, dataclasses, native, broken, own\n"
    "from lib import Layer, Late, Deep\nfrom lib.ops import helper\nfrom native import resize\n",
    "app/own.py": "def mine(): pass\n",
    "site/lib/__init__.py": "from .layers import *\nfrom .layers import Layer\nfrom other import Deep\nimport numpy\n",
    "site/lib/layers.py": "class Layer: pass\n",
    "site/lib/ops.py": "def helper(): pass\n",
    "site/other.py": "class Deep: pass\n",
    "site/own.py": "def theirs(): pass\n",
    "site/native/__init__.py": "from ._C import *\n",
    "site/torch/__init__.py": "def rand(): pass\n",
    "site/numpy/__init__.py": "def sqrt(): pass\n",
    "site/dataclasses.py": "def field(): pass\n",
    "site/broken.py": "def broken(:\n",
    "later/broken.py": "def broken(): pass\n",
}
NAMES = {
    "Layer": "lib.layers:Layer",
    "lib.Layer": "lib.layers:Layer",
    "Deep": "other:Deep",
    "helper": "lib.ops:helper",
    "lib.ops": "module lib.ops",
    # The project's own modules come first.
    "own.mine": "own:mine",
    # The operator tables describe these names.
    "torch.rand": "torch.rand",
    "np.sqrt": "numpy.sqrt",
    "lib.numpy.sqrt": "numpy.sqrt",
    "dataclasses.field": "dataclasses.field",
    # A package may define names in C, or when they are accessed.
    "lib.Late": "ambiguous",
    "Late": "ambiguous",
    "native.resize": "ambiguous",
    "resize": "ambiguous",
    # A module that cannot be parsed hides modules of the same name in other folders.
    "broken.broken": "broken.broken",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_of_installed_packages_are_resolved(name: str, tmp_path: Path) -> None:
    paths = tree(tmp_path, FILES)
    project = Project(installed=Installed([tmp_path / "site", tmp_path / "later"], own=tmp_path / "app"))
    module = project.add(reading.read(paths["app/net.py"]))
    assert spelled(project.resolve_expression(module, ast.parse(name, mode="eval").body)) == NAMES[name]


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    paths = tree(tmp_path, FILES)
    project = Project(installed=Installed([tmp_path / "site"]))
    module = project.add(reading.read(paths["app/net.py"]))
    assert not project.others
    project.resolve(module, "helper")
    assert set(project.others) == {paths["site/lib/ops.py"]}


@pytest.mark.parametrize(
    ("folder", "path", "holds"),
    [
        ("site", "site/lib/ops.py", True),
        ("app/.venv/lib/python3.11/site-packages", "app/.venv/lib/python3.11/site-packages/lib.py", True),
        ("app/src", "app/src/pkg/net.py", False),
        ("site", "app/net.py", False),
    ],
)
def test_what_was_installed_in_place_is_the_authors(folder: str, path: str, holds: bool, tmp_path: Path) -> None:
    assert Installed([tmp_path / folder], own=tmp_path / "app").holds(tmp_path / path) is holds


# By name: a file, the files that exist, and the file to which `from models.net import Net` in it leads.
WHERE = {
    "beside": ("run.py", ["models/net.py"], "models/net.py"),
    "without __init__": ("tools/deep/run.py", ["models/net.py"], "models/net.py"),
    "in a package": ("pkg/run.py", ["pkg/__init__.py", "models/net.py"], "models/net.py"),
    "in a folder of a package": ("pkg/sub/run.py", ["pkg/__init__.py", "models/net.py"], "models/net.py"),
    "the nearest": ("tools/run.py", ["tools/models/net.py", "models/net.py"], "tools/models/net.py"),
    "in src": ("tests/run.py", ["src/models/net.py"], "src/models/net.py"),
    "ours before theirs": ("tools/run.py", ["models/net.py", "../site/models/net.py"], "models/net.py"),
    "not above the project": ("tools/run.py", ["../models/net.py"], None),
}


@pytest.mark.parametrize("case", WHERE)
def test_packages_that_begin_above_a_file(case: str, tmp_path: Path) -> None:
    start, others, expected = WHERE[case]
    own = tmp_path / "own"
    texts = {start: "from models.net import Net\n", **dict.fromkeys(others, "class Net: pass\n")}
    paths = tree(own, texts)
    project = Project(installed=Installed([tmp_path / "site"], own=own))
    found = project.resolve(project.add(reading.read(paths[start])), "Net")
    assert (found.module.source.path if isinstance(found, Class) else None) == (own / expected if expected else None)


def test_installed_packages_without_init_files_in_a_folder(tmp_path: Path) -> None:
    paths = tree(
        tmp_path / "site",
        {
            "lib/__init__.py": "",
            "lib/base.py": "class Net: pass\n",
            "lib/part/run.py": "from lib.base import Net\n",
        },
    )
    for installed in (Installed([tmp_path / "site"]), Installed([], own=tmp_path / "other")):
        project = Project(installed=installed)
        found = project.resolve(project.add(reading.read(paths["lib/part/run.py"])), "Net")
        assert spelled(found).endswith(":Net")
