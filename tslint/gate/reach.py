"""Finds the files with the code of a target, without running it.

Starting at the class or function that a target names, every mentioned definition is followed across files:
constructors, methods, base classes, decorators, functions, module-level values. That is more than the compiler
compiles, because the code that builds the module decides what is compiled. This file finds the definitions that a piece
of code mentions; :mod:`tslint.project.impact` computes what they reach together.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tslint.config import Target
from tslint.project.bindings import Binding
from tslint.project.definitions import GlobalValue, Module
from tslint.project.impact import reachable
from tslint.project.index import Project
from tslint.project.installed import Installed
from tslint.project.place import module_place, named_files
from tslint.util import astwalk
from tslint.verify.place import BadTarget, locate

# Functions and modules that find code by names which are only known at run time.
_DYNAMIC = frozenset(
    ["__import__", "importlib", "pkgutil", "eval", "exec", "runpy", "globals", "imp", "entry_points", "hydra"]
)
# Methods that read an entry of a table of classes or functions, and methods that add one.
_LOOKUPS = frozenset(["get", "build", "create", "make", "load", "instantiate", "pop", "values", "items"])
_MUTATIONS = frozenset(["append", "add", "update", "setdefault", "insert", "extend", "register"])
_HARMLESS = ("importlib.metadata", "importlib.resources")
_BARE = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Reach:
    """The code of a target.

    Args:
        files: the absolute and real paths of the files that contain its code.
        externals: the first parts of the names of modules that were not found in the project.
        unseen: why there may be more code; empty if there is not.
    """

    files: set[Path] = field(default_factory=set)
    externals: set[str] = field(default_factory=set)
    unseen: str = ""


def project_of(root: Path) -> Project:
    """Return an index for the search of targets, so that shared imports are parsed once."""
    return Project(installed=Installed([root, root / "src"], own=root))


def reach(target: Target, root: Path, project: Project | None = None) -> Reach:
    """Find the code of a target.

    Args:
        target: the configured target.
        root: the folder from which its module is imported; ``src`` below it is searched, too.
        project: from :func:`project_of`, if there are several targets.
    """
    found = Reach()
    try:
        place = locate(target.target, root)
    except BadTarget as error:
        found.unseen = str(error)
        return found
    project = project or project_of(root)
    path = place.file or next(filter(Path.is_file, named_files(place.module, root)), None)
    module = None if path is None else project.load(path)
    if path is None or module is None:
        found.unseen = f"{place.module} is {'not among the files' if path is None else 'a file that cannot be parsed'}"
        if path is not None:
            found.files.add(Path(os.path.realpath(path)))
        return found
    _Mentions(project, found).run(module, place.attribute.partition(".")[0])
    return found


_Piece = tuple[Module, ast.AST]


class _Mentions:
    """Finds the pieces of code that a piece of code mentions by name; each name is looked up once."""

    def __init__(self, project: Project, found: Reach) -> None:
        self.project = project
        self.found = found
        self.pieces: list[_Piece] = []
        self.seen: set[tuple[int, str]] = set()
        self.modules: dict[int, Module] = {}
        self.everything = False  # whether a table is filled in other places: then any imported module may add to it

    def run(self, module: Module, name: str) -> None:
        """Follow everything from a name of a module."""
        self.enter(module)
        if not self.name(module, name):
            self.unseen(module, f"where {name} is defined")
        reachable(self.pieces, self.mentioned)
        read = 0
        while self.everything and len(self.modules) > read:
            read = len(self.modules)
            whole: list[_Piece] = [(each, each.tree) for each in self.modules.values()]
            reachable(whole, self.mentioned)

    def mentioned(self, piece: _Piece) -> list[_Piece]:
        """Return the pieces of code that a piece of code mentions for the first time."""
        self.pieces = []
        # If some code cannot be found, the target counts as changed anyway, so nothing else is searched.
        if not self.found.unseen:
            self.node(*piece)
        return self.pieces

    def unseen(self, module: Module, what: str) -> None:
        self.found.unseen = self.found.unseen or f"{what} is not known from {module.source.path.name}"

    def enter(self, module: Module) -> None:
        """Follow the import of a module, which runs it and the packages around it."""
        if id(module) in self.modules:
            return
        self.modules[id(module)] = module
        self.found.files.add(Path(os.path.realpath(module.source.path)))
        self.pieces += [(module, statement) for statement in _with_side_effects(module.tree.body)]
        folder = module_place(module.source.path)[0]
        for package in module.source.path.parents:
            if package == folder or not package.is_relative_to(folder):
                break
            init = package / "__init__.py"
            if init != module.source.path and init.is_file():
                outer = self.project.load(init)
                if outer is None:
                    self.found.files.add(Path(os.path.realpath(init)))
                else:
                    self.enter(outer)

    def node(self, module: Module, node: ast.AST) -> None:
        """Follow everything that a piece of code mentions."""
        chained: set[int] = set()
        for each in astwalk.walk(node):
            if isinstance(each, (ast.Import, ast.ImportFrom)):
                for binding in _bindings(each):
                    self.binding(module, binding, ())
                continue
            if isinstance(each, ast.Subscript) and isinstance(each.value, (ast.Name, ast.Attribute)):
                self.table(module, each.value)
            elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in _LOOKUPS:
                self.table(module, each.func.value)
            if isinstance(each, ast.Attribute) and id(each) not in chained:
                names = _chain(each, chained)
                if names:
                    self.name(module, names[0], names[1:])
            elif isinstance(each, ast.Name) and id(each) not in chained:
                self.name(module, each.id)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.isidentifier():
                # A string that is a name: an annotation, or an argument of getattr().
                self.name(module, each.value)

    def table(self, module: Module, node: ast.expr) -> None:
        """Follow every imported module if code reads a module-level table that other code may also fill."""
        if isinstance(node, (ast.Name, ast.Attribute)) and not self.everything:
            value = self.project.resolve_expression(module, node)
            self.everything = isinstance(value, GlobalValue) and _is_filled(value)

    def name(self, module: Module, name: str, rest: Sequence[str] = ()) -> bool:
        """Follow ``name.rest`` in a module; return whether the name is bound there."""
        key = (id(module), ".".join((name, *rest)))
        if key in self.seen:
            return True
        self.seen.add(key)
        bindings = module.bindings.get(name, ())
        if not bindings:
            if name in _DYNAMIC:
                self.unseen(module, f"what {name}() finds")
            stars = [self.binding(module, star, (name, *rest)) for star in module.star_imports]
            return any(stars)
        for binding in bindings:
            self.binding(module, binding, rest)
        return True

    def binding(self, module: Module, binding: Binding, rest: Sequence[str]) -> bool:
        """Follow the binding of a name, and the attributes that are read from it; return whether it binds the name."""
        if binding.kind == "import":
            return self.module(module, binding.target, rest)
        if binding.kind == "from":
            target = module.absolute(binding) or ""
            if binding.attribute == "*":
                found = self.project.find_module(target, module) if target else None
                if found is None:
                    self.external(module, target)
                    return False
                self.enter(found)
                return bool(rest) and self.name(found, rest[0], rest[1:])
            return self.module(module, target, (binding.attribute or "", *rest))
        self.pieces.append((module, binding.node))
        return True

    def module(self, near: Module, name: str, rest: Sequence[str]) -> bool:
        """Follow attributes of a module, through its submodules; return True, because an import binds its name."""
        found = self.project.find_module(name, near) if name else None
        if found is None and rest:
            # The index does not know packages without an __init__.py.
            inner = self.project.find_module(f"{name}.{rest[0]}" if name else rest[0], near)
            if inner is not None:
                return self.module(near, inner.name, rest[1:])
        if found is None:
            self.external(near, ".".join((name, *rest)))
            return True
        self.enter(found)
        if not rest:
            # The module itself is passed on, or imported inside a function: any of its names may be used.
            self.whole(found)
        elif found is near or not self.name(found, rest[0], rest[1:]):
            # `from . import name` in a package's own __init__.py imports the submodule, whatever else the name refers
            # to.
            inner = self.project.find_module(f"{name}.{rest[0]}", near)
            if inner is not None:
                return self.module(near, inner.name, rest[1:])
            if found is near and self.name(found, rest[0], rest[1:]):
                return True
            # The name may be created by anything that the module does, or be a file that was deleted.
            self.external(near, name)
            self.whole(found)
        return True

    def whole(self, module: Module) -> None:
        """Follow everything in a module."""
        key = (id(module), "*")
        if key not in self.seen:
            self.seen.add(key)
            self.pieces.append((module, module.tree))

    def external(self, module: Module, name: str) -> None:
        first = name.partition(".")[0]
        if first in _DYNAMIC and not name.startswith(_HARMLESS):
            self.unseen(module, f"what {first} finds")
        elif first:
            self.found.externals.add(first)


def _with_side_effects(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module that may register or replace things: no definitions, imports or assignments."""
    for statement in body:
        if isinstance(statement, (ast.If, ast.Try)):
            parts = [statement.body, statement.orelse, getattr(statement, "finalbody", [])]
            parts += [handler.body for handler in getattr(statement, "handlers", [])]
            if not _is_main(statement):
                for part in parts:
                    yield from _with_side_effects(part)
        elif not isinstance(statement, (*_BARE, ast.Assign, ast.AnnAssign)):
            yield statement


