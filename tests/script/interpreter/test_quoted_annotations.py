"""Tests annotations in quotes, in which the compiler looks up names, and reads only brackets and commas besides."""

from __future__ import annotations

import pytest

from tests.rules.driver import HERE, findings
from tests.script.agreement import agree
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

FUNCTION = "def run(x: Tensor, y: {} = None) -> int:\n    return 1\n\n\nscripted = torch.jit.script(run)\n"
READ = ["Optional[int]", "Optional[torch.Tensor]", "Optional[Dict[str, List[int]]]", "Optional[Tuple[Tensor, int]]"]
# What the compiler cannot read, and what the fix writes instead.
NOT_READ = {
    "int | None": "Optional[int]",
    "None | Tensor": "Optional[Tensor]",
    "int | str | None": "Optional[Union[int, str]]",
    "Optional[int | str]": "Optional[Union[int, str]]",
    "Optional[int] | str": "Optional[Union[int, str]]",
    "Union[int, None]": "Optional[int]",
    "Dict[str, Tensor | None]": "Dict[str, Optional[Tensor]]",
    "Optional['int']": None,
    "Device": None,
    "None": None,
}


@pytest.mark.parametrize("text", READ)
def test_names_in_brackets_are_read(text: str) -> None:
    agree("", FUNCTION.format(repr(text)))


@pytest.mark.parametrize(("text", "written"), NOT_READ.items(), ids=NOT_READ)
def test_everything_else_is_refused(text: str, written: str | None) -> None:
    agree("unreadable-annotation", FUNCTION.format(f'"{text}"'))
    source = f"from typing import *\nimport torch\nfrom torch import Tensor\n\n\n{FUNCTION}".format(f'"{text}"')
    found = next(each for each in findings(source) if each.code == "TS506")
    assert (found.fix is None) == (written is None)
    if found.fix is not None:
        assert f'y: "{written}" = None' in apply_fixes(SourceFile(HERE, source), [found.fix]).text


def test_a_module_names_its_own_class() -> None:
    agree(
        "",
        "class Net(nn.Module):\n    def forward(self, x: Tensor) -> 'Net':\n        return self\n\n\n"
        "scripted = torch.jit.script(Net())\n",
    )
