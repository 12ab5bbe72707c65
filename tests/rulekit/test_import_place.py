"""Tests that a new import is placed as isort and ruff do if the imports are sorted, and at the top otherwise."""

from __future__ import annotations

import ast
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from tslint.diagnostics import Applicability, Fix
from tslint.fixing.edits import apply_fixes
from tslint.rulekit.import_place import new_import
from tslint.rulekit.imports import imported
from tslint.sources.file import SourceFile

HERE = Path("net.py")
BODY = "\n\nclass Net: ...\n"


def added(text: str, *imports: str) -> str:
    """Return a file with imports added by as many fixes, in any order."""
    source = SourceFile(HERE, text)
    edits = [new_import(source, ast.parse(text), each) for each in imports]
    fixes = [Fix(Applicability.SAFE, "Import", (edit,)) for edit in edits]
    (found,) = {apply_fixes(source, order).text for order in permutations(fixes)}
    return found


@pytest.mark.parametrize(
    ("before", "imports", "after"),
    [
        ("import torch\n", ["import math"], "import math\n\nimport torch\n"),
        ("import torch\n", ["from torch import Tensor"], "import torch\nfrom torch import Tensor\n"),
        ("import os\n", ["import math"], "import math\nimport os\n"),
        ("import math\n", ["import os"], "import math\nimport os\n"),
        (
            "import os\n\nimport torch\n", ["from typing import List", "import functools"],
            "import functools\nimport os\nfrom typing import List\n\nimport torch\n",
        ),
        (
            "import torch\nfrom torch import nn\n", ["from typing import List", "import functools"],
            "import functools\nfrom typing import List\n\nimport torch\nfrom torch import nn\n",
        ),
        (
            "import numpy as np\nimport torch\n\nfrom .layers import Net\n", ["from torch import Tensor"],
            "import numpy as np\nimport torch\nfrom torch import Tensor\n\nfrom .layers import Net\n",
        ),
        (
            "from collections import abc\nfrom unittest import mock\n\nimport torch\n", ["from typing import List"],
            "from collections import abc\nfrom typing import List\nfrom unittest import mock\n\nimport torch\n",
        ),
        ("import os  # why\n\nimport torch\n", ["import re"], "import os  # why\nimport re\n\nimport torch\n"),
        ("import os\r\n\r\nimport torch\r\n", ["import re"], "import os\r\nimport re\r\n\r\nimport torch\r\n"),
        # Not sorted, or not on their own lines: the new import comes before the first one.
        ("import torch\nimport os\n", ["import math"], "import math\nimport torch\nimport os\n"),
        ("import os; import torch\n", ["import math"], "import math\nimport os; import torch\n"),
        ('"""Text."""\nfrom __future__ import annotations\n', ["import math"],
         '"""Text."""\nfrom __future__ import annotations\nimport math\n'),
    ],
)  # fmt: skip
def test_a_new_import_is_sorted_in(before: str, imports: list[str], after: str) -> None:
    assert added(before + BODY, *imports) == after + BODY


SORTED = [
    "import torch\n",
    "import os\n\nimport torch\n",
    "import os\nimport sys\nfrom collections import abc\n\nimport numpy as np\nimport torch\nfrom torch import nn\n",
    "from __future__ import annotations\n\nimport torch\n",
    "import torch.nn as nn\nfrom numpy import array\n",
    "import os\n\nfrom .layers import Net\n",
]


@pytest.mark.parametrize("before", SORTED)
def test_sorted_imports_stay_sorted(before: str, tmp_path: Path) -> None:
    for module, name in (("math", None), ("typing", "List"), ("torch", "Tensor"), ("functools", None)):
        source = SourceFile(HERE, before + BODY)
        _, edits = imported(source, ast.parse(source.text), module, name)
        path = tmp_path / "net.py"
        path.write_text(apply_fixes(source, [Fix(Applicability.SAFE, "Import", edits)]).text, encoding="utf-8")
        ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--quiet", "--select", "I", str(path)]
        done = subprocess.run(ruff, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("text", "module", "name", "said"),
    [
        ("import typing\nfrom typing import Tuple\nx: Tuple[int]\n", "typing", "Tuple", "Tuple"),
        ("import typing\nfrom typing import Tuple\nx: Tuple[int]\n", "typing", "List", "List"),
        ("import typing\nfrom typing import Tuple\nx: typing.Tuple[int]\n", "typing", "Tuple", "typing.Tuple"),
        ("import typing\nfrom typing import Tuple\nx: typing.List[int]\n", "typing", "List", "typing.List"),
        ("import torch\nfrom torch import Tensor\nx: torch.Tensor\n", "torch", "Tensor", "torch.Tensor"),
        ("import torch\nfrom torch import Tensor\nx: Tensor\n", "torch", "Tensor", "Tensor"),
        ("import torch as th\nx: th.Tensor\n", "torch", "Tensor", "th.Tensor"),
        # Names that are imported below the first definition cannot be used yet.
        ("import typing\ndef f(): ...\nfrom typing import List\n", "typing", "List", "typing.List"),
    ],
)
def test_a_name_is_spelled_as_the_file_imports_it(text: str, module: str, name: str, said: str) -> None:
    assert imported(SourceFile(HERE, text), ast.parse(text), module, name)[0] == said
