"""tslint: finds what TorchScript will reject or get wrong, without running the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.util.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from tslint.diagnostics import Diagnostic
    from tslint.verify.api import verify as verify

__all__ = ["__version__", "check", "verify"]


def check(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    config: str | os.PathLike[str] | None = None,
    isolated: bool = False,
) -> list[Diagnostic]:
    """Check files and folders, as ``tslint check`` does.

    Args:
        paths: one path or several.
        config: the configuration file; by default the nearest one above the first path.
        isolated: use no configuration file.

    Returns:
        The findings, sorted by file and place.

    Raises:
        FileNotFoundError: a path does not exist; nothing is checked then.
        tslint.config.ConfigError: the configuration cannot be read or used.
    """
    # Imported here, so that `import tslint` is fast.
    import os
    from pathlib import Path

    from tslint.config import load_settings
    from tslint.lint.engine import judge, load

    named = [Path(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    settings = load_settings(named, config=None if config is None else Path(config), isolated=isolated)
    loaded = load(named, settings)
    for problem in loaded.problems:
        raise FileNotFoundError(f"{problem.path}: {problem.message}")
    return list(judge(loaded, settings).diagnostics)


def __getattr__(name: str) -> object:
    # `tslint.verify` is a package that can be called as a function; it is imported on first use.
    if name == "verify":
        import tslint.verify as package

        return package
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
