"""``tslint.verify(module, inputs)``: runs the pipeline for an existing module, in a fork of this process."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Union

from tslint.verify.outcome import one_line
from tslint.verify.request import DEFAULT_MEMORY, DEFAULT_TIMEOUT, Request
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.runner import run_given
from tslint.verify.stage_names import STAGES
from tslint.verify.verdict import Verdict

_MODES = ("script", "trace")
_Path = Union[str, "os.PathLike[str]", None]


def verify(
    module: object,
    *inputs: object,
    modes: str | Sequence[str] = _MODES,
    rtol: float | None = None,
    atol: float | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    memory: int = DEFAULT_MEMORY,
    grad: str = "off",
    accept: Sequence[str] = (),
    native: bool = False,
    lite: bool = False,
    save_to: _Path = None,
    report: _Path = None,
    name: str = "",
) -> Verdict:
    """Verify a module as ``tslint verify`` does; the module itself is not changed.

    The stages run in a fork of this process, so that a crash of the module is only a failed stage.

    Args:
        module: an ``nn.Module``, a class of modules whose constructor needs no arguments, or a function that returns a
            module or ``(module, inputs)``.
        *inputs: one for each set of inputs: a tuple is an argument list, anything else the only argument.
        modes: ``script``, ``trace`` or both.
        rtol, atol: tolerances of the comparison; None for ``torch.testing``'s defaults.
        timeout: seconds in all.
        memory: MiB in addition to what this process uses.
        grad: ``off``, as deployed; ``on``, unless your code turns it off; or ``both``.
        accept: known differences that pass: ``tuple``, if the compiled module returns eager's output inside a tuple.
        native, lite: also run the archives outside Python, and in the lite interpreter of phones.
        save_to: folder for the archives; None drops them.
        report: file for the html report; None for none.
        name: its name in the report; by default the name of its class.

    Returns:
        The verdict on one target. Nothing is raised, except by ``verdict.raise_for_failure()``.
    """
    given = {
        "rtol": rtol, "atol": atol, "timeout": timeout, "memory": memory, "grad": grad, "native": native, "lite": lite,
        "accept": tuple(accept),
        "model_snapshot": report is not None,
    }  # fmt: skip
    title = name or _name(module)
    try:
        return _verified(
            module, inputs, title, (modes,) if isinstance(modes, str) else tuple(modes), save_to, report, given
        )
    except Exception as error:
        return _unjudged(title, one_line(f"{type(error).__name__}: {error}"))


def _verified(
    module: object, inputs: Sequence[object], title: str, modes: tuple[str, ...], save_to: _Path, report: _Path,
    given: dict[str, Any],
) -> Verdict:  # fmt: skip
    if problem := _problem(modes):
        return _unjudged(title, problem)
    request = Request(title, (), modes, save_to=_folder(save_to), slug=_slug(title), **given)
    verdict = run_given(request, (module, [each if type(each) is tuple else (each,) for each in inputs]))
    if report is not None:
        from tslint.verify.report import render

        Path(report).write_text(render(verdict), encoding="utf-8")
    return verdict


def _name(module: object) -> str:
    kind = module if isinstance(module, type) or hasattr(module, "__qualname__") else type(module)
    name: Any = getattr(module, "original_name", None) or getattr(kind, "__qualname__", type(module).__name__)
    return str(name).rpartition("<locals>.")[2]


def _folder(save_to: str | os.PathLike[str] | None) -> str | None:
    """Return the folder for archives, created if needed."""
    if save_to is None:
        return None
    Path(save_to).mkdir(parents=True, exist_ok=True)
    return str(Path(save_to).absolute())


def _slug(title: str) -> str:
    """Convert a title to a file name."""
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in title) or "module"


def _problem(modes: Sequence[str]) -> str | None:
    unknown = [mode for mode in modes if mode not in _MODES]
    if unknown or not modes:
        return f"modes are of {' and '.join(map(repr, _MODES))}, not {unknown[0]!r}" if unknown else "modes are missing"
    if not hasattr(os, "fork"):
        return "this system cannot fork; run `tslint verify package.module:attr` instead"
    if "torch" not in sys.modules:
        # Without torch, the argument cannot be a module, but it may be a function that would build one.
        import importlib.util

        if importlib.util.find_spec("torch") is None:
            from tslint.verify.runner import TorchMissing

            return str(TorchMissing())
    return None


def _unjudged(title: str, why: str) -> Verdict:
    first = StageResult(STAGES[0], "failed", 0.0, why)
    rest = (StageResult(name, "skipped", 0.0, f"{STAGES[0]} failed") for name in STAGES[1:])
    return Verdict("", platform.python_version(), (TargetVerdict(title, (first, *rest)),))
