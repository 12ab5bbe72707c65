"""Tests the copy of a project: its modules are copied, everything else is linked, and the copy is removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tslint.fixing.project_copy import ProjectCopy


def test_modules_are_copied_and_all_else_is_linked(folder: Callable[..., Path]) -> None:
    root = Path(os.path.realpath(folder({
        "pkg/net.py": "net", "pkg/other.py": "other", "pkg/data.bin": "data", "pkg/__pycache__/net.pyc": "",
        "deep/er/tools.py": "tools", "large/weights.bin": "weights", "setup.py": "",
    })))  # fmt: skip
    files = [root / "pkg" / "net.py", root / "deep" / "er" / "tools.py", Path("/elsewhere/x.py")]
    with ProjectCopy(root, files, {files[0]: b"new"}) as project:
        copy = project.copy
        assert copy.name == root.name
        assert project.of(files[0]) == copy / "pkg" / "net.py"
        assert project.of(root) == copy
        assert project.of(files[2]) == files[2]
        assert (copy / "pkg" / "net.py").read_text() == "new"
        for name in ("pkg/net.py", "pkg/other.py", "deep/er/tools.py", "setup.py"):
            assert not (copy / name).is_symlink()
        assert (copy / "pkg" / "data.bin").is_symlink()
        assert (copy / "large").is_symlink()
        assert not (copy / "pkg" / "__pycache__").exists()
    assert not copy.exists()
    assert (root / "pkg" / "net.py").read_text() == "net"
    assert (root / "large" / "weights.bin").read_text() == "weights"
