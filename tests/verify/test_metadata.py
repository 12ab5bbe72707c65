"""Tests the description in archives, and the report of ``save`` on it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import torch

from tests.verify.deployed import Deploy, deploy
from tslint.verify.archive_entry import NAME

__all__ = ["deploy"]


class Hidden(torch.nn.Module):
    """A module with a buffer that only TorchScript adds to its state dict."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        self.register_buffer("mask", torch.ones(2), persistent=False)

    def forward(self, x: torch.Tensor, by: int = 1) -> torch.Tensor:
        """Use both."""
        return self.linear(x) * self.mask * by


def _read(deploy: Deploy, mode: str) -> Any:
    files = {NAME: ""}
    torch.jit.load(str(deploy.session.archives[mode]), _extra_files=files)
    return json.loads(files[NAME])


def test_an_archive_says_what_it_was_made_with(deploy: Deploy) -> None:
    outcome = deploy("save", torch.nn.Linear(3, 2), torch.rand(4, 3), torch.rand(1, 3))
    assert outcome.status == "passed"
    size = r"[\d.]+ kB, 2 state_dict keys"
    assert re.fullmatch(f"script {size}; trace {size}", outcome.detail)
    for mode in ("script", "trace"):
        said = _read(deploy, mode)
        assert said["torch"] == torch.__version__
        assert said["inputs"] == [["float32[4, 3]"], ["float32[1, 3]"]]
        assert said["state_dict"] == {"weight": "float32[2, 3]", "bias": "float32[2]"}
        assert said["bytes"] == 4 * (6 + 2)


def test_keys_that_eager_does_not_have_are_told(deploy: Deploy) -> None:
    outcome = deploy("save", Hidden(), (torch.rand(3), 2), modes=("script",))
    assert outcome.detail.endswith("3 state_dict keys (mask not in eager's)")
    assert _read(deploy, "script")["inputs"] == [["float32[3]", "int"]]


def test_a_module_is_saved_even_if_state_dict_raises(deploy: Deploy, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(torch.nn.Module, "state_dict", refuse)
    outcome = deploy("save", torch.nn.ReLU(), torch.rand(3), modes=("script",))
    assert outcome.status == "passed"
    assert outcome.detail.endswith("0 state_dict keys")
