"""The baseline: accepted findings, identified by file, rule and the text of their lines.

It covers a finding wherever the finding's lines move within the file, as many times as it was counted; all further
findings are new. The baseline gets smaller when findings disappear, and larger only on request.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tslint.config import ConfigError, shown
from tslint.diagnostics import Diagnostic
from tslint.lint.engine import Report
from tslint.sources.file import SourceFile
from tslint.sources.suppressions import Suppression, suppressions
from tslint.util.record import record

VERSION = 1
# These findings mean that a file was not checked: no baseline covers them.
NEVER = ("TS900", "TS901")
_LONGEST = 200


class Key(NamedTuple):
    """The identity of a finding in a baseline.

    Args:
        path: relative to the baseline's folder, with forward slashes.
        code: the code of the rule.
        snippet: the lines of the finding, each run of white space as one blank; a long text ends in a hash.
    """

    path: str
    code: str
    snippet: str


@record
class Division:
    """The parts of a report, according to a baseline.

    Args:
        new: the findings that the baseline does not cover, in the report's order.
        known: the findings that it covers.
        gone: for each key, how many accepted findings were not found; all of them if the file was not checked.
    """

    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...]
    gone: Counter[Key]


@record
class Baseline:
    """Accepted findings.

    Args:
        file: the absolute path of the baseline; other paths are relative to its folder.
        paths: the files and folders for which it was written.
        counts: how many findings of each key are accepted.
    """

    file: Path
    paths: tuple[str, ...] = ()
    counts: Mapping[Key, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Return how many findings are accepted."""
        return sum(self.counts.values())

    def relative(self, path: str | Path) -> str:
        """Return a path as the baseline writes it."""
        try:
            return Path(os.path.relpath(path, self.file.parent)).as_posix()
        except ValueError:
            return Path(path).as_posix()  # the path is on another drive

    def absolute(self, path: str) -> Path:
        """Return the absolute path for a path of the baseline."""
        return Path(os.path.abspath(self.file.parent / path))

    def outermost(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the paths of a baseline, sorted, without those below another one."""
        places = {path: self.absolute(path) for path in paths}
        return tuple(sorted(p for p, at in places.items() if not set(at.parents) & set(places.values())))

    def keys(self, report: Report) -> list[tuple[Diagnostic, Key | None]]:
        """Return the findings of a report with their keys; None for a finding that no baseline covers."""
        lines: dict[str, _Lines] = {}
        found: list[tuple[Diagnostic, Key | None]] = []
        for each in report.diagnostics:
            source = report.sources.get(each.filename)
            if source is None or each.code in NEVER:
                found.append((each, None))
                continue
            if each.filename not in lines:
                lines[each.filename] = _Lines(source)
            found.append((each, Key(self.relative(each.filename), each.code, lines[each.filename].snippet(each))))
        return found

    def found(self, report: Report) -> Counter[Key]:
        """Return how many findings of each key a report contains."""
        return Counter(key for _, key in self.keys(report) if key is not None)

    def divide(self, report: Report) -> Division:
        """Divide a report into new and known findings.

        If there are more equal findings than were counted, the last ones are new: nothing else distinguishes them.
        """
        left = Counter(self.counts)
        new: list[Diagnostic] = []
        known: list[Diagnostic] = []
        for each, key in self.keys(report):
            if key is not None and left[key] > 0:
                left[key] -= 1
                known.append(each)
            else:
                new.append(each)
        return Division(tuple(new), tuple(known), +left)

    def hold_back(self, report: Report) -> Report:
        """Return a report that contains only the new findings."""
        division = self.divide(report)
        return replace(report, diagnostics=division.new, known=len(division.known))

    def without(self, gone: Mapping[Key, int]) -> Baseline:
        """Return the same baseline with smaller counts."""
        return replace(self, counts=+(Counter(self.counts) - Counter(gone)))

    def following(self, before: Report, after: Report) -> Baseline:
        """Return a baseline with the same number of findings, after fixes have changed lines that contain known ones.

        Args:
            before: the findings before the fixes.
            after: the findings after the fixes.
        """
        then = self.divide(before)
        # If a rule had new findings in a file, too, it is not known whether the remaining ones are known or new.
        unclear = {(self.relative(each.filename), each.code) for each in then.new}
        now = self.divide(after)
        stale: dict[tuple[str, str], list[Key]] = {}
        for key in (now.gone - then.gone).elements():
            stale.setdefault((key.path, key.code), []).append(key)
        counts = Counter(self.counts)
        fresh = set(now.new)
        for each, new_key in self.keys(after):
            kind = (new_key.path, new_key.code) if new_key else None
            if new_key is not None and kind is not None and each in fresh and kind not in unclear and stale.get(kind):
                counts[stale[kind].pop()] -= 1
                counts[new_key] += 1
        return replace(self, counts=+counts)

    def dumps(self) -> bytes:
        """Return the text of the file: a line for each entry, sorted, so that versions merge and diffs are readable."""
        files: dict[str, list[Key]] = {}
        for key in sorted(self.counts):
            files.setdefault(key.path, []).append(key)
        tables = []
        for path, keys in files.items():
            entries = [_json({"code": key.code, "snippet": key.snippet, "count": self.counts[key]}) for key in keys]
            tables.append(f"    {_json(path)}: [\n      " + ",\n      ".join(entries) + "\n    ]")
        findings = "{\n" + ",\n".join(tables) + "\n  }" if tables else "{}"
        text = f'{{\n  "version": {VERSION},\n  "paths": {_json(list(self.paths))},\n  "findings": {findings}\n}}\n'
        # A name that UTF-8 cannot encode (a lone surrogate) becomes an escape of JSON.
        return text.encode("utf-8", "backslashreplace")

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """Read a baseline.

        Raises:
            ConfigError: the file is missing or not a baseline; the message is one line with a solution.
        """
        file = Path(os.path.abspath(file))
        try:
            data = file.read_bytes()
        except FileNotFoundError:
            raise ConfigError(f"{shown(file)}: no such baseline; `--write-baseline` writes it") from None
        except OSError as error:
            raise ConfigError(f"{shown(file)}: the baseline cannot be read: {error.strerror or error}") from error
        way_out = "correct it, or delete it and write a new one with `--write-baseline`"
        try:
            parsed = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            what = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else f"is not JSON: {error}"
            raise ConfigError(f"{shown(file)}: the baseline {what}; {way_out}") from error
        if isinstance(parsed, dict) and isinstance(version := parsed.get("version"), int) and version > VERSION:
            raise ConfigError(f"{shown(file)}: written by a newer tslint (version {version} of the format); update it")
        try:
            return cls(file, *_entries(parsed))
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{shown(file)}: is not a baseline of tslint; {way_out}") from error


def _entries(parsed: Any) -> tuple[tuple[str, ...], dict[Key, int]]:
    """Return the paths and counts of a parsed file; raise KeyError, TypeError or ValueError for another form."""
    counts: dict[Key, int] = {}
    if parsed["version"] != VERSION or not isinstance(parsed["findings"], dict):
        raise ValueError
    for path, entries in parsed["findings"].items():
        for entry in entries:
            key = Key(path, entry["code"], entry["snippet"])
            count = entry["count"]
            if not all(isinstance(each, str) for each in key) or type(count) is not int or count < 1:
                raise ValueError
            # If two branches both added the entry, a merge contains it twice: the counts are not added.
            counts[key] = max(count, counts.get(key, 0))
    if not isinstance(parsed["paths"], list) or not all(isinstance(path, str) for path in parsed["paths"]):
        raise ValueError
    return tuple(parsed["paths"]), counts


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Lines:
    """The lines of one file as snippets.

    Args:
        source: the file.
    """

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._comments: dict[int, list[Suppression]] = {}
        for each in suppressions(source):
            self._comments.setdefault(each.start.row, []).append(each)

    def snippet(self, diagnostic: Diagnostic) -> str:
        """Return the lines of a finding without their suppressions: a new suppression for another rule must not change
        the key.
        """
        start, end = diagnostic.start, diagnostic.end
        last = end.row - 1 if end.column == 1 and end.row > start.row else end.row
        words: list[str] = []
        for row in range(start.row, max(last, start.row) + 1):
            line = self._source.lines[row - 1] if row <= len(self._source.lines) else ""
            for comment in reversed(self._comments.get(row, ())):
                if diagnostic.code != "TS902":
                    line = line[: comment.start.column - 1] + line[comment.end.column - 1 :]
            words += line.split()
        text = " ".join(words)
        if len(text) <= _LONGEST:
            return text
        return f"{text[:_LONGEST]} … {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
