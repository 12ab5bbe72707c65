"""The cache of ``tslint check``: reuses earlier findings that are still valid.

An entry belongs to one kind of run (these settings, these paths, this tslint, this Python). It contains the digests of
all files that contributed to it, the modules that were looked for and not found, and the findings. If none of that has
changed, the stored findings are the result, and neither libcst nor the static model nor any rule is imported. If
something has changed, :mod:`tslint.lint.cache.invalidation` analyses only what the change can affect.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tslint.config import Settings
from tslint.diagnostics import Diagnostic
from tslint.lint.cache.codec import filename, packed, unpacked
from tslint.lint.cache.dependencies import Disk, Group
from tslint.lint.cache.store import Store
from tslint.lint.cache.version import tool_version
from tslint.lint.engine import Loaded, Read, Report, decode, kept, report
from tslint.lint.together import Piece, finding_key, together
from tslint.project.installed import Installed
from tslint.sources.digest import digest

if TYPE_CHECKING:
    from tslint.lint.analysis import Findings
    from tslint.lint.cache.invalidation import Part
    from tslint.lint.selection import Selection
    from tslint.sources.file import SourceFile

# Settings that decide which findings are shown, but not which are found; and settings that decide neither.
_SHOWN = ("select", "extend_select", "ignore", "per_file_ignores", "fixable", "unfixable")
_NOTHING = ("fail_on", "output_format", "baseline", "cache_dir", "exclude", "extend_exclude", "unsafe_fixes")
_BROKEN = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
_Files = list[tuple[str, str]]


class LateSources(Mapping[str, "SourceFile"]):
    """The files of a run by name; each is decoded on first use.

    Args:
        files: the bytes of the files.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._decoded: dict[str, SourceFile] = {}

    def __getitem__(self, name: str) -> SourceFile:
        if name not in self._decoded:
            from tslint.sources import reading
            from tslint.sources.file import UnreadableSource

            try:
                self._decoded[name] = reading.decode(Path(name), self._files[name])
            except UnreadableSource as error:
                raise KeyError(name) from error
        return self._decoded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


