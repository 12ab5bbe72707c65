"""SARIF 2.1.0, the format of code scanning services and of several editors."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tslint.diagnostics import Applicability, CallStep, Diagnostic, Fix, Position, Severity
from tslint.lint import selection
from tslint.lint.engine import Report
from tslint.reporters.cells import in_cell, rows_in_file
from tslint.reporters.fingerprints import fingerprints
from tslint.reporters.view import View
from tslint.rulekit.registry import RegisteredRule
from tslint.sources.file import SourceFile
from tslint.sources.notebook import Notebook
from tslint.util.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = "https://tslint.readthedocs.io/"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}
_SNIPPET = 10  # the most lines of a snippet
_LONGEST = 1024  # the most characters of a description that code scanning shows
_SENTENCE = re.compile(r"^## What it does\n+(.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)


def render(report: Report, view: View) -> str:
    """Return a log with one run."""
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_Run(report, view).log()]}, indent=2) + "\n"


class _Run:
    """Writes a run, in which files and rules are stored once and referred to by index.

    Args:
        report: the findings.
        view: defines the folder to which paths are relative.
    """

    def __init__(self, report: Report, view: View) -> None:
        self._report = report
        self._view = view
        found = report.diagnostics
        self._codes = {code: index for index, code in enumerate(sorted({each.code for each in found}))}
        steps = {step.filename for each in found for step in each.compiled_via}
        self._files = {name: index for index, name in enumerate(sorted({each.filename for each in found} | steps))}

    def log(self) -> dict[str, Any]:
        """Return the run object."""
        names = {each.code: each.name for each in self._report.diagnostics}
        known = selection.by_code()
        rules = [_rule(known[code]) if code in known else {"id": code, "name": names[code]} for code in self._codes]
        run: dict[str, Any] = {
            "tool": {
                "driver": {
                    "name": "tslint",
                    "informationUri": _HOME,
                    "version": __version__,
                    "rules": rules,
                }
            },
            "invocations": [self._invocation()],
            "columnKind": "unicodeCodePoints",
            # Where Python ends a line; the default does not include a single "\r".
            "newlineSequences": ["\r\n", "\n", "\r"],
            "originalUriBaseIds": {
                _ROOT: {"uri": _uri(self._view.root).rstrip("/") + "/", "description": {"text": "The checkout."}}
            },
            "artifacts": [self._artifact(name) for name in self._files],
            "results": [
                self._result(each, fingerprint)
                for each, fingerprint in zip(self._report.diagnostics, fingerprints(self._report))
            ],
        }
        return run

    def _invocation(self) -> dict[str, Any]:
        problems = self._report.problems
        invocation: dict[str, Any] = {"executionSuccessful": not problems}
        if problems:
            invocation["toolConfigurationNotifications"] = [
                {"level": "error", "message": _message(f"{each.path}: {each.message}")} for each in problems
            ]
        return invocation

    def _artifact(self, filename: str) -> dict[str, Any]:
        artifact: dict[str, Any] = {"location": self._address(filename), "sourceLanguage": "python"}
        source = self._report.sources.get(filename)
        if source is not None:
            artifact |= {"roles": ["analysisTarget"], "encoding": source.encoding}
        return artifact

    def _address(self, filename: str) -> dict[str, Any]:
        path = Path(filename)
        if path.is_relative_to(self._view.root):
            return {"uri": _quoted(path.relative_to(self._view.root)), "uriBaseId": _ROOT}
        return {"uri": _uri(path)}

    def _located(self, filename: str) -> dict[str, Any]:
        return {**self._address(filename), "index": self._files[filename]}

    def _result(self, each: Diagnostic, fingerprint: str) -> dict[str, Any]:
        own = in_cell(self._report, each)
        message = each.message if own.cell is None else f"{own.place}: {each.message}"
        result: dict[str, Any] = {
            "ruleId": each.code,
            "ruleIndex": self._codes[each.code],
            "kind": "fail",
            "level": _LEVELS[each.severity],
            "message": _message(message, each.help),
            "locations": [self._place(each)],
            "partialFingerprints": {"tslint/v1": fingerprint},
        }
        # A call path with one step is only the function that contains the finding, so it is left out.
        if len(each.compiled_via) > 1:
            steps = [self._step(step) for step in each.compiled_via]
            result["relatedLocations"] = [{"id": number, **step} for number, step in enumerate(steps, 1)]
            last = {**self._place(each), "message": _message(each.message)}
            flow = [{"location": location} for location in (*steps, last)]
            result["codeFlows"] = [
                {"message": {"text": "Why this code is compiled"}, "threadFlows": [{"locations": flow}]}
            ]
        # A fix with a placeholder is left out: applied, it would be worse than the finding. Fixes in notebooks are left
        # out, too, because the code in the file is JSON.
        if each.fix is not None and each.fix.applicability is not Applicability.DISPLAY and own.cell is None:
            result["fixes"] = [self._fix(each.filename, each.fix)]
        result["properties"] = {"name": each.name, "stage": each.stage.value}
        if own.cell is not None:
            result["properties"]["cell"] = own.cell
        if each.compiler:
            result["properties"]["compiler"] = each.compiler
        return result

    def _place(self, each: Diagnostic) -> dict[str, Any]:
        source = self._report.sources.get(each.filename)
        region = self._region(each.filename, each.start, each.end)
        if isinstance(source, Notebook):
            source = None
        if source is not None and each.start < each.end and each.end.row - each.start.row < _SNIPPET:
            region["snippet"] = {"text": source.slice(each.start, each.end)}
        location: dict[str, Any] = {
            "physicalLocation": {"artifactLocation": self._located(each.filename), "region": region}
        }
        if each.holder is not None:
            location["logicalLocations"] = [{"fullyQualifiedName": each.holder.name, "kind": "function"}]
        return location

    def _region(self, filename: str, start: Position, end: Position | None = None) -> dict[str, Any]:
        """Return a region of a file; in a notebook only whole rows, because columns there would be those of JSON."""
        if isinstance(self._report.sources.get(filename), Notebook):
            rows = rows_in_file(self._report, filename, start.row, (end or start).row)
            return {"startLine": rows[0]} if end is None else {"startLine": rows[0], "endLine": rows[1]}
        return {"startLine": start.row, "startColumn": start.column} if end is None else _region(start, end)

    def _step(self, step: CallStep) -> dict[str, Any]:
        return {
            "physicalLocation": {
                "artifactLocation": self._located(step.filename),
                "region": self._region(step.filename, step.position),
            },
            "logicalLocations": [{"fullyQualifiedName": step.name, "kind": "function"}],
            "message": _message(f"{step.name} is compiled"),
        }

    def _fix(self, filename: str, fix: Fix) -> dict[str, Any]:
        source = self._report.sources.get(filename)
        words = fix.message
        if fix.applicability is Applicability.UNSAFE:
            words += f" (unsafe: {fix.caution})"
        replacements = [
            {
                "deletedRegion": _region(_within(source, edit.start), _within(source, edit.end)),
                "insertedContent": {"text": edit.content},
            }
            for edit in fix.edits
        ]
        return {
            "description": _message(words),
            "artifactChanges": [{"artifactLocation": self._located(filename), "replacements": replacements}],
            "properties": {"applicability": fix.applicability.value, "risks": [risk.value for risk in fix.risks]},
        }


def _rule(registered: RegisteredRule) -> dict[str, Any]:
    rule = registered.rule
    page = registered.page.strip() + "\n"
    sentence = _SENTENCE.search(page)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": _short(registered.summary)},
        "fullDescription": {"text": _short(sentence[1] if sentence else registered.summary)},
        "help": {"text": page, "markdown": page},
        "helpUri": rule.url,
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": not rule.opt_in},
        "properties": {
            "tags": ["torchscript", registered.family, rule.stage.value],
            "precision": "very-high" if rule.severity is Severity.ERROR else "high",
            "problem.severity": _PROBLEMS[rule.severity],
        },
    }


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _message(*texts: str | None) -> dict[str, str]:
    """Return a message as Markdown and as plain text; in Markdown, `a[i](x)` must be escaped, because it would be a
    link.
    """
    words: Iterable[str] = (text for text in texts if text)
    text = "\n".join(words)
    plain = text.replace("](", "] (")
    return {"text": plain} if plain == text and "`" not in text else {"text": plain, "markdown": text}


def _region(start: Position, end: Position) -> dict[str, Any]:
    return {"startLine": start.row, "startColumn": start.column, "endLine": end.row, "endColumn": end.column}


def _within(source: SourceFile | None, position: Position) -> Position:
    """Return a position inside the file: an edit may end in the line after the last."""
    return position if source is None else source.position(source.offset(position))


def _uri(path: Path) -> str:
    return "file://" + ("" if path.as_posix().startswith("/") else "/") + _quoted(path, drive=":")


def _quoted(path: Path, drive: str = "") -> str:
    # A colon in the first folder of a relative path would make that folder a URI scheme.
    return quote(os.fsencode(path.as_posix()), safe="/" + drive)
