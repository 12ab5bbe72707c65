"""Finds comprehensions that can be replaced by loops before their statement."""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
from collections.abc import Mapping

from tslint.script.dataflow.evaluation import quiet, steps
from tslint.script.dataflow.index_proofs import may_hold_none
from tslint.script.dataflow.scopes import comprehension_names, peeps
from tslint.util import astwalk
from tslint.util.record import record

Comprehension = ast.ListComp | ast.DictComp
_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LATER = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension, *_SCOPES)
_KEPT = (ast.Name, ast.Tuple)


@record
class Loops:
    """Loops that replace a comprehension.

    Args:
        name: the name of the list or dict that the loops fill.
        direct: whether this is the variable to which the comprehension is assigned.
        renamed: the new names of variables of the comprehension, by their old names.
        names: the nodes of the comprehension that get a new name.
        annotation: the author's annotation of the list or dict, if there is one.
    """

    name: str
    direct: bool
    renamed: Mapping[str, str]
    names: tuple[ast.Name, ...]
    annotation: ast.expr | None


def loops_for(tree: ast.Module, function: ast.FunctionDef, node: Comprehension) -> Loops | None:
    """Return the loops that can replace a comprehension.

    Returns:
        None if another part of the statement must be evaluated before the comprehension; if the statement does not
        always evaluate it; if a variable of it hides another one and cannot be renamed; if its parts may behave
        differently in a loop; or if it iterates over modules of which some may be None, which the compiler leaves out.
    """
    statement = holder(tree, node)
    if statement is None or not _can_move(function, node) or not _first(statement, node):
        return None
    if any(may_hold_none(tree, each) for generator in node.generators for each in astwalk.walk(generator.iter)):
        return None
    own = {id(child) for child in astwalk.walk(node)} | _alike(function, node)
    outside = {n.id for n in astwalk.walk(function) if isinstance(n, ast.Name) and id(n) not in own}
    outside |= {child.arg for child in astwalk.walk(function.args) if isinstance(child, ast.arg)}
    inside = {n.id for n in astwalk.walk(node) if isinstance(n, ast.Name)}
    renamed = _renamed(node, outside, inside)
    if renamed is None:
        return None
    assigned = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if isinstance(statement, ast.AnnAssign):
        assigned = statement.target
    whole = isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is node
    direct = whole and isinstance(assigned, ast.Name) and assigned.id not in inside and not _is_seen(function, assigned)
    name = assigned.id if direct and isinstance(assigned, ast.Name) else _fresh(function, node, outside | inside)
    # The first iterable is evaluated outside of the comprehension, where names have their outer meaning.
    outer = {id(child) for child in astwalk.walk(node.generators[0].iter)}
    names = (n for n in astwalk.walk(node) if isinstance(n, ast.Name) and n.id in renamed and id(n) not in outer)
    return Loops(name, direct, renamed, tuple(names), _annotation(function, statement, node))


def holder(tree: ast.Module, node: ast.AST) -> ast.stmt | None:
    """Return the simple statement that contains an expression and always evaluates it, once; None if there is none."""
    for each in astwalk.around(tree, node):
        if isinstance(each, _LATER):
            return None
        if isinstance(each, ast.stmt):
            return each if isinstance(each, _STATEMENTS) else None
    return None


def _can_move(function: ast.FunctionDef, node: Comprehension) -> bool:
    """Return whether the parts of a comprehension behave the same in a loop."""
    if any(generator.is_async for generator in node.generators) or peeps(function):
        return False
    targets = [child for generator in node.generators for child in astwalk.walk(generator.target)]
    if not all(isinstance(child, _KEPT) for child in targets):
        return False
    if any(isinstance(child, (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield)) for child in astwalk.walk(node)):
        return False
    # An item assignment evaluates the value before the key.
    return not isinstance(node, ast.DictComp) or quiet(node.key) or quiet(node.value)


