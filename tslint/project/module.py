"""One indexed module: its source, its ``ast``, and what its top-level names are bound to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property

from tslint import walking
from tslint.project.definitions import Binding, Class, Function
from tslint.sources.file import SourceFile

# Statements that most modules do not have: looked for in the text before their trees are walked.
_STAR = re.compile(r"\bimport[\s\\]*\*")
_GLOBAL = re.compile(r"\bglobal[\s\\]")


class Module:
    """An indexed module.

    Args:
        source: the file.
        tree: its ``ast``.
        name: dotted, as an import would spell it; the stem for a file outside packages.
        package: dotted name of the package that relative imports start from.
    """

    def __init__(self, source: SourceFile, tree: ast.Module, name: str, package: str) -> None:
        self.source = source
        self.tree = tree
        self.name = name
        self.package = package
        self._functions: dict[int, Function] = {}
        self._classes: dict[int, Class] = {}

    @property
    def filename(self) -> str:
        """Absolute path."""
        return str(self.source.path)

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """What every module-level name is bound to, in order."""
        table: dict[str, list[Binding]] = {}
        self._collect(self.tree.body, False, table)
        for name in self.global_names:
            if name in table:
                table[name].append(Binding("other", self.tree, True))
        return table

    @cached_property
    def postponed_annotations(self) -> bool:
        """Whether annotations stay strings (``from __future__ import annotations``)."""
        return any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(a.name == "annotations" for a in node.names)
            for node in self.tree.body
        )

    @cached_property
    def _mentioned(self) -> dict[str, list[ast.AST]]:
        found: dict[str, list[ast.AST]] = {}
        for node in walking.walk(self.tree):
            if isinstance(node, ast.Name):
                found.setdefault(node.id, []).append(node)
            elif isinstance(node, ast.Attribute):
                found.setdefault(node.attr, []).append(node)
        return found

    def mentions(self, name: str) -> list[ast.AST]:
        """The names and attributes that read so, anywhere in the module."""
        # Most are asked for what they do not hold: their text says so, without a walk.
        return self._mentioned.get(name, []) if name in self.source.text else []

    @cached_property
    def says_overload(self) -> bool:
        """Whether anything can be declared ``torch.jit._overload`` here."""
        return "overload" in self.source.text

    @cached_property
    def star_imports(self) -> list[Binding]:
        """``from x import *`` statements."""
        # Most modules have none, and are imported for one class: not worth a walk.
        if _STAR.search(self.source.text) is None:
            return []
        return [
            Binding("from", node, False, node.module or "", "*", node.level)
            for node in walking.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        ]

    @cached_property
    def global_names(self) -> set[str]:
        """Names that some function of the module rebinds with ``global``."""
        if _GLOBAL.search(self.source.text) is None:
            return set()
        return {name for node in walking.walk(self.tree) if isinstance(node, ast.Global) for name in node.names}

    def function(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        owner: Class | None = None,
        prefix: str = "",
        outer: Function | None = None,
    ) -> Function:
        """The one record of a function node."""
        if id(node) not in self._functions:
            scope = f"{owner.qualname}." if owner else prefix
            self._functions[id(node)] = Function(self, node, scope + node.name, owner, outer)
        return self._functions[id(node)]

    def class_(self, node: ast.ClassDef, prefix: str = "") -> Class:
        """The one record of a class node."""
        if id(node) not in self._classes:
            self._classes[id(node)] = Class(self, node, prefix + node.name)
        return self._classes[id(node)]

    def classes(self) -> Iterable[Class]:
        """The classes at module level, conditional ones included."""
        for bindings in self.bindings.values():
            for binding in bindings:
                if isinstance(binding.node, ast.ClassDef):
                    yield self.class_(binding.node)

    def functions(self) -> Iterable[Function]:
        """The functions at module level, conditional ones included."""
        for bindings in self.bindings.values():
            for binding in bindings:
                if isinstance(binding.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield self.function(binding.node)

    def _collect(self, body: Iterable[ast.stmt], conditional: bool, table: dict[str, list[Binding]]) -> None:
        def bind(name: str, binding: Binding) -> None:
            table.setdefault(name, []).append(binding)

        pending: list[tuple[ast.stmt, bool]] = [(statement, conditional) for statement in body]
        pending.reverse()
        while pending:
            statement, branch = pending.pop()
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                bind(statement.name, Binding("function", statement, branch))
            elif isinstance(statement, ast.ClassDef):
                bind(statement.name, Binding("class", statement, branch))
            elif isinstance(statement, ast.Import):
                for alias in statement.names:
                    name = alias.asname or alias.name.split(".")[0]
                    target = alias.name if alias.asname else alias.name.split(".")[0]
                    bind(name, Binding("import", statement, branch, target))
            elif isinstance(statement, ast.ImportFrom):
                for alias in statement.names:
                    if alias.name != "*":
                        source = statement.module or ""
                        bind(
                            alias.asname or alias.name,
                            Binding("from", statement, branch, source, alias.name, statement.level),
                        )
            elif isinstance(statement, ast.Assign):
                plain = len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
                for assigned in statement.targets:
                    for name_node in walking.walk(assigned):
                        if isinstance(name_node, ast.Name) and isinstance(name_node.ctx, ast.Store):
                            direct = plain or isinstance(assigned, ast.Name)
                            bind(
                                name_node.id,
                                Binding("value", statement, branch, value=statement.value if direct else None),
                            )
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                if statement.value is not None:
                    bind(statement.target.id, Binding("value", statement, branch, value=statement.value))
            else:
                names: list[ast.AST] = []
                if isinstance(statement, (ast.For, ast.AsyncFor)):
                    names = [statement.target]
                elif isinstance(statement, (ast.With, ast.AsyncWith)):
                    names = [item.optional_vars for item in statement.items if item.optional_vars]
                elif isinstance(statement, ast.AugAssign):
                    names = [statement.target]
                elif isinstance(statement, ast.Delete):
                    names = list(statement.targets)
                for target_node in names:
                    for name_node in walking.walk(target_node):
                        if isinstance(name_node, ast.Name):
                            bind(name_node.id, Binding("other", statement, True))
                inner: list[tuple[ast.stmt, bool]] = []
                always = isinstance(statement, (ast.With, ast.AsyncWith))
                for field in ("body", "orelse", "finalbody"):
                    inner += [
                        (child, branch or not always)
                        for child in getattr(statement, field, [])
                        if isinstance(child, ast.stmt)
                    ]
                for handler in getattr(statement, "handlers", []):
                    inner += [(child, True) for child in handler.body]
                pending += reversed(inner)
