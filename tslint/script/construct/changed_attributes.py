"""Lists the attributes that a file sets on objects other than ``self``. Code may replace them after the constructor has
run: ``self.block.drop = nn.Identity()``, ``layer.p = 0.5``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.util import astwalk


@astwalk.kept
def changed_attributes(tree: ast.Module) -> frozenset[str]:
    """Return the attributes that a file sets on an object other than ``self``, or whose contents it changes there."""
    return frozenset(_changed(tree))


def _changed(tree: ast.Module) -> Iterator[str]:
    for node in astwalk.of_kind(tree, ast.Attribute):
        if isinstance(node.ctx, (ast.Store, ast.Del)) and not astwalk.is_name(node.value, "self"):
            yield node.attr
    for item in astwalk.of_kind(tree, ast.Subscript):
        if isinstance(item.ctx, (ast.Store, ast.Del)) and isinstance(item.value, ast.Attribute):
            yield item.value.attr
    for call in astwalk.of_kind(tree, ast.Call):
        if astwalk.is_name(call.func, "setattr") and len(call.args) == 3 and isinstance(call.args[1], ast.Constant):
            yield str(call.args[1].value)
