"""Flags as text: declared constant in the class body, and made in ``__init__``."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.flags import Method, Plan, body_annotations, constants
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.bool_attributes import has_truth, instance_stores
from tslint.script.dataflow.class_annotations import postponed
from tslint.script.events import Span

_WITH_TRUTH = "(int, str, type(None))"
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def written(method: Method, plan: Plan) -> Fix | None:
    """A plan as a fix; None where it cannot be written."""
    assert plan.target is not None
    names = [*plan.flags, *(name for name in plan.made if name not in method.declared())]
    declared = _declaration(method, plan.target, names) if names else ()
    made = _constructor(method, plan)
    if declared is None or made is None:
        return None
    text = ", ".join(f"`{name}`" for name in [*plan.flags, *plan.made])
    if not plan.made and not plan.replaced:
        return safe(f"Declare {text} constant, so that the compiler decides the test", *declared)
    _, imports = method.match.imported("torch")
    edits = (*made, *plan.replaced, *declared, *(edit for edit in imports if edit not in declared))
    if not plan.made:
        message = f"Test {text or 'the attribute'} itself in compiled code, declared constant"
        return unsafe(message, *edits, risks=(Risk.DIFFERS,))
    message = f"Make {text} once in `__init__` for compiled code (where later changes of what it tests no longer count)"
    return unsafe(message, *edits, risks=(Risk.DIFFERS,))


def _declaration(method: Method, target: ast.ClassDef, names: list[str]) -> tuple[Edit, ...] | None:
    line = method.facts.line(method.receiver) or []
    at = next(i for i, each in enumerate(line) if each is target)
    listed = constants(target)
    if listed is not None:
        return _listed(method, listed, names)
    spot = _top(method, target)
    if spot is None:
        return None
    where, margin, gap = spot
    newline = method.match.source.newline
    # Annotations hide those of the base classes and may be strings; a list of names hides other lists alone.
    if all(constants(each) is None for each in line) and not method.facts.extends_torch(line):
        words = ", ".join(f'"{name}"' for name in names)
        return (Edit(where, where, f"{margin}__constants__ = [{words}]{newline}{gap}"),)
    hides = not body_annotations(target) and any(body_annotations(each) for each in line[at + 1 :])
    if postponed(method.match.file.tree) or hides:
        return None
    final, imports = method.match.imported("typing", "Final")
    lines = "".join(f"{margin}{name}: {final}[bool]{newline}" for name in names)
    return (Edit(where, where, lines + gap), *imports)


def _listed(method: Method, listed: ast.expr, names: list[str]) -> tuple[Edit, ...] | None:
    if not isinstance(listed, (ast.List, ast.Tuple)) or not listed.elts:
        return None
    _, end = method.match.file.span(Span.of(listed.elts[-1]))
    text = method.match.text(listed.elts[-1])
    mark = text[-1] if text[-1] in "'\"" else '"'
    return (Edit(end, end, "".join(f", {mark}{name}{mark}" for name in names)),)


def _top(method: Method, target: ast.ClassDef) -> tuple[Position, str, str] | None:
    """Where the first line of a class body goes, its margin, and what stands behind it."""
    body = target.body
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1
    first = body[1] if documented else body[0]
    row = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
    margin = _margin(method, first, row)
    if margin is None or (documented and body[0].end_lineno == row):
        return None
    # Rows above belong to comments of the first statement.
    gap = "" if isinstance(first, (ast.Assign, ast.AnnAssign)) else method.match.source.newline
    return Position(row, 1), margin, gap


def _margin(method: Method, statement: ast.stmt, row: int) -> str | None:
    line = method.match.source.lines[row - 1]
    margin = line[: len(line) - len(line.lstrip(" \t"))]
    return margin if line[len(margin) :].strip() and statement.col_offset == len(margin.encode()) else None


def _constructor(method: Method, plan: Plan) -> tuple[Edit, ...] | None:
    """The lines that make the tests, after the last statement of ``__init__`` that stores what they ask for."""
    edits: list[Edit] = []
    for name, test in plan.made.items():
        # The same test of another class of the file has a flag of the same name.
        if any(store.owner is plan.target for store in method.facts.stores.get(name, ())):
            continue
        asked = {method.own(part) for part in walking.walk(test)} - {None}
        stores = [s for a in asked for s in instance_stores(method.facts, method.owner, a or "") or ()]
        last = max((s for s in stores if s.statement), key=lambda s: s.statement.lineno if s.statement else 0)
        statement, constructor = last.statement, last.function
        if statement is None or constructor is None or statement.end_lineno is None:
            return None
        if any(isinstance(n, ast.Return) and n.lineno <= statement.lineno for n in walking.walk(constructor)):
            return None
        margin = _margin(method, statement, statement.lineno)
        if margin is None or not method.match.source.lines[statement.end_lineno - 1].endswith(("\n", "\r")):
            return None
        own = constructor.args.args[0].arg
        text = method.match.text(test)
        if own != method.itself or "\n" in text:
            return None
        whole = text if isinstance(test, ast.Compare) and len(test.ops) == 1 else f"bool({text})"
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], _ORDER):
            # What has no order (None, a text) must not raise here: the method that asks may never be called.
            numbers = [method.match.text(part) for part in (test.left, *test.comparators) if method.own(part)]
            whole = " and ".join([*(f"isinstance({part}, (int, float))" for part in numbers), text])
        if method.own(test) and not all(has_truth(store) for store in stores):
            # A module or a tensor may have no truth: then there is no flag, and the compiler refuses as before.
            whole = f"{whole} if isinstance({text}, {_WITH_TRUTH}) else None"
        where = Position(statement.end_lineno + 1, 1)
        edits.append(Edit(where, where, f"{margin}{own}.{name} = {whole}{method.match.source.newline}"))
    return tuple(edits)
