"""TorchScript types for annotations that mean one, but are none."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe, unsafe

_LISTS = ("Sequence", "Iterable", "Iterator", "Collection", "MutableSequence", "Generator")
_DICTS = ("Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict")
_BARE = {
    "List": "List[...]",
    "Dict": "Dict[..., ...]",
    "dict": "Dict[..., ...]",
    "Tuple": "Tuple[...]",
    "Optional": "Optional[...]",
}
Rewrite = tuple[Callable[..., Fix], str, tuple[Edit, ...]]


def rewritten(match: Match, node: ast.expr, name: str) -> Rewrite | None:
    """The kind of the fix, the type and the edits that import it; None where it is not known what is meant.

    Args:
        match: for the file and the function.
        node: the annotation.
        name: the last part of its name.
    """
    inner = [match.text(part) for part in _inner(node)]
    if isinstance(node, ast.Constant) or any("\n" in part for part in inner):
        return None
    if isinstance(node, ast.Tuple):
        # For a parameter it may be meant as a tuple, or as one of several types.
        if match.event.unit is None or node is not match.event.unit.function.node.returns:
            return None
        return _generic(match, safe, "Tuple", [match.text(part) for part in node.elts])
    if isinstance(node, ast.List) and len(node.elts) == 1:
        return _generic(match, safe, "List", [match.text(node.elts[0])])
    if isinstance(node, ast.Subscript):
        return _subscript(match, node, name, inner)
    if name in _BARE:
        word, _, rest = _BARE[name].partition("[")
        return _generic(match, display, word, [rest[:-1]])
    if name in _LISTS:
        return _generic(match, display, "List", ["..."])
    if name in _DICTS:
        return _generic(match, display, "Dict", ["..., ..."])
    if name == "Size":
        return _generic(match, unsafe, "List", ["int"])
    if name in ("any", "object"):
        text, imports = match.imported("typing", "Any")
        return (safe if name == "any" else unsafe), text, imports
    if name == "ndarray":
        text, imports = match.imported("torch", "Tensor")
        return unsafe, text, imports
    return None


def _subscript(match: Match, node: ast.Subscript, name: str, inner: list[str]) -> Rewrite | None:
    if name in ("Tuple", "tuple") and len(inner) == 2 and inner[1] == "...":
        return _generic(match, unsafe, "List", inner[:1])
    if name in _LISTS and inner:
        return _generic(match, unsafe, "List", inner[:1])
    if name in _DICTS and len(inner) == 2:
        return _generic(match, unsafe, "Dict", inner)
    if name == "Annotated" and inner:
        return safe, inner[0], ()
    if name == "Literal":
        kinds = {type(part.value).__name__ for part in _inner(node) if isinstance(part, ast.Constant)}
        if len(kinds) == 1 and kinds <= {"str", "int", "bool"}:
            return safe, kinds.pop(), ()
    return None


def _inner(node: ast.expr) -> list[ast.expr]:
    if not isinstance(node, ast.Subscript):
        return []
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _generic(match: Match, make: Callable[..., Fix], name: str, parts: list[str]) -> Rewrite:
    text, imports = match.imported("typing", name)
    return make, f"{text}[{', '.join(parts)}]", imports
