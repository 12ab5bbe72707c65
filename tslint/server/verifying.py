"""``tslint.verify``: runs the pipeline in a separate process, and summarises it in one sentence."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tslint.util.record import record


@record
class Outcome:
    """The result for a target.

    Args:
        passed: whether the target passed.
        message: a summary in one line.
    """

    passed: bool
    message: str


async def verify(target: str, config: Path | None, folder: Path, interpreter: str | None = None) -> Outcome:
    """Run ``tslint verify`` on a target.

    Args:
        target: the name of a configured target, or a place such as ``pkg.net:build``.
        config: the configuration file.
        folder: the folder to run in.
        interpreter: the Python to run it with; None for the server's own.
    """
    command = [interpreter or sys.executable, "-m", "tslint", "verify", "--output-format", "json", "--color", "never"]
    if config is not None:
        command += ["--config", str(config)]
    try:
        process = await asyncio.create_subprocess_exec(
            *command, "--", target, cwd=folder, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
    except OSError as error:
        return Outcome(False, f"{target} could not be verified: {command[0]}: {error.strerror or error}")
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        raise
    try:
        targets = json.loads(out)["targets"]
        return _outcome(targets)
    except (ValueError, KeyError, TypeError, IndexError):
        lines = err.decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1].removeprefix("error: ") if lines else f"exit status {process.returncode}"
        return Outcome(False, f"{target} could not be verified: {reason}")


def _outcome(targets: Sequence[dict[str, Any]]) -> Outcome:
    target = targets[0]
    name, stages = target["target"], target["stages"]
    seconds = sum(stage["seconds"] for stage in stages)
    if target["verdict"] == "pass":
        passed = [stage["name"] for stage in stages if stage["status"] == "passed"]
        return Outcome(True, f"{name} passes: {', '.join(passed)} ({seconds:.1f} s)")
    failed = [stage for stage in stages if stage["status"] == "failed"]
    word = "could not be judged" if target["verdict"] == "error" else "fails"
    if not failed:
        return Outcome(False, f"{name} {word}")
    detail = " ".join(str(failed[0]["detail"]).split())
    findings = failed[0].get("findings") or []
    if findings:
        first = findings[0]
        place = f"{Path(first['filename']).name}:{first['location']['row']}"
        detail = f"{first['message']} ({place})"
    return Outcome(False, f"{name} {word} at {failed[0]['name']}: {detail[:300]}")
