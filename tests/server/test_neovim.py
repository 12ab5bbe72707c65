"""A real client: headless Neovim opens a file, sees the finding and applies the fix."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("neovim.lua")
TEXT = """\
from typing import List

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x: torch.Tensor):
        é = "😋"; out = []; out.append(1); y = [t for t in out]
        return x, y
"""


def test_a_finding_is_seen_and_fixed(tmp_path: Path) -> None:
    nvim = shutil.which("nvim")
    assert nvim, "Neovim is missing: install it (Debian: apt-get install neovim), or unset CI to leave this test out"
    net = tmp_path / "net.py"
    net.write_text(TEXT, encoding="utf-8")
    out = tmp_path / "out.json"
    environ = os.environ | {"NET": str(net), "OUT": str(out), "PYTHON": sys.executable, "NVIM_LOG_FILE": os.devnull}
    environ |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    command = [nvim, "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=180)
    seen = json.loads(out.read_text()) if out.exists() else done.stderr
    assert done.returncode == 0, seen
    (found,) = seen["found"]
    column = len(TEXT.splitlines()[12].partition("out.append")[0].encode())
    assert (found["source"], found["code"], found["row"], found["column"]) == ("tslint", "TS504", 12, column)
    assert "`out = []` in line 13 has no annotation" in found["message"]
    assert seen["action"] == "Annotate `out: List[int]` (TS504)"
    assert net.read_text(encoding="utf-8") == TEXT.replace("out = []", "out: List[int] = []")
