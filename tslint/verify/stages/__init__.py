"""The stages: one file each, with one function ``run(session) -> Outcome``.

Adding a stage is adding a file, and its name to :mod:`tslint.verify.stage_names`.
"""

from __future__ import annotations

import importlib
import keyword
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tslint.verify.outcome import Outcome
    from tslint.verify.session import Session

_ELSEWHERE = {"construct": "tslint.annotate.construct", "observe": "tslint.annotate.observe"}


def load(name: str) -> Callable[[Session], Outcome]:
    """The function that runs a stage (worker side: this imports torch)."""
    module = name + "_" if keyword.iskeyword(name) else name
    run = importlib.import_module(_ELSEWHERE.get(name, f"{__name__}.{module}")).run
    return cast("Callable[[Session], Outcome]", run)
