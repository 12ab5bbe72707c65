"""Creates scratch git repositories with a small project in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.packaging.support import clean_environ

CONFIGURATION = """\
[tool.tslint.targets.net]
target = "pkg.net:build"
inputs = ["torch.rand(2, 4)"]

[tool.tslint.targets.other]
target = "pkg.other:Other"
inputs = ["torch.rand(2, 4)"]
"""
OPS = """\
import torch


def twice(x: torch.Tensor) -> torch.Tensor:
    return x + x
"""
NET = """\
import torch
from torch import nn

from pkg.ops import twice


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return twice(x)


def build() -> Net:
    return Net()
"""
OTHER = """\
import torch
from torch import nn


class Other(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2
"""
# Another ``pkg/ops.py``: the compiler rejects the function, which is only compiled because another file calls it.
REJECTED = """\
import torch


def twice(x: torch.Tensor) -> torch.Tensor:
    try:
        return x + x
    finally:
        pass
"""
PROJECT = {
    "pyproject.toml": CONFIGURATION,
    "pkg/__init__.py": "",
    "pkg/ops.py": OPS,
    "pkg/net.py": NET,
    "pkg/other.py": OTHER,
    "README.md": "A project.\n",
}


def environ(**more: str) -> dict[str, str]:
    """Return the variables for commands: the tested tslint comes first in PATH; no variables of CI services."""
    inherited = {key: value for key, value in clean_environ().items() if not key.startswith(("GITHUB_", "CI_"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), inherited.get("PATH", "")])
    names = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in
             (("NAME", "A"), ("EMAIL", "a@example.com"))}  # fmt: skip
    config = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "NO_COLOR": "1"}
    return {**inherited, "PATH": path, **names, **config, **more}


def run(command: list[str], cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command with any exit status."""
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environ(**more))


def git(*arguments: str, cwd: Path) -> str:
    """Run git; return its output."""
    done = run(["git", *arguments], cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write(root: Path, **files: str) -> None:
    """Write files; ``__`` in a name is ``/``, and ``.py`` is added to it."""
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commit(root: Path, message: str = "as it is") -> str:
    """Commit everything; return the commit."""
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root)


def repository(root: Path) -> Path:
    """Return a repository with the project, committed on ``main``."""
    for name, text in PROJECT.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git("init", "--quiet", "--initial-branch", "main", cwd=root)
    commit(root)
    return root
