"""Tests that tslint's own limits end a stage without a judgement, and that the requested stages run."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from click.testing import CliRunner
from torch import nn

import tslint
from tests import warm
from tests.verify.deployed import Deploy, deploy
from tslint.cli.verify import command
from tslint.verify import limits, supervise, worker
from tslint.verify.outcome import Outcome
from tslint.verify.request import Request
from tslint.verify.results import StageResult

__all__ = ["deploy"]
SOURCE = """\
import time
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, size=8):
        super().__init__()
        self.layer = nn.Linear(size, size, bias=False)

    def forward(self, x):
        return self.layer(x)

def net():
    return Net(), torch.rand(2, 8)

def large():
    return Net(6000), torch.rand(2, 6000)

def larger():
    return Net(9000), torch.rand(2, 9000)
"""
X = torch.rand(2, 3)


class Removes(nn.Module):
    """A module that removes the files that tslint keeps during its run."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Remove it, and double."""
        if not torch.jit.is_scripting():
            for folder in Path(tempfile.gettempdir()).glob("tslint-*"):
                shutil.rmtree(folder)
        return x * 2


class SlowTrace(nn.Module):
    """A module that is fast in Python, and too slow when it is traced."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        if torch.jit.is_tracing():
            import time

            time.sleep(60)
        return x * 2


class SlowSecondCall(nn.Module):
    """A module whose second call in a row does not return in compiled code."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        self.calls += 1
        if torch.jit.is_scripting():
            calls = torch.zeros(1) + self.calls
            while bool(calls > 1):
                x = x + 0
        return x * 2


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "net.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.tslint.targets.scripted]\ntarget = "net.py:Net"\nstages = ["script", "save"]\n'
        '[tool.tslint.targets.quick]\ntarget = "net.py:net"\nskip = ["export", "threads"]\n',
        encoding="utf-8",
    )
    return tmp_path


