"""Annotates variables that start with None, and get another value later."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.annotate import annotated_variable, spelled
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import Line, code, statement
from tslint.script.dataflow.assignments import agrees, first_assignment
from tslint.script.types import Type, plain

_NONE = m.Assign(value=m.Name("None"))


def first_value(match: Match, name: str, *, chained: bool = False) -> cst.Assign | None:
    """Return the only assignment before the event, which determined the variable's type; with ``chained``, it may
    assign to other variables, too.
    """
    if match.function is None:
        return None
    found = first_assignment(match.model(match.function), name, match.event.span.row, chained=chained)
    node = match.libcst(found) if found is not None else None
    return node if isinstance(node, cst.Assign) else None


def start_with_none(match: Match, name: str, actual: Type) -> tuple[str, Fix | None]:
    """Return the help and the fix for a variable that is None, and gets a value of another type: ``y = None`` becomes
    ``y: Optional[T] = None``, and each variable of ``y = z = None`` gets a line of its own.
    """
    written = spelled(match, f"Optional[{actual}]")
    declared = f"`{name}: {code(written[0]) if written else 'Optional[…]'} = None`"
    first = first_value(match, name, chained=True)
    if first is None or not m.matches(first, _NONE):
        return f"Annotate it where it starts: {declared}.", None
    many = len(first.targets) > 1
    help = f"{f'Split line {match.place(first)[0].row}' if many else 'Annotate it where it starts'}: {declared}."
    line, function = match.line(first), match.function
    if written is None or function is None or (many and not isinstance(line, cst.SimpleStatementLine)):
        return help, None
    if not agrees(match.file.tree, match.model(function), name, plain(actual)):
        return help, None
    type_, imports = written

    def edits() -> tuple[Edit, ...]:
        if not isinstance(line, cst.SimpleStatementLine) or not many:
            return match.replace(first, annotated_variable(first, type_))
        return match.rewrite(line, *_split(line, first, name, type_))

    return help, safe(f"Annotate `{name}: {code(type_)}`", edits, *imports)


def _split(
    line: cst.SimpleStatementLine, chain: cst.Assign, name: str, type_: cst.BaseExpression
) -> list[Line]:  # fmt: skip
    """Return a line for each variable of ``y = z = None``, with an annotation for one of them."""
    declared = statement("{name}: {type} = None", name=name, type=type_)
    lines = [
        declared if m.matches(each.target, m.Name(name)) else statement("{name} = None", name=each.target)
        for each in chain.targets
    ]
    lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    return lines
