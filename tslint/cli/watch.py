"""``tslint check --watch``: reports again whenever a file on which the report may depend changes."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

import click

from tslint.cli import Failure
from tslint.config import ConfigError, Settings
from tslint.reporters.view import count

INTERVAL = 0.2  # seconds between two checks of the files
SETTLED = 0.05  # seconds without changes before the next run
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_WATCHED = (".py", ".ipynb")
_CONFIGURATION = ("tslint.toml", "pyproject.toml", ".gitignore")
Stamps = dict[str, tuple[int, int]]


def watch(once: Callable[[], Settings], paths: Iterable[Path]) -> int:
    """Report again and again, until the user stops it.

    Args:
        once: loads the settings, checks, reports, and returns the settings.
        paths: the paths as they were named.

    Returns:
        The exit status if the user ends it.
    """
    named = [os.path.abspath(path) for path in paths]
    settings = Settings()
    failed = False
    try:
        while True:
            if sys.stdout.isatty():
                sys.stdout.write(_CLEAR)
                sys.stdout.flush()
            # Read before the run, so that a change during the run causes another one.
            seen = _stamps(named, settings)
            try:
                before, settings = settings, once()
                if settings.root != before.root or settings.exclude != before.exclude:
                    seen = _stamps(named, settings)
            except (ConfigError, Failure) as error:
                # Continue, because the user will correct the error.
                click.echo(f"error: {error.message if isinstance(error, Failure) else error}", err=True)
                failed = True
            words = "until that is corrected" if failed else "for changes"
            failed = False
            click.echo(f"Watching {count(len(seen), 'file')} {words}; press Ctrl-C to stop.", err=True)
            now = seen
            while now == seen:
                time.sleep(INTERVAL)
                now = _stamps(named, settings)
            # An editor may empty a file before it writes it.
            while (later := _later(named, settings)) != now:
                now = later
    except KeyboardInterrupt:
        click.echo(err=True)
        if any(each.name == "tslint-analysis" for each in threading.enumerate()):
            # Without this, a thread would continue to analyse a large project in vain.
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(0)
        return 0


def _later(named: Iterable[str], settings: Settings) -> Stamps:
    time.sleep(SETTLED)
    return _stamps(named, settings)


def _stamps(named: Iterable[str], settings: Settings) -> Stamps:
    """Return the sizes and times of the files that a report on ``named`` may depend on."""
    found: Stamps = {}
    skipped = {each.strip("/") for each in (*settings.exclude, *settings.extend_exclude)}
    folders: set[str] = set()
    for name in named:
        if os.path.isdir(name):
            _walk(name, skipped, found, folders)
        else:
            _file(name, found)
            # The files that it imports are in its folder, or further up.
            _walk(os.path.dirname(name), skipped, found, folders)
    _walk(str(settings.root), skipped, found, folders)
    for source in (settings.source, *settings.extended) if settings.source is not None else ():
        _file(str(source), found)
    return found


def _file(name: str, found: Stamps) -> None:
    with contextlib.suppress(OSError):
        status = os.stat(name)
        found[name] = (status.st_mtime_ns, status.st_size)


def _walk(folder: str, skipped: Collection[str], found: Stamps, folders: set[str]) -> None:
    pending = [folder]
    while pending:
        folder = pending.pop()
        if folder in folders:
            continue
        folders.add(folder)
        with contextlib.suppress(OSError), os.scandir(folder) as scan:
            for entry in scan:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in skipped and not entry.name.startswith("."):
                            pending.append(entry.path)
                    elif entry.name.endswith(_WATCHED) or entry.name in _CONFIGURATION:
                        status = entry.stat()
                        found[entry.path] = (status.st_mtime_ns, status.st_size)
