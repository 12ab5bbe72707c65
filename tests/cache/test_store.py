"""Tests the cache on disk: whatever happens to it, the results are the same as without it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tslint.config import Settings
from tslint.diagnostics import Diagnostic
from tslint.gate.plan import Plan
from tslint.gate.run import check as gate_check
from tslint.lint.cache import cached, invalidation, store, version
from tslint.lint.cache.cached import Cache, check
from tslint.lint.cache.store import FOLDER, Store
from tslint.lint.engine import decode, judge, load, read

NET = "import torch\nfrom helper import helper\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
FILES = {
    "net.py": NET + "        return helper(x)\n",
    "helper.py": "def helper(x):\n    return x.numpy()\n",
    "other.py": "import torch\n\n\n@torch.jit.script\ndef other(x):\n    return x.numpy()\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(root: Path, **options: Any) -> tuple[Diagnostic, ...]:
    """Run with the cache, and check that a run without it finds the same."""
    settings = Settings(root=root, **options)
    found, _ = check(read([root], settings), settings, Cache.open(settings, [root]))
    assert found.diagnostics == judge(load([root], settings), settings).diagnostics
    return found.diagnostics


def entries(root: Path) -> list[Path]:
    return sorted((root / FOLDER).glob("*.run"))


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """Return the files of each analysis that the cache requests."""
    asked: list[set[str]] = []
    real = invalidation._analyse

    def spy(work: Any) -> Any:
        asked.append({source.path.name for source in work[0]})
        return real(work)

    monkeypatch.setattr(invalidation, "_analyse", spy)
    return asked


def test_nothing_is_analysed_twice(project: Path, analysed: list[set[str]]) -> None:
    assert run(project)
    run(project)
    assert analysed == [set(FILES)]
    names = {each.name for each in (project / FOLDER).iterdir()}
    assert names == {"CACHEDIR.TAG", ".gitignore", entries(project)[0].name}
    assert (project / FOLDER / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert (project / FOLDER / ".gitignore").read_text().endswith("*\n")


def test_the_gate_uses_the_cache(project: Path, analysed: list[set[str]]) -> None:
    settings = Settings(root=project)
    for name in FILES:
        files = read([project], settings)
        report = gate_check(files, [project], settings, Plan((str(project / name),), {}))
        whole = judge(decode(files), settings).diagnostics
        assert report.diagnostics == tuple(each for each in whole if each.filename == str(project / name))
        assert list(report.sources) == [str(project / name)]
    assert analysed == [set(FILES)]


def test_a_change_analyses_what_depends_on_it_alone(project: Path, analysed: list[set[str]]) -> None:
    run(project)
    (project / "other.py").write_text(FILES["other.py"].replace("numpy", "tolist"))
    run(project)
    (project / "helper.py").write_text("def helper(x):\n    return x\n")
    run(project)
    assert analysed == [set(FILES), {"other.py"}, {"net.py", "helper.py"}]


def test_a_file_that_was_missing_is_noticed_when_it_appears(project: Path, analysed: list[set[str]]) -> None:
    (project / "helper.py").unlink()
    before = run(project)
    (project / "helper.py").write_text(FILES["helper.py"])
    assert len(run(project)) == len(before) + 1
    assert analysed[1:] == [{"net.py", "helper.py"}]


SITE = Path(".venv") / "lib" / "python3.11" / "site-packages"
INSTALLED = {
    "lib/__init__.py": "from lib.ops import helper\n",
    "lib/ops.py": "def helper(x):\n    try:\n        return x\n    finally:\n        pass\n",
    "lib/unused.py": "",
}


def install(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / SITE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_change_in_an_installed_package_is_seen(project: Path, analysed: list[set[str]]) -> None:
    (project / "net.py").write_text(FILES["net.py"].replace("from helper", "from lib"))
    nothing = run(project)
    install(project, INSTALLED)
    assert [each.code for each in set(run(project)) - set(nothing)] == ["TS225"]
    install(project, {"lib/ops.py": "def helper(x):\n    return x\n"})
    assert run(project) == nothing
    install(project, {"lib/unused.py": "x = 1\n", "other.py": "x = 1\n"})
    assert run(project) == nothing
    (project / SITE / "lib" / "ops.py").unlink()
    assert run(project) == nothing
    # For a file in a package that is not searched, nothing is analysed.
    assert [each for each in analysed if each] == [set(FILES), set(FILES), {"net.py"}, {"net.py"}]


def test_another_environment_is_another_run(project: Path, analysed: list[set[str]]) -> None:
    (project / "net.py").write_text(FILES["net.py"].replace("from helper", "from lib"))
    install(project, INSTALLED)
    other = project / "env"
    (other / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    first = run(project)
    assert [each.code for each in set(first) - set(run(project, python=other))] == ["TS225"]
    assert run(project) == first


def test_two_files_for_one_name_are_resolved_as_without_the_cache(project: Path) -> None:
    run(project)
    (project / "helper").mkdir()
    (project / "helper" / "__init__.py").write_text("def helper(x):\n    return x\n")
    run(project)
    for text in (FILES["net.py"] + "\n", FILES["net.py"]):
        (project / "net.py").write_text(text)
        run(project)
    (project / "helper.py").unlink()
    run(project)


def test_an_imported_file_outside_the_run_counts(project: Path) -> None:
    settings = Settings(root=project)
    path = project / "net.py"

    def once() -> tuple[Diagnostic, ...]:
        found, _ = check(read([path], settings), settings, Cache.open(settings, [path]))
        assert found.diagnostics == judge(load([path], settings), settings).diagnostics
        return found.diagnostics

    path.write_text(NET + "        for y in helper:\n            pass\n        return x\n")
    (project / "helper.py").write_text("helper = 3\n")
    first = once()
    (project / "helper.py").write_text("helper = [3]\n")
    assert once() != first or first == ()


def test_another_selection_analyses_nothing(project: Path, analysed: list[set[str]]) -> None:
    assert run(project)
    assert run(project, select=("TS1",)) == ()
    assert len(analysed) == 1


def test_other_settings_and_another_version_are_another_entry(
    project: Path, analysed: list[set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(project)
    run(project, target_torch="2.1")
    run(project, mode="trace")
    monkeypatch.setattr(cached, "tool_version", lambda: "another")
    run(project)
    assert len(analysed) == len(entries(project)) == 4


def test_the_version_changes_with_the_rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "rule.py").write_text("RULE = 1\n")
    monkeypatch.setattr(version, "_folders", lambda: [str(tmp_path)])
    before = version.tool_version()
    assert before == version.tool_version()
    (tmp_path / "rule.py").write_text("RULE = 12\n")
    assert version.tool_version() not in (before, None)


def test_the_version_depends_on_all_code() -> None:
    assert {Path(folder).name for folder in version._folders()} == {"tslint", "rules"}


def damage_half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def damage_bytes(data: bytes) -> bytes:
    return data[:200] + b"\xff" * 50 + data[250:]


def damage_length(data: bytes) -> bytes:
    return data[:18] + b"\xff" * 8 + data[26:]


@pytest.mark.parametrize(
    "damage", [damage_half, damage_bytes, damage_length, lambda data: b"", lambda data: b"nonsense" * 100]
)
def test_a_broken_entry_is_ignored_and_rewritten(
    project: Path, damage: Callable[[bytes], bytes], analysed: list[set[str]]
) -> None:
    run(project)
    (entry,) = entries(project)
    data = entry.read_bytes()
    entry.write_bytes(damage(data))
    run(project)
    run(project)
    assert entry.read_bytes() == data and len(analysed) == 2


@pytest.mark.parametrize("facts", [{}, [], {"shown": None}, {"files": 3}])
def test_a_valid_entry_with_senseless_content_is_ignored(
    project: Path, facts: object, analysed: list[set[str]]
) -> None:
    run(project)
    (entry,) = entries(project)
    kept = Store(project / FOLDER)
    sections = kept.read(entry.stem, 3)
    assert sections is not None
    kept.write(entry.stem, [json.dumps(facts).encode(), *sections[1:]])
    run(project)
    run(project)
    assert len(analysed) == 2


def test_an_interrupted_write_leaves_the_old_entry(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(project)
    (entry,) = entries(project)
    data = entry.read_bytes()
    (project / "other.py").write_text("x = 1\n")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(project)
    monkeypatch.undo()
    assert entry.read_bytes() == data and not list((project / FOLDER).glob("*.tmp"))
    run(project)


@pytest.mark.parametrize("step", ["makedirs", "replace", "scandir"])
def test_a_disk_that_is_full_or_read_only_is_no_trouble(
    project: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    kept = Store(project / FOLDER)
    monkeypatch.setattr(store.os, step, full)
    assert kept.write("name", [b"data"]) is False
    monkeypatch.undo()
    assert kept.write("name", [b"data"]) and kept.read("name", 1) == [b"data"]


def test_a_link_is_not_followed_and_a_file_in_the_way_is_no_trouble(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / FOLDER).symlink_to(elsewhere)
    assert run(project) and not list(elsewhere.iterdir())
    (project / FOLDER).unlink()
    (project / FOLDER).write_text("a file\n")
    assert run(project) and (project / FOLDER).read_text() == "a file\n"


def test_the_folder_can_be_elsewhere(project: Path, tmp_path: Path) -> None:
    run(project, cache_dir=tmp_path / "deep" / "cache")
    assert not (project / FOLDER).exists() and list((tmp_path / "deep" / "cache").glob("*.run"))


def test_old_entries_go(tmp_path: Path) -> None:
    kept = Store(tmp_path)
    for number in range(store._MOST + 5):
        kept.write(f"n{number}", [b"data"])
        os.utime(tmp_path / f"n{number}.run", (number, number))
    (tmp_path / "left.tmp").write_text("")
    os.utime(tmp_path / "left.tmp", (1, 1))
    kept.write("last", [b"data"])
    left = {each.stem for each in tmp_path.glob("*.run")}
    assert len(left) == store._MOST and "last" in left and "n0" not in left
    assert not (tmp_path / "left.tmp").exists()


def tslint(root: Path, *options: str, flags: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Start ``tslint check`` in a process of its own."""
    arguments = [sys.executable, *flags, "-m", "tslint", "check", "--isolated", *options, "."]
    return subprocess.Popen(arguments, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_runs_at_the_same_time_do_not_disturb_each_other(project: Path) -> None:
    processes = [tslint(project) for _ in range(4)]
    outputs = {process.communicate(timeout=120) for process in processes}
    assert len(outputs) == 1 and {process.returncode for process in processes} == {1}
    assert len(entries(project)) == 1


def test_a_cached_run_imports_neither_libcst_nor_the_model_nor_rules(project: Path) -> None:
    first = tslint(project, "--output-format", "json").communicate(timeout=120)[0]
    output, times = tslint(project, "--output-format", "json", flags=("-X", "importtime")).communicate(timeout=120)
    assert json.loads(output) == json.loads(first) != []
    imported = {line.rpartition("|")[2].strip() for line in times.splitlines()}
    assert "tslint.lint.cache.cached" in imported
    banned = (
        "libcst", "torch", "tslint.script", "tslint.rules", "tslint.rewrite", "tslint.lint.analysis",
        "tslint.rulekit.match", "tslint.lint.suppress",
    )  # fmt: skip
    assert not [name for name in imported for each in banned if name == each or name.startswith(each + ".")]


def test_no_cache_neither_reads_nor_writes(project: Path) -> None:
    tslint(project, "--no-cache").communicate(timeout=120)
    assert not (project / FOLDER).exists()
