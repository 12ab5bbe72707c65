"""Rejects fixes that lose a comment, change the text that ``{x=}`` prints, or use a name with another meaning."""

from __future__ import annotations

import ast
import builtins
import re
import typing
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from tokenize import COMMENT, TokenError, generate_tokens

from tslint.diagnostics import Applicability, Edit, Fix, Risk
from tslint.script.dataflow.caught import CHANGED, catches
from tslint.script.dataflow.scopes import bindings, module_bindings
from tslint.sources.file import SourceFile
from tslint.util import astwalk

# The builtins that fixes write. Fixes may copy others, but those are often variables of the author (``input``, ``id``).
_WRITTEN = frozenset(
    "abs bool complex dict enumerate float getattr hasattr int isinstance len list max min print range reversed round"
    " sorted str sum super tuple zip".split()
) | {name for name in dir(builtins) if name.endswith("Error")}
# `list(` and `list` are different matches: `[*list, 1]` reads a variable of the author, and calls no builtin.
_BUILTIN = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(_WRITTEN))})(?!\w)\(?")
# Names that `from typing import *` may have bound.
_TYPING = frozenset(typing.__all__)
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_IMPORTED = re.compile(r"^(?:from [\w.]+ )?import (\w+)", re.MULTILINE)
_READERS = ("get_type_hints", "get_annotations")
_ANNOTATIONS = ("__annotations__", "annotation", "return_annotation", *_READERS)
# ``{x=}`` prints the text of its expression.
_SHOWN = re.compile(r"=\s*(?:![rsa])?(?::[^{}]*)?\}")


def sound(source: SourceFile, tree: ast.Module, fix: Fix) -> Fix | None:
    """Return a fix unchanged, or as a display fix if it would lose a comment; None if its result would be wrong.

    Args:
        source: the file.
        tree: the ``ast`` of the file.
        fix: the fix with its edits.
    """
    if not fix.edits:
        return fix
    if any(_writes_rebound(source, tree, edit) for edit in fix.edits) or _changes_shown(source, tree, fix):
        return None
    if Risk.EXCEPTION in fix.risks and not _changes_try(tree, fix) and catches(tree, CHANGED):
        return None
    if _writes_hidden(source, tree, fix) or (_reads_annotations(tree) and _writes_header(tree, fix)):
        return None
    written = "".join(edit.content for edit in fix.edits)
    for edit in fix.edits:
        for comment in _comments(source, edit):
            # Type comments are not lost: they become annotations.
            if comment not in written and "type:" not in comment:
                message = f"{fix.message}, and keep the comment `{comment}`"
                return replace(fix, applicability=Applicability.DISPLAY, message=message, edits=())
    return fix


def _comments(source: SourceFile, edit: Edit) -> Iterator[str]:
    """Yield the comments that an edit removes, except those in lines that it removes as a whole."""
    start, end = source.offset(edit.start), source.offset(edit.end)
    is_removal = edit.start.column == edit.end.column == 1 and not edit.content
    if is_removal or "#" not in source.text[start:end]:
        return
    for first, comment in _all_comments(source):
        if start < first + len(comment) and first < end:
            yield comment


@lru_cache(maxsize=4)
def _all_comments(source: SourceFile) -> list[tuple[int, str]]:
    """Return the comments of a file with their offsets, up to the first error of the tokenizer."""
    found: list[tuple[int, str]] = []
    lines = iter(source.lines)
    try:
        for token in generate_tokens(lambda: next(lines, "")):
            if token.type == COMMENT:
                found.append((source.lines.starts[token.start[0] - 1] + token.start[1], token.string))
    except (TokenError, SyntaxError):
        pass
    return found


def _writes_rebound(source: SourceFile, tree: ast.Module, edit: Edit) -> bool:
    """Return whether an edit writes the name of a builtin that the file rebinds, or removes a call of such a name,
    which does not call the builtin.
    """
    new, old = set(_BUILTIN.findall(edit.content)), set(_BUILTIN.findall(source.slice(edit.start, edit.end)))
    if any(name.rstrip("(") in _rebound(tree) for name in new - old):
        return True
    return any(name.endswith("(") and name[:-1] in module_bindings(tree) for name in old - new)


@astwalk.kept
def _rebound(tree: ast.Module) -> frozenset[str]:
    """Return the builtins that a file rebinds. Members of classes do not count, because plain names do not refer to
    them.
    """
    found: set[str] = set()
    for each in astwalk.walk(tree):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            found.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found |= {each.name} if not isinstance(astwalk.parents(tree).get(each), ast.ClassDef) else set()
        elif isinstance(each, ast.arg):
            found.add(each.arg)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).partition(".")[0])
    return frozenset(found & _WRITTEN)