class Cache:
    """The cache entry of one kind of run.

    Args:
        store: the folder of the cache.
        name: the name of the entry.
        settings: the settings of the run.
    """

    def __init__(self, store: Store, name: str, settings: Settings) -> None:
        self._store = store
        self._name = name
        self._settings = settings
        self._facts: dict[str, Any] = {}
        self._shown = digest(repr([getattr(settings, each) for each in _SHOWN]).encode())

    @classmethod
    def open(cls, settings: Settings, paths: Sequence[Path], *, within: Path | None = None) -> Cache | None:
        """Return the cache for a run over ``paths``; None if it cannot be cached.

        Args:
            settings: the settings of the run.
            paths: the paths as they were named.
            within: the project that contains them.
        """
        store, tool = Store.of(settings), tool_version()
        if store is None or tool is None:
            return None
        fields = {key: value for key, value in vars(settings).items() if key not in (*_SHOWN, *_NOTHING)}
        fields["jobs"] = settings.jobs or os.cpu_count()
        fields["python"] = settings.environment.packages
        named = [os.path.abspath(path) for path in paths]
        key = [tool, sorted(fields.items()), named, within and os.path.abspath(within)]
        return cls(store, digest(repr(key).encode("utf-8", "surrogatepass")), settings)

    def known(self, read: Read, context: Read | None = None) -> Report | None:
        """Return the stored report; None if there is none, if a file cannot be read, or if something that it depends on
        has changed.

        Args:
            read: the files.
            context: see :meth:`judge`.
        """
        if read.unreadable or (context is not None and context.unreadable):
            return None
        sections = self._store.read(self._name, 2)
        if sections is None:
            return None
        try:
            facts = json.loads(sections[0])
            files = _files(read, context)
            if facts["shown"] != self._shown or facts["files"] != [list(each) for each in files]:
                return None
            if facts["own"] != len(read.files) or _probed(facts["probes"]) != facts["probes"]:
                return None
            disk = Disk(dict(files), Installed.of(self._settings))
            if any(Group.of(group).changed(disk) for group in facts["groups"]):
                return None
            found = unpacked(json.loads(sections[1]))
        except _BROKEN:
            return None
        undecoded = set(facts["undecoded"])
        sources = {str(path): data for path, data in read.files if str(path) not in undecoded}
        return Report(tuple(found), LateSources(sources), read.problems, len(read.files))

    def judge(
        self, read: Read, loaded: Loaded, context: Sequence[SourceFile] = (), around: Read | None = None
    ) -> Report | None:
        """Return the report on the loaded files, reusing valid findings, and store the result.

        Args:
            read: the files.
            loaded: the same files, decoded.
            context: other files, which are not reported on, but may compile code of the loaded ones.
            around: the files of ``context``, not decoded.

        Returns:
            None after an internal error, which must not be stored.

        Raises:
            ConfigError: the settings name an unknown rule, or an entry point does not exist.
        """
        from tslint.lint.cache.invalidation import bring_up, is_rooted
        from tslint.lint.selection import Selection
        from tslint.project.impact import role

        settings = self._settings
        selection = Selection(settings)
        files = _files(read, around)
        sources = (*loaded.sources, *context)
        roles = {str(source.path): role(source.text) for source in sources}
        probes = _probed(_places(settings, sources)) if is_rooted(settings) else []
        last = _Last(self._store.read(self._name), probes)
        disk = Disk(dict(files), Installed.of(settings))
        parts = _started(sources, settings, last, disk, dict(files), roles)
        bring_up(parts, settings)
        raw: list[dict[str, str]] = []
        for number, part in enumerate(parts):
            if any(each.code == "TS900" for found in (part.found or {}).values() for each in found):
                return None
            raw.append(_brought_up(part, last.raw(number)))
        fresh = {path for part in parts for path in part.affected | part.changed}
        found = self._shown_now(loaded, raw, last, fresh, selection)
        if found is None:
            return None
        result = report(loaded, found, selection)
        if not (read.unreadable or (around is not None and around.unreadable)):
            facts = {
                "files": files,
                "roles": {path: part for path, part in roles.items() if part},
                "probes": probes,
                "groups": [part.group(disk).data() for part in parts],
            }
            self._keep(read, loaded, facts, result, raw)
        return result

    def _shown_now(
        self,
        loaded: Loaded,
        raw: Sequence[Mapping[str, str]],
        last: _Last,
        fresh: Collection[str],
        selection: Selection,
    ) -> dict[Path, tuple[Diagnostic, ...]] | None:
        """Return the findings to show for each file; compute those that are not stored. Return None if one
        is a TS900.
        """
        shown = last.shown() if last.facts.get("shown") == self._shown else {}
        found: dict[Path, tuple[Diagnostic, ...]] = {}
        for source in loaded.sources:
            name = str(source.path)
            if name in shown and name not in fresh:
                found[source.path] = tuple(unpacked(shown.pop(name)))
                continue
            found[source.path] = kept(source, *_together(raw, name), self._settings, selection)
            if any(each.code == "TS900" for each in found[source.path]):
                return None
        return found

    def _keep(
        self, read: Read, loaded: Loaded, facts: dict[str, Any], result: Report, raw: Sequence[Mapping[str, str]]
    ) -> None:
        """Write the cache entry."""
        decoded = {str(source.path) for source in loaded.sources}
        undecoded = [str(path) for path, _ in read.files if str(path) not in decoded]
        facts = {"shown": self._shown, "own": len(read.files), "undecoded": undecoded, **facts}
        self._store.write(self._name, [_json(facts), _json(packed(result.diagnostics)), *map(_json, raw)])


class _Last:
    """The entry of an earlier run, as far as it can be read."""

    def __init__(self, sections: list[bytes] | None, probes: list[list[Any]]) -> None:
        self.facts: dict[str, Any] = {}
        self._groups: list[Group] = []
        self._raw: list[dict[str, str]] = []
        self._found = b"[]"
        self.digests: dict[str, str] = {}
        self.roles: dict[str, int] = {}
        if sections is None:
            return
        try:
            facts = json.loads(sections[0])
            if facts["probes"] != probes:
                return
            groups = [Group.of(group) for group in facts["groups"]]
            # One section at a time: for a large tree, the text and the decoded form of all would need too much memory.
            raw = [json.loads(sections.pop(2)) for _ in range(len(sections) - 2)]
            digests, roles = dict(facts["files"]), dict(facts["roles"])
        except _BROKEN:
            return
        if len(raw) == len(groups):
            self._groups, self._raw, self._found = groups, raw, sections[1]
            self.digests, self.roles, self.facts = digests, roles, facts

    def group(self, number: int) -> Group | None:
        """Return a group; None if there is none with that number."""
        return self._groups[number] if number < len(self._groups) else None

    def raw(self, number: int) -> dict[str, str]:
        """Return the packed findings of a group, and the compiled rows, by file, as JSON."""
        return self._raw[number] if number < len(self._raw) else {}

    def shown(self) -> dict[str, list[Any]]:
        """Return the packed findings that were shown for each file."""
        # The files after those are other files of the project, whose findings were not shown.
        own = self.facts["files"][: self.facts["own"]]
        kept: dict[str, list[Any]] = {path: [] for path, _ in own}
        for finding in json.loads(self._found):
            kept[filename(finding)].append(finding)
        return kept


