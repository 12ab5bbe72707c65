"""Adds the imports of fixes: each name once, one statement per module, in the style of the file."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from tslint.diagnostics import Edit, Fix, Position
from tslint.rulekit.import_place import at_the_top, new_import
from tslint.rulekit.width import shown_width, width
from tslint.sources.file import SourceFile
from tslint.util import astwalk

_ALIAS = r"\w+(?: as \w+)?"
_LINE = rf"(?:from [\w.]+ import {_ALIAS}(?:, {_ALIAS})*|import [\w.]+(?: as \w+)?)(?:\r\n|\r|\n)"
# The blank line between the imports and another section.
_END = r"(?:\r\n|\r|\n)?"
_LINES = re.compile(rf"{_END}(?:{_LINE})+{_END}")
_ITEM = re.compile(r",[\s\\]*\w+|\w+,[\s\\]*")


def is_import(content: str) -> bool:
    """Return whether a text consists only of import statements, with their line ends."""
    return _LINES.fullmatch(content) is not None


def is_item(content: str) -> bool:
    """Return whether a text looks like a name added to a list of imported names: ``, Dict`` or ``Dict, ``."""
    return _ITEM.fullmatch(content) is not None


def merged(contents: Iterable[str]) -> str:
    """Merge several insertions at one position: names of one module into one import, in alphabetical order.

    Args:
        contents: texts for which :func:`is_import` is true, or :func:`is_item`.
    """
    every = list(dict.fromkeys(contents))
    if all(is_import(content) for content in every):
        return _merged_lines(every)
    return "".join(sorted(every, key=lambda content: re.sub(r"\W", "", content)))


def _merged_lines(contents: Sequence[str]) -> str:
    plain: set[str] = set()
    names: dict[str, set[str]] = {}
    lines = re.findall(r"([^\r\n]+)(\r\n|\r|\n)", "".join(contents))
    for line, _ in lines:
        if line.startswith("import "):
            plain.add(line)
        else:
            module, _, listed = line.removeprefix("from ").partition(" import ")
            names.setdefault(module, set()).update(listed.split(", "))
    found = sorted(plain) + [f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)]
    newline = lines[0][1]
    before = newline if any(content.startswith(newline) for content in contents) else ""
    after = newline if any(content.endswith(newline * 2) for content in contents) else ""
    return before + "".join(line + newline for line in found) + after


def tidied(fix: Fix) -> Fix:
    """Return a fix in which the imports at one position are merged into one edit."""
    places: dict[Position, list[str]] = {}
    for edit in fix.edits:
        if edit.start == edit.end and is_import(edit.content):
            places.setdefault(edit.start, []).append(edit.content)
    if all(len(contents) == 1 for contents in places.values()):
        return fix
    edits: list[Edit] = []
    for edit in fix.edits:
        if edit.start == edit.end and is_import(edit.content):
            if edit.start in places:
                edits.append(replace(edit, content=merged(places.pop(edit.start))))
        else:
            edits.append(edit)
    return replace(fix, edits=tuple(edits))


def imported_from(tree: ast.Module) -> Iterable[ast.ImportFrom]:
    """Return the ``from … import`` statements at the top of a module, before the first definition."""
    for statement in at_the_top(tree):
        if isinstance(statement, ast.ImportFrom) and not statement.level and statement.names[0].name != "*":
            yield statement


def hidden(tree: ast.Module, statement: ast.Import, name: str) -> bool:
    """Return whether a later star import may rebind an imported name: ``from numpy import *`` also binds ``typing``.

    If the author uses the name below the star import, the name is assumed to have the expected meaning.

    Args:
        tree: the tree of the file.
        statement: an import at its top.
        name: the name that it binds.
    """
    star = next((row for row in _star_rows(tree) if row > statement.lineno), None)
    return star is not None and not any(
        each.lineno > star for each in astwalk.of_kind(tree, ast.Name) if each.id == name
    )


@astwalk.kept
def _star_rows(tree: ast.Module) -> list[int]:
    """Return the rows of star imports from modules whose names tslint does not know."""
    stars = (each for each in tree.body if isinstance(each, ast.ImportFrom) and each.names[0].name == "*")
    known = ("torch", "typing")
    return [each.lineno for each in stars if not each.level and (each.module or "").partition(".")[0] not in known]


def extension(source: SourceFile, tree: ast.Module, module: str, name: str) -> Edit | None:
    """Return the edit that adds a name to an existing import of its module; None if there is no suitable one.

    The name is inserted in alphabetical order if the other names are sorted, and on its own line if the others are.
    """
    found = [statement for statement in imported_from(tree) if statement.module == module]
    # The author imports each name in a statement of its own.
    if not found or (len(found) > 1 and all(len(each.names) == 1 for each in found)):
        return None
    aliases = found[0].names
    spans = [_span(source, alias) for alias in aliases]
    gaps = [source.text[end:start] for (_, end), (start, _) in pairwise(spans)]
    if any(re.fullmatch(r"\s*,[\s\\]*", gap) is None for gap in gaps):
        return None  # there are comments between the names
    gap = gaps[-1].lstrip()[1:] if gaps else _only(source, spans[0][0])
    number = _place([alias.name for alias in aliases], name)
    offset, content = (spans[number][0], f"{name},{gap}") if number < len(aliases) else (spans[-1][1], f",{gap}{name}")
    rest = re.compile(r"[^\r\n]*").match(source.text, spans[-1][1])
    if rest is not None and "#" in rest.group() and ("\n" in gap or "\r" in gap):
        return None  # the comment of the last name would follow the new one
    position = source.position(offset)
    if "\n" not in gap and "\r" not in gap:
        if width(source.lines[position.row - 1]) + len(content) > shown_width(source):
            return None
    return Edit(position, position, content)


def _span(source: SourceFile, alias: ast.alias) -> tuple[int, int]:
    start = source.from_ast(alias.lineno, alias.col_offset)
    end = source.from_ast(alias.end_lineno or alias.lineno, alias.end_col_offset or 0)
    return source.offset(start), source.offset(end)


def _only(source: SourceFile, start: int) -> str:
    """Return the white space between the only imported name and a new one: a line break if the name has its own line,
    otherwise a space.
    """
    before = re.search(r"\(([ \t]*(?:\r\n|\r|\n)[ \t]*)\Z", source.text[:start])
    return before.group(1) if before else " "


def _place(names: Sequence[str], name: str) -> int:
    """Return the index of a new name: in alphabetical order if the others are, otherwise at the end."""
    for key in (str, str.lower):
        keys = [key(each) for each in names]
        if keys == sorted(keys):
            return sum(each < key(name) for each in keys)
    return len(names)


def is_in_import_list(source: SourceFile, offset: int) -> bool:
    """Return whether an offset is the start or the end of a name in an import at the top of a file."""
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for statement in imported_from(tree):
        spans = [_span(source, alias) for alias in statement.names]
        if any(offset in span for span in spans):
            return True
    return False


def imported(
    source: SourceFile, tree: ast.Module, module: str, name: str | None = None
) -> tuple[str, tuple[Edit, ...]]:
    """Return an expression for ``module.name`` (or ``module``) in a file, and the edits that import it if needed.

    Returns:
        The expression to write, and none or one edit.
    """
    dotted = _dotted(tree, module)
    direct = _direct(tree, module, (name,) if dotted is not None else (name, "*")) if name else None
    if name and direct is None and name in _imported_names(tree):  # from another module, or only in some cases
        return f"{dotted or module}.{name}", () if dotted else (new_import(source, tree, f"import {module}"),)
    extended = extension(source, tree, module, name) if name and direct is None else None
    if name and dotted is not None and (direct or extended) and _prefers_dotted(tree, module, dotted, name):
        direct = extended = None
    if direct is not None:
        return direct, ()
    if dotted is not None and extended is None:
        return (f"{dotted}.{name}" if name else dotted), ()
    if extended is not None:
        return name or module, (extended,)
    text = f"from {module} import {name}" if name else f"import {module}"
    return name or module, (new_import(source, tree, text),)


def _direct(tree: ast.Module, module: str, names: tuple[str, ...]) -> str | None:
    """Return the file's name for one of the given names of a module; None if the file imports none of them. A ``*``
    among the names stands for a star import of the module.
    """
    modules = (module, "typing_extensions") if module == "typing" else (module,)
    for statement in at_the_top(tree):
        if isinstance(statement, ast.ImportFrom) and statement.module in modules and not statement.level:
            for alias in statement.names:
                if alias.name in names:
                    return alias.asname or names[0]
    return None


@astwalk.kept
def _imported_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that the imports of a file bind, in functions, too."""
    statements = astwalk.of_kind(tree, ast.ImportFrom, ast.Import)
    return frozenset((alias.asname or alias.name).partition(".")[0] for each in statements for alias in each.names)


