"""Writes a comprehension over a few known items as a list of its elements."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.loops import Loop, Parts, called, names_in, with_parts
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import expression
from tslint.script.dataflow.index_proofs import place_of

_MOST = 4  # a list with more elements is harder to read than a loop
_INNER = m.ListComp() | m.SetComp() | m.DictComp() | m.GeneratorExp() | m.Lambda() | m.NamedExpr()
_PAIR = m.Tuple(elements=[m.Element(value=m.Name()), m.Element(value=m.Name())])


def written_out(match: Match, loop: Loop) -> Fix | None:
    """Write ``[self.heads[i](x) for i, x in enumerate(xs)]`` as ``[self.heads[0](xs[0]), self.heads[1](xs[1])]``.

    Args:
        match: provides the file and the function.
        loop: a comprehension over the indices and items of a list, or over ``range(len(xs))``.

    Returns:
        None if the loop has another form, or if the number of items is unknown or larger than 4.
    """
    node, target = loop.node, loop.target
    where = place_of(match.file.tree, match.model(node))
    if not isinstance(node, cst.ListComp) or where is None or node.for_in.ifs or m.findall(node.elt, _INNER):
        return None
    items = called(loop.iterable, "enumerate")
    if isinstance(items, cst.Name) and isinstance(target, cst.Tuple) and m.matches(target, _PAIR):
        index, item = (names_in(each)[0] for each in target.elements)
    elif isinstance(target, cst.Name) and called(loop.iterable, "range") is not None:
        index, item = target.value, ""
    else:
        return None
    length = where.bounds.turns(match.model(loop.iterable), where.function)
    count = length.number if length is not None else None
    if count is None or not 0 < count <= _MOST or index == item:
        return None

    def one(number: int) -> cst.Element:
        parts: dict[cst.CSTNode, cst.CSTNode] = {}
        for each in loop.variables:
            if each.value == index:
                parts[each] = cst.Integer(str(number))
            elif each.value == item and items is not None:
                parts[each] = expression(f"{{items}}[{number}]", items=items)
        found: Parts = parts
        return cst.Element(with_parts(node.elt, found))

    new = cst.List([one(number) for number in range(count)], lbracket=node.lbracket, rbracket=node.rbracket)
    return safe("Write the elements of the comprehension one by one", lambda: match.replace(node, new))
