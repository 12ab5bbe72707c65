"""Parsers for the settings of one target."""

from __future__ import annotations

from typing import Any

from tslint.util.toml_values import Parser, boolean, choice, count, positive, strings, tolerance

# The stages of `verify`, in the order in which they run.
STAGES = (
    "import", "build", "eager", "script", "trace", "generalize", "modes", "state", "device", "save", "reload",
    "compare", "freeze", "native", "threads", "export",
)  # fmt: skip
# Accepted differences. `tuple`: the compiled module returns eager's result in a tuple, beside None or empty values.
DIFFERENCES = ("tuple",)
GRAD_MODES = ("off", "on", "both")


def _modes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or any(item not in ("script", "trace") for item in value):
        raise ValueError('a list of "script" and "trace"')
    return tuple(value)


def _stages(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or any(item not in STAGES for item in value):
        raise ValueError("a list of stages: " + ", ".join(STAGES))
    return tuple(value)


def _accepted(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or any(item not in DIFFERENCES for item in value):
        raise ValueError("a list of known differences: " + ", ".join(DIFFERENCES))
    return tuple(value)


def place(value: Any) -> str:
    """Parse the location of an object in the author's code, such as ``package.module:Name``."""
    if not isinstance(value, str) or not all(value.rpartition(":")[::2]):
        raise ValueError('a place such as "package.module:Name" or "path.py:Name"')
    return value


TARGET: dict[str, Parser] = {
    "target": place,
    "inputs": strings,
    "modes": _modes,
    "rtol": tolerance,
    "atol": tolerance,
    "strict": boolean,
    "freeze-rtol": tolerance,
    "freeze-atol": tolerance,
    "accept": _accepted,
    "timeout": positive,
    "memory": count,
    "native": boolean,
    "lite": boolean,
    "imports": strings,
    "libraries": strings,
    "stages": _stages,
    "skip": _stages,
    "grad": choice(*GRAD_MODES),
}
