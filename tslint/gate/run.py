"""Checks and verifies what a plan says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tslint.config import Settings
from tslint.gate.plan import Plan
from tslint.lint.baseline import Baseline
from tslint.lint.engine import Loaded, Report, judge


def check(loaded: Loaded, settings: Settings, plan: Plan) -> Report:
    """Look at the whole project, and report on the files of the plan.

    The whole, for what a file's findings are depends on the files that use it. What the baseline knows is held back;
    the baseline itself stays as it is.

    Raises:
        ConfigError: the settings name an unknown rule, or a baseline that cannot be read.
    """
    baseline = None if settings.baseline is None else Baseline.read(settings.baseline)
    wanted = frozenset(plan.files)
    if not wanted and not loaded.problems:
        return Report((), {}, (), 0)
    report = judge(loaded, settings)
    if baseline is not None:
        report = baseline.hold_back(report)
    return replace(
        report,
        diagnostics=tuple(each for each in report.diagnostics if each.filename in wanted),
        sources={name: source for name, source in report.sources.items() if name in wanted},
        files=len(wanted),
    )


def gate_paths(paths: Sequence[Path], settings: Settings) -> tuple[Path, ...]:
    """What a gate is about: the folder of the configuration, unless paths are named."""
    return tuple(paths) or (settings.root,)
