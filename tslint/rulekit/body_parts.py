"""Divides the body of a function or class into parts that libcst can parse separately."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise

from tslint.script.events import Span

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Part = list[ast.stmt]
# A short definition is parsed at once: parts of it would take longer.
_SHORT = 8


def rows(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and the last row of a statement, decorators included."""
    decorators = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(each.lineno for each in decorators)]), statement.end_lineno or statement.lineno


def body_parts(holder: Definition, lines: Sequence[str]) -> list[tuple[int, Part]]:
    """Return the first rows of the parts, and their statements: usually one for each part. A part begins with the
    comments and blank lines above its first statement. There are no parts if the definition is short, or if its body
    begins on the line of the ``def`` or ``class``.

    Args:
        holder: the function or class.
        lines: the lines of the file.
    """
    first, last = rows(holder)
    start = rows(holder.body[0])[0]
    if last - first < _SHORT or lines[start - 1][: holder.body[0].col_offset].strip(" \t\f@"):
        return []
    while start - 1 > first and _is_bare(lines[start - 2]):
        start -= 1
    found = [(start, holder.body[:1])]
    for before, statement in pairwise(holder.body):
        end, following = rows(before)[1], rows(statement)[0]
        if following > end and _divides(before, lines[end - 1 : following - 1], Span.of(statement).column):
            found.append((end + 1, [statement]))
        else:
            found[-1][1].append(statement)
    return found


def _is_bare(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _divides(before: ast.stmt, between: Sequence[str], column: int) -> bool:
    """Return whether the line after a statement begins a part, given that line's end and the lines up to the next one.

    Comments, and white space, with another indentation may belong to the end of a block; a backslash joins the lines.
    """
    filled = [each for each in between[1:] if each.strip("\r\n")]
    aligned = all(len(each) - len(each.lstrip(" \t")) == column for each in filled)
    return not between[0].rstrip().endswith("\\") and (aligned or not hasattr(before, "body"))
