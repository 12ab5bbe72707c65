"""Variables that a loop binds: compiled code forgets them when the loop ends."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.liveness import surely_stored
from tslint.rewrite.statements import alone_on_its_lines, deeper, function, indentation, parent, row
from tslint.rewrite.type_wording import spelled
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe, unsafe
from tslint.script.dataflow.scopes import bound_times, own_nodes

# What a variable is before a loop that binds it.
_CONTAINERS = {"List[": "[]", "Dict[": "{}", "Optional[": "None"}
_FIRST = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}


def around(match: Match, node: ast.AST, kinds: tuple[type[ast.AST], ...]) -> ast.AST | None:
    """The innermost statement of some kinds around a node, within the function."""
    found = parent(match, node)
    while found is not None and not isinstance(found, ast.FunctionDef):
        if isinstance(found, kinds):
            return found
        found = parent(match, found)
    return None


def loop_that_binds(match: Match, stored: ast.AST) -> ast.For | ast.While | None:
    """The loop that binds the name and has ended before it is read: the outermost such."""
    found: ast.For | ast.While | None = None
    loop = around(match, stored, (ast.For, ast.While))
    while isinstance(loop, (ast.For, ast.While)):
        if not any(child is match.event.node for child in walking.walk(loop)):
            found = loop
        loop = around(match, loop, (ast.For, ast.While))
    return found


def bound_before(match: Match, loop: ast.For | ast.While, name: str, type_: str | None) -> Fix | None:
    """Bind a variable before the loop, to an empty value of its type; that is left open where it is not known.

    Where the loop may not run, Python goes on to raise: only compiled code binds the variable then.
    """
    first: ast.stmt = loop
    held = function(match)
    for outer in walking.around(match.file.tree, loop):
        if outer is held:
            break
        # In a later turn of a loop around it, Python still has the value of an earlier one.
        first = outer if isinstance(outer, (ast.For, ast.While)) else first
    if held is None or not alone_on_its_lines(match, first) or _bound_elsewhere(held, first, name):
        return None
    at = Position(row(match, first), 1)
    indent, newline = indentation(match.source.lines[at.row - 1]), match.source.newline
    value = _empty(match, type_ or "")
    if value is None:
        return display("Bind it before the loop", match.insert(at, f"{indent}{name} = ...{newline}"))
    annotation, text, imports = value
    line = f"{name}{annotation} = {text}{newline}"
    if first is loop and _runs(loop) and _stored_first(loop, name):
        return safe("Bind it before the loop", match.insert(at, indent + line), *imports)
    torch, more = match.imported("torch")
    test = f"{indent}if {torch}.jit.is_scripting():{newline}"
    said = f"Bind it before the loop where it is compiled (where that never runs, it is `{text}` instead of an error)"
    edit = match.insert(at, f"{test}{indent}{deeper(indent)}{line}")
    return unsafe(said, edit, *imports, *(each for each in more if each not in imports), risks=(Risk.DIFFERS,))


def _empty(match: Match, type_: str) -> tuple[str, str, tuple[Edit, ...]] | None:
    """The annotation that an empty value of a type needs, the value, and imports."""
    if type_.startswith("Tensor"):
        torch, imports = match.imported("torch")
        return "", f"{torch}.empty(0)", imports
    if type_ in _FIRST:
        return "", _FIRST[type_], ()
    empty = next((value for word, value in _CONTAINERS.items() if type_.startswith(word)), None)
    written = spelled(match, type_) if empty is not None else None
    return None if written is None or empty is None else (f": {written[0]}", empty, written[1])


def _bound_elsewhere(held: ast.AST, first: ast.stmt, name: str) -> bool:
    """Whether a variable may have a value before the loop."""
    inner = {id(each) for each in walking.walk(first)}
    count = sum(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
        and (id(each) in inner or each.lineno > first.lineno)
        for each in own_nodes(held)
    )  # fmt: skip
    return bound_times(held, name) != count


def _runs(loop: ast.For | ast.While) -> bool:
    """Whether a loop has one turn at least."""
    if isinstance(loop, ast.While):
        return isinstance(loop.test, ast.Constant) and loop.test.value is True
    given = loop.iter
    if isinstance(given, (ast.List, ast.Tuple)):
        return bool(given.elts) and not any(isinstance(each, ast.Starred) for each in given.elts)
    if not isinstance(given, ast.Call) or not isinstance(given.func, ast.Name) or given.func.id != "range":
        return False
    bounds = [each.value for each in given.args if isinstance(each, ast.Constant) and isinstance(each.value, int)]
    return len(bounds) == len(given.args) in (1, 2) and len(range(*bounds)) > 0


def _stored_first(loop: ast.For | ast.While, name: str) -> bool:
    """Whether the first turn binds a variable before it does anything else with it, and before it can end."""
    if isinstance(loop, ast.For) and name in walking.bound(loop.target):
        return True
    for each in loop.body:
        nodes = walking.walk(each)
        if isinstance(each, ast.Assign) and name in surely_stored([each]):
            return not any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) for n in nodes)
        if any(isinstance(n, (ast.Break, ast.Continue)) or (isinstance(n, ast.Name) and n.id == name) for n in nodes):
            return False
    return False
