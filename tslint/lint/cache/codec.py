"""Converts findings to JSON lists and back, without running code."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tslint.diagnostics import Applicability, CallStep, Diagnostic, Edit, Fix, Position, Risk, Severity, Stage

_NAMES = {kind: tuple(each.name for each in fields(kind)) for kind in (Diagnostic, Fix, Edit, CallStep)}

_FILE = _NAMES[Diagnostic].index("filename")


def _pack(value: Any) -> Any:
    if isinstance(value, (Severity, Stage, Applicability, Risk)):
        return value.value
    if isinstance(value, Position):
        return [value.row, value.column]
    if isinstance(value, tuple):
        return [_pack(each) for each in value]
    if isinstance(value, (Diagnostic, Fix, Edit, CallStep)):
        return [_pack(getattr(value, name)) for name in _NAMES[type(value)]]
    return value


def packed(found: list[Diagnostic] | tuple[Diagnostic, ...]) -> list[Any]:
    """Return findings as lists."""
    return [_pack(each) for each in found]


def filename(found: list[Any]) -> str:
    """Return the file of a packed finding."""
    name: str = found[_FILE]
    return name


def _position(value: Any) -> Position:
    row, column = value
    return Position(row, column)


def _edit(value: Any) -> Edit:
    start, end, *rest = value
    return Edit(_position(start), _position(end), *rest)


def _step(value: Any) -> CallStep:
    name, filename, position, *rest = value
    return CallStep(name, filename, _position(position), *rest)


def _fix(value: Any) -> Fix | None:
    if value is None:
        return None
    applicability, message, edits, last_resort, risks, absent, bypasses, settled, unset, *words = value
    written, risks = tuple(_edit(each) for each in edits), tuple(map(Risk, risks))
    names = absent, bypasses, settled, tuple(unset), *words
    return Fix(Applicability(applicability), message, written, last_resort, risks, *names)


_SEVERITIES = {each.value: each for each in Severity}
_STAGES = {each.value: each for each in Stage}


def unpacked(found: list[Any]) -> list[Diagnostic]:
    """Unpack findings from :func:`packed`.

    Raises:
        ValueError, TypeError, KeyError: the data is not from :func:`packed`.
    """
    steps: dict[tuple[object, ...], CallStep] = {}
    result = []
    for each in found:
        code, name, severity, stage, message, filename, start, end, via, help, compiler, fix, cell, *rest = each
        mistake, condition, rests_on = rest
        path = []
        for step in via:
            # Thousands of findings share a few call paths.
            key = (step[0], step[1], *step[2], *step[3:])
            known = steps.get(key)
            if known is None:
                known = steps[key] = _step(step)
            path.append(known)
        result.append(
            Diagnostic(
                code,
                name,
                _SEVERITIES[severity],
                _STAGES[stage],
                message,
                filename,
                _position(start),
                _position(end),
                tuple(path),
                help,
                compiler,
                _fix(fix),
                cell,
                mistake and _position(mistake),
                condition,
                tuple(rests_on),
            )
        )
    return result
