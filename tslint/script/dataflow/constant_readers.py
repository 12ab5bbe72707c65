"""Finds the compiled code that reads a global of its file, and decides whether an instance can provide the value."""

from __future__ import annotations

import ast

from tslint.script.dataflow.class_annotations import constant_type
from tslint.script.dataflow.constants import can_be_read_from, class_constant, global_assignment
from tslint.script.dataflow.inheritance import is_plain_module, outer_bases
from tslint.script.dataflow.scopes import is_static
from tslint.script.dataflow.sequence_reads import is_only_read
from tslint.util import astwalk

_Reader = tuple[ast.ClassDef | None, ast.AST]


def all_have_instances(tree: ast.Module, name: str) -> bool:
    """Return whether ``self.NAME`` can replace a global ``NAME`` in all functions that read it.

    Each of them must be a method whose class has, or can declare, a constant of this name.
    """
    return all(
        _has_instance(tree, owner, reader, name)
        for owner, reader in _readers(tree)
        if any(astwalk.is_name(node, name) for node in astwalk.walk(reader))
    )


def can_declare(owner: ast.ClassDef, name: str) -> bool | None:
    """Return True if a class has a constant of a name, None if it can declare one, and False if it cannot."""
    known = class_constant(owner, name)
    # The annotations of a subclass hide those of its bases from the compiler.
    return known if known is not None or is_plain_module(owner) else False


def is_constant_sequence(tree: ast.Module, name: str) -> bool:
    """Return whether a global is a list or tuple of literals of one type, which all functions only read.

    In compiled code, a list in a constant of a class becomes a tuple, which cannot be changed.
    """
    value = getattr(global_assignment(tree, name), "value", None)
    kinds = {constant_type(each) for each in value.elts} if isinstance(value, (ast.List, ast.Tuple)) else set()
    if len(kinds) != 1 or kinds <= {"", None}:
        return False
    functions = [each for each in astwalk.of_kind(tree, ast.FunctionDef) if name in astwalk.mentions(each)]
    return all(is_only_read(tree, each, name) for each in functions)


def _has_instance(tree: ast.Module, owner: ast.ClassDef | None, reader: ast.AST, name: str) -> bool:
    if owner is None or not isinstance(reader, ast.FunctionDef) or not reader.args.args or is_static(reader):
        return False
    itself = reader.args.args[0].arg
    return can_declare(owner, name) is not False and can_be_read_from(tree, owner, reader, itself, name)


@astwalk.kept
def _readers(tree: ast.Module) -> list[_Reader]:
    """Return the functions of a file that may be compiled: methods of modules except ``__init__``, functions with a
    decorator, and functions that these or the code at the top level mention.
    """
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    found: list[_Reader] = []
    pending: list[ast.AST] = []
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            if any(base.endswith("Module") for base in outer_bases(tree, each)):
                found += [
                    (each, item) for item in each.body if isinstance(item, ast.FunctionDef) and item.name != "__init__"
                ]
        elif not isinstance(each, ast.FunctionDef) or each.decorator_list:
            pending.append(each)
    pending += [reader for _, reader in found]
    done: set[str] = set()
    while pending:
        named = {node.id for node in astwalk.walk(pending.pop()) if isinstance(node, ast.Name)} & functions.keys()
        pending += [functions[name] for name in named - done]
        done |= named
    decorated = {name for name, each in functions.items() if each.decorator_list}
    return [*found, *((None, functions[name]) for name in done | decorated)]
