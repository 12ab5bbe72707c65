"""The pipeline: files → sources → analysis → suppression → selection → one sorted report."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Stage
from tslint.lint.unparsable import unreadable_file
from tslint.sources.discovery import Problem, discover
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.lint.analysis import Only
    from tslint.lint.selection import Selection
    from tslint.script.refusals import Refusal
    from tslint.sources.file import SourceFile


@record
class Report:
    """The result of a run.

    Args:
        diagnostics: sorted by file and position.
        sources: every file that could be decoded, by its name.
        problems: named paths that could not be read.
        files: how many files the run had, unreadable ones included.
        known: how many findings a baseline covers; they are not in ``diagnostics``.
        less_grave: findings that are not shown, because ``diagnostics`` has a more severe finding about the same
            mistake.
    """

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    problems: tuple[Problem, ...]
    files: int
    known: int = 0
    less_grave: tuple[Diagnostic, ...] = ()


@record
class Loaded:
    """The files of a run, decoded if possible.

    Args:
        sources: the decoded files.
        unreadable: a TS901 for each file that cannot be read or decoded.
        problems: see :class:`Report`.
    """

    sources: tuple[SourceFile, ...]
    unreadable: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()


class Read(NamedTuple):
    """The files of a run, read and not decoded.

    Args:
        files: their paths and bytes.
        unreadable: a TS901 for each file that cannot be read.
        problems: see :class:`Report`.
    """

    files: tuple[tuple[Path, bytes], ...]
    unreadable: tuple[Diagnostic, ...] = ()
    problems: tuple[Problem, ...] = ()


def read(
    paths: Iterable[Path],
    settings: Settings,
    *,
    force_exclude: bool = False,
    found: Callable[[Sequence[Path]], object] | None = None,
) -> Read:
    """Find and read the files that ``paths`` name or contain.

    Args:
        paths: files and folders.
        settings: they define what is excluded.
        force_exclude: whether to leave out excluded files even if they are named.
        found: called with the files before they are read.
    """
    exclude = (*settings.exclude, *settings.extend_exclude)
    discovery = discover(paths, root=settings.root, exclude=exclude, force_exclude=force_exclude)
    if found is not None:
        found(discovery.files)
    files: list[tuple[Path, bytes]] = []
    unreadable: list[Diagnostic] = []
    for path in discovery.files:
        try:
            with open(path, "rb") as file:
                files.append((path, file.read()))
        except OSError as error:
            unreadable.append(unreadable_file(path, f"cannot be read: {error.strerror or error}"))
    return Read(tuple(files), tuple(unreadable), discovery.problems)


def decode(read: Read) -> Loaded:
    """Decode the files of a run; in a large run, whose texts are analysed in other processes, only check that they can
    be decoded.
    """
    from tslint.lint import parallel
    from tslint.sources import reading
    from tslint.sources.file import LateSource, SourceFile, UnreadableSource

    sources: list[SourceFile] = []
    unreadable = list(read.unreadable)
    late = sum(len(data) for _, data in read.files) > parallel.TOGETHER
    for path, data in read.files:
        try:
            source = reading.decode(path, data)
            sources.append(LateSource.of(source, data) if late and type(source) is SourceFile else source)
        except UnreadableSource as error:
            unreadable.append(unreadable_file(path, str(error)))
    return Loaded(tuple(sources), tuple(unreadable), read.problems)


def load(paths: Iterable[Path], settings: Settings, *, force_exclude: bool = False) -> Loaded:
    """Read files with :func:`read`, and decode them."""
    return decode(read(paths, settings, force_exclude=force_exclude))


def read_around(read_files: Read, folder: Path, settings: Settings) -> Read:
    """Read the other files of a project: they are not reported on, but may compile code of the run's files.

    Args:
        read_files: the files of the run.
        folder: the folder of the project.
        settings: they define what is excluded.
    """
    own = {os.path.realpath(path) for path, _ in read_files.files}
    if not own:
        return Read(())
    more = read([folder], settings)
    return Read(tuple(each for each in more.files if os.path.realpath(each[0]) not in own), more.unreadable)


def judge(loaded: Loaded, settings: Settings, context: Sequence[SourceFile] = ()) -> Report:
    """Analyse the loaded files, and keep findings that are neither suppressed nor deselected.

    Args:
        loaded: the files; their text may differ from the disk.
        settings: the settings of the run.
        context: other files, which are not reported on, but may compile code of the loaded ones.

    Raises:
        ConfigError: the settings name an unknown rule, or an entry point does not exist.
    """
    from tslint.lint.selection import Selection

    # Before the analysis, so that a misspelt rule is reported at once.
    selection = Selection(settings)
    findings, compiled, *_ = raw_findings((*loaded.sources, *context), settings)
    found: dict[Path, tuple[Diagnostic, ...]] = {}
    for source in loaded.sources:
        rows = None if compiled is None else compiled.get(source.path, ())
        found[source.path] = kept(source, findings.get(source.path, ()), rows, settings, selection)
    return report(loaded, found, selection)


def kept(
    source: SourceFile,
    findings: Iterable[Diagnostic],
    compiled: Collection[int] | None,
    settings: Settings,
    selection: Selection,
) -> tuple[Diagnostic, ...]:
    """Return a file's findings that are neither suppressed nor deselected, with a TS902 for each unused suppression.

    Args:
        source: the file.
        findings: every finding of every rule in it.
        compiled: see :func:`tslint.lint.suppress.suppress`.
        settings: the settings of the run.
        selection: the selection of the run.
    """
    from tslint.lint.suppress import suppress

    findings = list(findings)
    try:
        found = suppress(source, findings, settings, compiled=compiled)
    except Exception as error:
        from tslint.lint.internal import internal_error

        found = [*findings, internal_error(source.path, error)]
    kept = [finding for finding in found if selection.keeps(finding)]
    # If one finding of a mistake is suppressed, the less severe ones of the same mistake are hidden, too.
    known = {*found}
    suppressed = [each for each in findings if each.mistake and each not in known and selection.keeps(each)]
    hidden = set(_less_grave(kept, suppressed))
    kept = [_as_fixable(finding, selection) for finding in kept if finding not in hidden]
    # If one step fails, others usually fail as well: one report for a file is enough.
    failures = [finding for finding in kept if finding.code == "TS900"]
    return tuple(finding for finding in kept if finding not in failures[1:])


def _as_fixable(finding: Diagnostic, selection: Selection) -> Diagnostic:
    return finding if finding.fix is None or selection.fixes(finding.code) else replace(finding, fix=None)


def _less_grave(findings: Sequence[Diagnostic], others: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return those of ``findings`` that are not shown, because one of ``others`` about the same mistake is more severe.

    Both are in code that is compiled from the same root: another root may compile without the more severe one.
    """
    worst: dict[tuple[object, ...], tuple[int, int]] = {}
    for each in others:
        if each.mistake is not None:
            worst[_mistake(each)] = max(worst.get(_mistake(each), _gravity(each)), _gravity(each))
    named = [(each, worst.get(_mistake(each))) for each in findings if each.mistake is not None]
    return [each for each, other in named if other is not None and _gravity(each) < other]


