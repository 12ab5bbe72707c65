"""Compares the definitions of files: which of them a class uses, and which of them fixes have changed."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Place = tuple[str, str]
"""A file, and a name that its top level binds."""


@dataclass
class Definitions:
    """The top levels of files.

    Args:
        texts: the statements that bind a name, by file and name.
        uses: the names that these statements mention, by file and name.
        functions: for each file, the qualified name and the first and last row of each function.
        others: for each file, the statements that bind no name.
        homes: the files that bind a name, other than by imports.
    """

    texts: dict[Place, str] = field(default_factory=dict)
    uses: dict[Place, set[str]] = field(default_factory=dict)
    functions: dict[str, list[tuple[str, int, int]]] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)
    homes: dict[str, list[Place]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Mapping[str, str]) -> Definitions:
        """Read files from their texts; one that cannot be parsed has no definitions."""
        found = cls()
        for file, text in files.items():
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError):
                continue
            lines = text.splitlines(keepends=True)
            found.functions[file] = list(_functions(tree.body, ""))
            found.others[file] = []
            for node in tree.body:
                found._add(file, node, lines)
        return found

    def _add(self, file: str, node: ast.stmt, lines: list[str]) -> None:
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        text = "".join(lines[first - 1 : node.end_lineno])
        names = list(_bound(node))
        if not names:
            self.others[file].append(ast.dump(node))
            return
        # Only the imported name counts: a change of another name in the same statement changes nothing.
        imports = isinstance(node, (ast.Import, ast.ImportFrom))
        mentioned = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | {
            each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and _imported(each.value)
        }
        for name in names:
            place = file, name
            self.texts[place] = self.texts.get(place, "") + (f"import {name}\n" if imports else text)
            self.uses.setdefault(place, set()).update(mentioned)
            if not imports and place not in self.homes.setdefault(name, []):
                self.homes[name].append(place)

    def reached(self, classes: Iterable[Place]) -> set[Place]:
        """Return the definitions that some classes use, directly or not; the classes are given by qualified names.

        Names are looked up first in the file that uses them, and then in all files.
        """
        pending = [(file, name.partition(".")[0]) for file, name in classes]
        found: set[Place] = set()
        while pending:
            place = pending.pop()
            if place in found or place not in self.uses:
                continue
            found.add(place)
            for name in self.uses[place]:
                own = (place[0], name)
                pending += [own] if own in self.uses else []
                if own not in self.texts or self.texts[own].startswith("import "):
                    homes = self.homes.get(name, [])
                    pending += homes if len(homes) < 4 else []
        return found

    def changed(self, other: Definitions) -> set[Place] | None:
        """Return the names that are bound differently in ``other``, or only in one of the two; None if other
        statements have changed, so that this is not known.
        """
        if self.others != other.others:
            return None
        both = self.texts.keys() | other.texts.keys()
        return {place for place in both if self.texts.get(place) != other.texts.get(place)}

    def diff(self, other: Definitions, places: Collection[Place], *, lines: int = 200) -> str:
        """Return the changes of some definitions, up to a number of lines."""
        found: list[str] = []
        for place in sorted(places):
            one, two = self.texts.get(place, ""), other.texts.get(place, "")
            if one != two:
                name = "::".join(place)
                pair = one.splitlines(), two.splitlines()
                found += list(difflib.unified_diff(*pair, name, name, lineterm="", n=2))[1:]
        return "\n".join(found[:lines])

    def around(self, places: Iterable[tuple[str, int]]) -> list[tuple[str, str, int, int]]:
        """Return the innermost functions around rows of files: file, qualified name, first and last row."""
        found: dict[tuple[str, str, int, int], None] = {}
        for file, row in places:
            holding = [each for each in self.functions.get(file, []) if each[1] <= row <= each[2]]
            if holding:
                name, first, last = min(holding, key=lambda each: each[2] - each[1])
                found[file, name, first, last] = None
        return list(found)

    def moved(self, place: tuple[str, int], other: Definitions) -> tuple[str, int]:
        """Return the row here that corresponds to a row of a function in ``other``."""
        file, row = place
        for _, name, first, _ in other.around([place]):
            starts = [begin for called, begin, _ in self.functions.get(file, ()) if called == name]
            return (file, row - first + starts[0]) if len(starts) == 1 else place
        return place


def _imported(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id not in ("self", "cls")


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    else:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield each.id
            elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
                yield each.name
            elif isinstance(each, ast.alias):
                yield each.asname or each.name.partition(".")[0]


def _functions(body: Iterable[ast.stmt], prefix: str) -> Iterator[tuple[str, int, int]]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield prefix + node.name, first, node.end_lineno or node.lineno
            yield from _functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        else:
            for part in ("body", "orelse", "finalbody", "handlers"):
                yield from _functions(getattr(node, part, ()), prefix)
