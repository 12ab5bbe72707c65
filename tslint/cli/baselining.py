"""Applies the baseline to a run: hides known findings, and removes entries whose findings have disappeared."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tslint.cli import Failure
from tslint.config import Settings, shown
from tslint.lint.baseline import NEVER, Baseline, Key
from tslint.lint.engine import Loaded, Report
from tslint.lint.selection import Selection
from tslint.reporters.view import count
from tslint.sources.discovery import discover
from tslint.sources.magics import parses
from tslint.util.atomic import write_bytes
from tslint.util.record import record


@record
class Keeper:
    """The baseline of a run.

    Args:
        settings: the settings of the run, which name the baseline.
        paths: the paths as the user named them.
        baseline: the baseline; None if there is none.
        writing: whether ``--write-baseline`` was passed.
        silent: whether the run must not change the baseline, because it checks the standard input.
        diff: whether fixes are only shown; changes of the baseline are then only reported, as they are in CI.
        quiet: whether it prints nothing.
    """

    settings: Settings
    paths: tuple[Path, ...]
    baseline: Baseline | None = None
    writing: bool = False
    silent: bool = False
    diff: bool = False
    quiet: bool = False

    @classmethod
    def of(
        cls, settings: Settings, paths: Sequence[Path], *, writing: bool = False, silent: bool = False,
        diff: bool = False, quiet: bool = False,
    ) -> Keeper:  # fmt: skip
        """Return the keeper of the baseline that the settings name.

        Raises:
            ConfigError: the baseline cannot be read.
        """
        keeper = cls(settings, tuple(paths), None, writing, silent, diff, quiet)
        file = settings.baseline
        if file is None:
            return keeper
        if writing and not os.path.lexists(file):
            return replace(keeper, baseline=Baseline(Path(os.path.abspath(file))))
        return replace(keeper, baseline=Baseline.read(file))

    def hold(self, report: Report, loaded: Loaded, before: Report | None = None) -> Report:
        """Return the report without findings that the baseline covers, and write the baseline if needed.

        Args:
            report: all findings.
            loaded: the files of the report.
            before: the findings before fixes were applied.

        Raises:
            Failure: the baseline could not be written.
        """
        baseline = self.baseline
        if baseline is None:
            return report
        if self.writing:
            return self._write(baseline, report, loaded)
        if self.silent:
            return baseline.hold_back(report)
        moved = baseline if before is None else baseline.following(before, report)
        if self.diff and before is not None:
            # The fixes are only shown: entries are removed only if their findings are gone without the fixes.
            self._shrink(baseline, baseline.without(self._no_longer_found(baseline, before, loaded)))
            return moved.hold_back(report)
        gone = self._no_longer_found(moved, report, loaded)
        smaller = moved.without(gone)
        if smaller.counts != baseline.counts:
            self._shrink(baseline, smaller)
        return smaller.hold_back(report)

    def _shrink(self, baseline: Baseline, smaller: Baseline) -> None:
        name = shown(baseline.file)
        lost = baseline.total - smaller.total
        if self.diff or in_ci():
            if lost:
                self._say(f"note: {name}: {count(lost, 'known finding')} gone; a run of `tslint check` outside CI"
                     " and without `--diff` removes them")  # fmt: skip
            return
        try:
            write_bytes(baseline.file, smaller.dumps())
        except OSError as error:
            self._say(f"note: {name}: {count(lost, 'known finding')} gone, but the file cannot be written:"
                 f" {error.strerror or error}")  # fmt: skip
            return
        if lost:
            left = f"{smaller.total} left" if smaller.total else "none left: it can be deleted"
            self._say(f"note: {name}: {count(lost, 'known finding')} gone and removed, {left}")

    def _write(self, baseline: Baseline, report: Report, loaded: Loaded) -> Report:
        found = baseline.found(report)
        known = Counter(baseline.counts)
        gone = self._no_longer_found(replace(baseline, counts=known | found), report, loaded)
        named = [baseline.relative(os.path.abspath(path)) for path in self.paths]
        new = replace(
            baseline,
            # Entries of files or rules that were not checked are kept.
            counts=+((known | found) - gone),
            paths=baseline.outermost([*baseline.paths, *named]),
        )
        data = new.dumps()
        try:
            if not baseline.file.exists() or baseline.file.read_bytes() != data:
                write_bytes(baseline.file, data)
        except OSError as error:
            raise Failure(f"{shown(baseline.file)}: cannot be written: {error.strerror or error}") from error
        added = (Counter(new.counts) - known).total()
        lost = (known - Counter(new.counts)).total()
        files = count(len({key.path for key in new.counts}), "file")
        change = ", ".join(f"{number} {what}" for number, what in ((added, "added"), (lost, "gone")) if number)
        change = f" ({change})" if change else ""
        self._say(f"{shown(baseline.file)}: {count(new.total, 'known finding')} in {files}{change}")
        return new.hold_back(report)

    def _say(self, line: str) -> None:
        if not self.quiet:
            click.echo(line, err=True)

    def _no_longer_found(self, baseline: Baseline, report: Report, loaded: Loaded) -> Counter[Key]:
        """Return the entries of the baseline that the run no longer finds; none if it does not cover the baseline."""
        left = baseline.divide(report).gone
        if not left or not self._is_full(baseline, report, loaded):
            return Counter()
        selection = Selection(self.settings)
        checked = {baseline.relative(name) for name in report.sources}
        gone: Counter[Key] = Counter()
        for key, number in left.items():
            if key.path in checked:
                if selection.judges(key.code):
                    gone[key] = number
            elif not baseline.absolute(key.path).exists():
                gone[key] = number
        return gone

    def _is_full(self, baseline: Baseline, report: Report, loaded: Loaded) -> bool:
        """Return whether the run covers everything for which the baseline was written.

        This matters because the findings of a file also depend on the files that use it.
        """
        if not baseline.paths or loaded.problems or loaded.unreadable:
            return False
        if any(each.code in NEVER for each in report.diagnostics):
            return False
        settings = self.settings
        wanted = discover(
            [baseline.absolute(path) for path in baseline.paths],
            root=settings.root,
            exclude=(*settings.exclude, *settings.extend_exclude),
        ).files
        looked_at = {os.path.realpath(source.path) for source in loaded.sources}
        if not all(os.path.realpath(path) in looked_at for path in wanted):
            return False
        # If TS901 is ignored, the report does not contain files that cannot be parsed.
        return Selection(settings).selects("TS901") or all(parses(source.text) for source in loaded.sources)


def in_ci() -> bool:
    """Return whether tslint runs in CI, according to the variable that all services set."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")
