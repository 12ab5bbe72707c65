"""Stores the facts of built targets next to the cache; they are valid until a source changes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tslint.config import Settings
from tslint.lint.cache.store import Store
from tslint.sources.digest import digest
from tslint.sources.file import SourceFile

_FORMAT = 1
_BROKEN = (ValueError, TypeError, KeyError, AttributeError, RecursionError)


def keep(settings: Settings, name: str, facts: Mapping[str, Any]) -> bool:
    """Store the facts of a target; return whether that was possible."""
    store, entry = _place(settings, name)
    return store is not None and store.write(entry, [json.dumps(facts, sort_keys=True).encode("ascii")])


def fresh(settings: Settings, name: str, unsaved: Iterable[SourceFile] = ()) -> str | None:
    """Return the facts of a target as JSON; None if there are none, or a source has changed since it was imported.

    Args:
        settings: the settings with the targets.
        name: the name of a configured target.
        unsaved: files whose text may differ from the one on disk.
    """
    store, entry = _place(settings, name)
    sections = store.read(entry) if store is not None else None
    if sections is None:
        return None
    texts = {os.path.realpath(source.path): source.encode() for source in unsaved}
    try:
        text = sections[0].decode("ascii")
        for path, known in json.loads(text)["sources"].items():
            if digest(texts[path] if path in texts else Path(path).read_bytes()) != known:
                return None
    except (*_BROKEN, OSError, IndexError):
        return None
    return text


def with_targets(settings: Settings, unsaved: Iterable[SourceFile] = ()) -> Settings:
    """Return the settings with the facts of every configured target that is scripted and has up-to-date facts."""
    unsaved = tuple(unsaved)
    scripted = (name for name, target in settings.targets.items() if "script" in target.modes)
    found = (fresh(settings, name, unsaved) for name in scripted)
    return replace(settings, built=tuple(each for each in found if each is not None))


def _place(settings: Settings, name: str) -> tuple[Store | None, str]:
    """Return the store and the name of a target's entry, which depends on the target's configuration."""
    # The name does not depend on this Python and this tslint, because `verify` may run in another environment.
    key = repr([_FORMAT, name, settings.targets[name].target])
    return Store.of(settings), f"facts-{digest(key.encode('utf-8', 'surrogatepass'))}"
