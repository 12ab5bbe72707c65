"""``x in (None, "a")`` as what TorchScript takes: a test for None, and texts or numbers of one type."""

from __future__ import annotations

import ast

from tslint.diagnostics import Fix
from tslint.rewrite.annotate_parameter import annotation_fix
from tslint.rewrite.statements import parent
from tslint.rewrite.type_wording import (
    function,
    optional_inside,
    replace,
    unannotated,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe

_PLAIN = frozenset(["str", "int", "float", "bool"])


def membership(match: Match, node: ast.Compare, types: list[str]) -> Fix | None:
    """The fix for a test in a literal tuple or list.

    Args:
        types: of the item and of the container.
    """
    container, item = node.comparators[0], node.left
    if len(node.ops) != 1 or not isinstance(container, (ast.Tuple, ast.List)) or not isinstance(item, ast.Name):
        return None
    values = [each.value for each in container.elts if isinstance(each, ast.Constant)]
    kinds = {type(value).__name__ for value in values} - {"NoneType"}
    if len(values) != len(container.elts) or len(kinds) != 1 or not kinds <= _PLAIN:
        return None
    kind = kinds.pop()
    argument = unannotated(match, item)
    if argument is not None and types[0].startswith("Tensor"):
        held = function(match)
        return annotation_fix(match, held, argument, wanted=kind) if held is not None else None
    may_be_none = optional_inside(types[0]) == kind
    if types[0] != kind and not may_be_none:
        return None
    return _split(match, node, item.id, container, may_be_none, None in values)


def _split(
    match: Match, node: ast.Compare, name: str, container: ast.Tuple | ast.List, may_be_none: bool, nothing: bool
) -> Fix | None:
    rest = [match.text(each) for each in container.elts if not (isinstance(each, ast.Constant) and each.value is None)]
    closed = ", ".join(rest) + ("," if len(rest) == 1 and isinstance(container, ast.Tuple) else "")
    opening, closing = ("(", ")") if isinstance(container, ast.Tuple) else ("[", "]")
    absent = isinstance(node.ops[0], ast.NotIn)
    test = f"{name} {'not in' if absent else 'in'} {opening}{closed}{closing}"
    if may_be_none or nothing:
        # None is in the container or not: `or` where that answers True, `and` where it answers False.
        answer = nothing != absent
        asked, word = (f"{name} is None", "or") if answer else (f"{name} is not None", "and")
        test = f"{asked} {word} {test}"
        around = parent(match, node)
        if not isinstance(around, (ast.If, ast.While, ast.Assert, ast.Assign, ast.Return)):
            test = f"({test})"
    return safe("Ask for None apart", replace(match, node, test))
