"""Handles names with two leading underscores: Python prefixes them with the class, but the compiler does not."""

from __future__ import annotations


def is_private(name: str) -> bool:
    """Return whether Python prefixes an attribute's name with the class."""
    return name.startswith("__") and not name.endswith("__")


def python_name(owner: str, name: str) -> str:
    """Return the name under which Python stores an attribute: in the body of ``Net``, ``_Net__x`` for ``self.__x``.

    Args:
        owner: the name of the class.
        name: the name as it is written.
    """
    bare = owner.lstrip("_")
    return f"_{bare}{name}" if is_private(name) and bare else name