def _dotted(tree: ast.Module, module: str) -> str | None:
    """Return the file's name for a module that it imports; None if it does not import the module."""
    for statement in at_the_top(tree):
        if not isinstance(statement, ast.Import):
            continue
        for alias in statement.names:
            if hidden(tree, statement, alias.asname or alias.name.partition(".")[0]):
                continue
            if alias.name == module and (alias.asname or "." not in module):
                return alias.asname or module
            if alias.name.startswith(module + ".") and not alias.asname and "." not in module:
                return module
    return None


def _prefers_dotted(tree: ast.Module, module: str, dotted: str, name: str) -> bool:
    """Return whether a file that imports both writes ``torch.Tensor`` more often than ``Tensor``.

    If the file does not use the name, this is decided by other names of the module.
    """
    listed = {
        alias.asname or alias.name: alias.name
        for statement in imported_from(tree)
        for alias in (statement.names if statement.module == module else ())
    }
    said = _name_counts(tree)
    bare = sum(said[None, own] for own, plain in listed.items() if plain == name)
    if bare or said[dotted, name]:
        return said[dotted, name] > bare
    return any(of == dotted for of, _ in said) or not any((None, own) in said for own in listed)


@astwalk.kept
def _name_counts(tree: ast.Module) -> Counter[tuple[str | None, str]]:
    """Return how often a file uses each name, and each attribute of a name."""
    names = (each for each in astwalk.of_kind(tree, ast.Name))
    attributes = (each for each in astwalk.of_kind(tree, ast.Attribute) if isinstance(each.value, ast.Name))
    found: Counter[tuple[str | None, str]] = Counter((None, each.id) for each in names)
    found.update((each.value.id, each.attr) for each in attributes if isinstance(each.value, ast.Name))
    return found
