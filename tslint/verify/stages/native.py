"""native: loads and runs the archives in a C++ program against the wheel's libtorch, without Python."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import torch

from tslint.verify import fresh
from tslint.verify.arguments import cloned, split
from tslint.verify.blame import TORCH_ROOT
from tslint.verify.difference import first_difference
from tslint.verify.endings import ending
from tslint.verify.fresh import Encoded
from tslint.verify.messages import headline, runtime_error
from tslint.verify.native.build import NoProgram, program
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.registered import with_hint
from tslint.verify.session import SEED, Session

# The message of an older libtorch about a dict or list with one item, which Python writes in another way.
_NO_OPCODE = "Unknown opcode for unpickling"


class _Unreadable(Exception):
    """Inputs that this libtorch cannot read."""


def run(session: Session) -> Outcome:
    """Run every archive in C++ on the inputs on which it ran in Python, and compare the outputs."""
    if not session.request.native:
        raise StageSkipped("not asked for (--native)")
    if not session.archives:
        raise StageSkipped("nothing was saved")
    folder = session.scratch / "native"
    folder.mkdir(exist_ok=True)
    inputs, unsendable = _save_inputs(session, folder)
    root = Path(TORCH_ROOT)
    version = str(torch.__version__)
    try:
        built = program(version, root, torch.compiled_with_cxx11_abi(), session.scratch, session.more_time)
    except NoProgram as error:
        return Outcome("unavailable", str(error))
    problems: list[str] = []
    compared = 0
    for mode, archive in session.archives.items():
        numbers = [] if unsendable else sorted(session.outputs.get(mode, {}))
        try:
            outputs = _run(session, built, mode, archive, {number: inputs[number] for number in numbers})
            compared += _compare(session, mode, outputs)
        except _Unreadable as error:
            return Outcome("unavailable", f"libtorch {version} cannot read these inputs: {error}")
        except StageFailed as error:
            problems.append(f"{mode}: {error.outcome.detail}")
    if problems:
        raise StageFailed("; ".join(problems))
    loaded = " and ".join(session.archives)
    if not compared:
        return Outcome(detail=f"{loaded} loaded by libtorch {version}; not run: {unsendable or 'nothing to run on'}")
    outputs_said = f"{compared} output{'s' if compared != 1 else ''} as in Python"
    values = ", except for the values, because two eager runs differ" if session.unsteady else ""
    return Outcome(detail=f"{loaded} loaded and run by libtorch {version}; {outputs_said}{values}")


def _save_inputs(session: Session, folder: Path) -> tuple[dict[int, Path], str | None]:
    """Return files of arguments that ``torch::jit::pickle_load`` reads, by set of inputs; or the reason if there are
    none.
    """
    files: dict[int, Path] = {}
    for number, arguments in enumerate(session.inputs):
        if split(arguments)[1]:
            return (
                {},
                f"arguments{session.set_name(number)} are passed by name, which C++ cannot do; pass them by position",
            )
        try:
            plain = fresh.decode(fresh.encode(cloned(arguments)))
        except fresh.NotPlain as error:
            said = f"an input{session.set_name(number)} is of type {error}"
            return {}, f"{said}, which a program without this class cannot read"
        files[number] = folder / f"inputs-{number}.pt"
        torch.save(plain, files[number])
    return files, None


def _run(session: Session, built: Path, mode: str, archive: Path, inputs: dict[int, Path]) -> dict[int, Encoded]:
    """Return the outputs by set of inputs.

    Raises:
        StageFailed: the archive cannot be loaded or run.
        _Unreadable: this libtorch cannot read the inputs.
    """
    folder = session.scratch / "native"
    events = folder / f"{mode}.events"
    outputs = {number: folder / f"{mode}-{number}" for number in inputs}
    command = [built, archive.resolve(), SEED, "grad" if torch.is_grad_enabled() else "none", events]
    command.append("\n".join(session.request.library_paths))
    for number, path in inputs.items():
        command += [path, outputs[number]]
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, cwd=folder, check=False)
    # The model may print anything, also in its exceptions, so only the events file is read.
    lines = events.read_text(encoding="utf-8", errors="replace").splitlines() if events.is_file() else []
    if done.returncode or "done" not in lines[-1:]:
        raised = lines.index("raised") if "raised" in lines else len(lines)
        at = lines[raised - 1] if raised else "starting"
        place = session.set_name(list(inputs)[int(at.split()[1])]) if at.startswith("running ") else ""
        text = "\n".join(lines[raised + 1 :])
        if not text:
            raise StageFailed(f"libtorch's process {ending(done.returncode)} while {at.split()[0]}{place}")
        reason = runtime_error(text, TORCH_ROOT) or one_line(headline(text))
        if _NO_OPCODE in reason:
            raise _Unreadable(reason)
        if at == "preparing":
            raise StageFailed(f"a library cannot be loaded before the archive: {reason}")
        verb = "cannot be loaded by libtorch" if at == "loading" else f"loads, but raises in libtorch{place}"
        raise StageFailed(f"{verb}: {with_hint(reason, text, python=False)}")
    return {number: _read(path) for number, path in outputs.items()}


def _read(path: Path) -> Encoded:
    tensors = fresh._load(f"{path}.pt")
    structure: dict[str, Any] = json.loads(Path(f"{path}.json").read_text(encoding="utf-8", errors="surrogateescape"))
    return _filled(structure, tensors)


def _filled(encoded: Encoded, tensors: tuple[torch.Tensor, ...]) -> Encoded:
    """Return a structure from the program with the tensors in their places, and with numbers that it wrote as text."""
    kind = encoded["kind"]
    if kind == "tensor":
        return {**encoded, "value": tensors[encoded["value"]]}
    if kind == "float":
        return {**encoded, "value": float(encoded["value"])}
    if kind == "complex":
        return {**encoded, "value": complex(*map(float, encoded["value"]))}
    if kind == "dict":
        return {**encoded, "items": [[_filled(each, tensors) for each in pair] for pair in encoded["items"]]}
    if "items" in encoded:
        return {**encoded, "items": [_filled(each, tensors) for each in encoded["items"]]}
    return encoded


def _compare(session: Session, mode: str, outputs: dict[int, Encoded]) -> int:
    """Compare the outputs with the archive's results in Python, and return how many there are.

    ``compare`` compares the results in Python with eager.

    Raises:
        StageFailed: there is a difference.
    """
    tolerance = session.tolerance
    for number, output in outputs.items():
        python = session.reloaded.get(mode, {}).get(number) or session.outputs[mode][number]
        difference = first_difference(
            _nameless(python), _nameless(output), "in Python", "in libtorch", tolerance, values=session.unsteady is None
        )
        if difference:
            raise StageFailed(difference + session.set_name(number))
    return len(outputs)


def _nameless(encoded: Encoded) -> Encoded:
    """Return the value without the names of classes, which differ between the two sides."""
    if encoded["kind"] == "object":
        return {**encoded, "type": "object"}
    if encoded["kind"] == "dict":
        return {**encoded, "items": [[_nameless(each) for each in pair] for pair in encoded["items"]]}
    if "items" in encoded:
        return {**encoded, "items": [_nameless(each) for each in encoded["items"]]}
    return encoded
