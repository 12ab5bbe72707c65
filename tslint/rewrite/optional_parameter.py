"""None for a parameter that is annotated as something else: the parameter says so, and its function asks for it."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.project.definitions import Function
from tslint.rewrite.guard_none import raises_with_none
from tslint.rewrite.scripted_form import asserted, before
from tslint.rewrite.statements import alone_on_its_lines, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe

# What Python refuses to do with None: whoever gets there with it gets an exception either way.
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def may_be_none(match: Match, name: str) -> Fix | None:
    """``p: float`` → ``p: Optional[float]``, ``p == 0.0`` → ``(p is not None and p == 0.0)``, and an ``assert`` before
    the first statement that computes with it.

    Args:
        match: of a call that gives None.
        name: the parameter of the called function.
    """
    function = match.event.facts.get("function")
    if not isinstance(function, Function) or function.module.tree is not match.file.tree:
        return None
    node = function.node
    argument = next((each for each in (*node.args.args, *node.args.kwonlyargs) if each.arg == name), None)
    if argument is None or argument.annotation is None or name in walking.bound(node):
        return None
    written = match.text(argument.annotation)
    if any(word in written for word in ("Optional", "None", "Any", "Union", '"', "'")):
        return None
    optional, imports = match.imported("typing", "Optional")
    edits = [*imports, replace(match, argument.annotation, f"{optional}[{written}]")]
    certain: ast.stmt | None = None
    for_python = False
    for statement in node.body:
        for use in walking.walk(statement):
            if not (isinstance(use, ast.Name) and use.id == name) or certain is not None:
                continue
            around = next(walking.around(node, use), None)
            test = _equality(around, use)
            if test is not None and isinstance(around, ast.Compare):
                text = f"({name} {test} {match.text(around)})"
                edits.append(replace(match, around, text))
            elif _raises(around):
                certain = statement
            else:
                return None
    if certain is not None:
        if isinstance(certain, (ast.If, ast.While, ast.For)) or not alone_on_its_lines(match, certain):
            return None
        for_python = raises_with_none(match, certain, name)
        made, more = asserted(match, certain, name, raises=for_python)
        edits += [before(match, certain, made), *more]
    return unsafe(
        f"Annotate `{name}: {optional}[{written}]`, and ask `{name} is not None` where it is used",
        *dict.fromkeys(edits),
        risks=(Risk.EXCEPTION,) if for_python else (Risk.RAISES,),
    )


def _equality(around: ast.AST | None, use: ast.Name) -> str | None:
    """What stands before a comparison so that it says of None what it said."""
    if not isinstance(around, ast.Compare) or len(around.ops) != 1 or use not in (around.left, *around.comparators):
        return None
    other = around.comparators[0] if around.left is use else around.left
    if not isinstance(other, ast.Constant) or other.value is None:
        return None  # it may be an object that is equal to None
    if isinstance(around.ops[0], ast.Eq):
        return "is not None and"
    return "is None or" if isinstance(around.ops[0], ast.NotEq) else None


def _raises(around: ast.AST | None) -> bool:
    if isinstance(around, ast.UnaryOp):
        return not isinstance(around.op, ast.Not)
    if isinstance(around, ast.Compare):
        return all(isinstance(op, _ORDER) for op in around.ops)
    return isinstance(around, ast.BinOp) and not isinstance(around.op, ast.Mod)  # which writes None into a text
