"""Writes comprehensions as loops, before their statement or in its place."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Edits, safe
from tslint.rulekit.template import Line, block, expression, statement, substituted
from tslint.script.dataflow.comprehension_loops import Loops, holder, loops_for

Comprehension = cst.ListComp | cst.DictComp


def as_loops(match: Match, node: cst.CSTNode) -> Fix | None:
    """Fill a list or dict in loops before the statement, and use it instead of the comprehension.

    Args:
        match: provides the file and the function.
        node: the comprehension.

    Returns:
        None if loops before the statement would behave differently.
    """
    edits = loop_edits(match, node)
    return safe("Write the comprehension as a loop", *edits) if edits else None


def loop_edits(match: Match, node: cst.CSTNode, written: Callable[[], Comprehension] | None = None) -> list[Edits]:
    """Return the edits of :func:`as_loops`; none if loops would behave differently.

    Args:
        match: provides the file and the function.
        node: the comprehension.
        written: creates a changed comprehension with the same variables, to be written as loops instead of the
            author's.
    """
    line, function = match.line(node), match.function
    if not isinstance(node, Comprehension) or line is None or function is None:
        return []
    loops = loops_for(match.file.tree, match.model(function), match.model(node)) if has_room(match, node) else None
    if loops is None or (written is not None and loops.names):
        return []
    own = written or (lambda: _renamed(match, node, loops))
    if not loops.direct:
        name = cst.Name(loops.name)
        return [
            lambda: [match.insert_before(line, *_lines(match, own(), loops))],
            lambda: match.replace(node, name),
        ]
    return [lambda: match.rewrite(line, *_lines(match, own(), loops, line))]


def has_room(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether loops can be placed before the statement with a comprehension or generator, which must be on one
    line.
    """
    if holder(match.file.tree, match.model(node)) is None or match.line(node) is None:
        return False
    return "\n" not in match.code(node)


def _renamed(match: Match, node: Comprehension, loops: Loops) -> Comprehension:
    return substituted(node, {match.libcst(each): cst.Name(loops.renamed[each.id]) for each in loops.names})


def _lines(match: Match, node: Comprehension, loops: Loops, line: Line | None = None) -> list[Line]:
    """Return the statements that create the empty list or dict, and the loops that fill it.

    Args:
        match: provides the file.
        node: the comprehension.
        loops: the form of the loops.
        line: the author's line, if the statements replace it: its comment is put after the first of them.
    """
    name = cst.Name(loops.name)
    empty: cst.BaseExpression = cst.Dict([]) if isinstance(node, cst.DictComp) else cst.List([])
    first = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(name)], empty)])
    if loops.annotation is not None:
        annotation = match.libcst(loops.annotation)
        assert isinstance(annotation, cst.BaseExpression)
        first = cst.SimpleStatementLine([cst.AnnAssign(name, cst.Annotation(annotation), empty)])
    if isinstance(line, cst.SimpleStatementLine):
        first = first.with_changes(trailing_whitespace=line.trailing_whitespace)
    return [first, _loop(node, name)]


def _loop(node: Comprehension, name: cst.Name) -> Line:
    inner: Line
    if isinstance(node, cst.DictComp):
        inner = statement("{name}[{key}] = {value}", name=name, key=node.key, value=node.value)
    else:
        inner = statement("{name}.append({value})", name=name, value=node.elt)
    generators: list[cst.CompFor] = []
    generator: cst.CompFor | None = node.for_in
    while generator is not None:
        generators.append(generator)
        generator = generator.inner_for_in
    for each in reversed(generators):
        tests = [one.test for one in each.ifs]
        if tests:
            test = tests[0]
            for other in tests[1:]:
                test = expression("{test} and {other}", test=test, other=other)
            inner = cst.If(test, block([inner]))
        inner = cst.For(each.target, each.iter, block([inner]))
    return inner
