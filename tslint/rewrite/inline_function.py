"""Inlines a small nested function where it is called."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.removal import removed
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import substituted
from tslint.script.dataflow.inlining import Inlining, inlining


def inlined(match: Match, name: str, defined: cst.Assign | cst.FunctionDef) -> Fix | None:
    """Replace the calls of a local function by the expression that it returns, and remove the function.

    Args:
        match: the match of the finding.
        name: the name of the function.
        defined: the statement that defines it: an assignment of a lambda, or a function.
    """
    above = match.parent(defined)
    around = match.enclosing(cst.FunctionDef, above) if above is not None else None
    function = defined.value if isinstance(defined, cst.Assign) else defined
    if around is None or match.line(defined) is None:
        return None
    model = match.model
    found = inlining(match.file.tree, model(around), name, model(defined), model(function))
    if found is None:
        return None
    words = f"Replace the calls of `{name}` by the expression that it returns"
    return safe(words, lambda: removed(match, defined), lambda: _written_out(match, found))


def _written_out(match: Match, found: Inlining) -> list[Edit]:
    """Return the edits that replace the calls of a function by its expression."""
    result = match.libcst(found.result)
    model = {each: match.libcst(each) for each in found.uses}

    def written(call: cst.CSTNode) -> cst.BaseExpression:
        assert isinstance(result, cst.BaseExpression)
        arguments = found.arguments[match.model(call)]
        parts: dict[cst.CSTNode, cst.BaseExpression] = {}
        for use, name in model.items():
            value = match.libcst(arguments[use.id])
            assert isinstance(value, cst.BaseExpression)
            parts[name] = written(value) if arguments[use.id] in found.arguments else value
        return substituted(result, parts)

    calls = [match.libcst(each) for each in found.calls]
    return [edit for call in calls for edit in match.replace(call, written(call))]
