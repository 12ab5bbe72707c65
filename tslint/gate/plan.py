"""Selects the files to report on and the targets to verify: all, those affected by changes, or one shard."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from tslint.config import Settings, Target, shown
from tslint.gate.changed import Changes
from tslint.gate.outputs import by_verify
from tslint.gate.reach import Reach, project_of, reach
from tslint.gate.shards import Shard
from tslint.lint.engine import Read
from tslint.project.index import Project
from tslint.util.record import record

# Files with these suffixes never affect a module; other files that are not Python may be its data or dependencies.
_PROSE = frozenset([".md", ".rst", ".adoc", ".ipynb", ".html", ".sarif"])


@record
class Plan:
    """The files and targets of a gate.

    Args:
        files: the names of the files to report on, sorted.
        targets: the names of the targets to verify, sorted, each with the reason (empty if all are selected).
        left_out: how many configured targets are not verified, because no change affects them.
    """

    files: tuple[str, ...]
    targets: Mapping[str, str]
    left_out: int = 0


def plan(read: Read, settings: Settings, changes: Changes | None, shard: Shard, written: Collection[Path] = ()) -> Plan:
    """Choose files and targets.

    Args:
        read: the files of the project.
        settings: the settings with the targets.
        changes: the changes; None for everything.
        shard: the part to run.
        written: files that the gate writes itself, which never count as changes, like the outputs of ``verify``.
    """
    files = [str(path) for path, _ in read.files] + [each.filename for each in read.unreadable]
    reasons = dict.fromkeys(sorted(settings.targets), "")
    if changes is not None:
        own = {Path(os.path.realpath(path)) for path in written}
        changes = replace(changes, files=frozenset(path for path in changes.files - own if not by_verify(path)))
        files = [name for name in files if Path(name) in changes]
        project = project_of(Path(settings.root))
        whys = {name: why_reached(settings.targets[name], settings, changes, project) for name in reasons}
        reasons = {name: why for name, why in whys.items() if why}
    chosen = shard.part(list(reasons))
    left_out = len(settings.targets) - len(reasons)
    return Plan(tuple(shard.part(sorted(files))), {name: reasons[name] for name in chosen}, left_out)


def why_reached(target: Target, settings: Settings, changes: Changes, project: Project) -> str:
    """Explain how changes may affect the compiled form of a target; empty if they cannot.

    Args:
        target: the configured target.
        settings: the settings of the project.
        changes: the changes since some commit.
        project: the index of the project's code.
    """
    root = Path(settings.root).resolve()
    data = [path for path in sorted(changes.files | changes.gone) if _is_data(path, root, settings)]
    if data:
        return f"{shown(data[0])} has changed"
    found = reach(target, Path(settings.root), project)
    changed = [path for path in sorted(found.files) if path in changes]
    if changed:
        return f"{shown(changed[0])} has changed"
    if found.unseen:
        return found.unseen
    return _elsewhere(found, root, changes)


def _is_data(path: Path, root: Path, settings: Settings) -> bool:
    """Return whether a file may be the configuration, a dependency or data of any target."""
    if path.suffix in (".py", *_PROSE) or not path.is_relative_to(root):
        return False
    inner = path.relative_to(root)
    own = settings.baseline is not None and path == settings.baseline.resolve()
    return not (own or any(part.startswith(".") for part in inner.parts) or inner.name.startswith("LICENSE"))


def _elsewhere(found: Reach, root: Path, changes: Changes) -> str:
    """Describe an import that was not found, but may mean a changed or deleted file, or a deleted file in a folder of
    the target's code; empty if there is neither.
    """
    for path in sorted(changes.files | changes.gone):
        if path.suffix == ".py":
            parts = path.relative_to(root).parts if path.is_relative_to(root) else path.parts[-4:]
            names = sorted(found.externals & {*parts[:-1], path.stem})
            if names:
                return f"`import {names[0]}` may be {shown(path)}, which {_what(path, changes)}"
    folders = {folder for file in found.files for folder in file.parents if folder.is_relative_to(root)}
    gone = [path for path in sorted(changes.gone) if path.suffix == ".py" and path.parent in folders - {root}]
    return f"{shown(gone[0])} is gone" if gone else ""


def _what(path: Path, changes: Changes) -> str:
    return "is gone" if path in changes.gone else "has changed"
