"""Comprehensions written as loops before the statement that holds them."""

from __future__ import annotations

import ast
import builtins
import keyword

from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import safe, unsafe
from tslint.rules.syntax._common import (
    alone_on_its_lines,
    block,
    compiled_function,
    operand,
    parent,
    place,
    replace,
    spans_rows,
)

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_LATER = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def as_loops(match: Match, node: ast.AST) -> Fix | None:
    """Fill a list or dict in loops before the statement, and put it in the comprehension's place.

    Args:
        match: for the file and the function.
        node: the comprehension.

    Returns:
        None where what stands before it in the statement would have to be evaluated first, or never.
    """
    function, statement = compiled_function(match), _holder(match, node)
    if function is None or statement is None or not isinstance(node, (ast.ListComp, ast.DictComp)):
        return None
    if not has_room(match, node):
        return None
    bound = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    own = {id(child) for child in ast.walk(node)}
    outside = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in own}
    outside |= {child.arg for child in ast.walk(function.args) if isinstance(child, ast.arg)}
    if any(generator.is_async for generator in node.generators):
        return None
    assigned = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    whole = isinstance(statement, ast.Assign) and statement.value is node and isinstance(assigned, ast.Name)
    inside = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    direct = whole and isinstance(assigned, ast.Name) and assigned.id not in inside
    name = assigned.id if direct and isinstance(assigned, ast.Name) else _fresh(function, node, outside | inside)
    start, _ = place(match, statement)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    lines = [f"{name}{_annotation(match, statement, node)} = {'{}' if isinstance(node, ast.DictComp) else '[]'}"]
    depth = 0
    for generator in node.generators:
        head = f"for {match.text(generator.target)} in {match.text(generator.iter)}:"
        lines.append(f"{'    ' * depth}{head}")
        depth += 1
        if generator.ifs:
            tests = [match.text(generator.ifs[0])]
            if len(generator.ifs) > 1:
                tests = [operand(match, test) for test in generator.ifs]
            lines.append(f"{'    ' * depth}if {' and '.join(tests)}:")
            depth += 1
    if isinstance(node, ast.DictComp):
        lines.append(f"{'    ' * depth}{name}[{match.text(node.key)}] = {match.text(node.value)}")
    else:
        lines.append(f"{'    ' * depth}{name}.append({match.text(node.elt)})")
    if any("\n" in line or "\r" in line for line in lines):
        return None
    make = unsafe if bound & outside or not (direct or _first(statement, node)) else safe
    if direct:
        text = f"{match.source.newline}{margin}".join(lines)
        return make("Write the comprehension as a loop", replace(match, statement, text))
    where = Position(start.row, 1)
    text = "".join(f"{margin}{line}{match.source.newline}" for line in lines)
    return make("Write the comprehension as a loop", Edit(where, where, text), replace(match, node, name))


def has_room(match: Match, node: ast.expr) -> bool:
    """Whether loops can stand before the statement that holds a comprehension, or a generator."""
    statement = _holder(match, node)
    if statement is None or block(match, statement) is None or not alone_on_its_lines(match, statement):
        return False
    return not spans_rows(node) and "\n" not in match.text(node)


def _annotation(match: Match, statement: ast.stmt, node: ast.expr) -> str:
    """What the author says that the list or dict is: it is the value of an annotated variable, or of the function."""
    function = compiled_function(match)
    given = statement.annotation if isinstance(statement, ast.AnnAssign) else None
    if isinstance(statement, ast.Return) and function is not None:
        given = function.returns
    if given is None or not isinstance(given, ast.Subscript) or getattr(statement, "value", None) is not node:
        return ""
    name = match.text(given.value).rpartition(".")[2]
    return f": {match.text(given)}" if name in ("List", "list", "Dict", "dict") else ""


def _holder(match: Match, node: ast.AST) -> ast.stmt | None:
    """The simple statement around an expression that it evaluates in any case, once."""
    current: ast.AST | None = parent(match, node)
    while current is not None and not isinstance(current, ast.stmt):
        if isinstance(current, (*_LATER, ast.comprehension)):
            return None
        current = parent(match, current)
    return current if isinstance(current, _STATEMENTS) else None


def _first(statement: ast.stmt, node: ast.AST) -> bool:
    """Whether nothing in the statement is called before the comprehension is evaluated."""
    within = {id(child) for child in ast.walk(node)}
    before = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    calls = [child for child in ast.walk(statement) if isinstance(child, ast.Call) and id(child) not in within]
    return all((call.end_lineno or 0, call.end_col_offset or 0) > before for call in calls)


def _fresh(function: ast.FunctionDef, node: ast.expr, used: set[str]) -> str:
    """A name that no other comprehension of the function takes: the fixes of all may be applied at once."""
    taken = {*used, *keyword.kwlist, *dir(builtins)}
    kinds = (ast.ListComp, ast.DictComp)
    rivals = sorted((n for n in ast.walk(function) if isinstance(n, kinds)), key=lambda n: (n.lineno, n.col_offset))
    names: list[str] = []
    number = 1
    while len(names) <= next(i for i, rival in enumerate(rivals) if rival is node):
        name = "values" if number == 1 else f"values_{number}"
        names += [name] if name not in taken else []
        number += 1
    return names[-1]
