"""Decides which classes are modules, even if the package of a base class cannot be read."""

from __future__ import annotations

import ast
import re
import sys

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External
from tslint.script.operators.tables import module_base
from tslint.util import astwalk

# Packages of which it is known which classes are modules.
_READ = frozenset(["torch", "numpy", "builtins", "typing_extensions", *sys.stdlib_module_names])
# Methods of nn.Module that a class calls on itself.
_OWN_CALLS = frozenset(
    "register_buffer register_parameter add_module register_module parameters named_parameters buffers named_buffers"
    " modules named_modules children named_children".split()
)
_IMPORTS_TORCH = re.compile(r"^\s*(import|from)\s+torch\b", re.MULTILINE)


def is_module_class(hierarchy: Hierarchy) -> bool:
    """Return whether a class derives from ``torch.nn.Module``, or from another class of torch.nn. If a base is in a
    package that cannot be read, the code of the class decides.
    """
    return any(_is_module(base.name) or module_base(base.name) for base in hierarchy.externals) or (
        only_unread(hierarchy) and _must_be_module(hierarchy)
    )


def only_unread(hierarchy: Hierarchy) -> bool:
    """Return whether a class has a base in a package that cannot be read, and no base in torch.nn."""
    names = [base.name for base in hierarchy.externals]
    return any(name.partition(".")[0] not in _READ for name in names) and not any(map(_is_module, names))


def _is_module(name: str) -> bool:
    if name.rpartition(".")[2] in ("Parameter", "Buffer"):
        return False
    last = name.rpartition(".")[2].lstrip("_")
    return name == "torch.nn.Module" or (name.startswith("torch.nn.") and last[:1].isupper())


def _must_be_module(hierarchy: Hierarchy) -> bool:
    """Return whether a class must be a module: it has a ``forward``, which takes tensors, or its methods store modules
    of torch or call methods that only modules have.
    """
    member = hierarchy.members.get("forward")
    function = member.function if member is not None else None
    if function is None or function.owner is None or not function.node.args.args:
        return False
    if any(isinstance(mark, ast.Name) and mark.id.endswith("method") for mark in function.node.decorator_list):
        return False
    spec = function.node.args
    taken = [argument.annotation for argument in spec.args if argument.annotation is not None]
    if any(_names(hierarchy, function.owner, part, "torch.Tensor") for each in taken for part in astwalk.walk(each)):
        return True
    owners = [each for each in hierarchy.mro if isinstance(each, Class)]
    return any(
        _shows_module(hierarchy, owner, node, method.args.args[0].arg)
        for owner in owners
        if _IMPORTS_TORCH.search(owner.module.source.text)
        for method in owner.node.body
        if isinstance(method, ast.FunctionDef) and method.args.args
        for node in astwalk.walk(method)
    )


def _names(hierarchy: Hierarchy, owner: Class, node: ast.AST, name: str) -> bool:
    if not isinstance(node, (ast.Name, ast.Attribute)):
        return False
    found = hierarchy.project.resolve_expression(owner.module, node)
    return isinstance(found, External) and found.name == name


def _shows_module(hierarchy: Hierarchy, owner: Class, node: ast.AST, own: str) -> bool:
    """Return whether a node is ``self.x = nn.Linear(…)``, ``self.register_buffer(…)`` or similar; ``own`` is the name
    of ``self`` in the method.
    """
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OWN_CALLS:
        return astwalk.is_name(node.func.value, own)
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    target, made = node.targets[0], node.value.func
    if not isinstance(target, ast.Attribute) or not astwalk.is_name(target.value, own):
        return False
    found = hierarchy.project.resolve_expression(owner.module, made)
    return isinstance(found, External) and _is_module(found.name)
