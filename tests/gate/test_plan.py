"""Tests which targets changes affect, and that shards cover the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.repository import NET, OPS, commit, write
from tslint.config import load_settings
from tslint.gate.changed import changed_since
from tslint.gate.plan import Plan, plan
from tslint.gate.shards import Shard
from tslint.lint.engine import read


def planned(root: Path, since: str | None = "HEAD", shard: str = "1/1") -> Plan:
    settings = load_settings([root])
    changes = None if since is None else changed_since(since, root)
    return plan(read([root], settings), settings, changes, Shard.parse(shard))


def files(root: Path, found: Plan) -> list[str]:
    return [Path(name).relative_to(root).as_posix() for name in found.files]


def test_without_since_everything_is_planned(project: Path) -> None:
    found = planned(project, since=None)
    assert files(project, found) == ["pkg/__init__.py", "pkg/net.py", "pkg/ops.py", "pkg/other.py"]
    assert dict(found.targets) == {"net": "", "other": ""}


def test_without_changes_nothing_is_planned(project: Path) -> None:
    found = planned(project)
    assert (found.files, dict(found.targets), found.left_out) == ((), {}, 2)


def test_a_helper_reaches_what_calls_it(project: Path) -> None:
    write(project, pkg__ops=OPS + "# more\n")
    found = planned(project)
    assert files(project, found) == ["pkg/ops.py"]
    assert (dict(found.targets), found.left_out) == ({"net": "pkg/ops.py has changed"}, 1)


def test_prose_tests_and_hidden_files_reach_nothing(project: Path) -> None:
    write(project, tests__test_net="a = 1\n", scripts__tool="a = 1\n")
    (project / "README.md").write_text("More.\n")
    (project / ".github").mkdir()
    (project / ".github/workflow.yml").write_text("on: push\n")
    found = planned(project)
    assert files(project, found) == ["scripts/tool.py", "tests/test_net.py"]
    assert dict(found.targets) == {}


@pytest.mark.parametrize("name", ["requirements.txt", "weights/net.pt", "pyproject.toml", "csrc/op.cpp", "uv.lock"])
def test_data_and_dependencies_reach_every_target(project: Path, name: str) -> None:
    path = project / name
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + "\n")
    assert dict(planned(project).targets) == dict.fromkeys(["net", "other"], f"{name} has changed")


def test_a_file_that_is_gone(project: Path) -> None:
    write(project, tests__test_old="a = 1\n")
    commit(project)
    (project / "tests/test_old.py").unlink()
    assert dict(planned(project).targets) == {}
    (project / "pkg/ops.py").unlink()
    assert dict(planned(project).targets)["net"] == "`import pkg` may be pkg/ops.py, which is gone"


def test_code_that_is_imported_from_another_place(project: Path) -> None:
    write(project, pkg__net=NET.replace("from pkg.ops", "from kit.ops"), libs__kit__src__kit__ops=OPS)
    commit(project)
    write(project, libs__kit__src__kit__ops=OPS + "# more\n")
    assert dict(planned(project).targets) == {"net": "`import kit` may be libs/kit/src/kit/ops.py, which has changed"}


def test_code_that_cannot_be_seen_is_always_verified(project: Path) -> None:
    write(project, pkg__other="import importlib\nOther = importlib.import_module('hidden').Other\n")
    commit(project)
    write(project, scripts__tool="a = 1\n")
    assert dict(planned(project).targets) == {"other": "what importlib finds is not known from other.py"}


@pytest.mark.parametrize("of", [1, 2, 3, 7])
@pytest.mark.parametrize("since", [None, "HEAD"])
def test_the_shards_are_the_whole(project: Path, since: str | None, of: int) -> None:
    write(project, pkg__ops=OPS + "# more\n", pkg__new="a = 1\n")
    (project / "data.json").write_text("{}")
    whole = planned(project, since)
    parts = [planned(project, since, f"{number}/{of}") for number in range(1, of + 1)]
    assert len(whole.files) == (5 if since is None else 2)
    assert sorted(name for part in parts for name in part.files) == list(whole.files)
    assert sorted(name for part in parts for name in part.targets) == list(whole.targets) == ["net", "other"]
