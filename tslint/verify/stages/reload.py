"""reload: loads and runs the archives in a fresh process.

The process only imports torch, and the configured modules and libraries with custom operators.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch

from tslint.verify import fresh, fresh_process
from tslint.verify.arguments import split
from tslint.verify.blame import TORCH_ROOT
from tslint.verify.endings import ending
from tslint.verify.messages import headline, runtime_error, underlined
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.registered import with_hint
from tslint.verify.session import SEED, Session


def run(session: Session) -> Outcome:
    """Load and run every archive in a process without the user's code and tslint."""
    if not session.archives:
        raise StageSkipped("nothing was saved")
    folder = session.scratch / "reload"
    folder.mkdir()
    inputs, unsendable = _inputs(session)
    runs = {mode: [] if unsendable else sorted(session.outputs.get(mode, {})) for mode in session.archives}
    job = {
        "torch_root": str(Path(TORCH_ROOT).parent),
        "archives": {mode: str(path.resolve()) for mode, path in session.archives.items()},
        "inputs": str(folder / "inputs.pt") if any(runs.values()) else None,
        "named": [bool(split(each)[1]) for each in session.inputs],
        "runs": runs,
        "outputs": str(folder),
        "result": str(folder / "result.jsonl"),
        "seed": SEED,
        "grad": torch.is_grad_enabled(),
        "imports": list(session.request.imports),
        "libraries": session.request.library_paths,
        "path": [folder or os.getcwd() for folder in sys.path],
    }
    if any(runs.values()):
        torch.save(inputs, folder / "inputs.pt")
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    status = fresh_process.run(folder / "job.json")
    problems = _problems(session, folder / "result.jsonl", status)
    for mode, numbers in runs.items():
        session.reloaded[mode] = {
            number: fresh._load(str(path)) for number in numbers if (path := folder / f"{mode}-{number}.pt").is_file()
        }
    if problems:
        raise StageFailed("; ".join(problems))
    loaded = " and ".join(session.archives)
    if unsendable:
        return Outcome(detail=f"{loaded} loaded; not run: {unsendable}")
    return Outcome(detail=f"{loaded} loaded and run" if any(runs.values()) else f"{loaded} loaded; nothing to run on")


def _inputs(session: Session) -> tuple[list[fresh.Encoded], str | None]:
    encoded = [fresh.encode(arguments) for arguments in session.inputs]
    for number, arguments in enumerate(encoded):
        try:
            fresh.decode(arguments)
        except fresh.NotPlain as error:
            said = f"an input{session.set_name(number)} is of type {error}"
            return [], f"{said}, which a process without this class cannot read"
    return encoded, None


def _problems(session: Session, result: Path, status: int) -> list[str]:
    """Return the errors, from the lines that the process wrote; the last line shows what it was doing when it died."""
    lines = result.read_text(encoding="utf-8").splitlines() if result.is_file() else []
    events: list[dict[str, Any]] = [json.loads(line) for line in lines]
    problems: dict[str, str] = {}
    for event in events:
        mode = event.get("mode", "")
        said = f"{event['type']}: {headline(event['error'])}" if "error" in event else ""
        if event["event"] == "not loaded":
            detail = with_hint(one_line(said), event["error"])
            detail += _in_archive(event["error"]) if detail == one_line(said) else ""
            problems.setdefault(mode, f"{mode}: cannot be loaded: {detail}")
        elif event["event"] == "not prepared":
            problems[mode] = f"{event['name']} cannot be loaded before the archive: {one_line(said)}"
        elif event["event"] == "not run":
            reason = runtime_error(event["error"], TORCH_ROOT) or one_line(said)
            place = session.set_name(event["set"])
            problems.setdefault(mode, f"{mode}: loads, but raises{place}: {reason}")
    found = list(problems.values())
    if status:
        last = events[-1] if events else {"event": "starting"}
        subject = f" {last.get('mode') or last.get('name')}" if len(last) > 1 else ""
        found.append(f"the fresh process {ending(status)} while {last['event']}{subject}")
    return found


def _in_archive(error: str) -> str:
    """Return the line of the archive's own code that torch cannot read, in parentheses; empty if none is named."""
    line = next((place for place in underlined(error) if place.filename.startswith("code/")), None)
    return f" ({line.filename}:{line.row} in the archive)" if line else ""
