"""Renders the tables of the configuration reference, from the dataclasses and the parsers of ``tslint/config.py``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from tslint import config
from tslint.util import target_values

# One value for each key, as an author might write it; a test parses them all.
SETTINGS = {
    "extend": 'extend = "../tslint.toml"',
    "required-version": 'required-version = ">=0.1,<0.2"',
    "select": 'select = ["TS1", "TS4", "untyped-container"]',
    "extend-select": 'extend-select = ["TS508"]',
    "fixable": 'fixable = ["TS1", "TS4"]',
    "unfixable": 'unfixable = ["TS8"]',
    "unsafe-fixes": "unsafe-fixes = true",
    "ignore": 'ignore = ["TS606", "traced-print"]',
    "exclude": 'exclude = [".venv", "third_party"]',
    "extend-exclude": 'extend-exclude = ["third_party", "*_pb2.py"]',
    "target-torch": 'target-torch = "2.4"',
    "entry-points": 'entry-points = ["pkg.net:Net", "pkg/export.py:decoder"]',
    "per-file-ignores": 'per-file-ignores = { "tests/*" = ["TS7"], "legacy/**" = ["TS"] }',
    "python": 'python = ".venv"',
    "mode": 'mode = "script"',
    "fail-on": 'fail-on = "warning"',
    "baseline": 'baseline = "tslint-baseline.json"',
    "jobs": "jobs = 4",
    "cache-dir": 'cache-dir = ".cache/tslint"',
    "output-format": 'output-format = "concise"',
}
# The descriptions of keys whose fields share a line of the docstring.
DOES = {
    "select": (
        "The rules that are on: `TS1` is a whole family, `ALL` every rule, and `TS` those that are on by default. If "
        "`select` and `ignore` both match a rule, the more specific entry wins (`TS101` is more specific than `TS1`); "
        "if both are equally specific, `ignore` wins."
    ),
    "extend-select": "Rules that are on in addition to those of `select`.",
    "ignore": "Rules that are off, unless `select` matches them with a more specific code, prefix or name.",
    "fixable": "Rules whose fixes are offered and applied. If `unfixable` matches, too, the more specific entry wins.",
    "unfixable": "Rules whose fixes are neither offered nor applied; their findings are still reported.",
    "extend": (
        "Another configuration file, whose values are used for keys that this file does not set. The path is relative "
        "to this file's folder, and may contain `~` and `$NAME`, as in a shell. `extend-select`, `extend-exclude`, "
        "`ignore` and `targets` are added to those of the other file. If this file sets `select`, the other file's "
        "`select` and `ignore` do not count. Paths are relative to the file that contains them, patterns to the folder "
        "of this file."
    ),
    "required-version": (
        "The versions of tslint that may use this file: one version, or a range as pip writes it. Other versions of "
        "tslint print an error, and check nothing."
    ),
    "exclude": "Files and folders below the given paths that are not checked; replaces the default list.",
    "extend-exclude": "Further files and folders that are not checked.",
}
TARGET = {
    "target": 'target = "pkg.net:build"',
    "inputs": 'inputs = ["torch.rand(1, 3, 224, 224)", "torch.rand(4, 3, 256, 256)"]',
    "modes": 'modes = ["script"]',
    "rtol": "rtol = 1e-4",
    "atol": "atol = 1e-6",
    "strict": "strict = false",
    "freeze-rtol": "freeze-rtol = 1e-3",
    "freeze-atol": "freeze-atol = 1e-5",
    "accept": 'accept = ["tuple"]',
    "timeout": "timeout = 300",
    "memory": "memory = 8192",
    "native": "native = true",
    "lite": "lite = true",
    "imports": 'imports = ["torchvision.ops"]',
    "libraries": 'libraries = ["build/libops.so"]',
    "stages": 'stages = ["script", "save"]',
    "skip": 'skip = ["export", "threads"]',
    "grad": 'grad = "both"',
}


def described(kind: type) -> dict[str, str]:
    """Return the description of each field in the docstring of a dataclass; fields on one line share it."""
    text = (kind.__doc__ or "").partition("Args:\n")[2]
    found = {}
    for names, words in re.findall(r"^ {8}([\w, ]+): (.*(?:\n {12}.*)*)", text, re.MULTILINE):
        for name in names.split(", "):
            found[name] = re.sub(r"``", "`", " ".join(words.split()))
    return found


def accepted(parser: config.Parser) -> str:
    """Return a description of the values that a parser accepts."""
    try:
        parser(object())
    except ValueError as expected:
        return str(expected)
    raise AssertionError("a parser that takes anything")


def default(kind: Any, name: str) -> str:
    """Return the default of a field as TOML; empty if there is no default, or it is None or an empty table."""
    (found,) = (field for field in fields(kind) if field.name == name)
    value = found.default if found.default is not MISSING else None
    if found.default_factory is not MISSING:
        value = found.default_factory()
    if value is None or value == {}:
        return ""
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def keys(kind: type, parsers: Mapping[str, config.Parser], examples: Mapping[str, str], table: str) -> str:
    """Return one section for each key."""
    words = described(kind)
    parts = []
    for key, parser in parsers.items():
        field = key.replace("-", "_")
        text = f"{DOES[key]} " if key in DOES else ""
        if field in words:  # keys that have no field apply only to the file that contains them
            text += words[field][0].upper() + words[field][1:]
        shown = default(kind, field) if field in words else ""
        parts.append(
            f"### `{key}` {{ #{table.rpartition('.')[2]}-{key} }}\n\n{text.strip().rstrip('.')}.\n\n"
            f"Takes {accepted(parser)}." + (f" Default: `{shown}`." if shown else "") + "\n"
        )
        if key in examples:
            parts[-1] += f"\n```toml\n[{table}]\n{_whole(key, examples)}\n```\n"
    return "\n".join(parts)


def _whole(key: str, examples: Mapping[str, str]) -> str:
    # The table of a target is only valid with its key `target`.
    first = "" if "target" not in examples or key == "target" else examples["target"] + "\n"
    return first + examples[key]


def settings() -> str:
    """Return the keys of ``[tool.tslint]``."""
    return keys(config.Settings, config._SETTINGS, SETTINGS, "tool.tslint")


def targets() -> str:
    """Return the keys of ``[tool.tslint.targets.NAME]``."""
    return keys(config.Target, target_values.TARGET, TARGET, "tool.tslint.targets.net")
