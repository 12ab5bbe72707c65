"""Tests ``native``: running the archives in a C++ program; without a compiler, it is unavailable."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Optional

import pytest
import torch

from tests.verify.deployed import Conv, Counter, Deploy, Random, deploy
from tslint.verify.native import build

__all__ = ["deploy"]

# If one of them is missing, the stage must report that: the tests check this, too.
HAS_TOOLS = bool(shutil.which("cmake")) and bool(shutil.which("c++") or shutil.which("g++"))


class Many(torch.nn.Module):
    """A module with every kind of argument and of output."""

    def forward(
        self,
        x: torch.Tensor,
        pair: tuple[torch.Tensor, int],
        several: list[torch.Tensor],
        named: dict[str, torch.Tensor],
        perhaps: Optional[int],  # noqa: UP045 - torch 1.13 knows no other
        sizes: list[float],
        last: float = 2.0,
    ) -> tuple[torch.Tensor, dict[str, list[int]], Optional[str], float, complex, list[bool]]:  # noqa: UP045
        """Use them all."""
        total = x * pair[1] + pair[0] + several[0] + named["a"] + last * sizes[0]
        if perhaps is not None:
            total = total + perhaps
        return total, {"size": list(x.shape)}, 'says "no" \\ \n é', float("inf"), complex(1.5, 0.1), [True]


class Prints(torch.nn.Module):
    """A module that prints text which looks like the program's own output."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Print."""
        print("raised")
        return x


class Raises(torch.nn.Module):
    """A module that only runs in Python."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Refuse."""
        assert x.sum() > 0, "never so"
        return x


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a separate cache, in which the program is built once."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(folder)
    yield folder
    if before is None:
        del os.environ["XDG_CACHE_HOME"]
    else:
        os.environ["XDG_CACHE_HOME"] = before


def test_it_runs_only_where_it_is_asked_for(deploy: Deploy) -> None:
    outcome = deploy("native", torch.nn.ReLU(), torch.rand(3), modes=("script",))
    assert (outcome.status, outcome.detail) == ("skipped", "not asked for (--native)")