def _writes_hidden(source: SourceFile, tree: ast.Module, fix: Fix) -> bool:
    """Return whether a fix writes an imported name into a function that has a variable of that name, or into a file
    that also defines the name.
    """
    brought = {name for edit in fix.edits for name in _IMPORTED.findall(edit.content)}
    for edit in fix.edits:
        old = source.slice(edit.start, edit.end)
        # A variable may have the name that the fix writes: what counts is whether the name is written more often.
        new = {*(Counter(_NAME.findall(edit.content)) - Counter(_NAME.findall(old)))}
        if not (new & _defined(tree)).isdisjoint(brought | _imports(tree) | _TYPING):
            return True
        new &= brought | _imports(tree)
        if new and any(not new.isdisjoint(bindings(each)) for each in _functions(tree).get(edit.start.row, ())):
            return True
    return False


@astwalk.kept
def _defined(tree: ast.Module) -> frozenset[str]:
    """Return the names that definitions and assignments at a file's top level bind, and those that it deletes."""
    assigned = (each for each in tree.body if isinstance(each, (ast.Assign, ast.AnnAssign)))
    defined = {each.name for each in tree.body if isinstance(each, (ast.FunctionDef, ast.ClassDef))}
    deleted = [each for part in tree.body if isinstance(part, ast.Delete) for each in part.targets]
    defined |= {each.id for each in deleted if isinstance(each, ast.Name)}
    return frozenset(defined.union(*(astwalk.bound(each) for each in assigned)))


@astwalk.kept
def _functions(tree: ast.Module) -> dict[int, list[ast.AST]]:
    """Return, by row, the functions whose body contains the row."""
    found: dict[int, list[ast.AST]] = {}
    for each in astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        for row in range(each.body[0].lineno, (each.end_lineno or each.lineno) + 1):
            found.setdefault(row, []).append(each)
    return found


def _changes_try(tree: ast.Module, fix: Fix) -> bool:
    """Return whether a fix changes the row of a ``try:``. Only such a fix takes account of what the handlers catch."""
    rows = {each.lineno for each in astwalk.of_kind(tree, ast.Try)}
    return any(not rows.isdisjoint(range(edit.start.row, edit.end.row + 1)) for edit in fix.edits)


@astwalk.kept
def _reads_annotations(tree: ast.Module) -> bool:
    """Return whether a file reads the annotations of functions, so that they may decide what it does."""
    mentions = astwalk.mentions(tree)
    return any(isinstance(each, ast.Attribute) for name in _ANNOTATIONS for each in mentions.get(name, ())) or any(
        isinstance(each, ast.Name) for name in _READERS for each in mentions.get(name, ())
    )


def _writes_header(tree: ast.Module, fix: Fix) -> bool:
    """Return whether a fix changes the rows of a function's parameters and return type."""
    functions = astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef)
    headers = [range(each.lineno, max(each.body[0].lineno, each.lineno + 1)) for each in functions]
    return any(edit.start.row in rows for edit in fix.edits for rows in headers)


@astwalk.kept
def _imports(tree: ast.Module) -> frozenset[str]:
    """Return the names that a file's imports bind outside functions."""
    inside = {node for each in astwalk.of_kind(tree, ast.FunctionDef) for node in astwalk.walk(each)}
    return frozenset(
        (alias.asname or alias.name).partition(".")[0]
        for each in astwalk.of_kind(tree, ast.Import, ast.ImportFrom)
        if each not in inside
        for alias in each.names
    )


@astwalk.kept
def _showing(tree: ast.Module) -> list[ast.JoinedStr]:
    """Return the f-strings that may print the text of an expression, as ``f"{x=}"`` does."""
    return [
        each
        for each in astwalk.of_kind(tree, ast.JoinedStr)
        if any(isinstance(part, ast.Constant) and str(part.value).rstrip().endswith("=") for part in each.values)
    ]


def _changes_shown(source: SourceFile, tree: ast.Module, fix: Fix) -> bool:
    """Return whether a fix changes an expression whose text an f-string prints."""
    edits: list[tuple[int, int, str]] = []
    for each in _showing(tree):
        edits = edits or [(source.offset(edit.start), source.offset(edit.end), edit.content) for edit in fix.edits]
        first = source.offset(source.from_ast(each.lineno, each.col_offset))
        last = source.offset(source.from_ast(each.end_lineno or each.lineno, each.end_col_offset or 0))
        inside = sorted(edit for edit in edits if first <= edit[0] and edit[1] <= last)
        if inside and _SHOWN.search(source.text, first, last):
            done, parts = first, []
            for start, end, content in inside:
                parts += [source.text[done:start], content]
                done = end
            if _SHOWN.search("".join([*parts, source.text[done:last]])):
                return True
    return False
