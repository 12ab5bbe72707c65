"""What several rules of this family need: the author's words, and statements put behind ``is_scripting()``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.spans import alone_on_its_lines, block, parent, place, replace, spans_rows
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.events import Span

_LONGEST = 48


def short(text: str) -> str:
    """A text on one line, not too long, in backticks."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"


def quote(match: Match, node: ast.AST) -> str:
    """An expression as the author wrote it, on one line and not too long, in backticks."""
    return short(match.text(node))


def function(match: Match) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The compiled function that holds the event."""
    return match.event.unit.function.node if match.event.unit is not None else None


def statement(match: Match) -> ast.stmt | None:
    """The innermost statement around the event."""
    around: ast.AST | None = match.event.node
    while around is not None and not isinstance(around, ast.stmt):
        around = parent(match, around)
    return around


def own_class(match: Match) -> ast.ClassDef | None:
    """The class whose method holds the event, where it stands in the same file."""
    unit = match.event.unit
    owner = unit.function.owner if unit is not None else None
    return owner.node if owner is not None else None


def self_name(match: Match) -> str | None:
    """What the method that holds the event calls its instance; None in functions and static methods."""
    node = function(match)
    unit = match.event.unit
    if node is None or unit is None or unit.receiver is None or not node.args.args:
        return None
    if any(isinstance(d, ast.Name) and d.id in ("staticmethod", "classmethod") for d in node.decorator_list):
        return None
    return node.args.args[0].arg


def row(match: Match, node: ast.AST) -> int:
    """The line that a node begins on."""
    return place(match, node)[0].row


def whole_lines(match: Match, statements: list[ast.stmt]) -> tuple[Position, Position]:
    """From the beginning of the first statement's line to the end of the last one's, its line end left out."""
    first, last = place(match, statements[0])[0], place(match, statements[-1])[1]
    text = match.source.lines[last.row - 1].rstrip("\r\n")
    return Position(first.row, 1), Position(last.row, len(text) + 1)


def lines(match: Match, statements: list[ast.stmt]) -> list[str]:
    """The lines of statements, without their ends."""
    start, end = whole_lines(match, statements)
    return [line.rstrip("\r\n") for line in match.source.lines[start.row - 1 : end.row]]


def indentation(line: str) -> str:
    """The white space that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def deeper(line: str) -> str:
    """The step by which the file that holds this line indents."""
    return "\t" if line.startswith("\t") else "    "


def movable(match: Match, statements: list[ast.stmt]) -> bool:
    """Whether statements can be indented anew, line by line, without changing what they say."""
    return all(alone_on_its_lines(match, each) and not spans_rows(each) for each in statements)


def run_of(match: Match, member: ast.stmt, alike: Callable[[ast.stmt], bool]) -> list[ast.stmt]:
    """The statements around one that follow each other in its block and are all alike."""
    statements = block(match, member)
    if statements is None:
        return [member]
    first = last = next(index for index, each in enumerate(statements) if each is member)
    while first > 0 and alike(statements[first - 1]):
        first -= 1
    while last + 1 < len(statements) and alike(statements[last + 1]):
        last += 1
    return statements[first : last + 1]


def guard(match: Match, statements: list[ast.stmt], words: str = "Run it in eager mode only") -> Fix | None:
    """Put statements behind ``if not torch.jit.is_scripting():``, where the compiler does not look.

    Args:
        statements: they follow each other in one block, and bind nothing that is used elsewhere.
        words: the fix's message.

    Returns:
        None where their lines cannot be indented.
    """
    if not movable(match, statements):
        return None
    torch, imports = match.imported("torch")
    text = lines(match, statements)
    start, end = whole_lines(match, statements)
    indent = indentation(text[0])
    step = deeper(text[0])
    body = [step + line if line.strip() else line for line in text]
    content = match.source.newline.join([f"{indent}if not {torch}.jit.is_scripting():", *body])
    return unsafe(words, Edit(start, end, content), *imports, risks=(Risk.DIFFERS,))


def functional(match: Match) -> tuple[str, tuple[Edit, ...]]:
    """How the file says ``torch.nn.functional``, and the edits that import it where it does not yet."""
    known = meant(match.file.tree)
    # The last import of a name is what it means.
    named = {"torch.nn": "", "torch.nn.functional": "", **{full: name for name, full in known.items()}}
    if named["torch.nn.functional"]:
        return named["torch.nn.functional"], ()
    if named["torch.nn"]:
        return f"{named['torch.nn']}.functional", ()
    torch, imports = match.imported("torch")
    return f"{torch}.nn.functional", imports


@walking.kept
def meant(tree: ast.Module) -> dict[str, str]:
    """What the names of a file's top level are imports of; empty for what is none."""
    meant: dict[str, str] = {}
    for each in tree.body:
        if isinstance(each, ast.Import):
            meant.update({alias.asname: alias.name for alias in each.names if alias.asname})
        elif isinstance(each, ast.ImportFrom):
            module = f"{'.' * each.level}{each.module or ''}"
            meant.update({alias.asname or alias.name: f"{module}.{alias.name}" for alias in each.names})
        else:
            meant.update(dict.fromkeys(_bound(each), ""))
    return meant


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name
    else:
        yield from walking.bound(statement)


def loads(node: ast.AST) -> Iterator[str]:
    """The names that a statement reads, in the order of the text."""
    found = [child for child in walking.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)]
    for child in sorted(found, key=lambda name: (name.lineno, name.col_offset)):
        yield child.id


__all__ = [
    "Span", "alone_on_its_lines", "block", "deeper", "function", "functional", "guard", "indentation", "lines",
    "loads", "meant", "movable", "own_class", "parent", "place", "quote", "replace", "row", "run_of", "self_name",
    "short", "statement", "whole_lines",
]  # fmt: skip
