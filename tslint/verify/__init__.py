"""The proof: run a module through script, trace, save, load and compare, in a worker process.

This package's parent side (everything that is not named in ``worker.py`` or ``stages/``) never imports torch.
"""

from __future__ import annotations

from tslint.verify.request import Request
from tslint.verify.runner import TorchMissing, run
from tslint.verify.verdict import StageResult, TargetVerdict, Verdict

__all__ = ["Request", "StageResult", "TargetVerdict", "TorchMissing", "Verdict", "run"]
