"""save: writes every compiled module to an archive, with a description of how it was made."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import torch

from tslint.util.atomic import completed
from tslint.verify import metadata
from tslint.verify.blame import TORCH_ROOT, compiler_evidence, place
from tslint.verify.messages import headline, traced_stack
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.session import Session
from tslint.verify.stages.lite import exported

_PLAIN = "an archive cannot contain an autograd.Function; for deployment, write its computation with plain operations"


def run(session: Session) -> Outcome:
    """Write the archives, to ``--save-to`` if it is set."""
    if not session.compiled:
        raise StageSkipped("nothing was compiled")
    folder = Path(session.request.save_to or session.request.triton or session.scratch)
    problems: list[str] = []
    evidence: list[Evidence] = []
    sizes: list[str] = []
    for mode in session.compiled:
        path = folder / f"{session.request.slug}.{mode}.pt"
        try:
            module = session.compiled[mode]
            _write(session, mode, module, path)
        except BaseException as error:
            words, found = _blamed(session, error)
            problems.append(f"{mode}: {words}")
            evidence.append(found)
        else:
            session.archives[mode] = path
            session.report_artifact(mode, path)
            sizes.append(f"{mode} {_size(path.stat().st_size)}, {metadata.keys(session, module)}")
            if session.request.lite:
                try:
                    sizes.append(exported(session, mode, module, path))
                except StageFailed as error:
                    problems.append(f"{mode}: {error.outcome.detail}")
    if problems:
        raise StageFailed("; ".join(problems), *evidence)
    older = _older_runtime(session)
    if older:
        evidence.append(older)
        sizes.append(f"from a newer torch than {session.request.target_torch}, your `target-torch`")
    return Outcome(detail="; ".join(sizes), evidence=tuple(evidence))


def _blamed(session: Session, error: BaseException) -> tuple[str, Evidence]:
    """Return a description of the error for the detail of the stage, and the evidence."""
    said = headline(str(error))
    said = said if isinstance(error, RuntimeError) and said else f"{type(error).__name__}: {said}"
    evidence = compiler_evidence("save", error, session.place)
    stack = traced_stack(str(error), TORCH_ROOT) if "Could not export Python function call" in said else []
    if not stack:
        return one_line(said), evidence
    where = place(stack[-1]["filename"], stack[-1]["row"])
    return one_line(f"{said} ({where}): {_PLAIN}"), {**evidence, "text": f"{said}: {_PLAIN}", "stack": stack}


def _write(session: Session, mode: str, module: Any, path: Path) -> None:
    """Write an archive under another name, and rename it when it is complete."""
    with completed(path) as part:
        archive = session.compiled.archives.get(mode)
        if archive:
            _copy(archive, part)
        else:
            metadata.must_fit(module, path.parent)
            torch.jit.save(module, str(part), _extra_files=metadata.extra_files(session, module))


def _copy(archive: Path, path: Path) -> None:
    try:
        os.link(archive, path)
    except OSError:  # the folder is on another disk, or its file system does not support links
        shutil.copyfile(archive, path)


def _older_runtime(session: Session) -> Evidence | None:
    """Return a warning if the configured older torch may not support the format of the archive, or operators that it
    calls.
    """
    target = session.request.target_torch
    if target is None or _minor(target) >= _minor(torch.__version__):
        return None
    message = (
        f"saved by torch {torch.__version__.partition('+')[0]}, which torch {target}, your `target-torch`, may not "
        f"load: torch reads the archives of older versions only; export with torch {target} installed"
    )
    return {
        "kind": "observed", "code": "TS906", "severity": "warning", "stage": "save", "message": message,
        "place": session.place,
    }  # fmt: skip


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def _size(size: int) -> str:
    amount = float(size)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if amount >= 10 or unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
