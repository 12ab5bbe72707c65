"""Tests imports that fixes add or leave unused: each is added once, in the style of the file, and removed
when unused.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.diagnostics import Applicability, Edit, Fix
from tslint.fixing.edits import apply_fixes, replaced
from tslint.fixing.unused import removals
from tslint.rulekit.imports import extension, tidied
from tslint.sources.file import SourceFile

HERE = Path("nowhere/net.py")


def extended(text: str, *names: str) -> str | None:
    """Return a file to which one fix for each name adds the name from typing; None if a fix needs another import
    statement.
    """
    source = SourceFile(HERE, text)
    edits = [extension(source, ast.parse(text), "typing", name) for name in names]
    fixes = [Fix(Applicability.SAFE, "Import", (edit,)) for edit in edits if edit]
    if len(fixes) != len(names):
        return None
    texts = {apply_fixes(source, order).text for order in permutations(fixes)}
    assert len(texts) == 1
    ast.parse(text := texts.pop())
    return text


@pytest.mark.parametrize(
    ("before", "names", "after"),
    [
        ("from typing import List\n", ["Optional"], "from typing import List, Optional\n"),
        ("from typing import List\n", ["Dict"], "from typing import Dict, List\n"),
        ("from typing import List\n", ["Optional", "Tuple"], "from typing import List, Optional, Tuple\n"),
        ("from typing import List\n", ["Dict", "Any"], "from typing import Any, Dict, List\n"),
        ("from typing import Tuple, List\n", ["Dict"], "from typing import Tuple, List, Dict\n"),
        ("from typing import List as L  # why\n", ["Tuple"], "from typing import List as L, Tuple  # why\n"),
        ("from typing import (List, Tuple)\n", ["Optional"], "from typing import (List, Optional, Tuple)\n"),
        ("from typing import (List)\n", ["Optional"], "from typing import (List, Optional)\n"),
        ("from typing import (\n    List,\n)\n", ["Union"], "from typing import (\n    List,\n    Union,\n)\n"),
        (
            "from typing import (\r\n\tList,\r\n\tUnion\r\n)\r\n", ["Any", "Optional"],
            "from typing import (\r\n\tAny,\r\n\tList,\r\n\tOptional,\r\n\tUnion\r\n)\r\n",
        ),
        ("from typing import List, \\\n  Tuple\n", ["Union"], "from typing import List, \\\n  Tuple, \\\n  Union\n"),
        ("import os; from typing import List; x\n", ["Union"], "import os; from typing import List, Union; x\n"),
        # Comments after a name, another style, names that are bound too late, lines that would become too long.
        ("from typing import (\n    List,  # lists\n    Tuple,  # tuples\n)\n", ["Union"], None),
        ("from typing import List\nfrom typing import Dict\n", ["Union"], None),
        ("class Net: ...\nfrom typing import List\n", ["Union"], None),
        ("from typing import *\n", ["Union"], None),
        ("from .typing import List\n", ["Union"], None),
        ("if True:\n    from typing import List\n", ["Union"], None),
        ("from typing import " + ", ".join(f"Callable{n}" for n in range(7)) + "\n", ["Optional"], None),
    ],
)  # fmt: skip
def test_an_import_is_extended_in_its_style(before: str, names: list[str], after: str | None) -> None:
    assert extended(before, *names) == after


def insertion(source: SourceFile, *contents: str) -> Fix:
    start = source.position(0)
    return Fix(Applicability.SAFE, "Import", tuple(Edit(start, start, content) for content in contents))


def test_names_of_one_module_are_imported_together() -> None:
    source = SourceFile(HERE, "x = 1\r\n")
    fixes = [
        insertion(source, "from typing import List\n"),
        insertion(source, "import torch\n", "from typing import Dict\n"),
        insertion(source, "from torch import Tensor\n", "from typing import List\n"),
    ]
    expected = "import torch\r\nfrom torch import Tensor\r\nfrom typing import Dict, List\r\nx = 1\r\n"
    for order in permutations(fixes):
        outcome = apply_fixes(source, order)
        assert (outcome.text, outcome.deferred) == (expected, ())


def test_imports_of_one_fix_are_one_edit() -> None:
    source = SourceFile(HERE, "x = 1\n")
    start = source.position(0)
    fix = insertion(source, "from typing import List\n", "from typing import Dict\n")
    fix = replace(fix, edits=(*fix.edits, Edit(start, source.position(1), "y")))
    assert [edit.content for edit in tidied(fix).edits] == ["from typing import Dict, List\n", "y"]
    assert apply_fixes(source, [fix]).text == apply_fixes(source, [tidied(fix)]).text


def test_other_insertions_at_one_place_wait() -> None:
    source = SourceFile(HERE, "f(a)\n")
    place = source.position(3)
    fixes = [Fix(Applicability.SAFE, "Add", (Edit(place, place, content),)) for content in (", b", ", c")]
    assert len(apply_fixes(source, fixes).deferred) == 1


def without(text: str, *names: str, others: tuple[SourceFile, ...] = ()) -> str:
    source = SourceFile(HERE, text)
    return replaced(text, removals(source, set(names), others))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import numpy as np\nx = 1\n", "x = 1\n"),
        ("import numpy as np  # arrays\r\nx = 1\r\n", "x = 1\r\n"),
        ("import numpy as np, os\nos.sep\n", "import os\nos.sep\n"),
        ("from a import np, b, c\nb\n", "from a import b\nb\n"),
        ("from a import b, np, os, c\nb, c\n", "from a import b, c\nb, c\n"),
        ("from a import (\n    np,\n    b,\n    os,\n)\nb\n", "from a import (\n    b,\n)\nb\n"),
        ("x = 1\nimport os", "x = 1\n"),
    ],
)
def test_unused_imports_are_removed(before: str, after: str) -> None:
    assert without(before, "np", "os", "c") == after


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nnp.zeros(3)\n",
        "import numpy as np\n__all__ = ['np']\n",
        "import numpy as np\ndef f(x):\n    # type: (np.ndarray) -> None\n    pass\n",
        "import numpy as np\ndef f(x: 'np.ndarray'):\n    pass\n",
        "import numpy as np  # noqa: F401\n",
        "import np as np\n",
        "import np.linalg\n",
        "try:\n    import numpy as np\nexcept ImportError:\n    pass\n",
        "import numpy as np; x = 1\n",
        "x = 1; import numpy as np\n",
        "from a import (\n    np,  # arrays\n)\n",
        "from __future__ import np\n",
        "from np import *\n",
    ],
)
def test_what_is_used_exported_or_shared_stays(text: str) -> None:
    assert without(text, "np") == text


@pytest.mark.parametrize(
    "text",
    [
        "from net import np\n",
        "from .net import (\n    Net,\n    np,\n)\n",
        "from pkg.net import *\n",
        "import net\nnet.np.zeros(3)\n",
    ],
)
def test_an_import_that_another_file_uses_stays(text: str) -> None:
    other = SourceFile(HERE.with_name("other.py"), text)
    assert without("import numpy as np\n", "np", others=(other,)) == "import numpy as np\n"
    assert without("import numpy as np\n", "np", others=(replace(other, text="from net import Net\n"),)) == ""


def test_a_package_exports_what_it_imports() -> None:
    source = SourceFile(HERE.with_name("__init__.py"), "import numpy as np\n")
    assert removals(source, {"np"}, ()) == []


def check(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["check", "--isolated", "--exit-zero", *arguments])


NET = """import os
import numpy as np
import torch
from torch import nn
from torch.autograd import Variable


