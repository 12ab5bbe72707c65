"""Reads the client's settings: those of the editor, and overrides of configuration files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from tslint.config import ConfigError, Settings, parse_settings
from tslint.util.environments import problem
from tslint.util.record import record
from tslint.util.suggest import did_you_mean

_PLACE = Path("the editor's settings")
# The keys of configuration files that the client may override.
_OVER = (
    "select", "ignore", "exclude", "extend-exclude", "target-torch", "entry-points", "per-file-ignores", "mode",
    "baseline",
)  # fmt: skip


@record
class Options:
    """The client's settings.

    Args:
        enable: whether findings are reported at all.
        run: ``onType`` or ``onSave``.
        configuration: the file to use instead of the nearest one; relative to the workspace's folder.
        unsafe_fixes: whether unsafe fixes are offered.
        inlay_hints, code_lens: whether hints and lenses are shown.
        interpreter: the Python with the project's torch, for ``tslint.verify``; if ``python`` is not configured,
            imports are resolved in its environment.
        over: keys of configuration files, as spelled there, with the values that replace theirs.
    """

    enable: bool = True
    run: str = "onType"
    configuration: str | None = None
    unsafe_fixes: bool = True
    inlay_hints: bool = True
    code_lens: bool = True
    interpreter: str | None = None
    over: Mapping[str, Any] = field(default_factory=dict)

    def applied(self, settings: Settings) -> Settings:
        """Return settings with the client's overrides."""
        python = Path(self.interpreter) if self.interpreter else None
        if settings.python is None and python is not None and python.is_absolute() and problem(python) is None:
            settings = replace(settings, python=python)
        if not self.over:
            return settings
        parsed = parse_settings(_PLACE, dict(self.over))
        changes = {key.replace("-", "_"): getattr(parsed, key.replace("-", "_")) for key in self.over}
        if "baseline" in self.over:
            changes["baseline"] = settings.root / str(self.over["baseline"])
        return replace(settings, **changes)


_FORMS: dict[str, tuple[tuple[type, ...], str]] = {
    "enable": ((bool,), "true or false"),
    "run": ((str,), '"onType" or "onSave"'),
    "configuration": ((str,), "the name of a file"),
    "unsafe-fixes": ((bool,), "true or false"),
    "inlay-hints": ((bool,), "true or false"),
    "code-lens": ((bool,), "true or false"),
    "interpreter": ((str,), "the name of a program"),
}


def parse_options(value: Any) -> tuple[Options, list[str]]:
    """Return the options in what a client sends, and the errors in it; options with errors are ignored.

    Args:
        value: a table of settings, in ``camelCase`` or ``kebab-case``; also inside ``settings`` or ``tslint``.
    """
    problems: list[str] = []
    while isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), dict):
        key = next(iter(value))
        if key not in ("settings", "tslint"):
            break
        value = value[key]
    if value is None:
        value = {}
    if not isinstance(value, dict):
        return Options(), [f"{_PLACE}: expected a table, not {_shown(value)}"]
    known: dict[str, Any] = {}
    over: dict[str, Any] = {}
    for name, each in value.items():
        key = re.sub(r"[A-Z]", lambda match: "-" + match[0].lower(), str(name))
        if each is None:
            continue
        if key in _OVER:
            try:
                parse_settings(_PLACE, {key: each})
                over[key] = each
            except ConfigError as error:
                problems.append(str(error))
        elif key in _FORMS:
            kinds, words = _FORMS[key]
            if not isinstance(each, kinds) or (key == "run" and each not in ("onType", "onSave")):
                problems.append(f"{_PLACE}: {name}: expected {words}, not {_shown(each)}")
            elif each != "":
                known[key.replace("-", "_")] = each
        elif key not in ("trace", "path", "server"):  # the client's own settings, which it may send, too
            every = [*_FORMS, *_OVER]
            hint = did_you_mean(key, every) or f"; known keys are {', '.join(sorted(every))}"
            problems.append(f"{_PLACE}: unknown key {name}{hint}")
    return Options(**known, over=over), problems


def _shown(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
