"""Decides whether an instance can have an additional attribute that contains a module without parameters."""

from __future__ import annotations

import ast

from tslint.script.dataflow.inheritance import is_plain_module
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.module_listing import lists_modules
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.scopes import module_bindings
from tslint.util import astwalk


def can_have(tree: ast.Module, kind: str, attribute: str) -> bool:
    """Return whether modules can store an instance of a class of their file in a new attribute, with no visible effect.

    Args:
        tree: the tree of the file.
        kind: the name of the class.
        attribute: the name of the new attribute.
    """
    nodes = astwalk.walk(tree)
    used = {each.attr for each in nodes if isinstance(each, ast.Attribute)}
    used |= {getattr(each, "name", "") or "" for each in nodes}
    if attribute in used | OF_MODULES or not attribute.isidentifier() or lists_modules(tree):
        return False
    return module_bindings(tree).get(kind) == 1


def holds_nothing(kind: ast.ClassDef) -> bool:
    """Return whether a module has no parameters, buffers or submodules: its constructor only stores names and
    constants.

    Nor may it use the training mode: a module that each call creates is always in training mode, an attribute is not.
    """
    if any(isinstance(each, ast.Attribute) and each.attr == "training" for each in astwalk.walk(kind)):
        return False
    if len(kind.bases) != 1 or not is_plain_module(kind):
        return False
    made = method_of(kind, "__init__")
    for statement in made.body if made is not None else ():
        documented = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        plain = isinstance(statement, ast.Assign) and isinstance(statement.value, (ast.Name, ast.Constant))
        if not (documented or plain or calls_base(statement) or isinstance(statement, ast.Pass)):
            return False
    # A value that the module stores in itself when it runs would remain after the call.
    stored = (
        each
        for item in kind.body
        if item is not made
        for each in astwalk.walk(item)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    )
    return not any(stored)


def calls_base(statement: ast.stmt) -> bool:
    """Return whether a statement is ``super().__init__()`` or ``super(Net, self).__init__()``."""
    text = ast.unparse(statement)
    return text.startswith("super(") and text.endswith(".__init__()")