def _started(
    sources: Sequence[SourceFile],
    settings: Settings,
    last: _Last,
    disk: Disk,
    digests: Mapping[str, str],
    roles: Mapping[str, int],
) -> list[Part]:
    """Return the groups of a run, each with the files that have changed."""
    from tslint.lint.cache.invalidation import Part, is_rooted, plan
    from tslint.project.impact import deciding

    either = {path: max(roles.get(path, 0), last.roles.get(path, 0)) for path in {*roles, *last.roles}}
    parts = []
    for number, group in enumerate(plan(sources, settings)):
        part = Part(group, frozenset(roles), last.group(number), is_rooted(settings))
        part.start(disk, last.digests, digests, either)
        parts.append(part)
    decisive = deciding(either) if len(parts) > 1 else ()
    if any(digests.get(path) != last.digests.get(path) for path in decisive):
        # A changed file decides for all groups which modules are only traced.
        for part in parts:
            part.restart()
    return parts


def _brought_up(part: Part, last: Mapping[str, str]) -> dict[str, str]:
    """Return the current findings of a group, packed, and remove them from the group to free memory."""
    table = {} if part.found is not None and (part.old is None or part.whole) else dict(last)
    for path in part.affected | part.changed:
        table.pop(path, None)
        if part.found is not None:
            rows = sorted(part.found.compiled.get(Path(path), ()))
            table[path] = _text([packed(part.found.get(Path(path), [])), rows, *_grounds(part.found, Path(path))])
    nodes = {str(source.path) for source in part.sources} | part.every
    if part.found is not None:
        # The findings of a large tree need more memory than its text; their packed text needs a tenth of that.
        part.found.clear()
    return {path: entry for path, entry in table.items() if path in nodes}


def _grounds(found: Findings, path: Path) -> tuple[Any, ...]:
    """Return what other groups need to know about a file, as JSON; nothing if there are no other groups."""
    piece = found.piece(path)
    if piece.evidence is None and not piece.claims:
        return ()
    claims = [piece.claims.get(finding_key(each)) for each in piece.findings]
    return claims, None if piece.evidence is None else piece.evidence.data()


def _piece(entry: list[Any]) -> Piece:
    """Return what one group of files shows about a file, from the JSON of that."""
    from tslint.script.evidence import Claim, Evidence

    findings, _, *grounds = entry
    diagnostics = unpacked(findings)
    if not grounds:
        return Piece(diagnostics)
    claims = {finding_key(each): Claim.of(claim) for each, claim in zip(diagnostics, grounds[0]) if claim is not None}
    return Piece(diagnostics, claims, None if grounds[1] is None else Evidence.of(grounds[1]))


def _together(raw: Sequence[Mapping[str, str]], name: str) -> tuple[list[Diagnostic], set[int]]:
    """Return the findings of all groups in a file, and the rows of the functions that any group compiled."""
    entries = [json.loads(table[name]) for table in raw if name in table]
    return together([_piece(each) for each in entries]), {row for entry in entries for row in entry[1]}


def check(
    read: Read, settings: Settings, cache: Cache | None, around: Read | None = None
) -> tuple[Report, Loaded | None]:
    """Check files that have been read, with the cache as far as possible.

    Args:
        read: the files.
        settings: the settings of the run.
        cache: the cache of the run; None to analyse everything.
        around: other files, which are not reported on, but may compile code of these.

    Returns:
        The report, and the decoded files if they were needed for it.

    Raises:
        ConfigError: the settings name an unknown rule, or an entry point does not exist.
    """
    from tslint.lint.engine import judge

    found = cache.known(read, around) if cache is not None else None
    if found is not None:
        return found, None
    loaded = decode(read)
    context = decode(around).sources if around is not None else ()
    if cache is not None:
        found = cache.judge(read, loaded, context, around)
    return found or judge(loaded, settings, context), loaded


def _text(value: Any) -> str:
    # Surrogates stay escaped, so any text that Python can hold is valid here.
    return json.dumps(value, separators=(",", ":"))


def _json(value: Any) -> bytes:
    return _text(value).encode("ascii")


def _files(read: Read, around: Read | None) -> _Files:
    more = around.files if around is not None else ()
    return [(str(path), digest(data)) for path, data in (*read.files, *more)]


def _places(settings: Settings, sources: Sequence[SourceFile]) -> list[list[Any]]:
    """Return the files in which the configured targets and entry points are looked for (see
    :mod:`tslint.script.entry_points`).
    """
    from tslint.project.place import module_place, named_files

    folders = {module_place(source.path)[0]: None for source in sources}
    places = (*settings.entry_points, *(target.target for target in settings.targets.values()))
    return [
        [str(path), False] for place in places for path in named_files(place.rpartition(":")[0], settings.root, folders)
    ]


def _probed(places: list[list[Any]]) -> list[list[Any]]:
    return [[path, os.path.isfile(path)] for path, _ in places]
