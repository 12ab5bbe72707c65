"""Writes the index of a container's last module as ``-1``, a literal that the compiler can read."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.linear import number, turns
from tslint.script.dataflow.loops import is_stored
from tslint.script.dataflow.scopes import module_bindings


def last_module(match: Match, node: cst.Subscript, index: cst.BaseExpression) -> Fix | None:
    """Write ``self.layers[len(self.layers) - 1]`` as ``self.layers[-1]``. Do the same for ``self.layers[self.depth -
    1]``, if the constructor makes ``self.depth`` layers.

    If there is no module, the old and the new form both raise an IndexError.
    """
    if is_stored(match.model(node)) or not _is_last(match, node, index):
        return None
    return safe("Write `-1`, the index of the last module", lambda: match.replace(index, expression("-1")))


def _is_last(match: Match, node: cst.Subscript, index: cst.BaseExpression) -> bool:
    tree, model = match.file.tree, match.model(node)
    if code(index) == f"len({code(node.value)}) - 1":
        return "len" not in module_bindings(tree) and not match.binds("len")
    where = place_of(tree, model)
    value = where.value(model.slice) if where is not None else None
    # If a negative number of layers is given, the container is empty, and no index is valid.
    return where is not None and value is not None and where.length(model.value) == turns(value + number(1))
