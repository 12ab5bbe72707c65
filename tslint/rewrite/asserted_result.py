"""Asserts that the result of a call is not None, before a variable gets it."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import asserted
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import statement
from tslint.script.dataflow.naming import unused_name

_TO_VARIABLE = m.Assign(targets=[m.AssignTarget(m.Name())])


def asserted_result(match: Match, assigned: cst.Assign | None, name: str) -> Fix | None:
    """Assign the result of ``f`` in ``y = f(x)``, which may be None, to another variable, and assert that it is not
    None.
    """
    if assigned is None or not isinstance(assigned.value, cst.Call):
        return None
    line, function = match.line(assigned), match.function
    if line is None or function is None or not m.matches(assigned, _TO_VARIABLE):
        return None
    other = unused_name(match.model(function), f"{name}_or_none")
    sure, imports = asserted(match, other, raises=False)

    def edits() -> tuple[Edit, ...]:
        target = assigned.targets[0].with_changes(target=cst.Name(other))
        taken = line.with_changes(body=[assigned.with_changes(targets=[target])])
        return (*match.rewrite(line, taken, sure, statement("{name} = {other}", name=name, other=other)), *imports)

    message = f"Assign the result to `{other}`, and assert in compiled code that it is not None"
    return unsafe(message, edits, risks=(Risk.RAISES,))
