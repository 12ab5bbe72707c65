"""Tests that the VS Code extension, its page vscode.md and its README agree with tslint and with each other.

The code of the extension is tested by `npm test`, which .ci/vscode runs.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tslint.config import MODES
from tslint.server.options import parse_options

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
SETTINGS: dict[str, dict[str, Any]] = MANIFEST["contributes"]["configuration"]["properties"]
PAGES = [ROOT / "docs" / "vscode.md", EXTENSION / "README.md"]
# The settings that the extension does not pass to the server.
OWN = {"enable", "path", "args", "trace.server"}


@pytest.fixture(scope="module")
def page(request: pytest.FixtureRequest) -> str:
    path: Path = request.param
    return path.read_text(encoding="utf-8")


def tslint(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tslint", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_the_problem_matcher_reads_every_finding_and_nothing_else() -> None:
    (matcher,) = MANIFEST["contributes"]["problemMatchers"]
    pattern = matcher["pattern"]
    concise = tslint("check", "examples", "--output-format", "concise").stdout.splitlines()
    found = [match for match in (re.match(pattern["regexp"], line) for line in concise) if match]
    read = [
        (str(ROOT / match[pattern["file"]]), int(match[pattern["line"]]), int(match[pattern["column"]]),
         match[pattern["code"]], match[pattern["message"]])
        for match in found
    ]  # fmt: skip
    findings = json.loads(tslint("check", "examples", "--output-format", "json").stdout)
    assert findings
    assert read == [
        (each["filename"], each["location"]["row"], each["location"]["column"], each["code"], each["message"])
        for each in findings
    ]


def test_the_server_takes_every_setting_that_it_is_given() -> None:
    assert [mode for mode in SETTINGS["tslint.mode"]["enum"] if mode] == list(MODES)
    given = {name.removeprefix("tslint."): value for name, value in SETTINGS.items()}
    values: dict[str, Any] = {name: value["default"] for name, value in given.items() if name not in OWN}
    assert parse_options(values)[1] == []
    for name, value in given.items():
        for choice in value.get("enum", []) if name not in OWN else []:
            assert parse_options({name: choice})[1] == []
    options, problems = parse_options({**values, "select": ["TS4"], "ignore": ["TS401"], "mode": "trace"})
    assert problems == []
    assert options.over == {"select": ["TS4"], "ignore": ["TS401"], "mode": "trace"}


def test_defaults_are_those_of_the_server() -> None:
    options, _ = parse_options({})
    for name in ("run", "unsafeFixes", "inlayHints", "codeLens"):
        field = re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)
        assert SETTINGS[f"tslint.{name}"]["default"] == getattr(options, field)


@pytest.mark.parametrize("page", PAGES, indirect=True, ids=lambda path: path.name)
def test_a_page_names_every_setting_with_its_default(page: str) -> None:
    rows = dict(re.findall(r"^\| `(tslint\.[\w.]+)` \| `([^`]*)` \|", page, re.MULTILINE))
    assert rows.keys() == SETTINGS.keys()
    for name, shown in rows.items():
        default = SETTINGS[name]["default"]
        assert shown in (json.dumps(default), default), name


@pytest.mark.parametrize("page", PAGES, indirect=True, ids=lambda path: path.name)
def test_a_page_names_commands_that_there_are(page: str) -> None:
    titles = {f"tslint: {command['title']}" for command in MANIFEST["contributes"]["commands"]}
    assert set(re.findall(r"\*\*(tslint: [\w ]+)\*\*", page)) <= titles


def test_the_readme_names_every_command() -> None:
    text = (EXTENSION / "README.md").read_text(encoding="utf-8")
    for command in MANIFEST["contributes"]["commands"]:
        assert f"| **tslint: {command['title']}** |" in text


@pytest.mark.parametrize("page", PAGES, indirect=True, ids=lambda path: path.name)
def test_the_json_of_a_page_is_right(page: str) -> None:
    blocks = [json.loads(text) for text in re.findall(r"^ *```json[^\n]*\n(.*?)^ *```", page, re.M | re.S)]
    assert blocks
    (definition,) = MANIFEST["contributes"]["taskDefinitions"]
    (matcher,) = MANIFEST["contributes"]["problemMatchers"]
    for block in blocks:
        for task in block.get("tasks", []):
            assert task["problemMatcher"] in (f"${matcher['name']}", [])
            if task["type"] == definition["type"]:
                assert task["command"] in definition["properties"]["command"]["enum"]
                assert task.keys() - {"type", "problemMatcher"} <= definition["properties"].keys()
            else:
                assert task["command"].endswith("tslint check --output-format concise")


@pytest.mark.parametrize("page", PAGES, indirect=True, ids=lambda path: path.name)
def test_the_commands_of_a_page_are_there(page: str) -> None:
    lines = re.findall(r"^ *```console\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL)
    commands = [line.strip().removeprefix("$ ") for block in lines for line in block.splitlines()]
    # tests/packaging tests the installation, and .ci/run the build; repeating them here would only take time.
    known = [
        'python -m pip install ".[server]"',
        "bash .ci/vscode extension",
        "code --install-extension extension/tslint-torchscript.vsix",
    ]
    assert commands
    assert set(commands) <= set(known)
    assert "--out tslint-torchscript.vsix" in MANIFEST["scripts"]["package"]


def test_the_lockfile_names_no_registry() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert package["integrity"].startswith("sha512-"), name


def test_nothing_that_npm_makes_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files", "editors/vscode"], cwd=ROOT, capture_output=True, text=True, check=True)
    made = re.compile(r"^editors/vscode/(node_modules|dist|out)/|\.vsix$")
    assert not [name for name in listed.stdout.splitlines() if made.search(name)]


def test_a_machine_without_node_leaves_the_extension_out(tmp_path: Path) -> None:
    for name in ("bash", "dirname"):
        program = shutil.which(name)
        assert program
        (tmp_path / name).symlink_to(program)
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "vscode")], env={"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "left out: it needs Node.js 20 or newer with npm\n"
