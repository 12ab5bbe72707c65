"""Builds, runs and scripts modules of jansel/pytorch-jit-paritybench (imports torch).

A file of the corpus lists ``TESTCASES``: (class, constructor's arguments, forward's arguments, …), where functions
create the arguments. Imports of the corpus that are missing in this environment are mocked; the helper module that it
expects is created here. A file is executed once, in a fork. Each of its cases is judged in a fork of that one, because
a failed compilation leaves types behind that would break the next one.
"""

from __future__ import annotations

import re
import sys
import types
import unittest
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import running
import torch

_MOCKED = set("tensorflow torchaudio torchtext sklearn transformers torchvision scipy pandas matplotlib".split())
Records = list[running.Record | None]


class _Config(dict[str, Any]):
    __getattr__ = dict.__getitem__


class _Layer(torch.nn.ReLU):  # type: ignore[misc]
    expansion = 1


def _layer(in_features: Any = None, out_features: Any = None, *args: Any, **kwargs: Any) -> torch.nn.Module:
    return torch.nn.Linear(in_features, out_features, **kwargs) if in_features and out_features else _Layer()


class _Base(unittest.TestCase):
    def _check(self, *args: Any) -> None:
        pass


def _patch_functional() -> None:
    one, two = torch.functional, torch.nn.functional
    for source, target in ((one, two), (two, one)):
        for name in dir(source):
            if re.match("[a-z]", name) and not hasattr(target, name):
                setattr(target, name, getattr(source, name))


def prepare() -> None:
    """Make the corpus importable in this process."""
    helpers = types.ModuleType("_paritybench_helpers")
    vars(helpers).update(
        patch_functional=_patch_functional, _mock_config=_Config, _mock_layer=_layer, _paritybench_base=_Base,
        _fails_compile=lambda: lambda thing: thing,
    )  # fmt: skip
    sys.modules[helpers.__name__] = helpers
    running.quiet(_MOCKED)


def load(path: str) -> types.ModuleType:
    """Execute a file of the corpus, under its own name."""
    name = Path(path).stem
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    with running.limit(60):
        # dont_inherit: its annotations must not become strings because those of this file are.
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec", dont_inherit=True), vars(module))
    return module


def build(case: tuple[Any, ...]) -> tuple[torch.nn.Module, tuple[Any, ...], dict[str, Any]]:
    """Return a case's module in eval mode, and the arguments of its forward."""
    module = _made(case)
    running.seed()
    inputs, named = case[2]()
    return module, tuple(inputs), named


def _made(case: tuple[Any, ...]) -> torch.nn.Module:
    running.seed()
    args, kwargs = case[1]()
    module: torch.nn.Module = case[0](*args, **kwargs).eval()
    return module


def _judged(path: str, case: tuple[Any, ...], before: running.Record | None) -> running.Record:
    def call() -> running.Call:
        inputs, named = case[2]()
        return tuple(inputs), named

    return running.judge(lambda: _made(case), call, Path(path).parent, before)


def judge_file(path: str, befores: Mapping[int, running.Record | None] | None = None) -> Records:
    """Run :func:`running.judge` for every case of a file, or for those with an earlier record, each in a fork of its
    own.

    The result of other cases, and of those that crash, is None. If the file cannot be imported, the list is empty.
    """
    return running.forked(_judge_all, path, befores, seconds=3600) or []


def _judge_all(path: str, befores: Mapping[int, running.Record | None] | None) -> Records:
    cases = enumerate(load(path).TESTCASES)
    return [
        running.forked(_judged, path, case, (befores or {}).get(index)) if befores is None or index in befores else None
        for index, case in cases
    ]