def _renamed(node: Comprehension, outside: set[str], inside: set[str]) -> dict[str, str] | None:
    """Return new names for the variables that mean something else in the rest of the function, by their old names; None
    if one cannot be renamed.
    """
    names = sorted(comprehension_names(node) & outside)
    if not names:
        return {}
    nested = [child for child in astwalk.walk(node) if child is not node and isinstance(child, _SCOPES)]
    if nested or any(isinstance(child, ast.JoinedStr) for child in astwalk.walk(node)):
        return None
    if comprehension_names(node) & {n.id for n in astwalk.walk(node.generators[0].iter) if isinstance(n, ast.Name)}:
        return None  # a name is used both in the first iterable and as a variable, so it cannot be renamed everywhere
    taken = {*outside, *inside, *keyword.kwlist, *dir(builtins)}
    found: dict[str, str] = {}
    for name in names:
        numbered = (f"{name}_{number}" for number in itertools.count(2))
        found[name] = next(each for each in numbered if each not in taken)
        taken.add(found[name])
    return found


def _alike(function: ast.FunctionDef, node: Comprehension) -> set[int]:
    """Return the ids of the variable nodes in all comprehensions with the same iterable and the same variable names:
    they have the same types, so loops can use the same names.
    """
    only, *others = node.generators
    return {
        id(child)
        for each in astwalk.walk(function)
        if isinstance(each, (ast.ListComp, ast.DictComp)) and not others and len(each.generators) == 1
        if ast.dump(each.generators[0].target) == ast.dump(only.target)
        if ast.dump(each.generators[0].iter) == ast.dump(only.iter)
        for child in astwalk.walk(each)
        if isinstance(child, ast.Name) and child.id in comprehension_names(each)
    }


def _is_seen(function: ast.FunctionDef, target: ast.Name) -> bool:
    """Return whether an inner function mentions a variable: it could see the list before the loop has filled it."""
    inner = (each for each in astwalk.walk(function) if isinstance(each, (ast.FunctionDef, ast.Lambda)))
    return any(target.id in _mentioned(each) for each in inner if each is not function)


def _mentioned(node: ast.AST) -> set[str]:
    return {each.id for each in astwalk.walk(node) if isinstance(each, ast.Name)}


def _annotation(function: ast.FunctionDef, statement: ast.stmt, node: Comprehension) -> ast.expr | None:
    """Return the annotation of the variable to which a list or dict is assigned, or of the function that returns it.
    Return None if there is none, or if it is not the type of a list or dict with its elements.
    """
    annotation = statement.annotation if isinstance(statement, ast.AnnAssign) else None
    if isinstance(statement, ast.Return):
        annotation = function.returns
    if not isinstance(annotation, ast.Subscript) or getattr(statement, "value", None) is not node:
        return None
    name = annotation.value.attr if isinstance(annotation.value, ast.Attribute) else getattr(annotation.value, "id", "")
    return annotation if name in ("List", "list", "Dict", "dict") else None


def _first(statement: ast.stmt, node: Comprehension) -> bool:
    """Return whether evaluating a comprehension before the rest of its statement makes no visible difference."""
    value = statement.value if isinstance(statement, _STATEMENTS) else None
    if value is None or (isinstance(statement, ast.AugAssign) and not isinstance(statement.target, ast.Name)):
        return False
    calm = quiet(node)
    # Looking up a name or a module's function has no effect, so only the other parts that were evaluated before count.
    finished = list(steps(value))
    mine = {id(child) for child in astwalk.walk(node)}
    position = next(index for index, (each, _) in enumerate(finished) if id(each) in mine)
    called = {id(each.func) for each, _ in finished if isinstance(each, ast.Call)}
    for each, _ in finished[:position]:
        looked_up = isinstance(each, ast.Attribute) and (id(each) in called or calm)
        plain = isinstance(each, (ast.Name, ast.Constant, ast.Load)) or looked_up
        if not plain and not (calm and isinstance(each, ast.expr) and quiet(each)):
            return False
    return next(sure for each, sure in finished if each is node)


def _fresh(function: ast.FunctionDef, node: Comprehension, used: set[str]) -> str:
    """Return an unused name for the list or dict that replaces a comprehension. Each comprehension of the function gets
    another name, because all fixes may be applied at once.
    """
    taken = {*used, *keyword.kwlist, *dir(builtins)}
    kinds = (ast.ListComp, ast.DictComp)
    rivals = sorted((n for n in astwalk.walk(function) if isinstance(n, kinds)), key=lambda n: (n.lineno, n.col_offset))
    numbered = itertools.chain(["values"], (f"values_{number}" for number in itertools.count(2)))
    place = next(index for index, rival in enumerate(rivals) if rival is node)
    return next(itertools.islice((name for name in numbered if name not in taken), place, None))
