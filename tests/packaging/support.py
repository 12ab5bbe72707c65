"""Creates copies of the tree to build from, and environments to install into that are separate from the one of the
tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGED = ("tslint", "rules", "setup.py", "pyproject.toml", "README.md", "LICENSE")


def copy_tree(to: Path) -> Path:
    """Return a copy of what packaging reads."""
    for name in PACKAGED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to / name)
    return to


@dataclass(frozen=True)
class Environment:
    """A fresh virtual environment, isolated from the one that runs the tests."""

    folder: Path

    @classmethod
    def create(cls, folder: Path) -> Environment:
        """Create an environment with the Python that runs the tests; the pip of that Python installs into it."""
        venv.create(folder, symlinks=sys.platform != "win32")
        return cls(folder)

    @property
    def scripts(self) -> Path:
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin")

    def run(self, program: str, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(self.scripts / program), *map(str, arguments)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=clean_environ())

    def install(self, *arguments: str | Path) -> None:
        """Run ``pip install`` with requirements, but without extras: no torch.

        Raises:
            AssertionError: pip failed; the message contains its output.
        """
        pip = [sys.executable, "-m", "pip", "--python", str(self.scripts / "python"), "install", "--quiet"]
        command = [*pip, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=clean_environ())
        assert done.returncode == 0, done.stderr


def clean_environ() -> dict[str, str]:
    """Return this process's variables, except those that would add its own packages or name a git hook's repository.

    pip does not compile what it installs, so that Python only compiles the modules that are imported.
    """
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
    own = {key: value for key, value in os.environ.items() if key not in hidden and not key.startswith("GIT_")}
    return {**own, "PIP_COMPILE": "0"}
