"""Adds imports to a file's libcst tree; extends an existing import of the same module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst
from libcst.helpers import get_full_name_for_node

_Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def with_imports(module: cst.Module, imports: Mapping[str, set[str]]) -> cst.Module:
    """Return the module with more imports.

    Args:
        module: the file's tree.
        imports: by module, the names to import from it; without names, the module itself is imported.
    """
    body = list(module.body)
    new: list[cst.SimpleStatementLine] = []
    for name, names in sorted(imports.items()):
        if names and _extend(body, name, sorted(names)):
            continue
        text = f"from {name} import {', '.join(sorted(names))}" if names else f"import {name}"
        statement = cst.parse_statement(text)
        assert isinstance(statement, cst.SimpleStatementLine)
        new.append(statement)
    if not new:
        return module.with_changes(body=body)
    index = _place(body)
    if index < len(body):
        # Comments above the first import stay above the new one.
        old = body[index]
        if _is_import(old):
            new[0] = new[0].with_changes(leading_lines=old.leading_lines)
            body[index] = old.with_changes(leading_lines=[])
        elif not old.leading_lines:
            body[index] = old.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    return module.with_changes(body=[*body[:index], *new, *body[index:]])


def _extend(body: list[_Statement], name: str, names: Sequence[str]) -> bool:
    for index, line in enumerate(body):
        if not isinstance(line, cst.SimpleStatementLine):
            continue
        for number, statement in enumerate(line.body):
            if not isinstance(statement, cst.ImportFrom) or statement.relative or statement.module is None:
                continue
            if get_full_name_for_node(statement.module) != name or isinstance(statement.names, cst.ImportStar):
                continue
            parts = list(line.body)
            parts[number] = statement.with_changes(names=_with(list(statement.names), names))
            body[index] = line.with_changes(body=parts)
            return True
    return False


def _with(aliases: list[cst.ImportAlias], names: Sequence[str]) -> list[cst.ImportAlias]:
    """Add names to an import; keep it sorted if it was sorted."""
    commas = [alias.comma for alias in aliases]
    between = commas[0] if len(aliases) > 1 else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    keys = [alias.evaluated_name.lower() for alias in aliases]
    for name in names:
        added = cst.ImportAlias(cst.Name(name))
        if keys == sorted(keys):
            index = sum(key < name.lower() for key in keys)
        else:
            index = len(aliases)
        aliases.insert(index, added)
        keys.insert(index, name.lower())
    last = len(aliases) - 1
    return [alias.with_changes(comma=commas[-1] if i == last else between) for i, alias in enumerate(aliases)]


def _place(body: Sequence[_Statement]) -> int:
    """Return the index before the first import that is not from ``__future__``, or after the docstring."""
    index = 0
    for number, line in enumerate(body):
        first = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        future = isinstance(first, cst.ImportFrom) and get_full_name_for_node(first.module or "") == "__future__"
        if _is_import(line) and not future:
            return number
        docstring = number == 0 and isinstance(first, cst.Expr) and isinstance(first.value, cst.BaseString)
        if not (future or docstring):
            break
        index = number + 1
    return index


def _is_import(line: _Statement) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], (cst.Import, cst.ImportFrom))