class Net(nn.Module):
    def forward(self, x):
        return Variable(torch.ones(1)) + x
"""


def test_only_what_a_fix_made_unused_goes(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": NET})
    check("--fix", "--unsafe-fixes", "net.py")
    assert (root / "net.py").read_text() == NET.replace("from torch.autograd import Variable\n", "").replace(
        "Variable(torch.ones(1))", "torch.ones(1)"
    )


def test_neighbours_on_disk_are_asked(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": NET, "other.py": "from net import *\n"})
    check("--fix", "--unsafe-fixes", "net.py")
    assert "import Variable\n" in (root / "net.py").read_text()


STAR = """\
import typing

import torch
from {0} import *
from torch import nn


class Net(nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        return torch.relu(x)
"""


@pytest.mark.parametrize(
    ("module", "annotation"),
    [
        ("numpy", "Optional[torch.Tensor]"),
        ("torch.nn.functional", "typing.Optional[torch.Tensor]"),
        (".layers", "typing.Optional[torch.Tensor]"),
    ],
)
def test_a_name_that_a_star_import_may_hide_is_imported(
    folder: Callable[..., Path], module: str, annotation: str
) -> None:
    path = folder({"net.py": STAR.format(module)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    text = path.read_text()
    assert f"mask: {annotation} = None" in text
    assert ("from typing import Optional\n" in text) is (module == "numpy")


def test_what_the_author_uses_below_is_not_hidden(folder: Callable[..., Path]) -> None:
    text = STAR.format("numpy").replace("forward(self, x,", "forward(self, x: typing.Optional[torch.Tensor],")
    path = folder({"net.py": text.replace("torch.relu(x)", "x")}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert "mask: typing.Optional[torch.Tensor] = None" in path.read_text()


NAMED = STAR.replace("import typing\n", "import math\n").replace("from {0} import *", "{0}")


@pytest.mark.parametrize(
    ("bound", "annotation", "new"),
    [
        ("from layers import Optional", "typing.Optional[torch.Tensor]", "import typing\n"),
        ("from layers import List as Optional", "typing.Optional[torch.Tensor]", "import typing\n"),
        (
            "try:\n    from typing import Optional\nexcept ImportError:\n    Optional = dict",
            "typing.Optional[torch.Tensor]", "import typing\n",
        ),
        ("from typing_extensions import Optional", "Optional[torch.Tensor]", ""),
        ("from typing_extensions import Final", "Optional[torch.Tensor]", "from typing import Optional\n"),
    ],
)  # fmt: skip
def test_a_name_that_another_import_binds_is_not_imported(
    folder: Callable[..., Path], bound: str, annotation: str, new: str
) -> None:
    path = folder({"net.py": NAMED.format(bound)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    text = path.read_text()
    assert f"mask: {annotation} = None" in text.replace("Optional[Tensor]", "Optional[torch.Tensor]")
    assert text.count(new or "import typing\n") == (1 if new else 0)
