"""`[tool.tslint]` of pyproject.toml, or tslint.toml, as one frozen :class:`Settings`; unknown keys are errors."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tslint.util.suggest import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEFAULT_EXCLUDE = (
    ".git", ".hg", ".svn", ".venv", "venv", "build", "dist", "node_modules", "__pycache__", ".tox", ".nox",
    ".mypy_cache", ".ruff_cache", ".pytest_cache", ".eggs", ".ipynb_checkpoints", "site-packages",
)  # fmt: skip
OUTPUT_FORMATS = ("full", "concise", "grouped", "json", "json-lines", "github", "gitlab", "sarif", "junit")
# Those that print the edits of fixes.
WITH_EDITS = frozenset(["json", "json-lines", "sarif"])
MODES = ("script", "trace", "both")
SEVERITIES = ("error", "warning", "info")


class ConfigError(Exception):
    """A configuration that cannot be used; the message is one line that names the file, the key and the way out."""


@dataclass(frozen=True)
class Target:
    """One ``[tool.tslint.targets.NAME]``: what ``tslint verify`` builds and runs.

    Args:
        target: ``package.module:attr`` or ``path.py:attr``.
        inputs: Python expressions over ``torch``, one for each set of inputs.
        modes: of ``script`` and ``trace``.
        rtol, atol: tolerances of the comparison; None for the defaults of the dtypes.
        timeout: seconds for the whole target; None for the default.
        memory: limit in MiB; None for none.
        native: also run the archive outside Python.
    """

    target: str
    inputs: tuple[str, ...] = ()
    modes: tuple[str, ...] = ("script", "trace")
    rtol: float | None = None
    atol: float | None = None
    timeout: float | None = None
    memory: int | None = None
    native: bool = False


@dataclass(frozen=True)
class Settings:
    """Everything that can be configured.

    Args:
        root: folder of the configuration file (the working folder without one); relative paths count from here.
        source: the configuration file, or None.
        select, ignore: codes, prefixes or names of rules.
        exclude, extend_exclude: patterns as in .gitignore, relative to ``root``.
        target_torch: the torch version that will compile the code; None: the newest that tslint knows.
        entry_points: ``pkg.net:Net``; empty: every module in the files is a root.
        per_file_ignores: pattern → codes, prefixes or names.
        mode: ``script``, ``trace`` or ``both``.
        fail_on: the lowest severity that fails a run; None: the command's own default.
        baseline: file of accepted findings, or None.
        jobs: processes; None: as many as pay.
        cache_dir: folder of the cache; None: the default one.
        output_format: one of ``OUTPUT_FORMATS``; None: the command's own default.
        targets: by name.
        edits: whether the edits of fixes are written; whether there is a fix is known without. No setting of a file.
    """

    root: Path = field(default_factory=Path.cwd)
    source: Path | None = None
    select: tuple[str, ...] = ("TS",)
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    target_torch: str | None = None
    entry_points: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mode: str = "both"
    fail_on: str | None = None
    baseline: Path | None = None
    jobs: int | None = None
    cache_dir: Path | None = None
    output_format: str | None = None
    targets: Mapping[str, Target] = field(default_factory=dict)
    edits: bool = True


# Each parser takes a TOML value, and raises ValueError with the form that it expects.
Parser = Callable[[Any], Any]


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of strings")
    return tuple(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError("a positive whole number")
    return value


def _positive(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not value > 0:
        raise ValueError("a positive number")
    return float(value)


def _tolerance(value: Any) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not value >= 0:
        raise ValueError("a number from 0")
    return float(value)


def _choice(*choices: str) -> Parser:
    def parse(value: Any) -> str:
        if value not in choices:
            raise ValueError("one of " + ", ".join(f'"{choice}"' for choice in choices))
        return str(value)

    return parse


def _modes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or any(item not in ("script", "trace") for item in value):
        raise ValueError('a list of "script" and "trace"')
    return tuple(value)


def _version(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\d+\.\d+(\.\d+)?", value):
        raise ValueError('a version in quotes, as in "2.13"')
    from tslint.script.targets import Target

    try:
        Target.of(value)
    except ValueError:
        raise ValueError("a torch version that tslint knows, 1.13 or 2.0 to 2.15") from None
    return value


def _place(value: Any) -> str:
    if not isinstance(value, str) or not all(value.rpartition(":")[::2]):
        raise ValueError('a place such as "package.module:Name" or "path.py:Name"')
    return value


def _entry_points(value: Any) -> tuple[str, ...]:
    try:
        return tuple(_place(item) for item in _strings(value))
    except ValueError:
        raise ValueError('a list of places such as "package.module:Name"') from None


def _ignores(value: Any) -> Mapping[str, tuple[str, ...]]:
    try:
        return {pattern: _strings(rules) for pattern, rules in value.items()}
    except (AttributeError, ValueError):
        raise ValueError('a table of patterns and lists of rules, as in { "tests/*" = ["TS7"] }') from None


_TARGET: dict[str, Parser] = {
    "target": _place,
    "inputs": _strings,
    "modes": _modes,
    "rtol": _tolerance,
    "atol": _tolerance,
    "timeout": _positive,
    "memory": _count,
    "native": _boolean,
}
_SETTINGS: dict[str, Parser] = {
    "select": _strings,
    "ignore": _strings,
    "exclude": _strings,
    "extend-exclude": _strings,
    "target-torch": _version,
    "entry-points": _entry_points,
    "per-file-ignores": _ignores,
    "mode": _choice(*MODES),
    "fail-on": _choice(*SEVERITIES),
    "baseline": _string,
    "jobs": _count,
    "cache-dir": _string,
    "output-format": _choice(*OUTPUT_FORMATS),
}


def _table(
    file: Path, prefix: str, table: Any, parsers: Mapping[str, Parser], also: Iterable[str] = ()
) -> dict[str, Any]:
    """The parsed values of a TOML table, keyed as fields of the dataclasses."""
    if not isinstance(table, dict):
        raise ConfigError(f"{shown(file)}: {prefix}: expected a table, not {_toml(table)}")
    parsed: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}.{key}" if prefix else key
        if key in parsers:
            try:
                parsed[key.replace("-", "_")] = parsers[key](value)
            except ValueError as expected:
                raise ConfigError(f"{shown(file)}: {name}: expected {expected}, not {_toml(value)}") from None
        elif key not in also:
            known = [*parsers, *also]
            hint = did_you_mean(key, known) or f"; known are {', '.join(sorted(known))}"
            raise ConfigError(f"{shown(file)}: unknown key {name}{hint}")
    return parsed


def _toml(value: Any) -> str:
    """A value about as its author wrote it, on one line."""
    text = str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def shown(path: Path) -> str:
    """A path for humans: relative where it lies below the working folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{shown(file)}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(file)}: not UTF-8 text (byte {error.start}); TOML must be") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{shown(file)}: broken TOML: {error}; mend it, or pass --isolated") from error


