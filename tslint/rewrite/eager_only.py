"""Code that only eager mode can run, kept there as it is while compiled code does something else."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.statements import (
    block,
    deeper,
    function,
    guard,
    indentation,
    lines,
    movable,
    parent,
    statement,
    whole_lines,
)
from tslint.rewrite.when_compiled import either, is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.events import Span

_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)
Truth = Callable[[ast.expr], "bool | None"]


def in_branches(match: Match, node: ast.AST, replacements: dict[ast.expr, str], words: str) -> Fix | None:
    """Do the statement twice: as it is in eager mode, and with other expressions where it is compiled.

    Args:
        node: inside the statement.
        replacements: what compiled code writes in the place of which expressions of the statement.
        words: the fix's message.
    """
    member = statement(match)
    if not isinstance(member, _SIMPLE) or not movable(match, [member]):
        return None
    if any(isinstance(child, (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield)) for child in walking.walk(member)):
        return None
    start, end = whole_lines(match, [member])
    text = match.source.slice(start, end)
    base = match.source.offset(start)
    compiled, cuts = text, []
    for expression, content in replacements.items():
        low, high = match.file.span(Span.of(expression))
        cuts.append((match.source.offset(low) - base, match.source.offset(high) - base, content))
    for low_, high_, content in sorted(cuts, reverse=True):
        compiled = compiled[:low_] + content + compiled[high_:]
    indent = indentation(text)
    step = deeper(text)
    torch, imports = match.imported("torch")
    newline = match.source.newline
    if is_local(match, torch):
        return None

    def moved(block_: str) -> list[str]:
        return [step + line if line.strip() else line for line in block_.splitlines()]

    content = newline.join(
        [f"{indent}if {torch}.jit.is_scripting():", *moved(compiled), f"{indent}else:", *moved(text)]
    )
    return unsafe(words, Edit(start, end, content), *imports, risks=(Risk.DIFFERS,))


def decided_test(match: Match, truth: Truth, *, words: str) -> Fix | None:
    """Take an ``if`` out of the compiler's sight whose test compiled code answers in one way.

    Where the test would be false the statement runs in eager mode only; where it would be true and the block leaves the
    function, the compiled function takes the block first.

    Args:
        truth: what compiled code takes an expression for; None where it could be either.
        words: the fix's message.
    """
    test, around = match.event.node, parent(match, match.event.node)
    while around is not None and not isinstance(around, ast.stmt):
        test, around = around, parent(match, around)
    if not isinstance(around, ast.If) or around.test is not test:
        return None
    answer = _decide(around.test, truth)
    statements = block(match, around)
    if answer is None or statements is None or not any(each is around for each in statements):
        return None
    if match.source.lines[around.lineno - 1].lstrip().startswith("elif"):
        return None
    if answer is False and not around.orelse:
        return guard(match, [around], words)
    ends = isinstance(around.body[-1], (ast.Return, ast.Raise))
    if answer is True and not movable(match, around.body):
        return None
    if answer is True and (ends or around.orelse):
        return _body_first(match, around, words, ends)
    if answer is False and movable(match, [around]) and movable(match, around.orelse):
        return else_alone(match, around, words)
    return None


def _body_first(match: Match, around: ast.If, words: str, ends: bool) -> Fix | None:
    """``if is_scripting(): BODY`` before the statement, which becomes its ``else`` where the block falls through."""
    torch, imports = match.imported("torch")
    newline = match.source.newline
    indent = indentation(match.source.lines[around.lineno - 1])
    test = f"{indent}if {torch}.jit.is_scripting():"
    body = lines(match, list(around.body))
    start = Position(around.lineno, 1)
    if ends and not around.orelse:
        # What follows a static branch that returns is not compiled.
        edit = Edit(start, start, newline.join([test, *body, ""]))
        return unsafe(words, edit, *imports, risks=(Risk.DIFFERS,))
    if not movable(match, [around]):
        return None
    step = deeper(indent)
    first, last = whole_lines(match, [around])
    moved = [step + line if line.strip() else line for line in lines(match, [around])]
    content = newline.join([test, *body, f"{indent}else:", *moved])
    return unsafe(words, Edit(first, last, content), *imports, risks=(Risk.DIFFERS,))


def else_alone(match: Match, around: ast.If, words: str) -> Fix | None:
    """``if is_scripting(): ELSE`` and the statement as it is in the ``else`` branch."""
    torch, imports = match.imported("torch")
    newline = match.source.newline
    indent = indentation(match.source.lines[around.lineno - 1])
    step = deeper(indent)
    heads = [match.source.lines[each.lineno - 1].lstrip() for each in (around, around.orelse[0])]
    if any(head.startswith("elif") for head in heads) or not movable(match, [around]):
        return None
    first, last = whole_lines(match, [around])
    moved = [step + line if line.strip() else line for line in lines(match, [around])]
    body = lines(match, list(around.orelse))
    content = newline.join([f"{indent}if {torch}.jit.is_scripting():", *body, f"{indent}else:", *moved])
    return unsafe(words, Edit(first, last, content), *imports, risks=(Risk.DIFFERS,))


def _decide(test: ast.expr, truth: Truth) -> bool | None:
    known = truth(test)
    if known is not None:
        return known
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _decide(test.operand, truth)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        parts = [_decide(value, truth) for value in test.values]
        settles = isinstance(test.op, ast.Or)
        if settles in parts:
            return settles
        return None if None in parts else not settles
    return None


def constructor_flag(match: Match, expression: ast.expr, name: str, owner: ast.ClassDef, itself: str) -> Fix | None:
    """Ask in ``__init__`` too, and keep the answer on ``self`` for compiled code; eager mode asks every time."""
    init = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    if init is None or not init.args.args or function(match) is init:
        return None
    own = init.args.args[0].arg
    text = match.text(expression)
    wanted = f"{own}.{name} = {text}"
    present = [each for each in init.body if isinstance(each, ast.Assign) and match.text(each) == wanted]
    edits: list[Edit] = []
    if not present:
        if any(isinstance(n, ast.Attribute) and n.attr == name for n in walking.walk(match.file.tree)):
            return None
        after = next((each for each in init.body if _calls_base_init(each)), None)
        if after is None or match.source.lines[(after.end_lineno or after.lineno) - 1].rstrip().endswith("\\"):
            return None
        indent = indentation(match.source.lines[after.lineno - 1])
        row = (after.end_lineno or after.lineno) + 1
        edits.append(Edit(Position(row, 1), Position(row, 1), f"{indent}{wanted}{match.source.newline}"))
    words = f"Ask in `__init__`, and read the answer as `self.{name}` where it is compiled"
    return either(match, expression, f"{itself}.{name}", words, *edits)


def _calls_base_init(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr == "__init__"
    )


def add_before_function(match: Match, definition: str, name: str) -> tuple[Edit, ...] | None:
    """A helper function above the module-level statement that holds the event; no edit where it is there already.

    Args:
        definition: its lines, without an end.

    Returns:
        None where the name is taken by something else.
    """
    for each in match.file.tree.body:
        if isinstance(each, ast.FunctionDef) and each.name == name:
            written = " ".join(match.text(each).split())
            return () if written == " ".join(definition.split()) else None
        if name in walking.bound(each) or (isinstance(each, ast.ClassDef) and each.name == name):
            return None
    span = match.event.span
    for each in match.file.tree.body:
        if each.lineno <= span.row <= (each.end_lineno or each.lineno):
            row = min([each.lineno, *(d.lineno for d in getattr(each, "decorator_list", []))])
            newline = match.source.newline
            text = definition.replace("\n", newline) + newline * 3
            return (Edit(Position(row, 1), Position(row, 1), text),)
    return None
