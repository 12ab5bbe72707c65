"""Tests how a copy of tslint was installed, and what pip then installs, here and elsewhere."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tslint.util import installed

Come = Callable[[dict[str, Any] | None], None]
VCS = {"url": "https://host.example/x.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}
WHEEL = {"url": "https://host.example/tslint-1-py3-none-any.whl", "archive_info": {}}


@pytest.fixture
def comes_from(monkeypatch: pytest.MonkeyPatch) -> Come:
    """Return a function that sets pip's record of the installation."""

    class Distribution:
        def __init__(self, text: str | None) -> None:
            self.text = text

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return self.text

    def set_(origin: dict[str, Any] | None) -> None:
        text = None if origin is None else json.dumps(origin)
        monkeypatch.setattr("importlib.metadata.distributions", lambda name: [Distribution(None), Distribution(text)])

    return set_


@pytest.mark.parametrize(
    ("origin", "elsewhere", "here"),
    [
        (None, "tslint[verify]", "pip install 'tslint[verify]'"),
        (
            VCS,
            "tslint[verify] @ git+https://host.example/x.git@abc",
            "pip install 'tslint[verify] @ git+https://host.example/x.git@abc'",
        ),
        (WHEEL, f"tslint[verify] @ {WHEEL['url']}", f"pip install 'tslint[verify] @ {WHEEL['url']}'"),
        ({"url": "file:///nowhere", "dir_info": {}}, None, "install tslint again, with the extra `verify`"),
    ],
)
def test_what_pip_installs(comes_from: Come, origin: dict[str, Any] | None, elsewhere: str | None, here: str) -> None:
    comes_from(origin)
    assert (installed.requirement("verify"), installed.command("verify")) == (elsewhere, here)


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://host.example/a/b.git", "git+https://host.example/a/b.git"),
        ("https://me:secret@host.example/a/b.git", "git+https://host.example/a/b.git"),
        ("git@host.example:a/b.git", "git+https://host.example/a/b.git"),
        ("ssh://git@host.example:22/a/b.git", "git+https://host.example/a/b.git"),
        ("/srv/a/b.git", None),
        ("../b.git", None),
    ],
)
def test_a_checkout_is_what_its_remote_has(comes_from: Come, tmp_path: Path, remote: str, url: str | None) -> None:
    def git(*arguments: str) -> str:
        who = ("-c", "user.name=x", "-c", "user.email=x@host.example")
        done = subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    comes_from({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    git("init", "--quiet", ".")
    git("commit", "--quiet", "--allow-empty", "-m", "x")
    git("remote", "add", "origin", remote)
    assert installed.command("server") == f"pip install -e '{tmp_path}[server]'"
    assert installed.requirement() is None  # the commit is not pushed
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert installed.requirement() == (url and f"tslint @ {url}@{git('rev-parse', 'HEAD')}")
