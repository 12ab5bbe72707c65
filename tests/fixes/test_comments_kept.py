"""A comment never disappears with a fix: where there is no place for it, a person makes the change."""

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
        ("    return (\n        x  # why\n        * +2\n    )\n", "    return (\n        x  # why\n        * 2\n    )\n"),
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