def parse_settings(file: Path, table: Any, prefix: str = "") -> Settings:
    """Settings from a parsed table.

    Args:
        file: where the table stands (for messages, and for paths relative to it).
        table: of ``tool.tslint``, or the whole of tslint.toml.
        prefix: what comes before the keys in messages.

    Raises:
        ConfigError: an unknown key, or a value of another form than expected.
    """
    parsed = _table(file, prefix, table, _SETTINGS, also=("targets",))
    targets: dict[str, Target] = {}
    place = f"{prefix}.targets" if prefix else "targets"
    entries = table.get("targets", {})
    if not isinstance(entries, dict):
        raise ConfigError(f"{shown(file)}: {place}: expected tables [{place}.NAME], not {_toml(entries)}")
    for name, entry in entries.items():
        values = _table(file, f"{place}.{name}", entry, _TARGET)
        if "target" not in values:
            raise ConfigError(f'{shown(file)}: {place}.{name}: the key target is missing, as in target = "pkg.net:Net"')
        targets[name] = Target(**values)
    root = file.parent
    for key in ("baseline", "cache_dir"):
        if key in parsed:
            parsed[key] = root / parsed[key]
    return Settings(root=root, source=file, targets=targets, **parsed)


def load_file(file: Path) -> Settings:
    """The settings of a file that was named: a pyproject.toml with ``[tool.tslint]``, or a file of bare keys.

    Raises:
        ConfigError: it cannot be read or used.
    """
    file = Path(file).absolute()
    data = _read(file)
    tool = data.get("tool")
    if isinstance(tool, dict) and "tslint" in tool:
        return parse_settings(file, tool["tslint"], "tool.tslint")
    if file.name == "pyproject.toml":
        raise ConfigError(f"{shown(file)}: has no [tool.tslint] table; add one, or pass --isolated")
    return parse_settings(file, data)


def find_file(start: Path) -> Path | None:
    """The nearest tslint.toml, or pyproject.toml with ``[tool.tslint]``, from ``start`` upwards.

    Raises:
        ConfigError: a pyproject.toml on the way is broken.
    """
    for folder in (start, *start.parents):
        own = folder / "tslint.toml"
        if own.is_file():
            return own
        shared = folder / "pyproject.toml"
        if shared.is_file():
            tool = _read(shared).get("tool")
            if isinstance(tool, dict) and "tslint" in tool:
                return shared
    return None


def load_settings(paths: Iterable[Path] = (), *, config: Path | None = None, isolated: bool = False) -> Settings:
    """The settings for a run over ``paths``.

    Args:
        paths: the search begins at the first one, or at the working folder.
        config: the file to use instead of searching.
        isolated: use no file at all.

    Raises:
        ConfigError: the configuration cannot be read or used.
    """
    if isolated:
        return Settings()
    if config is not None:
        return load_file(config)
    first = next(iter(paths), None)
    start = Path.cwd() if first is None else first.absolute()
    file = find_file(start if start.is_dir() else start.parent)
    return load_file(file) if file else Settings()
