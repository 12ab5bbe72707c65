"""TS900: reports tslint's own failures in a file, without quoting the user's code."""

from __future__ import annotations

from pathlib import Path

from tslint.diagnostics import Diagnostic, Position, Severity, Stage
from tslint.util.version import __version__

_FRAMES = 10
_LONGEST = 200
_START = Position(1, 1)


def internal_error(path: Path, error: BaseException) -> Diagnostic:
    """Return the finding for an internal failure in one file; the run continues.

    Args:
        path: the file.
        error: the exception.
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
        help="This is a bug in tslint, not in your code. The file was not checked. Please report the bug, "
        f"if possible with the code that shows it, and with this text: {condensed(error)}",
    )


def condensed(error: BaseException) -> str:
    """Return a bug report on one line: versions, the kind of error and its origin.

    The error's text and paths are left out, because they may reveal the user's code.
    """
    # Imported here, because most runs do not need it.
    import platform
    import sys
    import traceback
    from itertools import groupby

    frames = [
        f"{_module(frame.filename)}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
    ]
    # A recursion has thousands of frames; a few are enough.
    counted = [(each, len(list(group))) for each, group in groupby(reversed(frames))]
    shown = [each if number == 1 else f"{each} ({number} times)" for each, number in counted[:_FRAMES]]
    more = [f"and {len(counted) - _FRAMES} more"] if len(counted) > _FRAMES else []
    python = f"{platform.python_implementation()} {platform.python_version()}"
    versions = f"tslint {__version__}, libcst {_version('libcst')}, {python}, {sys.platform}"
    return f"{versions}: {type(error).__name__} at {' < '.join([*shown, *more]) or 'an unknown place'}"


def _module(filename: str) -> str:
    """Return the last parts of a traceback's filename: the parts before them depend on the installation."""
    return "/".join(Path(filename).parts[-3:])


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "?"
