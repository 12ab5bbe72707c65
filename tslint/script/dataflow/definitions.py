"""Lists the classes and functions of a file, and which classes inherit from which."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Definitions:
    """The definitions of one file.

    Args:
        tree: the file.
    """

    tree: ast.Module
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    functions: dict[str, FunctionNode] = field(default_factory=dict)
    owners: dict[int, ast.ClassDef] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    _bases: dict[ast.ClassDef, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for statement in self.tree.body:
            if isinstance(statement, ast.ClassDef):
                self.classes[statement.name] = statement
            elif isinstance(statement, FunctionNode):
                self.functions[statement.name] = statement
        for owner in self.classes.values():
            for item in owner.body:
                if isinstance(item, FunctionNode):
                    self.owners[id(item)] = owner
                    self.defined.add(item.name)

    def bases(self, node: ast.ClassDef) -> set[str]:
        """Return the classes of this file from which a class inherits."""
        if node in self._bases:
            return self._bases[node]
        found = self._bases[node] = set()
        pending = [node]
        while pending:
            for base in pending.pop().bases:
                if isinstance(base, ast.Name) and base.id in self.classes and base.id not in found:
                    found.add(base.id)
                    pending.append(self.classes[base.id])
        return found

    def inherits(self, node: ast.ClassDef, owner: ast.ClassDef) -> bool:
        """Return whether a class is the given owner, or inherits from it."""
        return node is owner or owner.name in self.bases(node)

    def family(self, owner: ast.ClassDef | None) -> str:
        """Return the name of a class's outermost base in this file, else its own: one name for shared attributes."""
        name = owner.name if owner is not None else ""
        while owner is not None:
            base = next((b.id for b in owner.bases if isinstance(b, ast.Name) and b.id in self.classes), None)
            if base is None or base == name:
                break
            name, owner = base, self.classes[base]
            if name in self.bases(owner):
                break
        return name


def defaults_of(function: FunctionNode) -> dict[str, ast.expr]:
    """Return the defaults of a function, by the names of its parameters."""
    spec = function.args
    names = [*spec.posonlyargs, *spec.args]
    pairs = list(zip(names[len(names) - len(spec.defaults) :], spec.defaults))
    pairs += [(name, default) for name, default in zip(spec.kwonlyargs, spec.kw_defaults) if default is not None]
    return {name.arg: default for name, default in pairs}


def default_of(function: FunctionNode, name: str) -> ast.expr | None:
    """Return a parameter's default; None if it has none."""
    return defaults_of(function).get(name)
