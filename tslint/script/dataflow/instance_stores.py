"""Lists the places where one file stores an attribute of a class's instances, if it shows all of them."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.stores import FileFacts, Store


def instance_stores(
    facts: FileFacts,
    owner: ast.ClassDef,
    attribute: str,
    *,
    besides: Callable[[FunctionNode], bool] | None = None,
    by_name: bool = False,
) -> list[Store] | None:
    """Return the places that store an attribute on instances of a class. Return None if there are none, if code other
    than constructors may store it, or if a method or property has its name.

    Args:
        facts: the facts of the file.
        owner: the class.
        attribute: the name of the attribute.
        besides: tells which methods of the class besides constructors may store it; None for no others.
        by_name: whether ``setattr`` and the like may store it, too; these places are not listed.
    """
    related = facts.related(owner)
    if any(isinstance(item, ast.FunctionDef) and item.name == attribute for each in related for item in each.body):
        return None
    # If a base is not known, it may be any class of the file.
    if not by_name and facts.is_set_by_name(attribute, related if facts.line(owner) else None):
        return None
    if attribute == "training":
        return None
    found: list[Store] = []
    for store in facts.stores.get(attribute, ()):
        if store.own and not any(store.owner is each for each in related):
            continue
        if not store.own or store.function is None:
            return None
        if store.function.name != "__init__" and (besides is None or not besides(store.function)):
            return None
        found.append(store)
    return found or None