def _is_filled(table: GlobalValue) -> bool:
    """Return whether a module-level table is created empty, returned by a call, or changed later."""
    value = table.value
    held = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", ())
    if held:
        return any(_changes(node, table.name) for node in astwalk.walk(table.module.tree))
    return not isinstance(value, (ast.Constant, ast.Tuple, ast.Lambda))


def _changes(node: ast.AST, name: str) -> bool:
    """Return whether a piece of code adds something to a table."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Store) and astwalk.is_name(node.value, name)
    return isinstance(node, ast.Attribute) and node.attr in _MUTATIONS and astwalk.is_name(node.value, name)


def _is_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test)
    )


def _bindings(node: ast.Import | ast.ImportFrom) -> Iterator[Binding]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield Binding("import", node, False, alias.name)
        else:
            yield Binding("from", node, False, node.module or "", alias.name, node.level)


def _chain(node: ast.Attribute, chained: set[int]) -> list[str]:
    """Return the names of ``a.b.c``; empty if it begins with something other than a name."""
    names: list[str] = []
    each: ast.expr = node
    while isinstance(each, ast.Attribute):
        names.append(each.attr)
        chained.add(id(each))
        each = each.value
    if isinstance(each, ast.Name):
        chained.add(id(each))
        return [each.id, *reversed(names)]
    return []
