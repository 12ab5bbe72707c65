"""Tests a real client: headless Neovim opens a file, shows the finding and applies the fix."""

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
        return self.helper(x), y

    def helper(self, x: torch.Tensor):
        return x
"""

# The lines of docs/editors.md for this version of Neovim, and what the test inspects afterwards.
_LOOK = """
vim.cmd("filetype on")
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.NET))
local seen = vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
local code = seen and vim.diagnostic.get(0)[1].code
vim.cmd("write")
vim.cmd(code == "TS504" and "qall!" or "cquit!")
"""


def environ(folder: Path) -> dict[str, str]:
    """Return an environment without the user's own settings."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = os.environ | {"PATH": path, "NET": str(folder / "net.py"), "NVIM_LOG_FILE": os.devnull}
    return found | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}


def neovim() -> str:
    """Return the path of the program."""
    found = shutil.which("nvim")
    assert found, "Neovim is missing: install it (Debian: apt-get install neovim), or unset CI to leave this test out"
    return found


def test_the_lines_of_the_documentation(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(TEXT, encoding="utf-8")
    page = (Path(__file__).parents[2] / "docs/editors.md").read_text(encoding="utf-8")
    says = subprocess.run([neovim(), "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = (int(part) for part in says.split()[1].lstrip("v").split(".")[:2])
    title = "neovim-0.11.lua" if (major, minor) >= (0, 11) else "neovim-0.7.lua"
    first, on_save = (
        page.partition(f'```lua title="{each}"\n')[2].partition("```")[0] for each in (title, "neovim-fix.lua")
    )
    assert "tslint" in first and "tslint" in on_save
    (tmp_path / "init.lua").write_text(first + on_save + _LOOK, encoding="utf-8")
    command = [neovim(), "--headless", "--clean", "-n", "-c", f"luafile {tmp_path / 'init.lua'}"]
    done = subprocess.run(command, cwd=tmp_path, env=environ(tmp_path), capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "net.py").read_text(encoding="utf-8") == TEXT.replace("out = []", "out: List[int] = []")


def test_a_finding_is_seen_and_fixed(tmp_path: Path) -> None:
    net = tmp_path / "net.py"
    net.write_text(TEXT, encoding="utf-8")
    out = tmp_path / "out.json"
    command = [neovim(), "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"]
    more = {"OUT": str(out), "PYTHON": sys.executable}
    done = subprocess.run(
        command, cwd=tmp_path, env=environ(tmp_path) | more, capture_output=True, text=True, timeout=180
    )
    seen = json.loads(out.read_text()) if out.exists() else done.stderr
    assert done.returncode == 0, seen
    (found,) = seen["found"]
    column = len(TEXT.splitlines()[12].partition("out.append")[0].encode())
    assert (found["source"], found["code"], found["row"], found["column"]) == ("tslint", "TS504", 12, column)
    assert "`out = []` on line 13 has no annotation" in found["message"]
    assert seen["action"] == "Annotate `out: List[int]` (TS504)"
    assert seen["callers"] == [{"name": "Net.forward", "row": 14}]
    assert net.read_text(encoding="utf-8") == TEXT.replace("out = []", "out: List[int] = []")