def test_without_a_compiler_it_is_unavailable(deploy: Deploy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    outcome = deploy("native", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    assert outcome.status == "unavailable"
    assert outcome.detail.startswith("no C++ compiler (g++) and no cmake on PATH")


@pytest.mark.parametrize(("works", "said"), [("c++", "no cmake on PATH"), ("cmake", "no C++ compiler (g++) on PATH")])
def test_what_is_missing_is_named(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, works: str, said: str
) -> None:
    tool = tmp_path / works
    tool.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    outcome = deploy("native", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    assert outcome.status == "unavailable"
    assert said in outcome.detail


def test_tools_that_do_not_succeed_are_unavailable(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("c++", "cmake"):
        tool = tmp_path / name
        tool.write_text("#!/bin/sh\necho 'CMake Error at CMakeLists.txt:3:'\necho '  no such torch'\nexit 1\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    outcome = deploy("native", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    assert outcome.status == "unavailable"
    assert outcome.detail == "the program against libtorch cannot be configured: no such torch"


@pytest.mark.parametrize(
    "said", ["{long} is the reason", "error: {long} is the reason", "CMake Error at 3:\n {long}\n is the reason"]
)
def test_the_reason_at_the_end_of_a_long_message_is_not_cut_off(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, said: str
) -> None:
    text = said.format(long="std::vector<at::Tensor>&& " * 60)
    for name in ("c++", "cmake"):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n/bin/cat {tmp_path / 'said'}\nexit 1\n")
        tool.chmod(0o755)
    (tmp_path / "said").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    outcome = deploy("native", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    assert outcome.status == "unavailable"
    assert outcome.detail.endswith("std::vector<at::Tensor>&& is the reason")


@pytest.mark.parametrize(
    ("load", "said"), [(1.0, ""), (24.0, "; the machine is busy: a load of 24 on 2 cores")], ids=["idle", "busy"]
)
def test_a_build_that_takes_too_long_says_whether_the_machine_is_busy(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, load: float, said: str
) -> None:
    for name in ("c++", "cmake"):
        tool = tmp_path / name
        tool.write_text("#!/bin/sh\nexec /bin/sleep 30\n", encoding="utf-8")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build, "BUILD_TIMEOUT", 0.1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0), raising=False)
    outcome = deploy("native", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    assert (outcome.status, outcome.detail) == ("unavailable", f"building against libtorch took more than 0.1 s{said}")


@pytest.mark.slow
def test_outputs_are_compared_with_those_in_python(deploy: Deploy, cache: Path) -> None:
    granted: list[float] = []
    deploy("save", Conv(), torch.rand(2, 3, 8, 8), torch.rand(1, 3, 9, 9), native=True)
    deploy.session.more_time = granted.append
    outcome = deploy.stage("native")
    if not HAS_TOOLS:
        assert outcome.status == "unavailable"
        return
    assert outcome.status == "passed", outcome.detail
    expected = f"script and trace loaded and run by libtorch {torch.__version__}; 4 outputs as in Python"
    assert outcome.detail == expected
    # The time-out is extended by exactly the time of the build, and the next target finds the program in the cache.
    assert granted[0] == build.BUILD_TIMEOUT
    assert 0 < sum(granted) < build.BUILD_TIMEOUT
    assert len(list(cache.glob(f"tslint/native/torch-{torch.__version__}-*/tslint_native"))) == 1
    granted.clear()
    assert deploy.stage("native").detail == expected
    assert granted == []


@pytest.mark.slow
def test_every_kind_of_value_arrives(deploy: Deploy) -> None:
    x = torch.rand(3)
    inputs = (x, (x, 2), [x, x], {"a": x, "b": x}, None, [1.0, 2.0])
    outcome = deploy("native", Many(), inputs, (*inputs[:4], 3, [2.0, 1.0], 1.0), modes=("script",), native=True)
    assert outcome.status == ("passed" if HAS_TOOLS else "unavailable"), outcome.detail
    assert not HAS_TOOLS or "2 outputs as in Python" in outcome.detail
    # An older libtorch cannot read a dict or list with one item.
    assert deploy("native", Many(), (*inputs[:3], {"a": x}, None, [1.0]), native=True).status != "failed"


@pytest.mark.slow
@pytest.mark.parametrize("module", [Counter, Random, Prints, torch.nn.ReLU])
def test_state_random_numbers_and_prints_cause_no_difference(deploy: Deploy, module: type[torch.nn.Module]) -> None:
    outcome = deploy("native", module(), torch.rand(3), modes=("script",), native=True)
    assert outcome.status == ("passed" if HAS_TOOLS else "unavailable"), outcome.detail


@pytest.mark.slow
def test_a_different_output_fails(deploy: Deploy) -> None:
    deploy("save", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    deploy.session.outputs["script"][0]["value"] += 1
    outcome = deploy.stage("native")
    assert outcome.status == ("failed" if HAS_TOOLS else "unavailable")
    said = r"script: output: 3 of 3 values differ by up to 1 at \(\d,\) in libtorch"
    assert not HAS_TOOLS or re.fullmatch(said, outcome.detail)


@pytest.mark.slow
def test_an_exception_in_libtorch_is_shown_with_its_line(deploy: Deploy) -> None:
    deploy("save", Raises(), torch.ones(3), modes=("script",), native=True)
    deploy.session.inputs = [(-torch.ones(3),)]
    outcome = deploy.stage("native")
    assert outcome.status == ("failed" if HAS_TOOLS else "unavailable")
    assert not HAS_TOOLS or (
        outcome.detail.startswith("script: loads, but raises in libtorch: ") and "never so" in outcome.detail
    )


@pytest.mark.slow
def test_a_file_that_is_no_archive_fails(deploy: Deploy) -> None:
    deploy("save", torch.nn.ReLU(), torch.rand(3), modes=("script",), native=True)
    deploy.session.archives["script"].write_bytes(b"nothing")
    outcome = deploy.stage("native")
    assert outcome.status == ("failed" if HAS_TOOLS else "unavailable")
    assert not HAS_TOOLS or outcome.detail.startswith("script: cannot be loaded by libtorch: ")
