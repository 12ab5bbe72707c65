"""The two things that pyproject.toml cannot say: packages from a mapped folder, and no stale files in a wheel."""

from __future__ import annotations

import shutil

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py


class CleanBuild(build_py):
    """Start from an empty ``build/lib``: setuptools would pack a rule that was renamed since the last build twice."""

    def run(self) -> None:
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(
    packages=[
        *find_packages(include=["tslint", "tslint.*"]),
        "tslint.rules",
        *(f"tslint.rules.{package}" for package in find_packages("rules")),
    ],
    cmdclass={"build_py": CleanBuild},
)
