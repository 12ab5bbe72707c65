"""Finds the position of a new import, in its section and sorted, as isort and ruff do."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence
from itertools import takewhile

from tslint.diagnostics import Edit, Position
from tslint.sources.file import SourceFile

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_Import = ast.Import | ast.ImportFrom


def at_the_top(tree: ast.Module) -> Iterable[ast.stmt]:
    """Return the statements at the top of the module, before the first definition."""
    return takewhile(lambda each: not isinstance(each, DEFINITIONS), tree.body)


def new_import(source: SourceFile, tree: ast.Module, text: str) -> Edit:
    """Return the edit that adds an import.

    Args:
        source: the file.
        tree: the ``ast`` of the file.
        text: the statement, without the line's end.
    """
    (new,) = ast.parse(text).body
    assert isinstance(new, (ast.Import, ast.ImportFrom))
    standard = _is_standard(new)
    groups = _groups(source, tree)
    for group in groups:
        members = [each for each in group if _is_standard(each) is standard and not _is_relative(each)]
        if members and (standard or len(groups) == 1 or any(_package(each) == _package(new) for each in group)):
            return _in_order(source, group, new, text)
    if not standard and groups and all(map(_is_standard, groups[0])):
        row = (groups[0][-1].end_lineno or groups[0][-1].lineno) + 1
        if row <= len(source.lines):
            return Edit(Position(row, 1), Position(row, 1), source.newline + text + source.newline)
    row = import_row(source, tree)
    blank = source.newline if standard and any(group[0].lineno == row for group in groups) else ""
    return Edit(Position(row, 1), Position(row, 1), text + source.newline + blank)


def import_row(source: SourceFile, tree: ast.Module) -> int:
    """Return the row for a new import: before the first import other than from ``__future__``, or after the module's
    docstring and future imports.
    """
    row = 1
    for statement in tree.body:
        future = _is_future(statement)
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and not future:
            return statement.lineno
        if not (future or (docstring and statement is tree.body[0])):
            break
        row = (statement.end_lineno or statement.lineno) + 1
    if row == 1 and source.lines and source.lines[0].startswith("#"):
        while row <= len(source.lines) and source.lines[row - 1].startswith("#"):
            row += 1
    return row


def _in_order(source: SourceFile, group: Sequence[_Import], new: _Import, text: str) -> Edit:
    """Return the edit that puts an import into a group: in order if the group is sorted, otherwise before the first
    one.
    """
    keys = [_key(each) for each in group]
    later = [each for each, key in zip(group, keys) if key > _key(new)]
    row = group[0].lineno
    if keys == sorted(keys):
        row = later[0].lineno if later else (group[-1].end_lineno or group[-1].lineno) + 1
    if row > len(source.lines) or not source.lines[row - 2 if row > 1 else 0].endswith(("\n", "\r")):
        row = group[0].lineno
    return Edit(Position(row, 1), Position(row, 1), text + source.newline)


def _groups(source: SourceFile, tree: ast.Module) -> list[list[_Import]]:
    """Return the imports at the top, in groups that blank lines separate; without imports that share their lines."""
    found: list[list[_Import]] = []
    last = -1
    for each in at_the_top(tree):
        alone = isinstance(each, (ast.Import, ast.ImportFrom)) and not _is_future(each) and not _shares(source, each)
        if alone and isinstance(each, (ast.Import, ast.ImportFrom)):
            if each.lineno == last + 1:
                found[-1].append(each)
            else:
                found.append([each])
            last = each.end_lineno or each.lineno
    return found


def _shares(source: SourceFile, statement: ast.stmt) -> bool:
    """Return whether a statement shares its lines with others."""
    first, last = source.lines[statement.lineno - 1], source.lines[(statement.end_lineno or statement.lineno) - 1]
    rest = last.encode("utf-8")[statement.end_col_offset or 0 :].strip()
    return first[:1] in (" ", "\t", "\f") or statement.col_offset > 0 or not (not rest or rest.startswith(b"#"))


def _key(statement: _Import) -> tuple[bool, bool, str]:
    return not _is_standard(statement), isinstance(statement, ast.ImportFrom), _module(statement).lower()


def _module(statement: _Import) -> str:
    return statement.module or "" if isinstance(statement, ast.ImportFrom) else statement.names[0].name


def _package(statement: _Import) -> str:
    return _module(statement).partition(".")[0]


def _is_standard(statement: _Import) -> bool:
    return not _is_relative(statement) and _package(statement) in sys.stdlib_module_names


def _is_relative(statement: _Import) -> bool:
    return isinstance(statement, ast.ImportFrom) and bool(statement.level)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
