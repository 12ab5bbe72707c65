"""Tests where installed packages are found: on the disk, without running the interpreter."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tslint.util.environments import environment, problem

VENV = {"pyvenv.cfg": "home = /usr/bin\nversion = 3.11.2\n", "bin/python": ""}
SITE = "lib/python3.11/site-packages"


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files, and empty folders for names that end in a slash."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_text(text, encoding="utf-8")


# By name: the files of a folder, what is configured in it, and where packages are read.
LAYOUTS: dict[str, tuple[dict[str, str], str, list[str]]] = {
    "a folder": ({**VENV, f"{SITE}/": ""}, ".", [SITE]),
    "its interpreter": ({**VENV, f"{SITE}/": ""}, "bin/python", [SITE]),
    "on Windows": ({"Scripts/python.exe": "", "Lib/site-packages/": ""}, "Scripts/python.exe", ["Lib/site-packages"]),
    "conda's on Windows": ({"python.exe": "", "Lib/site-packages/": ""}, "python.exe", ["Lib/site-packages"]),
    "the version of pyvenv.cfg": ({**VENV, f"{SITE}/": "", "lib/python3.12/site-packages/": ""}, ".", [SITE]),
    "uv's": ({"pyvenv.cfg": "version_info = 3.11.2", f"{SITE}/": "", "lib/python3.9/site-packages/": ""}, ".", [SITE]),
    "the version of the interpreter": (
        {"bin/python3.11": "", f"{SITE}/": "", "lib/python3.12/site-packages/": ""}, "bin/python3.11", [SITE],
    ),
    "the newest otherwise": ({f"{SITE}/": "", "lib/python3.9/site-packages/": ""}, ".", [SITE]),
    "PyPy's": ({"lib/pypy3.10/site-packages/": ""}, ".", ["lib/pypy3.10/site-packages"]),
    "Debian's": (
        {"bin/python3": "", "local/lib/python3.11/dist-packages/": "", "lib/python3/dist-packages/": ""}, "bin/python3",
        ["local/lib/python3.11/dist-packages", "lib/python3/dist-packages"],
    ),
    "plain lines of .pth files": (
        {**VENV, "src/": "", "more/": "", f"{SITE}/b.pth": "# no\nimport sys\n../../../more\n\nmissing\n",
         f"{SITE}/a.pth": "\ufeff../../../src\r\n"},
        ".", [SITE, "src", "more"],
    ),
    "no second time": (
        {**VENV, "src/c.pth": "../more\n", "more/": "", f"{SITE}/a.pth": "../../../src"}, ".", [SITE, "src"],
    ),
    "the system's, too": (
        {"env/pyvenv.cfg": "home = {}/base/bin\nversion = 3.11\ninclude-system-site-packages = true",
         f"env/{SITE}/": "", f"base/{SITE}/": "", "base/bin/python": ""},
        "env", [f"env/{SITE}", f"base/{SITE}"],
    ),
    "not the system's": (
        {"env/pyvenv.cfg": "home = {}/base/bin\nversion = 3.11", f"env/{SITE}/": "", f"base/{SITE}/": ""},
        "env", [f"env/{SITE}"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LAYOUTS)
def test_packages_of_a_configured_environment(case: str, tmp_path: Path) -> None:
    files, configured, expected = LAYOUTS[case]
    write(tmp_path, {name: text.replace("{}", str(tmp_path)) for name, text in files.items()})
    assert problem(tmp_path / configured) is None
    found = environment(tmp_path / configured, tmp_path)
    assert [str(folder.relative_to(tmp_path)) for folder in found.packages] == expected
    assert found.origin == "configured"


def test_links(tmp_path: Path) -> None:
    write(tmp_path, {f"base/{SITE}/": "", "base/bin/python": "", f"env/{SITE}/": "", "env/bin/": "", "bin/": ""})
    os.symlink(tmp_path / "base/bin/python", tmp_path / "env/bin/python")
    os.symlink(tmp_path / "base/bin/python", tmp_path / "bin/python")
    os.symlink("lib", tmp_path / "env/lib64")
    assert environment(tmp_path / "env/bin/python", tmp_path).packages == (tmp_path / f"env/{SITE}",)
    assert environment(tmp_path / "bin/python", tmp_path).packages == (tmp_path / f"base/{SITE}",)


@pytest.mark.parametrize(
    ("name", "trouble"),
    [
        ("missing", "does not exist"),
        ("empty", "is neither an interpreter nor the folder of an environment"),
        ("empty/file", "is neither an interpreter nor the folder of an environment"),
    ],
)
def test_an_unusable_environment_is_described(name: str, trouble: str, tmp_path: Path) -> None:
    write(tmp_path, {"empty/file": ""})
    assert problem(tmp_path / name) == trouble


@pytest.mark.parametrize(
    ("there", "variables", "origin", "folder"),
    [
        (("env", ".venv", "venv", "conda"), ("VIRTUAL_ENV", "CONDA_PREFIX"), "VIRTUAL_ENV", "env"),
        ((".venv", "venv", "conda"), ("VIRTUAL_ENV", "CONDA_PREFIX"), "`.venv` beside the configuration", ".venv"),
        (("venv", "conda"), ("CONDA_PREFIX",), "`venv` beside the configuration", "venv"),
        (("conda",), ("VIRTUAL_ENV", "CONDA_PREFIX"), "CONDA_PREFIX", "conda"),
        (("conda", "env"), (), "tslint's own", ""),
    ],
)
def test_the_first_existing_environment_is_used(
    there: tuple[str, ...],
    variables: tuple[str, ...],
    origin: str,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for each in there:
        write(tmp_path / each, {f"{SITE}/": ""})
    for name, place in {"VIRTUAL_ENV": "env", "CONDA_PREFIX": "conda"}.items():
        monkeypatch.setenv(name, str(tmp_path / place)) if name in variables else monkeypatch.delenv(name, False)
    found = environment(None, tmp_path)
    assert (found.origin, found.folder) == (origin, tmp_path / folder if folder else Path(sys.prefix))
