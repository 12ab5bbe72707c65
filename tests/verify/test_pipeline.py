"""Tests the whole of ``tslint verify``, with its workers: crashes, hangs, noise, the fresh process and the contract."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from click.testing import CliRunner

from tests import warm
from tests.verify.deployed import EXPORTS
from tests.verify.modules import row
from tests.verify.schema import SCHEMA
from tslint.cli.verify import command
from tslint.util import installed
from tslint.verify.runner import TorchMissing, run
from tslint.verify.stage_names import STAGES

TSLINT = [sys.executable, "-m", "tslint", "verify"]
X = "torch.rand(4, 3)"


def environment() -> dict[str, str]:
    # PYTORCH_JIT=0 disables the compiler for debugging; then everything would seem to compile.
    return {**os.environ, "PYTORCH_JIT": "0"}


def tslint(folder: Path, *arguments: str, timeout: float = 100) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TSLINT, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environment(),
        check=False,
    )


def workers(marker: str) -> list[int]:
    """Return the processes with a marker in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            # A zombie has no environment any more.
            if marker.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def folder(project: Path) -> Path:
    """Return the project, with configured targets."""
    (project / "pyproject.toml").write_text(
        "[tool.tslint.targets.hangs]\n"
        'target = "net.py:Hangs"\n'
        'inputs = ["torch.rand(4, 3)"]\n'
        "timeout = 4\n"
        "[tool.tslint.targets.huge]\n"
        'target = "net.py:Huge"\n'
        f'inputs = ["{X}"]\n'
        'modes = ["trace"]\n'
        "memory = 512\n",
        encoding="utf-8",
    )
    return project


