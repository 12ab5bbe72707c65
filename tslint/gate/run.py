"""Checks files and verifies targets according to a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tslint.config import Settings
from tslint.gate.plan import Plan
from tslint.lint.baseline import Baseline
from tslint.lint.cache.cached import Cache
from tslint.lint.cache.cached import check as check_all
from tslint.lint.engine import Read, Report
from tslint.lint.target_facts import with_targets


def check(files: Read, paths: Sequence[Path], settings: Settings, plan: Plan) -> Report:
    """Check the whole project, and report on the files of the plan.

    The findings of a file depend on the files that use it, so the whole project is checked. Findings in the baseline
    are not reported; the baseline itself is not changed.

    Raises:
        ConfigError: the settings name an unknown rule, or a baseline that cannot be read.
    """
    baseline = None if settings.baseline is None else Baseline.read(settings.baseline)
    wanted = frozenset(plan.files)
    if not wanted and not files.problems:
        return Report((), {}, (), 0)
    settings = with_targets(settings)
    report, _ = check_all(files, settings, Cache.open(settings, paths))
    if baseline is not None:
        report = baseline.hold_back(report)
    return replace(
        report,
        diagnostics=tuple(each for each in report.diagnostics if each.filename in wanted),
        sources={name: report.sources[name] for name in wanted & report.sources.keys()},
        files=len(wanted),
    )


def gate_paths(paths: Sequence[Path], settings: Settings) -> tuple[Path, ...]:
    """Return the paths to check: the folder of the configuration, unless paths are named."""
    return tuple(paths) or (settings.root,)
