"""Annotations in class bodies: the compiler only reads those of the nearest class that has any, and no strings."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Position
from tslint.project.definitions import Class
from tslint.rewrite.loop_parts import place
from tslint.rulekit.match import Match

IMPORT = "from __future__ import annotations"


def can_annotate(match: Match, body: Class | None, annotated: Class | None) -> bool | None:
    """Whether an annotation in a class body is read by the compiler: None where another class's annotations count.

    Args:
        body: the class that would be annotated.
        annotated: the class whose annotations count now, None where there are none.

    Returns:
        True where it is and hides nothing; False where it would hide the annotations of a base class.
    """
    if body is None or body.module.source.path != match.source.path or strings(match):
        return None
    # What decorates a class, or reads annotations, may make fields of them.
    if body.node.decorator_list or "__annotations__" in match.source.text or "get_type_hints" in match.source.text:
        return None
    if annotated is None or annotated is body:
        return True
    known = {base.id for base in body.node.bases if isinstance(base, ast.Name)}
    known |= {base.attr for base in body.node.bases if isinstance(base, ast.Attribute)}
    return False if annotated.name in known else None


def strings(match: Match) -> bool:
    """Whether the file's annotations are strings at run time, which the compiler cannot read in class bodies."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(a.name == "annotations" for a in node.names)
        for node in match.file.tree.body
    )


def body_top(match: Match, body: Class) -> tuple[Position, str] | None:
    """Where a first line of a class body goes (after the docstring), and its indentation."""
    statements = body.node.body
    first = statements[0]
    docstring = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    if docstring and len(statements) > 1:
        first = statements[1]
    row = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
    margin = match.source.lines[row - 1][: place(match, first)[0].column - 1]
    if margin.strip():
        return None
    return Position(row, 1), margin


def initial_value(match: Match, body: Class | None, attribute: str) -> ast.Assign | None:
    """The one assignment ``self.attribute = value`` of a class's ``__init__``."""
    if body is None or body.module.source.path != match.source.path:
        return None
    found = [
        node
        for method in body.node.body
        if isinstance(method, ast.FunctionDef) and method.name == "__init__"
        for node in walking.walk(method)
        if isinstance(node, ast.Assign)
        and any(
            isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.attr == attribute for t in node.targets
        )
    ]
    return found[0] if len(found) == 1 and len(found[0].targets) == 1 else None
