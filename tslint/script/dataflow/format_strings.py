"""Converts f-strings to text for ``str.format``."""

from __future__ import annotations

import ast

from tslint.util import astwalk
from tslint.util.record import record

_QUIET = frozenset(
    "size dim numel item mean sum min max abs float int len str round type tolist norm detach cpu".split()
)
_UNSURE = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.GeneratorExp)


@record
class Format:
    """A string with placeholders for values.

    Args:
        plain: the string with ``{}`` for each value.
        whole: the string with conversions and format specifications.
        values: the values.
    """

    plain: str
    whole: str
    values: tuple[ast.expr, ...]


def as_format(string: ast.JoinedStr) -> Format | None:
    """Return the equivalent ``str.format``; None if there is none, or compiled code would read the text differently."""
    whole: list[str] = []
    plain: list[str] = []
    values: list[ast.expr] = []
    for part in string.values:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            if "{" in part.value or "}" in part.value:
                return None  # compiled code treats braces in the text as placeholders
            whole.append(part.value)
            plain.append(part.value)
        elif isinstance(part, ast.FormattedValue):
            field = _field(part)
            if field is None:
                return None
            whole.append(field)
            plain.append("{}")
            values.append(part.value)
    return None if _runs(string, len(values)) else Format("".join(plain), "".join(whole), tuple(values))


def _field(part: ast.FormattedValue) -> str | None:
    """Return the placeholder of a value with its conversion and format specification, for ``str.format``; None if
    ``str.format`` cannot express it.
    """
    conversion = f"!{chr(part.conversion)}" if part.conversion != -1 else ""
    if part.format_spec is None:
        return f"{{{conversion}}}"
    assert isinstance(part.format_spec, ast.JoinedStr)
    texts = [each.value for each in part.format_spec.values if isinstance(each, ast.Constant)]
    if len(texts) != len(part.format_spec.values) or not all(isinstance(each, str) for each in texts):
        return None
    spec = "".join(str(each) for each in texts)
    return None if "{" in spec or "}" in spec else f"{{{conversion}:{spec}}}"


def _runs(string: ast.JoinedStr, count: int) -> bool:
    """Return whether evaluating one value may change another one, which the f-string has already formatted."""
    nodes = astwalk.walk(string)
    calls = [each for each in nodes if isinstance(each, ast.Call)]
    quiet = all(
        (isinstance(each.func, ast.Attribute) and each.func.attr in _QUIET)
        or (isinstance(each.func, ast.Name) and each.func.id in _QUIET)
        for each in calls
    )  # fmt: skip
    return any(isinstance(each, _UNSURE) for each in nodes) or (count > 1 and not quiet)
