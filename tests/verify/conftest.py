"""Provides a project to verify, with stages that run in this process (none of them crashes) to save the time of
workers.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.verify.modules import SOURCE
from tests.verify.strange import SOURCE as STRANGE
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped
from tslint.verify.request import Request
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.runner import evidence_findings
from tslint.verify.session import Session
from tslint.verify.stage_names import STAGES
from tslint.verify.stages import load

Verify = Callable[..., TargetVerdict]
Strange = Callable[..., StageResult]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ``net.py``, a package and modules that cannot be imported."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "net.py").write_text(SOURCE, encoding="utf-8")
    (folder / "missing.py").write_text("import torch\nimport nowhere_to_be_found\n", encoding="utf-8")
    (folder / "broken.py").write_text("def f(:\n", encoding="utf-8")
    (folder / "my-net.py").write_text("from torch.nn import Linear\ndef build():\n    return Linear(3, 3)\n")
    (folder / "known.py").write_text(
        "from torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        try:\n            return x\n        except ValueError:\n            return -x\n",
        encoding="utf-8",
    )
    package = folder / "pkg" / "sub"
    package.mkdir(parents=True)
    (folder / "pkg" / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "parts.py").write_text("import torch\n\nclass Part(torch.nn.ReLU):\n    pass\n", encoding="utf-8")
    (package / "net.py").write_text(
        "from .parts import Part\n\nclass Net(Part):\n    def forward(self, x):\n        return super().forward(x)\n"
        "\ndef build():\n    return Part()\n",
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def verify(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Verify]:
    """Yield a function that runs the stages up to ``save`` and ``compare`` here; tests with a worker cover
    ``reload``.
    """
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    before = set(sys.modules)

    def run(attribute: str, *inputs: str, **options: object) -> TargetVerdict:
        target = attribute if ":" in attribute else f"net.py:{attribute}"
        session = Session(Request(target, inputs, base=str(project), **options), tmp_path)  # type: ignore[arg-type]
        results = []
        for name in STAGES:
            if name == "reload":
                continue
            start = time.monotonic()
            try:
                outcome: Outcome = load(name)(session)
            except (StageFailed, StageSkipped) as error:
                outcome = error.outcome
            findings = evidence_findings(outcome.evidence, _torch_root())
            results.append(
                StageResult(name, outcome.status, time.monotonic() - start, outcome.detail, findings)
            )  # fmt: skip
            if outcome.status == "failed" and name in ("import", "build"):
                break
        return TargetVerdict(target, tuple(results), needed=session.request.needed)

    yield run
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(project) in str(sys.modules[name].__file__):
            del sys.modules[name]


def _torch_root() -> str:
    from tslint.verify.blame import TORCH_ROOT

    return TORCH_ROOT


def stage(verdict: TargetVerdict, name: str) -> StageResult:
    """Return a stage of a verdict."""
    return next(result for result in verdict.stages if result.name == name)


@pytest.fixture
def strange(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Strange]:  # fmt: skip
    """Yield a function that runs one stage, and those that it needs, on a module of ``strange.py``."""
    folder = tmp_path_factory.mktemp("strange")
    (folder / "strange.py").write_text(STRANGE, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "argv", list(sys.argv))

    def run(name: str, attribute: str, *inputs: str, **options: object) -> StageResult:
        request = Request(f"strange.py:{attribute}", inputs, base=str(folder), **options)  # type: ignore[arg-type]
        session = Session(request, tmp_path)
        for before in ("import", "build", "eager", "script", "trace"):
            with contextlib.suppress(StageFailed, StageSkipped):
                load(before)(session)
        try:
            outcome = load(name)(session)
        except (StageFailed, StageSkipped) as error:
            outcome = error.outcome
        findings = evidence_findings(outcome.evidence, _torch_root())
        return StageResult(name, outcome.status, 0.0, outcome.detail, findings)

    yield run
    sys.modules.pop("strange", None)