def _mistake(finding: Diagnostic) -> tuple[object, ...]:
    """Return a key that the findings about one mistake in the code of one root share."""
    return finding.filename, finding.mistake, finding.compiled_via[:1]


def _gravity(finding: Diagnostic) -> tuple[int, int]:
    """Return the rank of a finding: by severity, then by how early the problem occurs."""
    return finding.severity.rank, -list(Stage).index(finding.stage)


def report(loaded: Loaded, found: Mapping[Path, Iterable[Diagnostic]], selection: Selection) -> Report:
    """Return the report on the loaded files.

    Args:
        loaded: the files.
        found: by file, the result of :func:`kept`.
        selection: selects the findings about unreadable files.
    """
    diagnostics = [finding for finding in loaded.unreadable if selection.keeps(finding)]
    for source in loaded.sources:
        diagnostics += found[source.path]
    diagnostics.sort(key=lambda finding: finding.sort_key)
    less_grave = dict.fromkeys(_less_grave(diagnostics, diagnostics))
    return Report(
        diagnostics=tuple(each for each in dict.fromkeys(diagnostics) if each not in less_grave),
        sources={str(source.path): source for source in loaded.sources},
        problems=loaded.problems,
        files=len(loaded.sources) + len(loaded.unreadable),
        less_grave=tuple(less_grave),
    )


class Raw(NamedTuple):
    """The findings of the rules, before suppression and selection.

    Args:
        findings: the findings by file.
        compiled: by file, the rows of the functions that were compiled; None if all were.
        imports: by file, the files that were read because of it.
        refused: by file, the roots in it that the compiler would refuse, if ``verdicts`` were requested.
        tracing_known: whether something is traced, and all code that passes modules to the compiler is known.
    """

    findings: Mapping[Path, Sequence[Diagnostic]]
    compiled: Mapping[Path, Collection[int]] | None = None
    imports: Mapping[Path, Collection[Path]] = {}
    refused: Mapping[Path, Mapping[str, Refusal]] = {}
    tracing_known: bool = False


def raw_findings(
    sources: Sequence[SourceFile],
    settings: Settings,
    *,
    checked: Collection[Path] = (),
    beside: Sequence[SourceFile] = (),
    unsaved: Sequence[SourceFile] = (),
    verdicts: bool = False,
    only: Only = None,
) -> Raw:
    """Return every finding of every rule.

    The analysis is imported here, so that usage errors are reported before that.

    Args:
        sources: the files.
        settings: the settings of the run.
        checked: other files of the run, whose findings are reported if the code of ``sources`` reaches them.
        beside: see :func:`tslint.lint.analysis.analyse`.
        unsaved: files whose text differs from the one on disk.
        verdicts: whether to list also the roots that the compiler would reject.
        only: what is compiled, see :data:`tslint.lint.analysis.Only`.
    """
    if not sources:
        return Raw({})
    from tslint.lint.parallel import analyse_in_chunks

    with warnings.catch_warnings():
        # Hide Python's warnings about escapes and literals in the checked files.
        warnings.simplefilter("ignore")
        found = analyse_in_chunks(
            sources, settings, checked=checked, beside=beside, unsaved=unsaved, verdicts=verdicts, only=only
        )
    return Raw(found, found.compiled, found.imports, found.refused, found.tracing_known)
