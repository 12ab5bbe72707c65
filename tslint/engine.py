"""The way through: files → sources → analysis → suppression → selection → one sorted report."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Position, Severity, Stage
from tslint.selection import Selection
from tslint.sources.discovery import Problem, discover
from tslint.sources.file import SourceFile, UnreadableSource
from tslint.suppress import suppress


@dataclass(frozen=True)
class Report:
    """What a run found.

    Args:
        diagnostics: sorted by file and place.
        sources: every file that could be decoded, by its name.
        problems: named paths that could not be looked at.
        files: how many files the run was about, unreadable ones included.
    """

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    problems: tuple[Problem, ...]
    files: int


@dataclass(frozen=True)
class Loaded:
    """The files of a run, decoded as far as they can be.

    Args:
        sources: the decoded ones.
        unreadable: TS901 for the others.
        problems: as in :class:`Report`.
    """

    sources: tuple[SourceFile, ...]
    unreadable: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()


def load(paths: Iterable[Path], settings: Settings) -> Loaded:
    """Find and read the files that ``paths`` name or hold."""
    discovery = discover(paths, root=settings.root, exclude=(*settings.exclude, *settings.extend_exclude))
    sources: list[SourceFile] = []
    unreadable: list[Diagnostic] = []
    for path in discovery.files:
        try:
            sources.append(SourceFile.read(path))
        except UnreadableSource as error:
            unreadable.append(unreadable_file(path, str(error)))
    return Loaded(tuple(sources), tuple(unreadable), discovery.problems)


def unreadable_file(path: Path, reason: str) -> Diagnostic:
    """TS901 for a file of which nothing can be shown.

    Args:
        path: the file.
        reason: what is wrong, as ``cannot be decoded: …``.
    """
    return Diagnostic(
        code="TS901",
        name="unparsable-file",
        severity=Severity.ERROR,
        stage=Stage.SCRIPT,
        message=reason,
        filename=str(path),
        start=Position(1, 1),
        end=Position(1, 1),
        help="Mend the file, or leave it out with `extend-exclude` if it is not meant to be Python source.",
    )


def judge(loaded: Loaded, settings: Settings) -> Report:
    """Analyse what was loaded, and keep what is neither suppressed nor deselected.

    Args:
        loaded: the files; their text need not be what is on disk.
        settings: of the run.

    Raises:
        ConfigError: the settings name an unknown rule.
    """
    # Before the analysis: a misspelt rule should not cost a minute.
    selection = Selection(settings)
    findings, compiled = raw_findings(loaded.sources, settings)
    diagnostics = [finding for finding in loaded.unreadable if selection.keeps(finding)]
    for source in loaded.sources:
        rows = None if compiled is None else compiled.get(source.path, ())
        for finding in suppress(source, findings.get(source.path, ()), settings, compiled=rows):
            if selection.keeps(finding):
                diagnostics.append(finding)
    diagnostics.sort(key=lambda finding: finding.sort_key)
    return Report(
        diagnostics=tuple(dict.fromkeys(diagnostics)),
        sources={str(source.path): source for source in loaded.sources},
        problems=loaded.problems,
        files=len(loaded.sources) + len(loaded.unreadable),
    )


Raw = tuple[Mapping[Path, Sequence[Diagnostic]], Mapping[Path, Collection[int]] | None]


def raw_findings(sources: Sequence[SourceFile], settings: Settings) -> Raw:
    """Every finding of every rule, by file, and the rows of the functions that were compiled for it (None: all were).

    The analysis is imported late: whoever only wants a message about usage should not wait.
    """
    if not sources:
        return {}, None
    from tslint.chunks import analyse_in_chunks

    with warnings.catch_warnings():
        # Python's own, about escapes and literals in the files: not what this run is about.
        warnings.simplefilter("ignore")
        findings = analyse_in_chunks(sources, settings)
    return findings, findings.compiled


def check(paths: Iterable[Path], settings: Settings) -> Report:
    """Check files and folders.

    Args:
        paths: as named by the user; see :func:`tslint.sources.discovery.discover`.
        settings: of the run.

    Raises:
        ConfigError: the settings name an unknown rule.
    """
    return judge(load(paths, settings), settings)
