"""Parses a TARGET, ``package.module:attr`` or ``path.py:attr``, and finds the folder from which to import it."""

from __future__ import annotations

import re
from pathlib import Path

from tslint.util.record import record


class BadTarget(Exception):
    """Raised for a TARGET that does not exist; the message is one line that names it and a solution."""


@record
class Place:
    """The location of a target's code.

    Args:
        module: the dotted name by which it is imported.
        attribute: the object's name in the module; dots access attributes of classes and instances.
        search: the folder that is added to ``sys.path``.
        file: the file that was named, or None for a dotted name.
    """

    module: str
    attribute: str
    search: Path
    file: Path | None = None


def locate(target: str, base: Path) -> Place:
    """Parse a TARGET.

    Args:
        target: ``package.module:attr`` or ``path.py:attr``.
        base: the folder for relative paths and module names.

    Raises:
        BadTarget: the text has another form, or the file does not exist.
    """
    where, colon, attribute = target.rpartition(":")
    if not (where and colon and all(part.isidentifier() for part in attribute.split("."))):
        form = "path.py:attr" if target.endswith(".py") or "/" in target else "package.module:attr"
        hint = f"; write {target}:NAME" if target.endswith(".py") else ""
        raise BadTarget(f"{target!r} is not of the form {form} (nor a configured target){hint}")
    if not (where.endswith(".py") or "/" in where or "\\" in where):
        if not all(part.isidentifier() for part in where.split(".")):
            raise BadTarget(f"{where!r} is neither a module's dotted name nor a path that ends in .py")
        return Place(where, attribute, base)
    file = (base / where).resolve()
    if not file.is_file():
        raise BadTarget(f"no such file: {where} (looked for {file})")
    root, names = file.parent, [] if file.name == "__init__.py" else [file.stem]
    while (root / "__init__.py").is_file() and root.parent != root:
        names.insert(0, root.name)
        root = root.parent
    # The name becomes part of TorchScript's qualified names, so it must be made of identifiers.
    name = ".".join(part if part.isidentifier() else "_" + re.sub(r"\W", "_", part) for part in names)
    return Place(name, attribute, root, file)


def slugs(targets: list[str]) -> list[str]:
    """Return file names for the targets' archives: readable and unique."""
    found: list[str] = []
    for target in targets:
        stem = re.sub(r"[^\w.]+", "-", re.sub(r"\.py:", "-", target)).strip("-.") or "module"
        slug, number = stem, 2
        while slug in found:
            slug, number = f"{stem}-{number}", number + 1
        found.append(slug)
    return found
