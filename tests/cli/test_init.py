"""Tests ``tslint init`` in scratch repositories: what it finds, what it writes, and what it does not change."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tslint.cli import cli
from tslint.config import load_file
from tslint.setup.hook import with_hook
from tslint.setup.workflow import with_gitlab_job
from tslint.util import installed

NET = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(size, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = Head(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(x)


class Base(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Sized(Base):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size


class Large(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()


class Traced(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y


def build() -> Sized:
    return Sized(3)
"""
EXPORT = """\
import torch
from pkg.net import Large, Net, Traced, build


def main(path):
    shape = (1, 4)
    x = torch.rand(*shape)
    torch.jit.script(Net().eval()).save(path)
    torch.jit.trace(Net(), x).save(path)
    net = build()
    torch.jit.script(net).save(path)
    torch.jit.trace(Traced(), (x, torch.zeros(4))).save(path)
    torch.jit.trace(Large(3), load(path)).save(path)
"""
PROJECT: dict[str, str] = {
    "pkg/__init__.py": "",
    "pkg/net.py": NET,
    "export.py": EXPORT,
    "tests/test_net.py": "import torch\nclass Fake(torch.nn.Module): pass\ntorch.jit.script(Fake())\n",
}


@pytest.fixture(autouse=True)
def released(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make tslint seem to be installed from an index."""
    monkeypatch.setattr(installed, "_origin", lambda: None)


@pytest.fixture
def repository(folder: Callable[..., Path]) -> Callable[..., Path]:
    """Return a function that creates a git repository with files."""

    def make(files: Mapping[str, str | bytes]) -> Path:
        root = folder(files)
        subprocess.run(["git", "init", "--quiet", "."], check=True, cwd=root)
        return root

    return make


def init(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["init", *arguments])


def written(root: Path) -> set[str]:
    found = subprocess.run(["git", "status", "--porcelain", "-uall"], capture_output=True, text=True, cwd=root)
    return {line[3:] for line in found.stdout.splitlines()}


def test_what_it_finds(repository: Callable[..., Path]) -> None:
    root = repository(PROJECT)
    result = init()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(
        "Found 4 Python files with 6 nn.Module classes, 2 likely entry points and 3 targets.\n"
        "Wrote tslint.toml: the configuration.\nWrote .pre-commit-config.yaml: the pre-commit hook.\n\nNext:\n"
    )
    assert "pkg.net:Large (torch.jit.trace in export.py:13) takes arguments" in result.stdout
    settings = load_file(root / "tslint.toml")
    # Head is part of another module and Base a base class; Traced and Large are only traced; tests' modules do not
    # count.
    assert settings.entry_points == ("pkg.net:Net", "pkg.net:Sized")
    found = {name: (each.target, each.inputs, each.modes) for name, each in settings.targets.items()}
    assert found == {
        "net": ("pkg.net:Net", ("torch.rand(*(1, 4))",), ("script", "trace")),
        "sized": ("pkg.net:build", (), ("script",)),
        "traced": ("pkg.net:Traced", ("(torch.rand(*(1, 4)), torch.zeros(4))",), ("trace",)),
    }
    assert CliRunner().invoke(cli, ["check"]).exit_code == 0


def test_every_other_byte_of_pyproject_stays(repository: Callable[..., Path]) -> None:
    for before in (
        b"",
        b'[project]\nname = "x"\n',
        b'[project]\r\nname = "x"\r\n\r\n# end',
        b"\xef\xbb\xbf[tool.ruff]\nline-length = 99 # \xc3\xa4\n",
    ):
        root = repository({**PROJECT, "pyproject.toml": before})
        shown = init("--diff")
        assert shown.stdout.startswith("--- pyproject.toml\n+++ pyproject.toml\n")
        assert (root / "pyproject.toml").read_bytes() == before
        assert init("--no-hook").exit_code == 0
        after = (root / "pyproject.toml").read_bytes()
        assert after.startswith(before)
        assert (b"\r\n" in before) == (b"\n" not in after.replace(b"\r\n", b""))
        assert load_file(root / "pyproject.toml").entry_points == ("pkg.net:Net", "pkg.net:Sized")


def test_a_pyproject_to_which_no_table_can_be_added(repository: Callable[..., Path]) -> None:
    root = repository({**PROJECT, "pyproject.toml": "tool = { x = 1 }\n"})
    assert init().stderr.startswith("note: pyproject.toml: no table can be added")
    assert load_file(root / "tslint.toml").targets


def test_diff_writes_nothing(repository: Callable[..., Path]) -> None:
    root = repository({**PROJECT, ".github/x": ""})
    before = written(root)
    result = init("--diff")
    assert result.exit_code == 0
    assert [line[4:] for line in result.stdout.splitlines() if line.startswith("+++ ")] == [
        "tslint.toml", ".pre-commit-config.yaml", ".github/workflows/tslint.yml",
    ]  # fmt: skip
    assert written(root) == before
    # git decides whether the diff is valid.
    subprocess.run(["git", "apply", "-p0", "-"], input=result.stdout, text=True, check=True, cwd=root)
    patched = {name: (root / name).read_bytes() for name in written(root) - before}
    for name in patched:
        (root / name).unlink()
    init()
    assert patched == {name: (root / name).read_bytes() for name in written(root) - before}


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"tslint.toml": ""}, "tslint.toml"),
        ({"pyproject.toml": "[tool.tslint]\n"}, "pyproject.toml"),
        ({"pyproject.toml": "[tool.tslint]\n", "sub/x": ""}, "pyproject.toml"),
    ],
)
def test_configuration_that_is_there_is_never_changed(
    repository: Callable[..., Path], files: dict[str, str], name: str
) -> None:
    root = repository({**PROJECT, **files})
    before = written(root)
    result = init("sub") if "sub/x" in files else init()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {name}: tslint is configured there already")
    assert result.stderr.count("\n") == 1
    assert written(root) == before
    assert (root / name).read_text() == files[name]


def test_bad_input_is_one_line(repository: Callable[..., Path]) -> None:
    repository({"pyproject.toml": "[tool"})
    for arguments, message in (([], "pyproject.toml: broken TOML"), (["none"], "Invalid value for '[FOLDER]'")):
        result = init(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"error: {message}")
        assert result.stderr.count("\n") == 1


def test_an_empty_folder_outside_a_repository(folder: Callable[..., Path]) -> None:
    root = folder({"x/y": ""})
    result = init()
    assert result.stdout.startswith("Found 0 Python files with 0 nn.Module classes")
    assert sorted(os.listdir(root)) == ["tslint.toml", "x"]
    assert load_file(root / "tslint.toml").entry_points == ()


def test_a_src_layout_is_named_by_paths(repository: Callable[..., Path]) -> None:
    root = repository({f"src/{name}": text for name, text in PROJECT.items()})
    assert "(imports start from src)" in init().stdout
    settings = load_file(root / "tslint.toml")
    assert settings.entry_points == ("src/pkg/net.py:Net", "src/pkg/net.py:Sized")
    assert settings.targets["net"].target == "src/pkg/net.py:Net"
    assert CliRunner().invoke(cli, ["check"]).exit_code == 0


HOOKS = {
    "none": None,
    "a list": "repos:\n  - repo: local\n    hooks: []\n",
    "at the margin": "# top\nrepos:\n- repo: local\n  hooks: []\n# end\n\n",
    "keys behind": "repos:\n- repo: meta\n  hooks:\n  - id: identity\nfail_fast: true\n",
    "no line end": "repos:\n  - repo: meta\n    hooks:\n      - id: identity",
    "windows": "repos:\r\n  - repo: meta\r\n    hooks:\r\n      - id: identity\r\n",
}


@pytest.mark.parametrize("before", HOOKS.values(), ids=HOOKS)
def test_the_hook_is_added_and_valid(repository: Callable[..., Path], before: str | None) -> None:
    root = repository({**PROJECT, "bad.py": NET.replace("return x\n", "return [y for y in x for z in y]\n")})
    if before is not None:
        (root / ".pre-commit-config.yaml").write_bytes(before.encode())
    assert init().exit_code == 0
    after = (root / ".pre-commit-config.yaml").read_bytes().decode()
    kept = after.replace("\r\n", "\n")
    for line in (before or "repos:").splitlines():
        assert line in kept.splitlines()
    assert ("\r\n" in (before or "")) == ("\n" not in after.replace("\r\n", ""))
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
               "PRE_COMMIT_HOME": str(root / ".cache")}  # fmt: skip
    pre_commit = [sys.executable, "-m", "pre_commit"]
    subprocess.run([*pre_commit, "validate-config"], check=True, cwd=root, env=environ)
    subprocess.run(["git", "add", "."], check=True, cwd=root)
    command = [*pre_commit, "run", "tslint", "--all-files"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=root, env=environ)
    assert "Failed" in run.stdout
    assert "bad.py" in run.stdout


@pytest.mark.parametrize("text", ["repos: []\n", "", "repos:\n", "---\nrepos:\n  - repo: local\n---\n", "- repo: x\n"])
def test_a_list_of_repos_that_cannot_be_found_is_left_alone(repository: Callable[..., Path], text: str) -> None:
    if text.startswith("---"):
        assert with_hook(text) is None
        return
    root = repository({**PROJECT, ".pre-commit-config.yaml": text})
    result = init()
    assert result.exit_code == 0
    assert result.stderr.startswith("note: .pre-commit-config.yaml: not changed")
    assert (root / ".pre-commit-config.yaml").read_text() == text


def test_hooks_and_workflows_that_are_there(repository: Callable[..., Path]) -> None:
    hook = "repos:\n  - repo: local\n    hooks:\n      - id: tslint\n"
    root = repository({".pre-commit-config.yaml": hook, ".github/workflows/tslint.yml": "x"})
    result = init()
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "note: .pre-commit-config.yaml: already has a tslint hook",
        "note: .github/workflows/tslint.yml: already exists, and was not changed",
    ]
    assert (root / ".pre-commit-config.yaml").read_text() == hook
    assert (root / ".github/workflows/tslint.yml").read_text() == "x"


def test_the_workflow_is_that_of_the_remote(repository: Callable[..., Path]) -> None:
    root = repository(PROJECT)
    subprocess.run(["git", "remote", "add", "origin", "git@gitlab.example:a/b.git"], check=True, cwd=root)
    assert "Wrote .gitlab-ci.yml: the job." in init().stdout
    (root / "tslint.toml").unlink()
    (root / ".gitlab-ci.yml").unlink()
    (root / "requirements.txt").write_text("torch\n")
    assert "Wrote .github/workflows/tslint.yml" in init("--ci", "github").stdout
    text = (root / ".github/workflows/tslint.yml").read_text()
    steps = [line.strip() for line in text.splitlines() if "run:" in line]
    assert steps[1:] == [
        "- run: pip install -r requirements.txt", "- run: tslint check --output-format github", "- run: tslint verify",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("", ""),
        ("stages: [build, test]\nx:\n  script: y\n", ""),
        ("stages: [lint, deploy]\n", "lint"),
        ("stages:\n  - check  # first\n  - ship\nx:\n  script: - test\n", "check"),
    ],
)
def test_a_gitlab_job_has_a_stage_that_exists(text: str, stage: str) -> None:
    after = with_gitlab_job(text, False, "")
    assert after is not None
    assert after.startswith(text)
    assert re.findall(r"^  stage: (.+)", after, re.MULTILINE) == ([stage] if stage else [])


@pytest.mark.parametrize("text", ["stages: *anchor\n", "a: 1\n---\nb: 2\n", "{a: 1}\n"])
def test_an_unusual_gitlab_file_is_left_alone(text: str) -> None:
    assert with_gitlab_job(text, False, "") is None


def test_what_returns_a_module_and_inputs_is_a_target(repository: Callable[..., Path]) -> None:
    made = "def {}:\n    return Net(), (torch.rand(2, 4),)\n\n\n"
    text = NET.replace("def build()", "def sized()") + "\n\n" + made.format("build()") + made.format("given(size)")
    text += "def bare():\n    return Head(3)\n"
    repository({"pkg/__init__.py": "", "pkg/net.py": text})
    assert init().exit_code == 0
    (target,) = load_file(Path("tslint.toml")).targets.values()
    assert (target.target, target.inputs, target.modes) == ("pkg.net:build", (), ("script", "trace"))
    assert "# inputs" not in Path("tslint.toml").read_text()
    Path("tslint.toml").unlink()
    Path("export.py").write_text("import torch\nfrom pkg.net import Net\ntorch.jit.script(Net())\n")
    assert init().exit_code == 0
    (target,) = load_file(Path("tslint.toml")).targets.values()
    assert (target.target, target.modes) == ("pkg.net:build", ("script",))


def test_a_local_installation_is_named_by_a_variable(
    repository: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "_origin", lambda: {"url": "file:///nowhere", "dir_info": {}})
    root = repository(PROJECT)
    for service, file in (("github", ".github/workflows/tslint.yml"), ("gitlab", ".gitlab-ci.yml")):
        result = init("--ci", service)
        assert "note: this tslint was installed from a local folder" in result.stderr
        text = (root / file).read_text()
        assert 'pip install "$TSLINT"\n' in text and "pip install tslint" not in text
        assert (service == "github") == ("TSLINT: ${{ vars.TSLINT }}" in text)
        (root / "tslint.toml").unlink()


@pytest.mark.parametrize(("files", "hinted"), [({}, True), ({"tslint.toml": ""}, False)])
def test_check_hints_at_init_on_a_terminal_only(
    folder: Callable[..., Path], files: dict[str, str], hinted: bool
) -> None:
    root = folder({"net.py": "x = 1\n", **files})
    command = [sys.executable, "-m", "tslint", "check"]
    ours, theirs = pty.openpty()
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=theirs, cwd=root, check=True)
        os.write(theirs, b"end\n")
        said = b""
        while b"end" not in said:
            said += os.read(ours, 4096)
    finally:
        os.close(ours)
        os.close(theirs)
    assert (b"`tslint init`" in said) == hinted
    piped = subprocess.run(command, capture_output=True, text=True, cwd=root, check=True)
    assert piped.stderr == ""
