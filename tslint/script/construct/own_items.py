"""Finds the modules in an instance that is itself a container, because its class derives from ``nn.Sequential`` or
``nn.ModuleList``.
"""

from __future__ import annotations

import ast

from tslint.project.definitions import Class
from tslint.script.attributes import ClassFacts, Instance, PyConst, PyDict, PyKind, PyParameter, PySequence, PyValue
from tslint.script.construct.aliases import GROWING
from tslint.script.construct.changed_attributes import ADDING
from tslint.script.construct.frame import ITEMS
from tslint.util import astwalk

_CHANGING = GROWING | frozenset(ADDING)
_REPLACING = frozenset("__iter__ __len__ __getitem__ __getattr__ __setattr__ __new__".split())


def own_items(facts: ClassFacts) -> Instance | None:
    """Return the container that a constructor creates with ``super().__init__(…)``.

    Returns:
        None if the class is no container, or if compiled code may see other modules: the constructor has several cases,
        an attribute may hold a module, or code of the class changes the container or overrides how it is read.
    """
    made = facts.attributes.get(ITEMS, [])
    if len(made) != 1 or made[0].assumptions or not isinstance(made[0].value, Instance) or facts.open:
        return None
    if facts.prefixes or facts.elsewhere or facts.hierarchy.open or _REPLACING & facts.hierarchy.members.keys():
        return None
    if not all(_is_plain(each.value) for name, stored in facts.attributes.items() if name != ITEMS for each in stored):
        return None
    changed = any(_changes_itself(each.node) for each in facts.hierarchy.mro if isinstance(each, Class))
    return None if changed else made[0].value


def _is_plain(value: PyValue | None) -> bool:
    """Return whether a value of an attribute is certainly no module."""
    if isinstance(value, PyParameter):
        return _is_plain(value.default) and not (isinstance(value.default, PyConst) and value.default.value is None)
    return value is None or isinstance(value, (PyConst, PyKind, PySequence, PyDict))


@astwalk.kept
def _changes_itself(owner: ast.ClassDef) -> bool:
    """Return whether code of a class adds or removes modules of ``self``: ``self.append(…)``, ``self[0] = …``."""
    for call in astwalk.of_kind(owner, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGING and _is_self(call.func.value):
            return True
    places = astwalk.of_kind(owner, ast.Subscript)
    return any(not isinstance(each.ctx, ast.Load) and _is_self(each.value) for each in places)


def _is_self(node: ast.expr) -> bool:
    """Return whether an expression is ``self``, or ``super()``, whose methods change the same object."""
    return astwalk.is_name(node, "self") or (isinstance(node, ast.Call) and astwalk.is_name(node.func, "super"))