def verify(folder: Path, *arguments: str) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Return the exit status, the target and its stages by name."""
    line = [sys.executable, "-m", "tslint", "verify", *arguments, "--output-format", "json"]
    done = warm.run(line, cwd=folder)
    target = json.loads(done.stdout)["targets"][0]
    return done.returncode, target, {stage["name"]: stage for stage in target["stages"]}


def stages(module: object, *inputs: object, **options: Any) -> dict[str, StageResult]:
    return {each.name: each for each in tslint.verify(module, *inputs, **options).targets[0].stages}


@pytest.mark.slow
def test_too_little_memory_is_no_fault_of_the_model(folder: Path) -> None:
    status, target, found = verify(folder, "net.py:larger", "--memory", "200M", "--isolated")
    assert (status, target["verdict"]) == (2, "error")
    assert "failed" not in {stage["status"] for stage in found.values()}
    assert any(
        "out of memory: the limit is 200 MiB above torch (--memory, or" in each["detail"] for each in found.values()
    )


@pytest.mark.slow
def test_no_stage_holds_three_copies_of_the_module(folder: Path) -> None:
    # 137 MiB of parameters; the limit is for two copies of these, and the stage's own code.
    status, _, found = verify(folder, "net.py:large", "--memory", "300M", "--isolated", "--skip", "export")
    assert status == 0, found
    # Not a failure, but it would be named here.
    works = "the same values, and optimize_for_inference works"
    assert found["freeze"]["detail"] == f"script: {works}; trace: {works}"


def test_waiting_for_a_core_extends_the_time_out_and_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.monotonic()
    monkeypatch.setattr(supervise, "waited", lambda process: time.monotonic() - begun)
    verdict = tslint.verify(SlowTrace(), X, modes="trace", timeout=1)
    assert verdict.exit_status == 2
    # Four times the time-out, but less than the minute that it sleeps.
    assert 3.5 < time.monotonic() - begun < 50
    (trace,) = [each for each in verdict.targets[0].stages if each.limit]
    assert re.search(r" while at .*; the machine is busy: for \d+ s, other processes used the cores$", trace.detail)


def test_a_time_out_after_eager_is_not_blamed_on_the_module() -> None:
    verdict = tslint.verify(SlowTrace(), X, modes="trace", timeout=3)
    trace = next(each for each in verdict.targets[0].stages if each.name == "trace")
    assert (verdict.exit_status, trace.status) == (2, "unavailable")
    assert trace.detail.startswith("did not finish within 3 s for all stages (--timeout, or timeout = ")


@pytest.mark.slow
def test_a_stage_without_time_left_tells_what_it_had_shown() -> None:
    found = stages(SlowSecondCall(), X, modes="script", timeout=6)
    state = found["state"]
    assert state.status == "unavailable", found
    assert state.detail.startswith("did not finish within 6 s for all stages (--timeout, or timeout = ")
    assert state.detail.endswith("; until then: script as in eager on 1 of 3 calls in a row")


@pytest.mark.parametrize(
    ("stage", "words"),
    [
        ("generalize", r"script and trace as in eager on \d+ other sets of inputs"),
        ("modes", r"as in eager: script after \.train\(\), trace after \.train\(\)"),
        ("state", r"script as in eager on 3 of 3 calls in a row; trace as in eager on 3 of 3 calls in a row"),
        ("device", r"script on meta, trace on meta as in eager"),
        ("freeze", r"script: the same values, and optimize_for_inference works; trace: the same values"),
        ("threads", r"script: 4 threads on one instance, .*; trace: 4 threads on one instance, .*"),
    ],
)
def test_what_a_stage_has_shown_is_reported_meanwhile(deploy: Deploy, stage: str, words: str) -> None:
    reported: list[str] = []
    deploy("save", nn.Linear(3, 3), X)
    deploy.session.report_shown = reported.append
    assert deploy.stage(stage).status == "passed"
    assert re.fullmatch(words, reported[-1])
    assert len(reported) > 1


@pytest.mark.parametrize(
    ("stage", "first"),
    [
        ("freeze", "script: the same values in 1 of 3 calls"),
        ("threads", "script: the same outputs in calls in a row, threads not yet run"),
    ],
)
def test_what_one_mode_has_shown_is_reported_meanwhile(deploy: Deploy, stage: str, first: str) -> None:
    reported: list[str] = []
    deploy("save", nn.Linear(3, 3), X)
    deploy.session.report_shown = reported.append
    assert deploy.stage(stage).status == "passed"
    assert reported[0] == first
    # The other mode keeps what the first one has shown.
    assert f"; trace: {first.removeprefix('script: ')}" in "\n".join(reported)


@pytest.mark.parametrize(
    ("words", "setting"),
    [
        ("RuntimeError: DefaultCPUAllocator: can't allocate memory", "--memory"),
        ("script: OSError: [Errno 28] No space left on device", "TMPDIR"),
    ],
)
def test_messages_about_a_reached_limit(words: str, setting: str) -> None:
    outcome = limits.limited(Outcome("failed", words), Request("net.py:Net"))
    assert (outcome.status, outcome.limit) == ("unavailable", True)
    assert setting in outcome.detail
    assert limits.limited(Outcome("failed", "ValueError: no"), Request("net.py:Net")).status == "failed"


@pytest.mark.parametrize("stage", ["device", "modes"])
def test_too_little_memory_for_one_mode_is_no_remark_on_a_pass(
    deploy: Deploy, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    deploy("save", nn.Sequential(nn.Linear(3, 3), nn.Dropout()), X)
    module = importlib.import_module(f"tslint.verify.stages.{stage}")
    ran = module.run_on
    compiled: list[bool] = []

    def refuse(runnable: Any, arguments: Any) -> Any:
        compiled.append(isinstance(runnable, torch.jit.ScriptModule))
        if compiled[-1] and sum(compiled) > 1:  # the script runs first, and has enough
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes")
        return ran(runnable, arguments)

    monkeypatch.setattr(module, "run_on", refuse)
    outcome = worker._run(stage, deploy.session, deploy.session.request)
    assert (outcome.status, outcome.limit) == ("unavailable", True)


def test_a_full_disk_is_no_fault_of_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = shutil._ntuple_diskusage(10**9, 10**9, 0)  # type: ignore[attr-defined]
    monkeypatch.setattr("tslint.verify.metadata.shutil.disk_usage", lambda folder: full)
    verdict = tslint.verify(nn.Linear(3, 3), X, save_to=tmp_path)
    assert (verdict.exit_status, verdict.targets[0].verdict) == (2, "error")
    assert verdict.targets[0].reason.startswith("script: the disk is full (")
    assert list(tmp_path.iterdir()) == []


def test_a_module_that_removes_the_working_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    eager = tslint.verify(Removes(), X, modes="script").targets[0].stages[2]
    assert (eager.status, eager.detail) == (
        "unavailable",
        "something has removed the temporary folder that tslint works in",
    )


def test_nothing_is_left_behind(folder: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environ = {key: value for key, value in os.environ.items() if key != "TORCHINDUCTOR_CACHE_DIR"}
    # Not forked from a process that has already imported everything that leaves files behind.
    command = [sys.executable, "-m", "tslint", "verify", "net.py:net", "--mode", "script", "--isolated"]
    done = subprocess.run(command, cwd=folder, env={**environ, "TMPDIR": str(temporary)}, capture_output=True)
    assert done.returncode == 0
    assert list(temporary.iterdir()) == []


def test_a_target_may_only_need_script_and_save(folder: Path) -> None:
    status, target, found = verify(folder, "scripted")
    assert (status, target["verdict"]) == (0, "pass")
    assert {name for name, stage in found.items() if stage["status"] == "passed"} == {
        "import",
        "build",
        "script",
        "save",
    }
    # The command line cannot request fewer stages and still pass.
    status, target, _ = verify(folder, "net.py:net", "--stages", "script,save", "--isolated")
    assert (status, target["verdict"]) == (2, "error")


def test_without_inputs_nothing_is_known(folder: Path) -> None:
    status, target, found = verify(folder, "net.py:Net", "--isolated")
    assert (status, target["verdict"]) == (2, "error")
    assert found["script"]["status"] == "passed"


def test_what_was_skipped_is_named_in_the_verdict(folder: Path) -> None:
    done = warm.run([sys.executable, "-m", "tslint", "verify", "quick"], cwd=folder)
    assert done.returncode == 0
    assert "\n  PASS without threads, export (" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stages", "scrpt"], "there is no stage 'scrpt'; did you mean 'script'?"),
        (["--stages", "script", "--skip", "save"], "--stages and --skip cannot be used together"),
        (["--memory", "much"], "'much' is not a size; write 8G, or a number of MiB"),
    ],
)
def test_usage_errors(arguments: list[str], words: str) -> None:
    result = CliRunner().invoke(command, ["net.py:Net", "--isolated", *arguments])
    assert result.exit_code == 2
    assert words in result.output
