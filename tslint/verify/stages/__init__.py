"""The stages, in the order in which they run: one file each, with one function ``run(session) -> Outcome``.

Adding a stage is adding a file, and its name here. This list is read by the parent side too, so nothing here imports
torch.
"""

from __future__ import annotations

import importlib
import keyword
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tslint.verify.outcome import Outcome
    from tslint.verify.session import Session

STAGES = (
    "import",
    "build",
    "eager",
    "script",
    "trace",
    "generalize",
    "modes",
    "state",
    "device",
    "save",
    "reload",
    "compare",
    "freeze",
    "native",
    "threads",
    "export",
)
OBSERVE = ("import", "construct", "observe")
"""The stages of ``tslint annotate``; the last two are not of this folder."""
_ELSEWHERE = {"construct": "tslint.annotate.construct", "observe": "tslint.annotate.observe"}


def load(name: str) -> Callable[[Session], Outcome]:
    """The function that runs a stage (worker side: this imports torch)."""
    module = name + "_" if keyword.iskeyword(name) else name
    run = importlib.import_module(_ELSEWHERE.get(name, f"{__name__}.{module}")).run
    return cast("Callable[[Session], Outcome]", run)
