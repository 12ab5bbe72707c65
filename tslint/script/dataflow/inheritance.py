"""Determines which classes of a file inherit from which, and how that affects their methods."""

from __future__ import annotations

import ast

from tslint.script.dataflow.method_resolution import lookup_order
from tslint.script.dataflow.methods import method_of
from tslint.util import astwalk

ClassNode = ast.ClassDef
_MODULE = frozenset(["nn.Module", "torch.nn.Module", "Module"])


@astwalk.kept
def classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """Return the classes at a file's top level."""
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def derived(tree: ast.Module, owner: ast.ClassDef) -> list[ast.ClassDef]:
    """Return the classes that inherit from a class, directly or not."""
    found: list[ast.ClassDef] = []
    names = {owner.name}
    for node in tree.body:  # a base is defined above its subclasses
        if isinstance(node, ast.ClassDef) and names & {ast.unparse(base) for base in node.bases}:
            found.append(node)
            names.add(node.name)
    return found


def outer_bases(tree: ast.Module, owner: ast.ClassDef) -> list[str]:
    """Return the direct and indirect bases of a class that the file does not define, as far as the file shows them."""
    known, pending, found = classes(tree), [owner], list[str]()
    seen: set[str] = set()
    while pending:
        for base in map(ast.unparse, pending.pop().bases):
            node = known.get(base)
            if node is None:
                found.append(base)
            elif node.name not in seen:
                seen.add(node.name)
                pending.append(node)
    return found


def only_base(owner: ast.ClassDef) -> str | None:
    """Return the only base of a class, as it is written; None if it has no base or several."""
    return ast.unparse(owner.bases[0]) if len(owner.bases) == 1 else None


def defining(tree: ast.Module, start: ast.ClassDef, method: str) -> ast.ClassDef | None:
    """Return the class that defines the method of a class, searched along single bases, beginning with ``start``.
    Return None if it is not found.
    """
    known, current, seen = classes(tree), start, set[str]()
    while current.name not in seen:
        seen.add(current.name)
        if method_of(current, method) is not None:
            return current
        following = known.get(only_base(current) or "")
        if following is None:
            return None
        current = following
    return None


def always_follows(tree: ast.Module, owner: ast.ClassDef, method: str, wanted: str) -> bool:
    """Return whether ``super().method`` in ``owner`` finds the method of the class ``wanted``, for ``owner`` and for
    all its subclasses in this file.
    """
    known = classes(tree)
    for each in [owner, *derived(tree, owner)]:
        order = lookup_order(tree, each.name)
        if order is None or owner.name not in order:
            return False
        for name in order[order.index(owner.name) + 1 :]:
            node = known.get(name)
            if node is None or method_of(node, method) is not None or _assigns(node, method):
                if name != wanted:
                    return False
                break
    return True


def called_with_others(tree: ast.Module, holder: ast.ClassDef, method: str) -> bool:
    """Return whether code outside of a class's subclasses mentions ``Class.method``, and may call it for any object."""
    return any(
        isinstance(each, ast.Attribute) and ast.unparse(each.value) == holder.name
        and not any(outer in derived(tree, holder) for outer in astwalk.around(tree, each))
        for each in astwalk.mentions(tree).get(method, ())
    )  # fmt: skip


def _assigns(node: ast.ClassDef, method: str) -> bool:
    return any(method in astwalk.bound(each) for each in node.body if not isinstance(each, ast.FunctionDef))


def is_plain_module(owner: ast.ClassDef) -> bool:
    """Return whether ``nn.Module`` is a class's only base."""
    return bool(owner.bases) and all(ast.unparse(base) in _MODULE for base in owner.bases)
