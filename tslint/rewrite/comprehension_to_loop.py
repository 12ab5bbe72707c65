"""Writes comprehensions as loops before their statement."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import Line, block, expression, statement, substituted
from tslint.script.dataflow.comprehension_loops import Loops, holder, loops_for


def as_loops(match: Match, node: cst.CSTNode) -> Fix | None:
    """Fill a list or dict in loops before the statement, and put it in the comprehension's place.

    Args:
        match: for the file and the function.
        node: the comprehension.

    Returns:
        None where loops there would not do the same.
    """
    line, function = match.line(node), match.function
    if not isinstance(node, (cst.ListComp, cst.DictComp)) or line is None or function is None:
        return None
    loops = loops_for(match.file.tree, match.model(function), match.model(node)) if has_room(match, node) else None
    if loops is None:
        return None
    words = "Write the comprehension as a loop"
    if not loops.direct:
        name = cst.Name(loops.name)
        return safe(
            words, lambda: [match.insert_before(line, *_lines(match, node, loops))], lambda: match.replace(node, name)
        )
    return safe(words, lambda: match.rewrite(line, *_lines(match, node, loops, line)))


def has_room(match: Match, node: cst.BaseExpression) -> bool:
    """Whether loops can stand before the statement that holds a comprehension, or a generator."""
    if holder(match.file.tree, match.model(node)) is None or match.line(node) is None:
        return False
    return "\n" not in match.code(node)


def _lines(match: Match, node: cst.ListComp | cst.DictComp, loops: Loops, line: Line | None = None) -> list[Line]:
    """The empty list or dict, and the loops that fill it.

    Args:
        match: for the file.
        node: the comprehension.
        loops: what they look like.
        line: whose comment stays behind the first line.
    """
    renamed: dict[cst.CSTNode, cst.BaseExpression] = {
        match.libcst(each): cst.Name(loops.renamed[each.id]) for each in loops.names
    }
    name = cst.Name(loops.name)
    empty: cst.BaseExpression = cst.Dict([]) if isinstance(node, cst.DictComp) else cst.List([])
    first = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(name)], empty)])
    if loops.annotation is not None:
        annotation = match.libcst(loops.annotation)
        assert isinstance(annotation, cst.BaseExpression)
        first = cst.SimpleStatementLine([cst.AnnAssign(name, cst.Annotation(annotation), empty)])
    if isinstance(line, cst.SimpleStatementLine):
        first = first.with_changes(trailing_whitespace=line.trailing_whitespace)
    return [first, _loop(substituted(node, renamed), name)]


def _loop(node: cst.ListComp | cst.DictComp, name: cst.Name) -> Line:
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
