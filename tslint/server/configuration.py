"""Finds the settings of each file: the nearest configuration, or the last valid one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tslint.config import ConfigError, Settings, find_file, load_file
from tslint.lint.baseline import Baseline
from tslint.lint.selection import Selection
from tslint.project.installed import Installed
from tslint.server.options import Options
from tslint.sources.patterns import Patterns
from tslint.util.record import record


@record(eq=False)
class Session:
    """The data that files with the same settings share.

    Args:
        settings: the settings with the client's overrides.
        selection: the rules that they select.
        baseline: the findings that they accept, or None.
        excludes: the files that they exclude.
    """

    settings: Settings
    selection: Selection
    baseline: Baseline | None
    excludes: Patterns

    @classmethod
    def of(cls, settings: Settings) -> Session:
        """Return the session of settings.

        Raises:
            ConfigError: an unknown rule, a baseline that cannot be read, or an environment that cannot be used.
        """
        _ = settings.environment
        baseline = Baseline.read(settings.baseline) if settings.baseline is not None else None
        excludes = Patterns(settings.root, (*settings.exclude, *settings.extend_exclude))
        return cls(settings, Selection(settings), baseline, excludes)

    def installed(self) -> Installed:
        """Return the packages that the files may import, as installed now."""
        try:
            return Installed.of(self.settings)
        except ConfigError:
            return Installed()

    def covers(self, path: Path) -> bool:
        """Return whether a run over the configuration's folder would check a file, according to the excludes."""
        try:
            relative = path.relative_to(self.settings.root)
        except ValueError:
            return True
        place = self.settings.root
        for number, part in enumerate(relative.parts):
            place = place / part
            if self.excludes.verdict(place, number + 1 < len(relative.parts)):
                return False
        return True


class Configurations:
    """Finds the session of each file.

    Args:
        complain: called with each problem once, until the configuration changes.
    """

    def __init__(self, complain: Callable[[str], None]) -> None:
        self._complain = complain
        self._said: dict[object, str] = {}
        self._options = Options()
        self._folder = Path.cwd()
        self._by_folder: dict[Path, Session] = {}
        self._good: dict[Path, Session] = {}
        self._sessions: dict[tuple[Path | None, Path], Session] = {}
        self._stamps: dict[Path, tuple[int, int] | None] = {}

    def reload(self, options: Options, folder: Path) -> None:
        """Read everything again.

        Args:
            options: the client's options.
            folder: the folder of the workspace.
        """
        self._options, self._folder = options, folder
        self._by_folder.clear()
        self._sessions.clear()
        self._stamps.clear()

    def changed(self) -> bool:
        """Return whether a configuration file has changed since it was read."""
        return any(_stamp(file) != stamp for file, stamp in self._stamps.items())

    def session(self, path: Path) -> Session:
        """Return the session of a file."""
        folder = path.parent
        if folder not in self._by_folder:
            try:
                found = self._load(folder)
                self._good[folder] = found
                self.healthy(folder)
            except ConfigError as error:
                self.problem(folder, str(error))
                found = self._good.get(folder) or self._fallback(folder)
            self._by_folder[folder] = found
        return self._by_folder[folder]

    def problem(self, about: object, message: str) -> None:
        """Report a problem with a file or setting, once."""
        if message not in self._said.values():
            self._complain(message)
        self._said[about] = message

    def healthy(self, about: object) -> None:
        """Mark a file or setting as valid, so that a later problem is reported again."""
        self._said.pop(about, None)

    def _load(self, folder: Path) -> Session:
        named = self._options.configuration
        file = (self._folder / named) if named else find_file_noted(folder, self._stamps)
        if file is not None:
            self._stamps[file] = _stamp(file)
        root = file.parent if file is not None else self._root(folder)
        key = (file, root)
        if key not in self._sessions:
            settings = load_file(file) if file is not None else Settings(root=root)
            for read in (settings.baseline, *settings.extended):
                if read is not None:
                    self._stamps[read] = _stamp(read)
            self._sessions[key] = Session.of(self._options.applied(settings))
        return self._sessions[key]

    def _root(self, folder: Path) -> Path:
        return self._folder if folder.is_relative_to(self._folder) else folder

    def _fallback(self, folder: Path) -> Session:
        """Return default settings, with the client's settings as far as they are valid."""
        try:
            return Session.of(self._options.applied(Settings(root=self._root(folder))))
        except ConfigError:
            return Session.of(Settings(root=self._root(folder)))


def find_file_noted(folder: Path, stamps: dict[Path, tuple[int, int] | None]) -> Path | None:
    """Find the file as :func:`tslint.config.find_file` does; record a broken file, so that its correction is noticed.

    Raises:
        ConfigError: see :func:`tslint.config.find_file`.
    """
    try:
        return find_file(folder)
    except ConfigError:
        for place in (folder, *folder.parents):
            shared = place / "pyproject.toml"
            if shared.is_file():
                stamps[shared] = _stamp(shared)
        raise


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def without_entry_points(session: Session, kept: tuple[str, ...]) -> Session:
    """Return a session with only the entry points ``kept``."""
    return replace(session, settings=replace(session.settings, entry_points=kept))
