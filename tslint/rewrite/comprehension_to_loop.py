"""Comprehensions written as loops before the statement that holds them."""

from __future__ import annotations

import ast
import builtins
import keyword

from tslint.diagnostics import Edit, Fix, Position
from tslint.rewrite.spans import (
    alone_on_its_lines,
    block,
    compiled_function,
    parent,
    place,
    replace,
    spans_rows,
)
from tslint.rewrite.statements import deeper
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.evaluation import quiet, steps
from tslint.script.dataflow.scopes import comprehension_names, peeps

_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LATER = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def as_loops(match: Match, node: ast.AST) -> Fix | None:
    """Fill a list or dict in loops before the statement, and put it in the comprehension's place.

    Args:
        match: for the file and the function.
        node: the comprehension.

    Returns:
        None where what stands before it in the statement would have to be evaluated first, or never, or its variables
        would take the place of others.
    """
    function, statement = compiled_function(match), _holder(match, node)
    if function is None or statement is None or not isinstance(node, (ast.ListComp, ast.DictComp)):
        return None
    if not has_room(match, node) or not _can_move(function, node) or not _first(statement, node):
        return None
    own = {id(child) for child in ast.walk(node)}
    outside = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in own}
    outside |= {child.arg for child in ast.walk(function.args) if isinstance(child, ast.arg)}
    inside = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    renamed = _renamed(function, node, outside, inside)
    if renamed is None:
        return None
    assigned = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if isinstance(statement, ast.AnnAssign):
        assigned = statement.target
    whole = isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is node
    direct = whole and isinstance(assigned, ast.Name) and assigned.id not in inside and not _is_seen(function, assigned)
    name = assigned.id if direct and isinstance(assigned, ast.Name) else _fresh(function, node, outside | inside)
    start, _ = place(match, statement)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    lines = _lines(match, node, name, renamed, deeper(margin))
    lines[0] = f"{name}{_annotation(match, statement, node)} = {'{}' if isinstance(node, ast.DictComp) else '[]'}"
    if any("\n" in line or "\r" in line for line in lines):
        return None
    if direct:
        text = f"{match.source.newline}{margin}".join(lines)
        return safe("Write the comprehension as a loop", replace(match, statement, text))
    where = Position(start.row, 1)
    text = "".join(f"{margin}{line}{match.source.newline}" for line in lines)
    return safe("Write the comprehension as a loop", Edit(where, where, text), replace(match, node, name))


def _lines(match: Match, node: ast.ListComp | ast.DictComp, name: str, renamed: dict[str, str], step: str) -> list[str]:
    """The loops; the first line is left to be written."""

    def said(part: ast.expr) -> str:
        text, base = match.text(part), match.source.offset(place(match, part)[0])
        names = [n for n in ast.walk(part) if isinstance(n, ast.Name) and n.id in renamed]
        for each in sorted(names, key=lambda one: (one.lineno, one.col_offset), reverse=True):
            low, high = (match.source.offset(position) - base for position in place(match, each))
            text = text[:low] + renamed[each.id] + text[high:]
        return text

    lines = [""]
    depth = 0
    for index, generator in enumerate(node.generators):
        # The first iterable is evaluated outside: there a name is what it is around.
        over = match.text(generator.iter) if not index else said(generator.iter)
        lines.append(f"{step * depth}for {said(generator.target)} in {over}:")
        depth += 1
        if generator.ifs:
            tests = [said(test) if len(generator.ifs) == 1 else f"({said(test)})" for test in generator.ifs]
            lines.append(f"{step * depth}if {' and '.join(tests)}:")
            depth += 1
    if isinstance(node, ast.DictComp):
        lines.append(f"{step * depth}{name}[{said(node.key)}] = {said(node.value)}")
    else:
        lines.append(f"{step * depth}{name}.append({said(node.elt)})")
    return lines


def _can_move(function: ast.FunctionDef, node: ast.ListComp | ast.DictComp) -> bool:
    """Whether the parts of a comprehension do the same in a loop."""
    if any(generator.is_async for generator in node.generators) or peeps(function):
        return False
    targets = [child for generator in node.generators for child in ast.walk(generator.target)]
    if not all(isinstance(child, (ast.Name, ast.Tuple, ast.expr_context)) for child in targets):
        return False
    if any(isinstance(child, (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield)) for child in ast.walk(node)):
        return False
    # An item assignment evaluates the value before the key.
    return not isinstance(node, ast.DictComp) or quiet(node.key) or quiet(node.value)


def _renamed(
    function: ast.FunctionDef, node: ast.ListComp | ast.DictComp, outside: set[str], inside: set[str]
) -> dict[str, str] | None:
    """New names for the variables that mean something else in the rest of the function, which a loop would rebind."""
    names = sorted(comprehension_names(node) & outside)
    if not names:
        return {}
    nested = [child for child in ast.walk(node) if child is not node and isinstance(child, _SCOPES)]
    if nested or any(isinstance(child, ast.JoinedStr) for child in ast.walk(node)):
        return None
    if comprehension_names(node) & {n.id for n in ast.walk(node.generators[0].iter) if isinstance(n, ast.Name)}:
        return None  # the same name on both sides: one of them stays
    taken = {*outside, *inside, *keyword.kwlist, *dir(builtins)}
    found: dict[str, str] = {}
    for name in names:
        number = 2
        while f"{name}_{number}" in taken:
            number += 1
        found[name] = f"{name}_{number}"
        taken.add(found[name])
    return found


def _is_seen(function: ast.FunctionDef, target: ast.Name) -> bool:
    """Whether an inner function reads a variable, and might find a list that is not filled yet."""
    inner = (each for each in ast.walk(function) if isinstance(each, (ast.FunctionDef, ast.Lambda)))
    return any(
        isinstance(child, ast.Name) and child.id == target.id
        for each in inner if each is not function
        for child in ast.walk(each)
    )  # fmt: skip


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


def _first(statement: ast.stmt, node: ast.expr) -> bool:
    """Whether nothing is noticed when the comprehension is evaluated before the rest of its statement."""
    value = statement.value if isinstance(statement, _STATEMENTS) else None
    if value is None or (isinstance(statement, ast.AugAssign) and not isinstance(statement.target, ast.Name)):
        return False
    calm = quiet(node)
    # A name is looked up, and a module's function: what has run by then is what counts.
    finished = list(steps(value))
    mine = {id(child) for child in ast.walk(node)}
    position = next(index for index, (each, _) in enumerate(finished) if id(each) in mine)
    called = {id(each.func) for each, _ in finished if isinstance(each, ast.Call)}
    for each, _ in finished[:position]:
        looked_up = isinstance(each, ast.Attribute) and (id(each) in called or calm)
        plain = isinstance(each, (ast.Name, ast.Constant, ast.Load)) or looked_up
        if not plain and not (calm and isinstance(each, ast.expr) and quiet(each)):
            return False
    return next(sure for each, sure in finished if each is node)


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
