"""`[tool.tslint]` of pyproject.toml, or tslint.toml, as one frozen :class:`Settings`; unknown keys are errors."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from tslint.util import torch_versions
from tslint.util.environments import Environment, environment, problem
from tslint.util.record import record
from tslint.util.suggest import did_you_mean
from tslint.util.target_values import TARGET, place
from tslint.util.toml_values import Parser, boolean, choice, count, string, strings
from tslint.util.version import __version__
from tslint.util.versions import Specifier

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEFAULT_EXCLUDE = (
    ".git", ".hg", ".svn", ".venv", "venv", "build", "dist", "node_modules", "__pycache__", ".tox", ".nox",
    ".mypy_cache", ".ruff_cache", ".pytest_cache", ".eggs", ".ipynb_checkpoints", "site-packages",
)  # fmt: skip
OUTPUT_FORMATS = ("full", "concise", "grouped", "json", "json-lines", "github", "gitlab", "sarif", "junit")
# The formats that print the edits of fixes, and those that mention fixes which `--fix` never applies.
WITH_EDITS = frozenset(["json", "json-lines", "sarif"])
WITH_LAST_RESORTS = WITH_EDITS | {None, "full"}
MODES = ("script", "trace", "both")
SEVERITIES = ("error", "warning", "info")


class ConfigError(Exception):
    """A configuration that cannot be used; the message is one line that names the file, the key and a solution."""


@record
class Target:
    """One ``[tool.tslint.targets.NAME]``: what ``tslint verify`` builds and runs.

    Args:
        target: what to build: ``package.module:attr`` or ``path.py:attr``.
        inputs: example inputs: Python expressions that may use ``torch``, one for each set of inputs.
        modes: what to compile with: ``script``, ``trace`` or both.
        rtol: the relative tolerance of ``compare``; None for the default of ``torch.testing`` for the dtype.
        atol: the absolute tolerance of ``compare``; None for the default of ``torch.testing`` for the dtype.
        strict: whether ``torch.jit.trace`` rejects a ``forward`` that returns a dict or a list.
        freeze_rtol: the relative tolerance after freezing; None for ``rtol`` or, without one, a wider default.
        freeze_atol: the absolute tolerance after freezing; None for ``atol``.
        accept: known differences that pass; ``tuple``: a tuple of eager's output and items that are None or empty.
        timeout: the time limit in seconds; None for the default of ``tslint verify``.
        memory: the memory limit in MiB, in addition to what torch uses; None for the default of ``tslint verify``.
        native: whether to run the archive outside Python, too.
        lite: whether to write archives for the lite interpreter of phones, too, and run them.
        imports: modules to import in the process that loads the archive, such as those that register operators.
        libraries: files with operators to load before the archive is loaded; ``native`` loads them, too.
        stages: the stages to run after ``import`` and ``build``; the target passes if these pass. Empty for all.
        skip: the stages not to run; a target cannot pass if ``eager`` or ``compare`` is skipped.
        grad: the grad mode in which the stages run: ``off``, as deployed; ``on``; or ``both``.
    """

    target: str
    inputs: tuple[str, ...] = ()
    modes: tuple[str, ...] = ("script", "trace")
    rtol: float | None = None
    atol: float | None = None
    timeout: float | None = None
    memory: int | None = None
    native: bool = False
    lite: bool = False
    imports: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    grad: str = "off"
    strict: bool = True
    freeze_rtol: float | None = None
    freeze_atol: float | None = None
    accept: tuple[str, ...] = ()


@record
class Settings:
    """Everything that can be configured.

    Args:
        root: the folder of the configuration file (without one, the working folder), to which paths are relative.
        source: the configuration file, or None.
        extended: the files that it extends, the nearest first.
        select, extend_select, ignore, fixable, unfixable: codes, prefixes or names of rules.
        unsafe_fixes: whether ``--fix`` and ``--diff`` use unsafe fixes, too.
        exclude, extend_exclude: patterns as in .gitignore, relative to the folder of the configuration file.
        target_torch: the torch version that will compile the code; None for the newest that tslint knows.
        entry_points: the classes and functions that are exported, such as ``pkg.net:Net``: only these, and what they
            call, are checked. If empty, every module in the files is checked.
        per_file_ignores: rules to ignore in files that match a pattern as in .gitignore; after ``!``, in all others.
        python: an interpreter, or the folder of an environment, whose installed packages are read (and never run);
            None for the first that exists of ``VIRTUAL_ENV``, ``.venv`` or ``venv`` beside the configuration file,
            ``CONDA_PREFIX``, and the environment that tslint runs in.
        mode: what the code is checked for: ``script``, ``trace`` or ``both``.
        fail_on: the lowest severity that fails a run; None for the command's own default.
        baseline: the file of findings that are accepted for now; None for no baseline.
        jobs: the number of processes; None if tslint chooses it.
        cache_dir: the folder of the cache; None for the default one.
        output_format: the format of the report; None for the command's own default.
        targets: the targets by name.
        edits: whether to create the edits of fixes; without them, it is still known whether there is a fix. Cannot be
            set in a file.
        shown_only: whether to skip what would not be shown: findings of rules that are not selected, fixes that the
            format leaves out. A cache needs them all. Cannot be set in a file.
        built: the facts of built modules, as JSON; see ``lint/target_facts.py``. Cannot be set in a file.
    """

    root: Path = field(default_factory=Path.cwd)
    source: Path | None = None
    extended: tuple[Path, ...] = ()
    select: tuple[str, ...] = ("TS",)
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    unsafe_fixes: bool = False
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    target_torch: str | None = None
    entry_points: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    python: Path | None = None
    mode: str = "both"
    fail_on: str | None = None
    baseline: Path | None = None
    jobs: int | None = None
    cache_dir: Path | None = None
    output_format: str | None = None
    targets: Mapping[str, Target] = field(default_factory=dict)
    edits: bool = True
    shown_only: bool = False
    built: tuple[str, ...] = ()

    @property
    def environment(self) -> Environment:
        """Return the environment whose installed packages are read, as it is on disk now.

        Raises:
            ConfigError: the configured environment cannot be used.
        """
        trouble = problem(self.python) if self.python is not None else None
        if self.python is not None and trouble is not None:
            way = "name an interpreter or the folder of an environment, or remove the key"
            raise ConfigError(f"python: {shown(self.python)} {trouble}; {way}")
        return environment(self.python, self.root)


def _version(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\d+\.\d+(\.\d+)?", value):
        raise ValueError('a version in quotes, as in "2.13"')
    try:
        torch_versions.version(value)
    except ValueError:
        raise ValueError("a torch version that tslint knows, 1.13 or 2.0 to 2.15") from None
    return value


def _required(value: Any) -> str:
    text = string(value)
    try:
        Specifier(text)
    except ValueError:
        raise ValueError('a version or a range of them, as in ">=0.1,<0.2"') from None
    return text


def _entry_points(value: Any) -> tuple[str, ...]:
    try:
        return tuple(place(item) for item in strings(value))
    except ValueError:
        raise ValueError('a list of places such as "package.module:Name"') from None


def _ignores(value: Any) -> Mapping[str, tuple[str, ...]]:
    try:
        return {pattern: strings(rules) for pattern, rules in value.items()}
    except (AttributeError, ValueError):
        raise ValueError('a table of patterns and lists of rules, as in { "tests/*" = ["TS7"] }') from None


_SETTINGS: dict[str, Parser] = {
    "extend": string,
    "required-version": _required,
    "select": strings,
    "extend-select": strings,
    "ignore": strings,
    "fixable": strings,
    "unfixable": strings,
    "unsafe-fixes": boolean,
    "exclude": strings,
    "extend-exclude": strings,
    "target-torch": _version,
    "entry-points": _entry_points,
    "per-file-ignores": _ignores,
    "python": string,
    "mode": choice(*MODES),
    "fail-on": choice(*SEVERITIES),
    "baseline": string,
    "jobs": count,
    "cache-dir": string,
    "output-format": choice(*OUTPUT_FORMATS),
}


def _table(
    file: Path, prefix: str, table: Any, parsers: Mapping[str, Parser], also: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the parsed values of a TOML table, by the names of the dataclass fields; ``also``: other valid keys."""
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
            hint = did_you_mean(key, known) or f"; known keys are {', '.join(sorted(known))}"
            raise ConfigError(f"{shown(file)}: unknown key {name}{hint}")
    return parsed


