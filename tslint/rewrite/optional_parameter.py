"""Annotates a parameter that may be None as Optional, and adds tests for None to its function."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.project.definitions import Function
from tslint.rewrite.compiled_form import asserted
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.nones import raises_with_none, uses_of
from tslint.script.events.calls import CallMismatch
from tslint.util import astwalk

# Annotations with these names may already allow None.
_OPEN = m.OneOf(*(m.Name(each) for each in ("Optional", "None", "Any", "Union"))) | m.SimpleString()


def may_be_none(match: Match, name: str) -> Fix | None:
    """Write ``p: float`` as ``p: Optional[float]``, ``p == 0.0`` as ``(p is not None and p == 0.0)``, and an ``assert``
    before the first statement that computes with ``p``.

    Args:
        match: the match of a call that passes None.
        name: the parameter of the called function.
    """
    function = match.event.function if isinstance(match.event, CallMismatch) else None
    if not isinstance(function, Function) or function.module.tree is not match.file.tree:
        return None
    tree, node = match.file.tree, function.node
    argument = next((each for each in (*node.args.args, *node.args.kwonlyargs) if each.arg == name), None)
    annotation = match.libcst(argument.annotation) if argument is not None and argument.annotation is not None else None
    uses = uses_of(node, name)
    if not isinstance(annotation, cst.BaseExpression) or name in astwalk.bound(node) or uses is None:
        return None
    if m.findall(annotation, _OPEN):
        return None
    line = match.line(match.libcst(uses.computed)) if uses.computed is not None else None
    if uses.computed is not None and not isinstance(line, (cst.SimpleStatementLine, cst.With)):
        return None
    for_python = uses.computed is not None and raises_with_none(tree, uses.computed, name)
    optional, imports = match.imported("typing", "Optional")
    sure, more = asserted(match, name, raises=for_python)

    def edits() -> list[Edit]:
        wider = expression("{optional}[{type}]", optional=optional, type=annotation)
        found = [*imports, *match.replace(annotation, wider)]
        for compare, equal in uses.equalities:
            test = match.libcst(compare)
            assert isinstance(test, cst.BaseExpression)
            pattern = "{name} is not None and {test}" if equal else "{name} is None or {test}"
            found += match.replace(test, expression(pattern, name=name, test=test))
        if line is not None:
            found += [match.insert_before(line, sure), *more]
        return list(dict.fromkeys(found))

    return unsafe(
        f"Annotate `{name}: {optional}[{match.code(annotation)}]`, and test `{name} is not None` where it is used",
        edits,
        risks=(Risk.EXCEPTION,) if for_python else (Risk.RAISES,),
    )
