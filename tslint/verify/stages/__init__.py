"""The stages: one file each, with one function ``run(session) -> Outcome``.

To add a stage, add a file, and its name to :mod:`tslint.util.target_values`.
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
# The stages in which the user's code makes the module; the later ones run it.
_MAKES = ("import", "build", "construct")


def load(name: str) -> Callable[[Session], Outcome]:
    """Return the function that runs a stage (worker side: this imports torch)."""
    module = name + "_" if keyword.iskeyword(name) else name
    run = importlib.import_module(_ELSEWHERE.get(name, f"{__name__}.{module}")).run
    return cast("Callable[[Session], Outcome]", run) if name in _MAKES else _as_deployed(name, run)


def _as_deployed(name: str, run: Callable[[Session], Outcome]) -> Callable[[Session], Outcome]:
    """Return a function that runs a stage without grad, unless the request asks for grad.

    If the user's code has turned grad off, it stays off.
    """
    import torch

    from tslint.verify.shared_parameters import copies_share_parameters

    def staged(session: Session) -> Outcome:
        grad = torch.is_grad_enabled() and session.request.grad == "on"
        with torch.set_grad_enabled(grad), copies_share_parameters(session.shares):
            return run(session)

    return staged
