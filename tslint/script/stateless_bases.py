"""Finds the base classes of other files that store nothing in their instances, such as an interface of a package.

What fixes rely on is worked out file by file, where a class with an unknown base may have any attribute. The base of
another file is harmless if it only has methods that set and change no attributes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External, Module
from tslint.project.index import Project
from tslint.script.dataflow.other_bases import stateless_bases
from tslint.script.dataflow.stores import CHANGING, PLAIN_BASES, SETTERS
from tslint.util import astwalk

_HIDDEN = frozenset(["__dict__", "_modules", "_parameters", "_buffers", "vars", *SETTERS])


def note_stateless_bases(project: Project, modules: Iterable[Module]) -> None:
    """Record the names of such bases for the data flow of each file."""
    known: dict[Class, bool] = {}
    for module in modules:
        classes = [each for each in module.tree.body if isinstance(each, ast.ClassDef)]
        own = {each.name for each in classes}
        found: set[str] = set()
        for base in (base for each in classes for base in each.bases):
            if isinstance(base, (ast.Name, ast.Attribute)) and ast.unparse(base) not in own:
                made = project.resolve_expression(module, base)
                if isinstance(made, Class) and made.module is not module and _stores_nothing(project, made, known):
                    found.add(ast.unparse(base))
        if stateless_bases(module.tree) != found:
            astwalk.forget(module.tree)  # what was worked out with other bases
            stateless_bases(module.tree).update(found)


def _stores_nothing(project: Project, base: Class, known: dict[Class, bool]) -> bool:
    if base not in known:
        hierarchy = Hierarchy(project, base)
        known[base] = not hierarchy.open and all(
            _is_plain(each.name) if isinstance(each, External) else _has_only_methods(each.node)
            for each in hierarchy.mro
        )
    return known[base]


def _is_plain(name: str) -> bool:
    return name.rpartition(".")[2] in PLAIN_BASES


def _has_only_methods(node: ast.ClassDef) -> bool:
    """Return whether a class body only has methods, and these neither set nor change attributes."""
    if node.keywords or node.decorator_list:
        return False
    return all(
        (isinstance(each, ast.FunctionDef) and not any(map(_stores, astwalk.walk(each))))
        or isinstance(each, ast.Pass)
        or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in node.body
    )


def _stores(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return not isinstance(node.ctx, ast.Load) or node.attr in _HIDDEN or node.attr in CHANGING
    if isinstance(node, ast.Subscript):
        return not isinstance(node.ctx, ast.Load)
    return isinstance(node, ast.Name) and node.id in (*_HIDDEN, "cached_property")
