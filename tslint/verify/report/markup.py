"""Writes HTML, which is always escaped; no other module writes angle brackets."""

from __future__ import annotations

import html
from collections.abc import Iterable

_VOID = frozenset({"meta", "link", "br", "hr", "rect", "path", "circle"})


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Return a value as HTML: escaped, unless it is :class:`Markup`."""
    if isinstance(value, Markup):
        return value
    # Control characters are not allowed in HTML, escaped or not.
    shown = "".join(c if c.isprintable() or c in "\n\t " else "�" for c in str(value))
    return Markup(html.escape(shown, quote=True))


def tag(name: str, /, *children: object, **attributes: object) -> Markup:
    """Return an element; ``class_`` is ``class``, ``_`` in names is ``-``; attributes that are None or False are left
    out.
    """
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{join(children)}</{name}>")


def join(parts: Iterable[object]) -> Markup:
    """Concatenate parts; None counts as empty."""
    return Markup("".join(text(part) for part in parts if part is not None))
