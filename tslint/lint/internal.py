"""TS900: reports tslint's own failures in a file, without any of the user's code."""

from __future__ import annotations

from pathlib import Path

from tslint import __version__
from tslint.diagnostics import Diagnostic, Position, Severity, Stage

_FRAMES = 10
_LONGEST = 200
_START = Position(1, 1)


def internal_error(path: Path, error: BaseException) -> Diagnostic:
    """The finding for a failure of tslint itself in one file; the run goes on.

    Args:
        path: the file.
        error: what was raised.
    """
    words = " ".join(str(error).split())
    words = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    return Diagnostic(
        "TS900",
        "internal-error",
        Severity.ERROR,
        Stage.SCRIPT,
        f"tslint failed on this file: {type(error).__name__}{': ' * bool(words)}{words}",
        str(path),
        _START,
        _START,
        help="This is a bug in tslint, not in your code, which was not checked here. Please report it, if "
        f"possible with the code that shows it, and with this: {condensed(error)}",
    )


def condensed(error: BaseException) -> str:
    """What a report of a failure needs, on one line: versions, the kind of error and where it came from; neither the
    error's words nor paths of the user's, which may tell what the code is about."""
    # Late: a run in which nothing fails should not pay for this.
    import platform
    import sys
    import traceback
    from itertools import groupby

    frames = [
        f"{_module(frame.filename)}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
    ]
    # Recursion is thousands of frames, and a few are enough.
    counted = [(each, len(list(group))) for each, group in groupby(reversed(frames))]
    shown = [each if number == 1 else f"{each} ({number} times)" for each, number in counted[:_FRAMES]]
    more = [f"and {len(counted) - _FRAMES} more"] if len(counted) > _FRAMES else []
    python = f"{platform.python_implementation()} {platform.python_version()}"
    versions = f"tslint {__version__}, libcst {_version('libcst')}, {python}, {sys.platform}"
    return f"{versions}: {type(error).__name__} at {' < '.join([*shown, *more]) or 'an unknown place'}"


def _module(filename: str) -> str:
    """A file of a traceback by its last folders: the rest is where the user installed it."""
    return "/".join(Path(filename).parts[-3:])


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
