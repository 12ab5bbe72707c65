"""Decides what code of a file may do through the functions that it calls: change a container, or read an attribute."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain
from typing import TypeGuard

from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk


def may_change(tree: ast.Module, code: Sequence[ast.AST], path: ast.AST) -> bool:
    """Return whether code, or a function of the file that it may call, may change or replace a container.

    Args:
        tree: the tree of the file.
        code: statements, for example a loop over the container.
        path: the container, such as ``self.layers``; the result is False if it is not an attribute.
    """
    if not isinstance(path, ast.Attribute):
        return False
    facts = file_facts(tree)
    changes: list[ast.AST] = [*facts.changes.get(path.attr, ())]
    changes += [each for each in astwalk.mentions(tree).get(path.attr, ()) if _is_stored(each, path.attr)]
    reached = set(_reached(tree, code)) if changes else ()
    return any(each in reached for change in changes for each in chain([change], astwalk.around(tree, change)))


def is_read_by_others(tree: ast.Module, owner: ast.ClassDef, function: ast.AST, name: str) -> bool:
    """Return whether compiled code outside a method may read an attribute that the method sets.

    Compiled code starts in each ``forward``, each function with a decorator, and each function that is passed to
    ``torch.jit.script`` or registered as a hook. It continues in the functions whose names this code mentions.

    Args:
        tree: the tree of the file.
        owner: the class of the method.
        function: the method.
        name: the attribute.
    """
    roots: list[ast.AST] = [each for each in astwalk.of_kind(tree, ast.FunctionDef) if each.decorator_list]
    for call in astwalk.of_kind(tree, ast.Call):
        called = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if called in ("getattr", "hasattr") and any(getattr(each, "value", None) == name for each in call.args):
            return True
        roots += call.args if called == "script" or called.startswith("register_forward") else []
    facts = file_facts(tree)
    related = facts.related(owner) if facts.line(owner) is not None else None
    reads = [each for each in astwalk.mentions(tree).get(name, ()) if _is_read(each)]
    others = set(_reached(tree, roots)) - {function} if reads else ()
    return any(
        part in others and not astwalk.is_name(read.value, _itself(tree, part, related))
        for read in reads
        for part in chain([read], astwalk.around(tree, read))
    )


def _itself(tree: ast.Module, part: ast.AST, related: Sequence[ast.ClassDef] | None) -> str:
    """Return the name of the instance in a method of an unrelated class, because attributes of that instance are
    different ones; empty for all other code.
    """
    kind = astwalk.parents(tree).get(part)
    if not isinstance(kind, ast.ClassDef) or related is None or any(kind is each for each in related):
        return ""
    return part.args.args[0].arg if isinstance(part, ast.FunctionDef) and part.args.args else ""


def _is_read(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)


def _is_stored(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load)


def _reached(tree: ast.Module, code: Sequence[ast.AST]) -> list[ast.AST]:
    """Return the code, all functions of the file that it names, and those that these functions name. A module that the
    code calls may have any ``forward`` of the file. Constructors are left out, because they change new instances.
    """
    functions = _by_name(tree)
    found: list[ast.AST] = [*code, *functions.get("forward", ())]
    names = {"__init__", "forward"}
    for part in found:
        new = _mentioned(part) - names
        found += [each for name in new for each in functions.get(name, ())]
        names |= new
    return found


@astwalk.kept
def _mentioned(part: ast.AST) -> frozenset[str]:
    return frozenset(getattr(each, "attr", getattr(each, "id", "")) for each in astwalk.walk(part))


@astwalk.kept
def _by_name(tree: ast.Module) -> dict[str, list[ast.FunctionDef]]:
    found: dict[str, list[ast.FunctionDef]] = {}
    for each in astwalk.of_kind(tree, ast.FunctionDef):
        found.setdefault(each.name, []).append(each)
    return found