def _toml(value: Any) -> str:
    """Return a value on one line, similar to how its author wrote it."""
    text = str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def shown(path: Path) -> str:
    """Return a path for messages: relative if it is below the working folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):  # the file is not below the working folder, or that folder was removed
        return str(path)


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{shown(file)}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{shown(file)}: not UTF-8 text (at byte {error.start}), which TOML requires") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{shown(file)}: broken TOML: {error}; correct it, or pass --isolated") from error


def parse_settings(file: Path, table: Any, prefix: str = "", above: tuple[Path, ...] = ()) -> Settings:
    """Return settings from a parsed table.

    Args:
        file: the file of the table (for messages, and for relative paths).
        table: the table ``tool.tslint``, or the whole of tslint.toml.
        prefix: the text before the keys in messages.
        above: the files that extend this one.

    Raises:
        ConfigError: an unknown key, or a value of an unexpected form.
    """
    _check_version(file, prefix, table)
    parsed = _table(file, prefix, table, _SETTINGS, also=("targets",))
    parsed.pop("required_version", None)
    extended = parsed.pop("extend", None)
    targets: dict[str, Target] = {}
    place = f"{prefix}.targets" if prefix else "targets"
    entries = table.get("targets", {})
    if not isinstance(entries, dict):
        raise ConfigError(f"{shown(file)}: {place}: expected tables [{place}.NAME], not {_toml(entries)}")
    for name, entry in entries.items():
        values = _table(file, f"{place}.{name}", entry, TARGET)
        if "target" not in values:
            raise ConfigError(f'{shown(file)}: {place}.{name}: the key target is missing, as in target = "pkg.net:Net"')
        targets[name] = Target(**values)
    root = file.parent
    for key in ("baseline", "cache_dir", "python"):
        if key in parsed:
            parsed[key] = root / parsed[key]
    if extended is None:
        return Settings(root=root, source=file, targets=targets, **parsed)
    base = _extended(file, prefix, extended, above)
    return _over(base, Settings(root=root, source=file, targets=targets, **parsed), parsed)


def _over(base: Settings, own: Settings, given: Iterable[str]) -> Settings:
    """Merge a file's settings over those of the file that it extends.

    ``extend-exclude`` always adds to that of the base. If the file sets ``select``, the base's ``extend-select`` and
    ``ignore`` are dropped; if not, they are added, but what the file's ``extend-select`` contains is not ignored.
    """
    values: dict[str, Any] = {name: getattr(own, name) for name in given}
    values["extend_exclude"] = (*base.extend_exclude, *own.extend_exclude)
    if "select" not in values:
        ignored = (each for each in base.ignore if each not in own.extend_select)
        values["extend_select"] = (*base.extend_select, *own.extend_select)
        values["ignore"] = (*ignored, *own.ignore)
    else:
        values.update(extend_select=own.extend_select, ignore=own.ignore)
    assert base.source is not None
    values.update(extended=(base.source, *base.extended), targets={**base.targets, **own.targets})
    return replace(base, root=own.root, source=own.source, **values)


def _check_version(file: Path, prefix: str, table: Any) -> None:
    """Check that the file does not require another version of tslint. This comes first, because the settings of
    another version may have other keys.
    """
    wanted = table.get("required-version") if isinstance(table, dict) else None
    try:
        fits = not isinstance(wanted, str) or __version__ in Specifier(wanted)
    except ValueError:
        return  # the parser of the value reports the error
    if not fits:
        name = f"{prefix}.required-version" if prefix else "required-version"
        raise ConfigError(f"{shown(file)}: {name}: this is tslint {__version__}, but the file requires {wanted}")


def _extended(file: Path, prefix: str, named: str, above: tuple[Path, ...]) -> Settings:
    """Return the settings of the file ``named``, which ``file`` extends."""
    key = f"{prefix}.extend" if prefix else "extend"
    other = Path(os.path.abspath(file.parent / os.path.expandvars(os.path.expanduser(named))))
    if other in (file, *above):
        raise ConfigError(f"{shown(file)}: {key}: {named} extends this file, too")
    if not other.is_file():
        raise ConfigError(f"{shown(file)}: {key}: there is no file {shown(other)}")
    return load_file(other, (file, *above))


def load_file(file: Path, above: tuple[Path, ...] = ()) -> Settings:
    """Return the settings of a file that was named: a pyproject.toml with ``[tool.tslint]``, or a file of bare keys.

    Args:
        file: the path of the file.
        above: the files that extend this one.

    Raises:
        ConfigError: the file cannot be read or used.
    """
    file = Path(file).absolute()
    data = _read(file)
    tool = data.get("tool")
    if isinstance(tool, dict) and "tslint" in tool:
        return parse_settings(file, tool["tslint"], "tool.tslint", above)
    if file.name == "pyproject.toml":
        raise ConfigError(f"{shown(file)}: has no [tool.tslint] table; add one, or pass --isolated")
    return parse_settings(file, data, above=above)


def find_file(start: Path) -> Path | None:
    """Return the nearest tslint.toml, or pyproject.toml with ``[tool.tslint]``, from ``start`` upwards.

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
    """Return the settings for a run over ``paths``.

    Args:
        paths: the search begins at the first one, or at the working folder.
        config: the file to use instead of searching.
        isolated: whether to use no file at all.

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
