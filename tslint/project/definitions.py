"""Represents an indexed module and the definitions of its names, as far as its own source shows them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from tslint.project.bindings import Binding, bound
from tslint.project.place import package_above
from tslint.sources.file import SourceFile
from tslint.util import astwalk
from tslint.util.record import record

# Statements that most modules do not contain: the text is searched for them before the tree is walked. A word boundary
# in front of them would make the search ten times slower.
STAR_IMPORT = re.compile(r"import[\s\\]*\*")
_GLOBAL = re.compile(r"global[\s\\]")
# ``script``, ``jit_script``, ``script_if_tracing``; not ``is_scripting``, which every other module file contains.
_SCRIPT = re.compile(r"(?<![A-Za-z])script(?![a-z])")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Captured: TypeAlias = tuple[tuple[str, ast.Constant], ...]


@record(eq=False)
class Function:
    """A ``def`` at module level, in a class, or inside another function.

    Args:
        owner: the class whose body contains it.
        outer: the function that contains it, if it is a closure.
        captured: the constants that the call of ``outer`` which made the closure passes, by parameter.
    """

    module: Module
    node: FunctionNode
    qualname: str
    owner: Class | None = None
    outer: Function | None = None
    captured: Captured = ()

    @property
    def name(self) -> str:
        """Return the name without the scopes around it."""
        return self.node.name


@record(eq=False)
class Class:
    """A ``class`` statement.

    Args:
        outer: the function that contains it, whose variables its methods see.
    """

    module: Module
    node: ast.ClassDef
    qualname: str
    outer: Function | None = None

    @property
    def name(self) -> str:
        """Return the name without the scopes around it."""
        return self.node.name


@record
class External:
    """Something outside the indexed source, by its full name: ``torch.nn.Linear``, ``numpy`` …"""

    name: str


@record(eq=False)
class ModuleRef:
    """A module of the project itself, bound to a name by an import."""

    module: Module


@record(eq=False)
class GlobalValue:
    """A module-level variable.

    Args:
        value: the assigned value; None if there is not exactly one plain assignment.
        rebound: whether it is assigned more than once, conditionally, or by a ``global`` statement, so that its value
            is not known.
        type_name: the Python type of the assigned values, if all have the same; otherwise empty.
    """

    module: Module
    name: str
    value: ast.expr | None
    rebound: bool = False
    type_name: str = ""


@record
class Ambiguous:
    """A name with several bindings (``try: import a except ImportError: a = None``), whose value is not known.

    Args:
        options: the classes, if each binding is a class of the project: the name refers to one of them.
    """

    options: tuple[Class, ...] = ()


@record
class Undefined:
    """A name that does not exist in a module whose names are all known."""


Definition = Function | Class | External | ModuleRef | GlobalValue | Ambiguous | Undefined
AMBIGUOUS, UNDEFINED = Ambiguous(), Undefined()


class Module:
    """An indexed module.

    Args:
        source: the file.
        tree: its ``ast``.
        name: its dotted name, as an import would spell it; the stem for a file outside packages.
        package: the dotted name of the package where relative imports start.
    """

    def __init__(self, source: SourceFile, tree: ast.Module, name: str, package: str) -> None:
        self.source = source
        self.tree = tree
        self.name = name
        self.package = package
        self._functions: dict[tuple[object, ...], Function] = {}
        self._classes: dict[int, Class] = {}

    @property
    def filename(self) -> str:
        """Return the absolute path."""
        return str(self.source.path)

    @cached_property
    def bindings(self) -> dict[str, list[Binding]]:
        """Return the bindings of every module-level name, in order."""
        table: dict[str, list[Binding]] = {}
        for name, binding in bound(self.tree.body):
            table.setdefault(name, []).append(binding)
        for name in self.global_names:
            if name in table:
                table[name].append(Binding("other", self.tree, True))
        return table

    def only_for_type_checkers(self, name: str) -> bool:
        """Return whether a name is only bound under ``if TYPE_CHECKING:``, and does not exist at run time."""
        bindings = self.bindings.get(name, ())
        return bool(bindings) and all(each.type_checking for each in bindings) and not self.star_imports

    @cached_property
    def postponed_annotations(self) -> bool:
        """Return whether annotations stay strings (``from __future__ import annotations``)."""
        return any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(a.name == "annotations" for a in node.names)
            for node in self.tree.body
        )

    def absolute(self, binding: Binding) -> str | None:
        """Return the full name of the module that a ``from`` import names; None if it is outside all packages."""
        if not binding.level:
            return binding.target
        parts = self.package.split(".") if self.package else []
        keep = len(parts) - (binding.level - 1)
        above = parts[:keep] if keep >= 0 else package_above(self.source.path, binding.level)
        return None if above is None else ".".join([*above, *([binding.target] if binding.target else [])])

    def mentions(self, name: str) -> list[ast.AST]:
        """Return the ``ast.Name`` and ``ast.Attribute`` nodes of a name, anywhere in the module."""
        # Most lookups find nothing, and searching the text shows that faster than the tree.
        known = astwalk.mentions(self.tree).get(name, []) if name in self.source.text else []
        return [node for node in known if isinstance(node, (ast.Name, ast.Attribute))]

    @cached_property
    def says_overload(self) -> bool:
        """Return whether the text of the module contains the word ``overload``, so that it may use
        ``torch.jit._overload``.
        """
        return "overload" in self.source.text

    @cached_property
    def says_script(self) -> bool:
        """Return whether the text of the module mentions ``torch.jit.script``, or a function with a similar name."""
        return _SCRIPT.search(self.source.text) is not None

    @cached_property
    def star_imports(self) -> list[Binding]:
        """Return the ``from x import *`` statements."""
        # The text of most modules shows that they have none, so that their trees need not be walked.
        if STAR_IMPORT.search(self.source.text) is None:
            return []
        return [
            Binding("from", node, False, node.module or "", "*", node.level)
            for node in astwalk.of_kind(self.tree, ast.ImportFrom)
            if node.names[0].name == "*"
        ]

    @cached_property
    def global_names(self) -> set[str]:
        """Return the names that functions of the module rebind with ``global``."""
        if _GLOBAL.search(self.source.text) is None:
            return set()
        return {name for node in astwalk.of_kind(self.tree, ast.Global) for name in node.names}

    def function(
        self,
        node: FunctionNode,
        owner: Class | None = None,
        prefix: str = "",
        outer: Function | None = None,
        captured: Captured = (),
    ) -> Function:
        """Return the record of a function node; each node has only one for the same captured constants."""
        key = id(node), *((name, type(each.value), each.value) for name, each in captured)
        if key not in self._functions:
            scope = f"{owner.qualname}." if owner else prefix
            outer = outer or (owner.outer if owner is not None else None)
            self._functions[key] = Function(self, node, scope + node.name, owner, outer, captured)
        return self._functions[key]

    def class_(self, node: ast.ClassDef, outer: Function | None = None) -> Class:
        """Return the record of a class node; each node has only one."""
        known = self._classes.get(id(node))
        if known is None or (known.outer is None and outer is not None):
            prefix = f"{outer.qualname}.<locals>." if outer is not None else ""
            self._classes[id(node)] = Class(self, node, prefix + node.name, outer)
        return self._classes[id(node)]

    def member_class(self, owner: Class, name: str) -> Class | None:
        """Return the class that the body of a class defines under a name; None if the body binds the name again, or if
        a base may be another class of the body.
        """
        body = [*bound(owner.node.body)]
        found = [binding.node for each, binding in body if each == name]
        node = found[0] if len(found) == 1 else None
        if not isinstance(node, ast.ClassDef) or node not in owner.node.body or not _is_itself(node):
            return None
        bases = {each.id for base in node.bases for each in astwalk.walk(base) if isinstance(each, ast.Name)}
        if any(each in bases for each, _ in body):
            return None
        if id(node) not in self._classes:
            self._classes[id(node)] = Class(self, node, f"{owner.qualname}.{name}", owner.outer)
        return self._classes[id(node)]

    def classes(self) -> Iterable[Class]:
        """Return the classes at module level, conditional ones included, and those that their bodies define."""
        for bindings in self.bindings.values():
            for binding in bindings:
                if isinstance(binding.node, ast.ClassDef):
                    yield from self._with_members(self.class_(binding.node))

    def _with_members(self, definition: Class) -> Iterable[Class]:
        yield definition
        for node in definition.node.body:
            inner = self.member_class(definition, node.name) if isinstance(node, ast.ClassDef) else None
            if inner is not None:
                yield from self._with_members(inner)

    def functions(self) -> Iterable[Function]:
        """Return the functions at module level, conditional ones included."""
        for bindings in self.bindings.values():
            for binding in bindings:
                if isinstance(binding.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield self.function(binding.node)


def _is_itself(node: ast.ClassDef) -> bool:
    """Return whether the name of a nested class refers to the class: a decorator may return something else."""
    return all(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)