@pytest.fixture(scope="module")
def many(folder: Path) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Return the result of one run over targets with all kinds of failures, and one that passes."""
    targets = ["net.py:good", "net.py:Bad", "net.py:Abort", "net.py:Segfault", "net.py:HardExit", "hangs", "huge"]
    # The inputs on the command line are for all targets.
    archives = folder / "archives" / "new"
    done = tslint(
        folder, *targets, "nowhere:Net", "what", "net.py:Noisy", "--inputs", X, "--output-format", "json",
        "--save-to", str(archives),
    )  # fmt: skip
    return done, archives


@pytest.fixture(scope="module")
def by_target(many: tuple[subprocess.CompletedProcess[str], Path]) -> dict[str, Any]:
    """Return the targets in the JSON of that run."""
    return {target["target"]: target for target in json.loads(many[0].stdout)["targets"]}


def stage(target: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(stage for stage in target["stages"] if stage["name"] == name)
    return found


@pytest.mark.slow
def test_the_json_follows_its_schema(many: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    document = json.loads(many[0].stdout)
    jsonschema.validate(document, SCHEMA)
    assert document["torch"].startswith(("1.", "2."))
    verdicts = {target["target"]: target["verdict"] for target in document["targets"]}
    assert verdicts == {
        "net.py:good": "pass", "net.py:Bad": "fail", "net.py:Abort": "fail", "net.py:Segfault": "fail",
        "net.py:HardExit": "fail", "hangs": "fail", "huge": "error", "nowhere:Net": "error", "what": "error",
        "net.py:Noisy": "pass",
    }  # fmt: skip
    # Something could not be judged, although the rest could.
    assert many[0].returncode == 2


def test_stdout_holds_the_report_alone(many: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done = many[0]
    assert done.stdout.startswith("{")
    assert "noise" not in done.stdout
    assert done.stderr.count("noise ") > 1_000_000
    assert "said by the user's code" in done.stderr


def test_all_stages_of_a_good_module(by_target: dict[str, Any]) -> None:
    stages = by_target["net.py:good"]["stages"]
    assert [(each["name"], each["status"]) for each in stages] == [
        (name, {"native": "skipped", "export": EXPORTS}.get(name, "passed")) for name in STAGES
    ]
    assert stage(by_target["net.py:good"], "reload")["detail"] == "script and trace loaded and run"
    assert stage(by_target["net.py:good"], "compare")["detail"] == "4 outputs as in eager"


def test_archives_stay_where_they_were_asked_for(
    many: tuple[subprocess.CompletedProcess[str], Path], by_target: dict[str, Any]
) -> None:
    import torch

    artifacts = by_target["net.py:good"]["artifacts"]
    assert Path(artifacts["script"]) == many[1].resolve() / "net-good.script.pt"
    for path in artifacts.values():
        assert torch.jit.load(path)(torch.rand(4, 3)).shape == (4, 2)
    assert by_target["net.py:Abort"]["artifacts"] == {"script": None, "trace": None}


def test_a_compiler_error_through_the_worker(by_target: dict[str, Any], folder: Path) -> None:
    finding = stage(by_target["net.py:Bad"], "script")["findings"][0]
    assert finding["filename"] == str((folder / "net.py").resolve())
    assert finding["location"]["row"] == row("unknown(x)")
    assert [step["name"] for step in finding["compiled_via"]] == ["Bad.forward", "Bad.helper"]


@pytest.mark.parametrize(
    ("target", "detail", "line"),
    [
        ("net.py:Abort", "the process was killed by SIGABRT at net.py:{} in Abort.forward", "os.abort()"),
        ("net.py:Segfault", "the process was killed by SIGSEGV at net.py:{} in Segfault.forward", "string_at(0)"),
        ("net.py:HardExit", "the process exited with status 7", "os._exit(7)"),
        ("hangs", "did not finish within 4 s (--timeout) while at net.py:", "class Hangs"),
    ],
)
def test_a_crash_or_a_hang_is_a_failed_eager(by_target: dict[str, Any], target: str, detail: str, line: str) -> None:
    eager = stage(by_target[target], "eager")
    assert eager["status"] == "failed"
    assert eager["detail"].startswith(detail.format(row(line)))
    rest = [each for each in by_target[target]["stages"] if each["name"] not in ("import", "build", "eager")]
    assert {(each["status"], each["detail"]) for each in rest} == {("skipped", "eager ended the process")}


def test_what_takes_too_much_memory_could_not_be_judged(by_target: dict[str, Any]) -> None:
    detail = stage(by_target["huge"], "eager")["detail"]
    assert "can't allocate memory" in detail
    assert "the limit is 512 MiB above torch" in detail


def test_targets_that_cannot_be_judged_say_why_on_stderr(many: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    errors = [line for line in many[0].stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 3
    assert errors.pop(0).startswith("error: huge: eager: out of memory: the limit is 512 MiB above torch (--memory")
    assert errors[0].startswith("error: nowhere:Net: import: cannot import nowhere: there is no module")
    assert errors[1].startswith("error: what: import: 'what' is not of the form package.module:attr")
    assert errors[1].endswith("configured targets are hangs, huge")


def test_text_of_a_good_module(folder: Path) -> None:
    command = [*TSLINT, "net.py:good", "--isolated", "--mode", "script", "--color", "never"]
    done = warm.run(command, cwd=folder, env=environment())
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "net.py:good"
    assert [line.split()[1] for line in lines[1 : len(STAGES) + 1]] == list(STAGES)
    # On a busy machine, the first calls may be slow, which is a finding before the verdict.
    assert lines[-1].startswith("  PASS")
    assert "said by" not in done.stdout


def test_the_fresh_process_knows_torch_only(folder: Path, tmp_path: Path) -> None:
    """Even if the worker has it, the fresh process may not have what an archive needs besides torch."""
    (folder / "ops.py").write_text(
        "import torch\n"
        'library = torch.library.Library("tslint_tests", "DEF")\n'
        'library.define("twice(Tensor x) -> Tensor")\n'
        'library.impl("twice", lambda x: x * 2, "CompositeImplicitAutograd")\n'
        "class Net(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return torch.ops.tslint_tests.twice(x)\n",
        encoding="utf-8",
    )
    command = [*TSLINT, "ops.py:Net", "--mode", "script", "--inputs", X, "--output-format", "junit"]
    done = warm.run(command, cwd=folder, env=environment())
    assert done.returncode == 1, done.stderr
    failures = list(ElementTree.fromstring(done.stdout.partition("\n")[2]).iter("failure"))
    (message,) = [failure.get("message") for failure in failures]
    assert str(message).startswith("script: cannot be loaded: RuntimeError: Unknown builtin op: tslint_tests::twice")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_nothing_outlives_an_interrupted_run(folder: Path, number: int, status: int) -> None:
    marker = f"TSLINT_TEST_MARKER={os.getpid()}-{number}"
    name, _, value = marker.partition("=")
    process = subprocess.Popen(
        [*TSLINT, "net.py:Hangs", "--inputs", X, "--timeout", "60", "--output-format", "json"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**environment(), name: value},
    )  # fmt: skip
    assert process.stderr is not None
    # The last stage has started, and hangs.
    while "build passed" not in process.stderr.readline():
        assert process.poll() is None
    deadline = time.monotonic() + 20
    # tslint, the two servers that fork, the worker, the fork that runs the stage, and the fork of its forward.
    while len(workers(marker)) < 6 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(workers(marker)) == 6
    process.send_signal(number)
    assert process.wait(timeout=20) == status
    process.communicate()
    while workers(marker) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert workers(marker) == []


def test_without_torch_there_is_one_line(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr("tslint.verify.runner.find_spec", lambda name: None)
    with pytest.raises(TorchMissing):
        run([])
    result = CliRunner().invoke(command, ["net.py:Net", "--isolated"])
    assert result.exit_code == 2
    assert f"tslint verify needs torch: {installed.command('verify')}" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "pass a TARGET"),
        (["net.py:Net", "--mode", "sideways"], "'sideways' is not one of"),
        (["net.py:Net", "--timeout", "0"], "--timeout"),
        (["net.py:Net", "--save-to", "{file}/x"], "archives cannot be saved there"),
        (["net.py:Net", "--config", "{file}.toml"], "cannot be read"),
    ],
)
def test_usage_errors(tmp_path: Path, arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    result = CliRunner().invoke(command, [argument.format(file=tmp_path / "file") for argument in arguments])
    assert result.exit_code == 2
    assert words in result.output


def test_the_parents_side_never_imports_torch() -> None:
    code = (
        "import sys, tslint.cli.verify, tslint.verify, tslint.verify.reports.text, tslint.verify.reports.junit\n"
        "import tslint.verify.reports.json\n"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
