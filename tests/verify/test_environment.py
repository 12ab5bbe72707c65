"""Tests the environment in which workers of ``tslint verify`` run the user's code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODEL = """\
import os
import torch

def build():
    print("threads wait:", os.environ.get("OMP_WAIT_POLICY"))
    return torch.nn.Linear(3, 3), torch.rand(2, 3)
"""


@pytest.mark.parametrize(
    ("set_by_user", "expected"),
    # Threads that wait actively slow each operator down many times if other processes need the cores.
    [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")],
)
def test_threads_wait_passively_unless_the_user_says_otherwise(
    tmp_path: Path, set_by_user: str | None, expected: str
) -> None:
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    given = {key: value for key, value in os.environ.items() if key != "OMP_WAIT_POLICY"}
    done = subprocess.run(
        [sys.executable, "-m", "tslint", "verify", "model.py:build", "--stages", "eager,script,save,compare"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=given if set_by_user is None else {**given, "OMP_WAIT_POLICY": set_by_user},
        check=False,
    )
    assert f"threads wait: {expected}" in done.stdout + done.stderr
