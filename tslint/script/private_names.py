"""Names with two underscores: Python puts the class in front of them, and the compiler does not."""

from __future__ import annotations


def is_private(name: str) -> bool:
    """Whether Python puts the class in front of an attribute's name."""
    return name.startswith("__") and not name.endswith("__")


def python_name(owner: str, name: str) -> str:
    """What Python calls an attribute that is written in the body of a class: ``_Net__x`` for ``self.__x``.

    Args:
        owner: name of the class.
        name: as it is written.
    """
    bare = owner.lstrip("_")
    return f"_{bare}{name}" if is_private(name) and bare else name
