"""Writes types in the style of a file, with the imports that they need."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from tslint.annotate.types import Type
from tslint.rulekit.imports import hidden
from tslint.util import astwalk

_OF_TORCH = {"Tensor", "device", "dtype", "Generator"}
_BUILTIN = {"List": "list", "Dict": "dict", "Tuple": "tuple"}
_BUILTIN_STYLE = re.compile(r"(?::|->|\[|,|\|)\s*(?:list|dict|tuple)\[")
_BAR_STYLE = re.compile(r"(?::|->|\[|,)\s*[\w.\[\], ]+ \| None\b")


class Spelling:
    """The style in which one file writes types.

    Args:
        tree: the tree of the file.
        text: the text of the file.
        classes: the file's names for types of the kind ``class:NAME``.

    ``imports`` grows with each type: by module, the names to import from it; without names, the module itself.
    """

    def __init__(self, tree: ast.Module, text: str, classes: Mapping[str, str]) -> None:
        self.imports: dict[str, set[str]] = {}
        self._tree = tree
        self._classes = classes
        self._builtin = bool(_BUILTIN_STYLE.search(text))
        self._bar = bool(_BAR_STYLE.search(text))

    def spell(self, type_: Type) -> str:
        """Return a type in the file's own style."""
        name = type_.name
        if name.startswith("class:"):
            return self._classes[name.removeprefix("class:")]
        if name in _OF_TORCH:
            return self._named("torch", name)
        if name == "Tuple" and not type_.parts:
            return f"{self._generic(name)}[()]"
        if not type_.parts:
            return name
        if name == "Optional" and self._bar:
            return f"{self.spell(type_.parts[0])} | None"
        return f"{self._generic(name)}[{', '.join(self.spell(part) for part in type_.parts)}]"

    def _generic(self, name: str) -> str:
        return _BUILTIN[name] if self._builtin and name in _BUILTIN else self._named("typing", name)

    def _named(self, module: str, name: str) -> str:
        taken = False
        for statement in self._tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == module and not statement.level:
                for alias in statement.names:
                    if alias.name in (name, "*"):
                        return alias.asname or name
            elif isinstance(statement, ast.Import):
                for alias in statement.names:
                    if hidden(self._tree, statement, alias.asname or alias.name.partition(".")[0]):
                        continue
                    if alias.name == module:
                        return f"{alias.asname or module}.{name}"
                    if alias.name.startswith(module + ".") and not alias.asname:
                        return f"{module}.{name}"
            taken = taken or name in _bound(statement)
        if taken:
            self.imports.setdefault(module, set())
            return f"{module}.{name}"
        self.imports.setdefault(module, set()).add(name)
        return name


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement of the file binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    found = set()
    for node in astwalk.walk(statement):
        if isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found
