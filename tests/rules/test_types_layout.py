"""Tests that fixes for types keep the author's comments and line breaks."""

from __future__ import annotations

import pytest

from tests.rules.driver import HERE, findings
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = "from typing import Optional, Union\nimport torch\n\n\n@torch.jit.script\n"
CASES = {
    "an attribute in a variable": (
        "TS314",
        "class Net(torch.nn.Module):\n    bias: Optional[torch.Tensor]\n    def __init__(self):\n"
        "        super().__init__()\n        self.bias = None\n    def forward(self, x):\n        # a\n"
        "        y = x + self.bias.abs(  # b\n        ).sum()  # c\n        return y\ntorch.jit.script(Net())\n",
        "        # a\n        bias = self.bias\n        assert bias is not None\n"
        "        y = x + bias.abs(  # b\n        ).sum()  # c\n",
    ),
    "another clause": (
        "TS318",
        "def f(x, n: int):\n    if n > 1:\n        y = x  # a\n    elif n > 0:\n        y = -x\n        # b\n"
        "    # c\n    return y\n",
        "        y = -x\n        # b\n    else:\n        raise UnboundLocalError(\"y is not set\")\n    # c\n",
    ),
    "once for each type": (
        "TS306",
        "def f(x, y: Union[int, torch.Tensor]):\n    # a\n    z = (x +\n         y)  # b\n    return z\n",
        "    # a\n    if isinstance(y, int):\n        z = (x +\n             y)  # b\n    else:\n        z = (x +\n"
        "             y)  # b\n",
    ),
    "the variable of a comprehension": (
        "TS306",
        "def f(x):\n    return [[i * j for j in range(2)] for i in [1, x]]\n",
        None,
    ),
    "a question in parentheses": (
        "TS306",
        "def f(m: Optional[str]):\n    y = (  # a\n        m == 'b'\n    )\n    return y\n",
        "    y = (  # a\n        m is not None and m == 'b'\n    )\n",
    ),
    "an end with tabs": (
        "TS317",
        "def f(n: int) -> int:\n\tif n > 1:\n\t\treturn 1  # a\n\t# b\n",
        "\t\treturn 1  # a\n\tif torch.jit.is_scripting():\n\t\traise RuntimeError(\"f has no value to return\")\n"
        "\t# b\n",
    ),
    "a shared line": ("TS306", "def f(n: Optional[int]):\n    y = 1; z = n + y\n    return z\n", None),
}  # fmt: skip


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("code", "source", "wanted"), CASES.values(), ids=CASES)
def test_comments_and_line_breaks_stay(code: str, source: str, wanted: str | None, newline: str) -> None:
    head = HEAD if source.startswith("def") else HEAD.replace("@torch.jit.script\n", "")
    text = (head + source).replace("\n", newline)
    fix = next(each.fix for each in findings(text) if each.code == code)
    if wanted is None or fix is None:
        assert fix is None and wanted is None
        return
    assert wanted.replace("\n", newline) in apply_fixes(SourceFile(HERE, text), [fix]).text
