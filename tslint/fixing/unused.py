"""Removes imports that fixes have made unused."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from tslint.fixing.edits import Change
from tslint.fixing.trees import tree_of
from tslint.sources.file import SourceFile
from tslint.util import astwalk

_IMPORT = (ast.Import, ast.ImportFrom)


def used(source: SourceFile) -> set[str]:
    """Return the names that a file's code uses; none if it cannot be parsed."""
    return set(_used(source.text))


@lru_cache(maxsize=64)
def _used(text: str) -> frozenset[str]:
    tree = _tree(text)
    return frozenset() if tree is None else frozenset([node.id for node in astwalk.of_kind(tree, ast.Name)])


def removals(source: SourceFile, candidates: set[str], others: Iterable[SourceFile]) -> list[Change]:
    """Return the changes that remove unused imports at the top level of a file.

    What the file exports is kept: names in ``__all__`` or in another string, ``import x as x``, imports in an
    ``__init__.py``, and names that another file imports from this one.

    Args:
        source: the file.
        candidates: names; those that the file still uses are kept.
        others: files that may import this one; files in the same folder, and in the folder above a package, count, too.
    """
    tree = _tree(source.text)
    if tree is None or not candidates or source.path.name == "__init__.py":
        return []
    names = candidates & {bound for _, _, bound in _imports(tree)}
    names -= _used(source.text)
    names -= _mentioned(source.text) if names else set()
    if names:
        names -= _taken(source, names, others)
    found: list[Change] = []
    for statement in tree.body:
        if isinstance(statement, _IMPORT):
            gone = [alias for alias, bound in _bound(statement) if bound in names]
            if gone:
                found += _without(source, statement, gone)
    return found


def _tree(text: str) -> ast.Module | None:
    try:
        return tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(tree: ast.Module) -> Iterator[tuple[ast.stmt, ast.alias, str]]:
    for statement in tree.body:
        if isinstance(statement, _IMPORT):
            for alias, bound in _bound(statement):
                yield statement, alias, bound


def _bound(statement: ast.Import | ast.ImportFrom) -> list[tuple[ast.alias, str]]:
    """Return the aliases that bind a name of their own; ``import a.b`` shares the name ``a`` with other imports."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return []
    return [
        (alias, alias.asname or alias.name)
        for alias in statement.names
        if alias.name != "*" and alias.asname != alias.name and (alias.asname or "." not in alias.name)
    ]


@lru_cache(maxsize=64)
def _mentioned(text: str) -> frozenset[str]:
    """Return the words in texts that may mention a name."""
    tree = _tree(text)
    return frozenset() if tree is None else frozenset(re.findall(r"\w+", " ".join(_texts(text, tree))))


def _texts(text: str, tree: ast.Module) -> Iterator[str]:
    """Yield texts that may mention a name: strings other than docstrings, and type comments."""
    docstrings = {id(node.value) for node in astwalk.walk(tree) if isinstance(node, ast.Expr)}
    for node in astwalk.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
    if not re.search(r"#\s*type:", text):
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and re.match(r"#\s*type:", token.string):
                yield token.string
    except (tokenize.TokenError, SyntaxError):
        # If the tokenizer fails, the whole text may mention the name.
        yield text


def _taken(source: SourceFile, names: set[str], others: Iterable[SourceFile]) -> set[str]:
    """Return the names that other files import from this one."""
    stem = re.escape(source.path.stem)
    importing = re.compile(rf"^[ \t]*from[ \t]+[.\w]*\b{stem}[ \t]+import\b([^\n(]*(?:\([^)]*\))?)", re.MULTILINE)
    taken: set[str] = set()
    texts = [other.text for other in others if other.path != source.path]
    for text in (*texts, *_neighbours(source.path, {other.path for other in others})):
        if source.path.stem not in text:
            continue
        for listed in importing.findall(text):
            taken |= names if "*" in listed else names & set(re.findall(r"\w+", listed))
        taken |= {name for name in names if re.search(rf"\b{stem}\.{re.escape(name)}\b", text)}
    return taken


def _neighbours(path: Path, known: set[Path]) -> Iterator[str]:
    for folder in (path.parent, path.parent.parent) if (path.parent / "__init__.py").is_file() else (path.parent,):
        for other in folder.glob("*.py"):
            if other not in known and other != path:
                try:
                    yield other.read_text(encoding="utf-8", errors="replace")
                except OSError:
                    continue


def _without(source: SourceFile, statement: ast.Import | ast.ImportFrom, gone: list[ast.alias]) -> list[Change]:
    """Return the changes that remove names from an import; none if its lines contain anything else."""
    start = source.offset(source.from_ast(statement.lineno, statement.col_offset))
    end = source.offset(source.from_ast(statement.end_lineno or statement.lineno, statement.end_col_offset or 0))
    rest = re.compile(r"[ \t]*(#[^\r\n]*)?(\r\n|\r|\n|\Z)").match(source.text, end)
    if rest is None or "#" in source.text[start:end] or "noqa" in (rest.group(1) or "") or statement.col_offset:
        return []
    kept = [alias for alias in statement.names if alias not in gone]
    if not kept:
        return [Change(start, rest.end(), "")]
    spans = {
        alias: (
            source.offset(source.from_ast(alias.lineno, alias.col_offset)),
            source.offset(source.from_ast(alias.end_lineno or alias.lineno, alias.end_col_offset or 0)),
        )
        for alias in statement.names
    }
    last = max(number for number, alias in enumerate(statement.names) if alias in kept)
    found = [
        Change(spans[alias][0], spans[statement.names[number + 1]][0], "")
        for number, alias in enumerate(statement.names[:last])
        if alias in gone
    ]
    if last + 1 < len(statement.names):
        found.append(Change(spans[statement.names[last]][1], spans[statement.names[-1]][1], ""))
    return found
