"""Verifies a module: runs it through script, trace, save, load and compare, in a worker process.

Only the worker side imports torch: ``worker.py``, ``stages/``, and the modules whose docstring says "worker side".

The package can be called like the function :func:`tslint.verify.api.verify`: ``tslint.verify(module, inputs)``.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from tslint.verify.request import Request
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.runner import TorchMissing, run
from tslint.verify.verdict import Verdict, VerificationFailed

__all__ = ["Request", "StageResult", "TargetVerdict", "TorchMissing", "Verdict", "VerificationFailed", "run"]


class _Callable(ModuleType):
    """A package that can be called; to type checkers, ``tslint.verify`` is the function (see ``tslint/__init__``)."""

    @property
    def __wrapped__(self) -> Any:
        # inspect.signature and help() show the function that this returns.
        from tslint.verify.api import verify

        return verify

    def __call__(self, module: object, *inputs: object, **options: Any) -> Verdict:
        from tslint.verify.api import verify

        return verify(module, *inputs, **options)


sys.modules[__name__].__class__ = _Callable
