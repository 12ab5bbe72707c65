"""Converts annotations that are not TorchScript types to the types that they mean."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Applicability, Edit, Fix, Risk
from tslint.rewrite.quoted_annotation import with_brackets
from tslint.rulekit import matchers as m
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe, unsafe
from tslint.rulekit.template import code
from tslint.script.dataflow.passed_iterables import passes_another_iterable
from tslint.util.record import record

_LISTS = ("Sequence", "Iterable", "Iterator", "Collection", "MutableSequence", "Generator")
_DICTS = ("Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict")
# Generic types that authors write without type arguments, and how many arguments each needs.
_BARE = {"List": 1, "Dict": 2, "dict": 2, "Tuple": 1, "Optional": 1}


@record
class Form:
    """The annotation that replaces another one.

    Args:
        annotation: the new annotation.
        imports: the edits that import its names.
        promise: the applicability of the fix that writes it.
    """

    annotation: cst.BaseExpression
    imports: tuple[Edit, ...]
    promise: Applicability

    def fix(self, match: Match) -> Fix:
        """Return the fix that replaces the event's annotation by this one."""

        def edits() -> tuple[Edit, ...]:
            node = match.node
            form = form_for(match, node) if isinstance(node, cst.BaseExpression) else None
            return match.replace(node, form.annotation) if form is not None else ()

        message = f"Write `{code(self.annotation)}`"
        if self.promise is Applicability.UNSAFE:
            return unsafe(message, *self.imports, edits, risks=(Risk.ASSUMES, Risk.REFUSES))
        return (safe if self.promise is Applicability.SAFE else display)(message, *self.imports, edits)


def form_for(match: Match, node: cst.BaseExpression) -> Form | None:
    """Return the TorchScript annotation that has the meaning of a given one, as ``List[int]`` for ``Sequence[int]``;
    None if it is not known.

    Args:
        match: provides the file and the function.
        node: the event's annotation: the author's node, or the same text parsed separately.
    """
    if isinstance(node, cst.SimpleString):
        quoted = with_brackets(match, node)
        return Form(*quoted, Applicability.SAFE) if quoted is not None else None
    if m.matches(node, LITERAL) or any("\n" in code(part) for part in _inner(node) or ()):
        return None
    if isinstance(node, cst.Tuple):
        # For a parameter, `(int, str)` may mean a tuple, or one of several types.
        returns = match.function.returns if match.function is not None else None
        parts = [each.value for each in node.elements if isinstance(each, cst.Element)]
        if returns is None or returns.annotation is not match.node or len(parts) != len(node.elements):
            return None
        return _generic(match, Applicability.SAFE, "Tuple", parts)
    if m.matches(node, m.List(elements=[m.Element()])):
        return _generic(match, Applicability.SAFE, "List", [node.elements[0].value])  # type: ignore[attr-defined]
    if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
        types = [each for each in (node.left, node.right) if not m.matches(each, m.Name("None"))]
        plain = all(isinstance(each, (cst.Name, cst.Attribute, cst.Subscript)) for each in types)
        return _generic(match, Applicability.SAFE, "Optional" if len(types) == 1 else "Union", types) if plain else None
    name = last_name(node)
    if isinstance(node, cst.Subscript):
        return _of_parts(match, _inner(node) or [], name)
    if name in _BARE:
        return _to_fill_in(match, name.capitalize(), _BARE[name])
    if name in _LISTS:
        return _to_fill_in(match, "List", 1)
    if name in _DICTS:
        return _to_fill_in(match, "Dict", 2)
    if name == "Size":
        return _generic(match, Applicability.UNSAFE, "List", [cst.Name("int")])
    if name in ("any", "object"):
        return _named(match, Applicability.SAFE if name == "any" else Applicability.UNSAFE, "typing", "Any")
    if name == "ndarray":
        return _named(match, Applicability.DISPLAY, "torch", "Tensor")  # callers may pass arrays
    return None


def last_name(node: cst.BaseExpression) -> str:
    """Return the last part of a name: ``List`` for ``typing.List[int]``; an empty text for other expressions."""
    base = node.value if isinstance(node, cst.Subscript) else node
    if isinstance(base, cst.Attribute):
        base = base.attr
    return base.value if isinstance(base, cst.Name) else ""


def _of_parts(match: Match, parts: list[cst.BaseExpression], name: str) -> Form | None:
    if name in ("Tuple", "tuple") and len(parts) == 2 and isinstance(parts[1], cst.Ellipsis):
        return _generic(match, Applicability.UNSAFE, "List", parts[:1])
    if name in _LISTS and parts:
        lists = not passes_another_iterable(match.file.tree, match.event.node)
        return _generic(match, Applicability.UNSAFE if lists else Applicability.DISPLAY, "List", parts[:1])
    if name in _DICTS and len(parts) == 2:
        return _generic(match, Applicability.UNSAFE, "Dict", parts)
    if name == "Annotated" and parts:
        return Form(parts[0], (), Applicability.SAFE)
    if name == "Literal":
        kinds = {_kind(part) for part in parts}
        if len(kinds) == 1 and kinds <= {"str", "int", "bool"}:
            return Form(cst.Name(kinds.pop()), (), Applicability.SAFE)
    return None


def _kind(node: cst.BaseExpression) -> str:
    """Return the name of a literal's type, for example ``int``; an empty text for other expressions."""
    if m.matches(node, m.UnaryOperation(operator=m.Minus(), expression=m.Integer())):
        return "int"
    if m.matches(node, m.Name("True") | m.Name("False")):
        return "bool"
    known = isinstance(node, (cst.Integer, cst.SimpleString, cst.ConcatenatedString))
    return type(node.evaluated_value).__name__ if known else ""  # type: ignore[attr-defined]


def _inner(node: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """Return the types between the brackets of a type; None if it has no brackets, or a slice or ``*`` in them."""
    if not isinstance(node, cst.Subscript):
        return None
    parts = [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index) and not each.slice.star]
    if len(parts) == 1 and isinstance(parts[0], cst.Tuple):
        return [each.value for each in parts[0].elements]
    return parts if len(parts) == len(node.slice) else None


def _to_fill_in(match: Match, name: str, count: int) -> Form:
    return _generic(match, Applicability.DISPLAY, name, [cst.Ellipsis()] * count)


def _generic(match: Match, promise: Applicability, name: str, parts: Sequence[cst.BaseExpression]) -> Form:
    text, imports = match.imported("typing", name)
    elements = [cst.SubscriptElement(cst.Index(part)) for part in parts]
    return Form(cst.Subscript(cst.parse_expression(text), elements), imports, promise)


def _named(match: Match, promise: Applicability, module: str, name: str) -> Form:
    text, imports = match.imported(module, name)
    return Form(cst.parse_expression(text), imports, promise)
