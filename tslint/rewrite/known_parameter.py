"""Reads a known parameter by its name, instead of the first of all parameters."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.methods import method_of

# Layers that always have a `weight`, as their first parameter.
_WITH_WEIGHT = frozenset(["Linear", "Embedding", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "LayerNorm"])
_OF_TENSORS = m.Attribute(attr=m.Name("dtype") | m.Name("device") | m.Name("is_cuda"))
_KIND = m.SaveMatchedNode(m.Name(m.MatchIfTrue(lambda name: name == "Parameter" or name in _WITH_WEIGHT)), "made")
_LAYER = m.SimpleStatementLine(
    body=[
        m.Assign(
            targets=[m.AssignTarget(target=m.Attribute(m.Name(), m.SaveMatchedNode(m.Name(), "attribute")))],
            value=m.Call(func=_KIND | m.Attribute(attr=_KIND)),
        )
    ]
)


def of_known_parameter(match: Match) -> Fix | None:
    """Let compiled code read ``self.linear.weight.dtype`` or ``self.scale.dtype`` instead of
    ``next(self.parameters()).dtype``.

    The layer or parameter is the first that a top-level statement of ``__init__`` creates. Return None if there is
    none, or if the code cannot have one form for Python and one for the compiler.
    """
    around, owner, itself = match.parent(match.node), match.owner, match.self_name
    if not isinstance(around, cst.Attribute) or not m.matches(around, _OF_TENSORS) or owner is None or itself is None:
        return None
    listed = m.Call(func=m.Attribute(value=m.Name(itself), attr=m.Name("parameters")), args=[])
    if not m.matches(match.node, m.Call(func=m.Name("next"), args=[m.Arg(value=listed)])):
        return None
    method = method_of(owner, "__init__")
    init = match.libcst(method) if method is not None else None
    for line in init.body.body if isinstance(init, cst.FunctionDef) else ():
        found = m.extract(line, _LAYER) or {}
        made, attribute = found.get("made"), found.get("attribute")
        if isinstance(made, cst.Name) and isinstance(attribute, cst.Name):
            weight = "{itself}.{name}" if made.value == "Parameter" else "{itself}.{name}.weight"
            path = expression(weight, itself=itself, name=attribute)
            words = f"Read `{code(path)}` in compiled code"
            return either(match, around, around.with_changes(value=path), words)
    return None
