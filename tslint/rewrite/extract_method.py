"""Statements of a function, moved into one of their own beside it that the compiler does not read."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.liveness import defined_before, stored_names, surely_stored
from tslint.rewrite.statements import block, deeper, indentation, lines, self_name, whole_lines
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, unsafe

_SCOPED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.FunctionDef, ast.ClassDef)
# What becomes of a compiled model that gets to the moved statements, by the decorator.
_THEN = {"ignore": "Python runs it", "unused": "a compiled model that gets there raises"}


@dataclass(frozen=True)
class Outline:
    """What a function that is made of statements looks like.

    Args:
        suffix: of its name, after that of the function that the statements are taken from.
        parameters: as they are written, ``x: int``.
        results: what the statements bind that is read after them; None where they return.
        returns: the annotation of what it returns; empty for none.
        mark: ``unused`` or ``ignore``, of ``torch.jit``.
    """

    suffix: str
    parameters: Sequence[str]
    results: Sequence[str] | None
    returns: str
    mark: str


def outlined(
    match: Match, run: list[ast.stmt], outline: Outline, what: str, imports: Iterable[Edit] = ()
) -> Fix | None:
    """Make a method (or a function) of statements that follow each other, and call it in their place.

    Args:
        run: the statements; their lines can be indented anew.
        outline: what the function looks like.
        what: the words for the statements, ``the numpy code``.
        imports: the edits that the outline's annotations need.

    Returns:
        None where a function cannot stand beside this one, or its name is taken.
    """
    node = match.event.unit.function.node if match.event.unit is not None else None
    if node is None:
        return None
    itself = self_name(match)
    torch, more = match.imported("torch")
    text = lines(match, run)
    indent, step = indentation(text[0]), deeper(text[0])
    definition = indentation(match.source.lines[node.lineno - 1])
    if itself is None and definition:
        return None
    name = _name(match, run[0], f"_{node.name.lstrip('_')}_{outline.suffix}")
    arguments = ", ".join(each.partition(":")[0] for each in outline.parameters)
    signature = ", ".join([itself, *outline.parameters] if itself else outline.parameters)
    body = [definition + step + line[len(indent) :] if line.strip() else "" for line in text]
    if outline.results:
        body.append(f"{definition}{step}return {', '.join(outline.results)}")
    arrow = f" -> {outline.returns}" if outline.returns else ""
    made = [f"{definition}@{torch}.jit.{outline.mark}", f"{definition}def {name}({signature}){arrow}:", *body]
    newline = match.source.newline
    start, end = whole_lines(match, run)
    taking = "return " if outline.results is None else f"{', '.join(outline.results)} = " if outline.results else ""
    call = f"{indent}{taking}{f'{itself}.' if itself else ''}{name}({arguments})"
    if itself:
        row = (node.end_lineno or node.lineno) + 1
        lead = newline if row > len(match.source.lines) and not match.source.text.endswith(("\n", "\r")) else ""
        place = Edit(Position(row, 1), Position(row, 1), lead + newline.join(["", *made, ""]))
    else:
        row = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        place = Edit(Position(row, 1), Position(row, 1), newline.join([*made, "", "", ""]))
    edits = [Edit(start, end, call), place]
    if itself and end.row == node.end_lineno:
        # The method's last lines are the block: one edit, since both stand at one place.
        edits = [Edit(start, end, call + newline + newline.join(["", *made]))]
    words = f"Move {what} into `{name}`, marked `@torch.jit.{outline.mark}` ({_THEN[outline.mark]})"
    if outline.mark == "unused":
        return replace(display(words, *edits, *more, *imports), last_resort=True)
    return unsafe(words, *edits, *more, *imports, risks=(Risk.UNSAVED,))


def _name(match: Match, first: ast.stmt, wished: str) -> str:
    """A name that nothing has, and that is not given to other statements of the file either."""
    written = walking.mentions(match.file.tree)  # a class that inherits from this one must not have it either
    given = {name for each, name in match.file.outlines.items() if each is not first}
    numbered = (f"{wished}{number}" for number in itertools.count(2))
    name = next(each for each in itertools.chain([wished], numbered) if each not in written and each not in given)
    match.file.outlines[first] = name
    return name


def inputs(match: Match, run: list[ast.stmt], node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The function's own variables that statements read before they are sure to have bound them.

    Args:
        run: the statements.
        node: the function that they are taken from.
    """
    spec = node.args
    own = {argument.arg for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]}
    own |= {argument.arg for argument in (spec.vararg, spec.kwarg) if argument is not None} | walking.bound(node)
    statements = block(match, run[0])
    before = defined_before(match, statements, run[0]) if statements is not None else own
    found: dict[str, None] = {}
    perhaps: set[str] = set()
    for index, each in enumerate(run):
        sure = surely_stored(run[:index])
        reads = [name.id for name in sorted(_free(each), key=lambda name: (name.lineno, name.col_offset))]
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            reads.append(each.target.id)
        perhaps |= stored_names([each])
        found.update(
            dict.fromkeys(
                name for name in reads if name in own and name not in sure and (name in before or name not in perhaps)
            )
        )
    return list(found)


def _free(node: ast.AST) -> list[ast.Name]:
    """The names that a node reads, without those that comprehensions and functions in it bind for themselves."""
    if isinstance(node, ast.Name):
        return [node] if isinstance(node.ctx, ast.Load) else []
    found = [name for child in walking.children(node) for name in _free(child)]
    if isinstance(node, _SCOPED):
        own = walking.bound(node) | {each.arg for each in walking.walk(node) if isinstance(each, ast.arg)}
        # The first iterable of a comprehension is read outside of it.
        outside = _free(node.generators[0].iter) if hasattr(node, "generators") else []
        found = [*outside, *(name for name in found if name.id not in own)]
    return found
