"""``tslint check --show-files`` and ``--show-settings``: print the files and settings of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from tslint.cli.output import emit
from tslint.config import Settings, shown
from tslint.lint.selection import Selection
from tslint.sources.discovery import discover
from tslint.util.environments import Environment

# The value that is used if a key is not configured, for the comment after the key.
_UNSET = {
    "target_torch": "the newest that tslint knows",
    "entry_points": "every module in the files",
    "python": "found, see below",
    "fail_on": "error",
    "baseline": "none",
    "jobs": "chosen by the number of files",
    "cache_dir": "the default one",
    "output_format": "full",
}


def show(paths: Sequence[Path], settings: Settings, *, files: bool, text: bool) -> int:
    """List the files of a run, or its settings as TOML; as JSON if that is the output format.

    Args:
        paths: the paths as the user named them.
        settings: the settings of the run.
        files: whether to list the files, not the settings.
        text: whether ``paths`` names the standard input, which need not exist as a file.

    Returns:
        The exit status.

    Raises:
        ConfigError: the settings name an unknown rule.
    """
    Selection(settings)
    as_json = (settings.output_format or "").startswith("json")
    if not files:
        values = {name.replace("_", "-"): value for name, value in _values(settings).items()}
        values["environment"] = _environment(settings.environment)
        emit(json.dumps(values, indent=2) + "\n" if as_json else _toml(settings))
        return 0
    if text:
        found: Sequence[Path] = paths
        problems = 0
    else:
        discovery = discover(paths, root=settings.root, exclude=(*settings.exclude, *settings.extend_exclude))
        found, problems = discovery.files, len(discovery.problems)
        for problem in discovery.problems:
            click.echo(f"error: {shown(problem.path)}: {problem.message}", err=True)
    if as_json:
        emit(json.dumps([str(path) for path in found], indent=2) + "\n")
    else:
        emit("".join(f"{shown(path)}\n" for path in found))
    return 2 if problems else 0


def _values(settings: Settings) -> dict[str, Any]:
    """Return the settings as JSON values."""
    found: dict[str, Any] = {}
    for each in fields(settings):
        if each.name in ("edits", "shown_only", "built"):
            continue  # fields that cannot be configured
        value = getattr(settings, each.name)
        if isinstance(value, Path):
            value = str(value)
        elif each.name == "extended":
            value = [str(path) for path in value]
        elif each.name == "targets":
            value = {name: dict(vars(target)) for name, target in value.items()}
        found[each.name] = value
    return found


def _environment(found: Environment) -> dict[str, Any]:
    return {
        "folder": str(found.folder),
        "origin": found.origin,
        "packages": [str(folder) for folder in found.packages],
    }


def _toml(settings: Settings) -> str:
    """Return the settings as tslint.toml would contain them; unset ones are comments."""
    source = shown(settings.source) if settings.source else "no configuration file"
    lines = [f"# {source}; paths are relative to {settings.root}"]
    lines += [f"# extends {shown(path)}" for path in settings.extended]
    values = _values(settings)
    targets = values.pop("targets")
    for name, value in values.items():
        if name in ("root", "source", "extended"):
            continue
        key = name.replace("_", "-")
        if name in _UNSET and value in (None, ()):
            lines.append(f"# {key}: {_UNSET[name]}")
        else:
            lines.append(f"{key} = {_written(value)}")
        if name == "python":
            found = settings.environment
            read = ", ".join(map(shown, found.packages)) or "nowhere"
            lines.append(f"# installed packages are read from {read} ({found.origin})")
    for name, target in targets.items():
        lines += ["", f"[targets.{_key(name)}]"]
        lines += [f"{key} = {_written(value)}" for key, value in target.items() if value is not None]
    return "\n".join(lines) + "\n"


def _written(value: Any) -> str:
    """Return a value as TOML: its strings, numbers and booleans are written as in JSON."""
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(_written(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{_key(key)} = {_written(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name) else _written(name)
