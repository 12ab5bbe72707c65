"""Writes unions in quotes with brackets: ``"Optional[Tensor]"`` for ``"Tensor | None"``."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.template import code

_NONE = m.Name("None")
_UNION, _OPTIONAL = (m.Name(name) | m.Attribute(attr=m.Name(name)) for name in ("Union", "Optional"))
# Matches the parts of an annotation that the compiler cannot read in quotes.
_NOT_READ = _NONE | m.BinaryOperation() | m.SimpleString() | m.Ellipsis() | m.Integer()


def with_brackets(match: Match, node: cst.SimpleString) -> tuple[cst.SimpleString, tuple[Edit, ...]] | None:
    """Return a quoted annotation with ``Optional`` and ``Union`` instead of ``|``, and the edits that import its names.

    Return None if there is nothing to replace, or if the compiler could not read the result either.
    """
    try:
        inside = cst.parse_expression(str(node.evaluated_value).strip())
    except cst.ParserSyntaxError:
        return None
    unions = _Unions(match)
    written = inside.visit(unions)
    if not isinstance(written, cst.Subscript) or written.deep_equals(inside) or m.findall(written, _NOT_READ):
        return None
    return cst.SimpleString(f"{node.quote}{code(written)}{node.quote}"), tuple(unions.imports)


class _Unions(cst.CSTTransformer):
    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.imports: dict[Edit, None] = {}

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        if not isinstance(updated_node.operator, cst.BitOr):
            return updated_node
        return self._union([*_options(updated_node.left), *_options(updated_node.right)])

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        options = _options(updated_node)
        return self._union(options) if any(m.matches(each, _NONE) for each in _inner(updated_node)) else updated_node

    def _union(self, options: list[cst.BaseExpression]) -> cst.BaseExpression:
        types = [each for each in options if not m.matches(each, _NONE)]
        if not types:
            return cst.Name("None")
        made = types[0] if len(types) == 1 else self._generic("Union", types)
        return made if len(types) == len(options) else self._generic("Optional", [made])

    def _generic(self, name: str, parts: list[cst.BaseExpression]) -> cst.BaseExpression:
        text, imports = self.match.imported("typing", name)
        self.imports.update(dict.fromkeys(imports))
        elements = [cst.SubscriptElement(cst.Index(part.with_changes(lpar=(), rpar=()))) for part in parts]
        return cst.Subscript(cst.parse_expression(text), elements)


def _inner(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the types of a ``Union`` or ``Optional``."""
    if not isinstance(node, cst.Subscript) or not m.matches(node.value, _UNION | _OPTIONAL):
        return []
    return [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index)]


def _options(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Return the types that a type allows: ``int``, ``str`` and None for ``Optional[Union[int, str]]``."""
    inner = _inner(node)
    if not inner:
        return [node]
    found = [each for part in inner for each in _options(part)]
    optional = isinstance(node, cst.Subscript) and m.matches(node.value, _OPTIONAL)
    return [*found, cst.Name("None")] if optional else found
