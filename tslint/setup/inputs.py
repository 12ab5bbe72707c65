"""Finds the example inputs of a ``torch.jit.trace`` call, if they only depend on torch."""

from __future__ import annotations

import ast
from copy import deepcopy

from tslint.project.definitions import External, GlobalValue, Module
from tslint.project.index import Project
from tslint.script.constructed import Scope, is_local, only_value

_LONGEST = 200
_DEPTH = 5
# Expressions that bind names, or do more than compute, are rejected.
_REFUSED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Await, ast.Yield,
            ast.YieldFrom)  # fmt: skip


def example_inputs(project: Project, module: Module, node: ast.expr, scope: Scope) -> str | None:
    """Return the inputs as the setting ``inputs`` of a target; None if they depend on more than torch, or are long.

    Args:
        project: resolves names.
        module: the module that contains the call.
        node: the example inputs of the tracer.
        scope: the function that contains the call.
    """
    found = _Reader(project, module, scope).read(node, 0)
    if found is None:
        return None
    text = ast.unparse(ast.fix_missing_locations(found))
    return text if len(text) <= _LONGEST else None


class _Reader:
    def __init__(self, project: Project, module: Module, scope: Scope) -> None:
        self.project = project
        self.module = module
        self.scope = scope

    def read(self, node: ast.expr, depth: int) -> ast.expr | None:
        """Return the expression with every variable replaced by its value; None if a value is not known."""
        if depth > _DEPTH or any(isinstance(each, _REFUSED) for each in ast.walk(node)):
            return None
        replacer = _Replacer(self, depth)
        new = replacer.visit(deepcopy(node))
        return new if isinstance(new, ast.expr) and not replacer.failed else None

    def name(self, node: ast.Name, depth: int) -> ast.expr | None:
        """Return the expression for a name: its value, or its full name if it is imported from torch; or None."""
        if self.scope is not None and is_local(self.scope, node.id):
            value = only_value(self.scope, node.id)
            return None if value is None else self.read(value, depth + 1)
        found = self.project.resolve(self.module, node.id)
        if isinstance(found, External):
            root, _, builtin = found.name.partition(".")
            if root == "torch":
                return ast.parse(found.name, mode="eval").body
            return (
                node if root == "builtins" and builtin in ("int", "float", "bool", "range", "list", "tuple") else None
            )
        if isinstance(found, GlobalValue) and found.value is not None and not found.rebound:
            if found.module is self.module and len(self.module.bindings.get(found.name, ())) == 1:
                return _Reader(self.project, self.module, None).read(found.value, depth + 1)
        return None


class _Replacer(ast.NodeTransformer):
    def __init__(self, reader: _Reader, depth: int) -> None:
        self.reader = reader
        self.depth = depth
        self.failed = False

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name by its value."""
        found = self.reader.name(node, self.depth)
        if found is None:
            self.failed = True
            return node
        return found
