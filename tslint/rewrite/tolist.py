"""Replaces ``tolist`` if the list is not needed, or its type is known."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.compiled_form import in_compiled_code
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import expression
from tslint.script.dataflow.packed_lengths import only_packed

_TENSOR = m.Attribute(m.Name("torch"), m.Name("tensor"))
_SIZE = m.Attribute(attr=m.Name("shape")) | m.Call(m.Attribute(attr=m.Name("size")), [])
_SLICE = m.Subscript(slice=[m.SubscriptElement(m.Slice())])


def tolist_fix(match: Match, node: cst.CSTNode) -> Fix | None:
    """Return the fix for ``x.tolist()``: ``torch.tensor(x.shape).tolist()`` becomes ``list(x.shape)``, and lengths for
    ``pack_padded_sequence`` stay a tensor on the CPU in compiled code. Return None for other calls.
    """
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or node.args:
        return None
    owner = node.func.value
    if isinstance(owner, cst.Call) and m.matches(owner, m.Call(_TENSOR, [m.Arg(keyword=None, star="")])):
        sizes = owner.args[0].value
        if _is_size(sizes):
            return safe(
                "Write the sizes as a list", lambda: match.replace(node, expression("list({sizes})", sizes=sizes))
            )
    if not only_packed(match.file.tree, match.model(node)):
        return None
    message = "Pass the lengths as a tensor on the CPU in compiled code"
    return in_compiled_code(match, node, lambda: expression("{owner}.cpu()", owner=owner), message)


def _is_size(node: cst.BaseExpression) -> bool:
    while isinstance(node, cst.Subscript) and m.matches(node, _SLICE):
        node = node.value
    return m.matches(node, _SIZE)
