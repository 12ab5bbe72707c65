"""Decides whether the values that a file stores in an attribute can have a given type."""

from __future__ import annotations

import ast

from tslint.script.dataflow.stores import file_facts
from tslint.script.types import DictType, ListType, TupleType, Type, members, walk

_DISPLAYS: dict[type, type[Type]] = {
    ast.List: ListType,
    ast.ListComp: ListType,
    ast.Dict: DictType,
    ast.DictComp: DictType,
    ast.Tuple: TupleType,
}


def contradicted(tree: ast.Module, attribute: str, type_: Type) -> bool:
    """Return whether a file stores in an attribute a constant, list, dict or tuple that a type does not accept."""
    names = {str(each) for each in members(type_)}
    kinds = {type(each) for each in walk(type_)}
    for store in file_facts(tree).stores.get(attribute, ()):
        if isinstance(store.value, ast.Constant):
            if store.value.value is not None and type(store.value.value).__name__ not in names:
                return True
        elif type(store.value) in _DISPLAYS and _DISPLAYS[type(store.value)] not in kinds:
            return True
    return False
