"""For ``save``: writes the archive for the lite interpreter of phones; loads and runs it if torch supports that."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from tslint.util.atomic import completed
from tslint.verify import metadata
from tslint.verify.arguments import run as run_on
from tslint.verify.blame import TORCH_ROOT, describe
from tslint.verify.difference import first_difference
from tslint.verify.fresh import encode
from tslint.verify.messages import headline, runtime_error
from tslint.verify.outcome import StageFailed, one_line
from tslint.verify.session import Session, seed

AVAILABLE = "lite interpreter: this torch has none"


def exported(session: Session, mode: str, module: Any, path: Path) -> str:
    """Write an archive for the lite interpreter into the folder of the normal archive, and load and run it with the
    lite interpreter.

    Args:
        session: the session with the outputs to compare with.
        mode: the mode of the module.
        module: the compiled module.
        path: the path of the normal archive.

    Returns:
        A remark for the report.

    Raises:
        StageFailed: the archive cannot be written, loaded or run, or has another result.
    """
    save = getattr(module, "_save_for_lite_interpreter", None)
    try:
        from torch.jit.mobile import _load_for_lite_interpreter as load
    except ImportError:
        return AVAILABLE
    if save is None:
        return AVAILABLE
    archive = path.with_suffix(".ptl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            metadata.must_fit(module, path.parent)
            with completed(archive) as part:
                save(str(part))
                light = load(str(part))
        except Exception as error:
            raise StageFailed(f"lite interpreter: {_words(error)}") from error
        for number, expected in sorted(session.outputs.get(mode, {}).items()):
            seed()
            try:
                output = encode(run_on(light, session.inputs[number]))
            except Exception as error:
                words = f"lite interpreter: it raises{session.set_name(number)}: {_words(error)}"
                raise StageFailed(words) from error
            found = first_difference(
                expected, output, f"in {mode}", "in the lite interpreter", session.tolerance,
                values=session.unsteady is None,
            )  # fmt: skip
            if found:
                raise StageFailed(f"{found}{session.set_name(number)}")
    return "lite interpreter: loaded and run"


def _words(error: BaseException) -> str:
    return runtime_error(str(error), TORCH_ROOT) or one_line(headline(str(error)) or describe(error, where=False))
