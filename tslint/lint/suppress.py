"""Removes suppressed findings, and reports suppressions that suppress nothing (TS902)."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from tslint.config import Settings
from tslint.diagnostics import Applicability, Diagnostic, Edit, Fix, Position, Severity, Stage
from tslint.lint.selection import by_code, resolve, suggestion
from tslint.sources.file import SourceFile
from tslint.sources.suppressions import KINDS, Suppression, suppressions
from tslint.util import astwalk
from tslint.util.suggest import did_you_mean

UNUSED = "TS902"


@dataclass
class _Use:
    """A suppression, the rules that it names, and the rules among them for which it removed a finding."""

    suppression: Suppression
    codes: dict[str, str | None]
    used: set[str] = field(default_factory=set)

    def touches(self, rows: Collection[int]) -> bool:
        """Return whether the comment applies to any of the rows."""
        return any(self.suppression.first_row <= row <= self.suppression.last_row for row in rows)

    def takes(self, diagnostic: Diagnostic) -> bool:
        suppression = self.suppression
        if not suppression.first_row <= diagnostic.start.row <= suppression.last_row:
            return False
        if suppression.kind not in ("ignore", "ignore-file", "off"):
            return False
        if suppression.bare:
            # A suppression of all rules does not suppress the finding that it is unused.
            if diagnostic.code == UNUSED:
                return False
            self.used.add("")
            return True
        matching = {rule for rule, code in self.codes.items() if code is not None and diagnostic.code.startswith(code)}
        self.used |= matching
        return bool(matching)


def suppress(
    source: SourceFile,
    diagnostics: Iterable[Diagnostic],
    settings: Settings,
    *,
    compiled: Collection[int] | None = None,
) -> list[Diagnostic]:
    """Return the findings of one file without the suppressed ones, and with TS902 for unused suppressions.

    Args:
        source: the file.
        diagnostics: every finding of every rule in it, so that a suppression of a deselected rule counts as used.
        settings: suppressions of rules that have no findings under these settings are never reported as unused.
        compiled: the rows of the ``def`` of each compiled function; None for all. Suppressions in functions that no
            code of the run calls are not reported as unused, because their findings are not known.
    """
    found = list(diagnostics)
    uses = [_Use(each, {rule: resolve(rule) for rule in each.rules}) for each in suppressions(source)]
    if not uses:
        return found
    kept = [diagnostic for diagnostic in found if not _taken(diagnostic, uses)]
    # If the file was not checked, it is not known which suppressions are unused.
    if not any(diagnostic.code in ("TS900", "TS901") for diagnostic in found):
        judged = _judged(settings)
        spared = set() if compiled is None else _uncompiled_rows(source, compiled)
        unused: list[Diagnostic] = []
        for use in uses:
            known = judged if not use.touches(spared) else _nothing
            unused += _unused(source, use, known, settings.mode == "both" and known is judged)
        kept += [finding for finding in unused if not _taken(finding, uses)]
    return kept


def _uncompiled_rows(source: SourceFile, compiled: Collection[int]) -> set[int]:
    """Return the rows of functions that the run does not compile, without constructors."""
    rows: set[int] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pending: list[ast.AST] = [ast.parse(source.text)]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # Nested functions are compiled only with the function around them.
            if node.lineno not in compiled and node.name != "__init__":
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                rows.update(range(first, (node.end_lineno or node.lineno) + 1))
            continue
        pending.extend(astwalk.children(node))
    return rows


def _taken(diagnostic: Diagnostic, uses: list[_Use]) -> bool:
    # A list instead of any(): each suppression that matches must be recorded as used.
    return bool([use for use in uses if use.takes(diagnostic)])


def _judged(settings: Settings) -> Callable[[str], bool]:
    """Return a function that returns whether this run can show findings of a rule."""
    rules = by_code()

    def judged(code: str) -> bool:
        matching = [registered.rule for full, registered in rules.items() if full.startswith(code)]
        if not matching or any(not rule.events for rule in matching):
            return False
        stages = {rule.stage for rule in matching}
        if settings.mode == "script":
            return Stage.TRACE not in stages
        if settings.mode == "trace":
            return stages == {Stage.TRACE}
        return all(rule.since is None and rule.until is None for rule in matching)

    return judged


def _nothing(code: str) -> bool:
    return False


def _unused(source: SourceFile, use: _Use, judged: Callable[[str], bool], everything: bool) -> Iterable[Diagnostic]:
    suppression = use.suppression
    if suppression.kind not in KINDS:
        hint = did_you_mean(suppression.kind, KINDS) or "; suppressions are ignore, ignore-file, off and on"
        yield _finding(source, suppression, f"`tslint: {suppression.kind}` is not a suppression{hint}")
        return
    if suppression.kind == "on":
        if not suppression.matched:
            fix = _removal(source, suppression)
            yield _finding(source, suppression, "`tslint: on` has no `tslint: off` before it", fix=fix)
        return
    help = None
    if suppression.kind == "ignore" and suppression.alone:
        help = "Put an `ignore` comment at the end of the line that it suppresses."
    if suppression.bare:
        if not use.used and everything:
            fix = _removal(source, suppression)
            yield _finding(source, suppression, f"`tslint: {suppression.kind}` suppresses nothing", help=help, fix=fix)
        return
    for rule, code in use.codes.items():
        if code is None:
            yield _finding(source, suppression, f"unknown rule {rule!r} in a suppression{suggestion(rule)}")
    unused = [rule for rule, code in use.codes.items() if code and rule not in use.used and judged(code)]
    if unused or not suppression.rules:
        kept = [rule for rule in suppression.rules if rule not in unused]
        if kept:
            edit = Edit(suppression.rules_start, suppression.rules_end, ", ".join(kept))
            fix = Fix(Applicability.SAFE, f"Remove {', '.join(unused)} from the suppression", (edit,))
        else:
            fix = _removal(source, suppression)
        names = f"`{', '.join(unused)}`" if unused else "nothing"
        message = f"`tslint: {suppression.kind}` of {names} suppresses nothing"
        yield _finding(source, suppression, message, help=help, fix=fix)


def _removal(source: SourceFile, suppression: Suppression) -> Fix:
    """Return the fix that removes a suppression: with its line if nothing else is there, otherwise with the blanks
    before it.
    """
    line = source.lines[suppression.start.row - 1]
    start, end = suppression.start.column - 1, suppression.end.column - 1
    before, after = line[:start], line[end:]
    row = suppression.start.row
    first, last = Position(row, start + 1), Position(row, end + 1)
    if not after.strip():
        if before.strip():
            first = Position(row, len(before.rstrip()) + 1)
            last = Position(row, len(line.rstrip("\r\n")) + 1)
        else:
            first, last = Position(row, 1), Position(row + 1, 1)
    else:
        # Another comment follows, and moves to this position.
        last = Position(row, end + len(after) - len(after.lstrip()) + 1)
    return Fix(Applicability.SAFE, "Remove the suppression", (Edit(first, last, ""),))


def _finding(
    source: SourceFile, suppression: Suppression, message: str, *, help: str | None = None, fix: Fix | None = None
) -> Diagnostic:
    return Diagnostic(
        code=UNUSED,
        name="unused-suppression",
        severity=Severity.WARNING,
        stage=Stage.SCRIPT,
        message=message,
        filename=str(source.path),
        start=suppression.start,
        end=suppression.end,
        help=help,
        fix=fix,
    )
