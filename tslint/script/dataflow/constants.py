"""Finds global constants of a file, and whether a class can have its own constant with the same name."""

from __future__ import annotations

import ast
from functools import lru_cache

from tslint.project.trees import parse
from tslint.script.dataflow.inheritance import classes, derived
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.name_patterns import may_be_computed
from tslint.script.dataflow.scopes import bound_times, function_around, module_bindings
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk


def global_assignment(tree: ast.Module, name: str) -> ast.Assign | ast.AnnAssign | None:
    """Return the first assignment or annotation of a global at the top level of a file; None if there is none."""
    for statement in tree.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            assert isinstance(statement, (ast.Assign, ast.AnnAssign))
            return statement
    return None


def can_be_read_from(tree: ast.Module, owner: ast.ClassDef, method: ast.AST, itself: str, name: str) -> bool:
    """Return whether a method may read a global as an attribute of its instance, after the class declares the name.

    The global must never change, and an instance must not have another attribute of this name.

    Args:
        tree: the tree of the file.
        owner: the class.
        method: a method of the class.
        itself: the method's name for its instance.
        name: the name of the global.
    """
    statement = global_assignment(tree, name)
    if owner not in tree.body or statement is None or statement.lineno > owner.lineno:
        return False
    if owner.decorator_list or owner.keywords:
        return False
    if module_bindings(tree).get(name) != 1 or name in OF_MODULES or bound_times(method, itself) != 1:
        return False
    if may_be_computed(tree, name):
        return False
    for child in astwalk.mentions(tree).get(name, ()):
        if isinstance(child, ast.Attribute) and not isinstance(child.ctx, ast.Load):
            return False
        if isinstance(child, ast.Constant):
            return False  # `setattr(…, "NAME", …)` or `globals()["NAME"]` may change it
    below = derived(tree, owner)
    # In `class Sub(Mixin, Net)`, members of `Mixin` come before those of `Net`.
    beside = {base.id for each in below for base in each.bases if isinstance(base, ast.Name)} - {owner.name}
    others = [each for each in classes(tree).values() if each.name in beside and each not in below]
    above = (file_facts(tree).line(owner) or [owner])[1:]
    if any(class_constant(each, name) is False for each in above):
        return False
    return all(class_constant(each, name) is None for each in [*below, *others])


def other_reads(tree: ast.Module, owner: ast.ClassDef, node: ast.Name) -> list[ast.Name]:
    """Return where the methods of a class read the global that a node reads. Only methods count that may read it from
    the instance, and that have the same name for the instance as the node's method.
    """
    around = function_around(tree, node)
    itself = around.args.args[0].arg if around is not None and around.args.args else ""
    found: list[ast.Name] = []
    for method in owner.body:
        spec = method.args.args if isinstance(method, ast.FunctionDef) else []
        if (
            not isinstance(method, ast.FunctionDef)
            or method.decorator_list
            or [each.arg for each in spec[:1]] != [itself]
        ):
            continue
        if bound_times(method, node.id) or not can_be_read_from(tree, owner, method, itself, node.id):
            continue
        inside = [each for part in method.body for each in astwalk.walk(part)]
        found += [each for each in inside if isinstance(each, ast.Name) and each.id == node.id]
    return found


def is_set_by_name(tree: ast.Module, owner: ast.ClassDef, name: str) -> bool:
    """Return whether a file may set an attribute on instances of a class by a string, ``setattr(self, key, value)``."""
    facts = file_facts(tree)
    return facts.is_set_by_name(name, facts.related(owner))


@lru_cache(maxsize=1024)
def gives_value(text: str, name: str) -> bool:
    """Return whether a file may give a new value to a name that another file defines: by ``net._EPS = 1``, a method or
    class variable of this name, or a string. Return True if the text cannot be parsed.
    """
    if name not in text:
        return False
    try:
        tree = parse(text, "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    of_classes = [each for owner in astwalk.of_kind(tree, ast.ClassDef) for each in owner.body]
    if any(isinstance(each, ast.FunctionDef) and each.name == name for each in of_classes):
        return True
    return replaces(tree, name)


def replaces(tree: ast.Module, name: str) -> bool:
    """Return whether a file may replace a method or constant of a class: by ``net.log = …``, a class variable of this
    name, or a string.
    """
    of_classes = [each for owner in astwalk.of_kind(tree, ast.ClassDef) for each in owner.body]
    if any(isinstance(each, (ast.Assign, ast.AnnAssign)) and name in astwalk.bound(each) for each in of_classes):
        return True
    return any(
        isinstance(each, ast.Constant) or (isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load))
        for each in astwalk.mentions(tree).get(name, ())
    )


def class_constant(owner: ast.ClassDef, name: str) -> bool | None:
    """Return whether a class already declares a name as a constant: None if the name has no meaning in the class, False
    if it has another meaning there.
    """
    for statement in owner.body:
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and statement.target.id == name
        ):
            return "Final" in ast.unparse(statement.annotation)
        if isinstance(statement, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == name for t in statement.targets
        ):
            return False
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == name:
            return False
    for child in astwalk.walk(owner):
        if isinstance(child, ast.Attribute) and child.attr == name:
            return False
    return None
