"""The project index: checked files and the files that they import, parsed once and resolved by name."""

from __future__ import annotations

import ast
import builtins
import typing
from collections.abc import Iterable, MutableMapping
from pathlib import Path

from tslint.project.bindings import Binding, bound, has_fallbacks, is_own_module, replaces
from tslint.project.by_flow import by_flow
from tslint.project.closures import returned_function
from tslint.project.definitions import (
    AMBIGUOUS,
    UNDEFINED,
    Ambiguous,
    Class,
    Definition,
    External,
    Function,
    GlobalValue,
    Module,
    ModuleRef,
)
from tslint.project.installed import Installed
from tslint.project.place import candidates, module_place
from tslint.project.star_imports import StarImports
from tslint.project.trees import KNOWN, parse
from tslint.project.unparsed import Unparsed
from tslint.sources import reading
from tslint.sources.digest import UNREADABLE, digest
from tslint.sources.file import SourceFile, UnreadableSource
from tslint.util import astwalk

_BUILTINS = frozenset(dir(builtins))
_DEPTH = 40


class Project:
    """The index of the checked files and of what they import.

    Args:
        installed: the packages that are searched if the project has no such module.
        unsaved: files whose text differs from the one on disk.
        warm: modules of earlier projects, which are reused if their text is the same; those of this project are added.
    """

    def __init__(
        self,
        unsaved: Iterable[SourceFile] = (),
        warm: MutableMapping[Path, Module] | None = None,
        installed: Installed | None = None,
    ) -> None:
        self.installed = installed or Installed()
        self.imports: dict[Path, set[Path]] = {}
        """By file, the files that were read because of it."""
        self.lookups: dict[Path, dict[str, Path | None]] = {}
        """By file, the modules that were looked for because of it, and the files that were found for them."""
        self.others: dict[Path, str] = {}
        """The digests of the files that were read from the disk."""
        self._taken: dict[tuple[Path, str], Path | None] = {}
        self._stars = StarImports(self._parsed, self.find_module)
        self._unsaved = {source.path: source for source in unsaved}
        self._texts = Unparsed(self._unparsed, self._candidate, self._found)
        self._read_only: dict[Path, bytes] = {}
        """Files that have been read, but not parsed."""
        self.lines: dict[int, tuple[Class, list[Class | External], bool]] = {}
        """By the ``id`` of a class: the class, its bases in order, and whether some of them are unknown."""
        self._warm: MutableMapping[Path, Module] = {} if warm is None else warm
        self._roots: dict[Path, Path] = {}
        self._by_path: dict[Path, Module | None] = {}
        self._by_name: dict[tuple[Path, str], Module | None] = {}
        self._resolved: dict[tuple[Module, str], Definition] = {}
        self._meant: dict[tuple[Module, ast.expr], Definition] = {}
        self._cut_short = 0
        self._trees: set[ast.Module] = set()

    def add(self, source: SourceFile) -> Module:
        """Index a file.

        Raises:
            SyntaxError, ValueError, RecursionError, MemoryError: the file cannot be parsed.
        """
        folder, name, package = module_place(source.path)
        known = self._warm.get(source.path)
        if known is not None and (known.name, known.package, known.source) == (name, package, source):
            module = known
        else:
            module = Module(source, self._tree(source), name, package)
            self._warm[source.path] = module
        if self._by_path.get(source.path) not in (None, module):
            self._resolved.clear()
            self._meant.clear()
            self._stars.forget()
        self._by_path[source.path] = module
        self._by_name[folder, name] = module
        return module

    def release(self) -> None:
        """Free the memory of a project that is not used any more, without waiting for Python's garbage collector."""
        for module in self._by_path.values():
            if module is not None:
                if module.source.text not in KNOWN:
                    astwalk.forget(module.tree)
                vars(module).clear()
        vars(self).clear()

    def _tree(self, source: SourceFile) -> ast.Module:
        known = KNOWN.get(source.text)
        if known is None or known in self._trees:  # two files with the same text need different nodes
            return parse(source.text, str(source.path))
        self._trees.add(known)
        return known

    def _load(self, path: Path) -> Module | None:
        if path not in self._by_path:
            self._by_path[path] = None
            try:
                data = self._read_only.pop(path, None)
                unsaved = self._unsaved.get(path)
                self.add(unsaved or reading.decode(path, self._read(path) if data is None else data))
            except (UnreadableSource, SyntaxError, ValueError, RecursionError, MemoryError):
                return None
        return self._by_path[path]

    def _read(self, path: Path) -> bytes:
        self.others[path] = UNREADABLE
        try:
            with open(path, "rb", buffering=0) as file:
                data = file.readall()
        except OSError as error:
            raise UnreadableSource(str(error)) from error
        self.others[path] = digest(data)
        return data

    def has(self, path: Path) -> bool:
        """Return whether a file with this path has been added, even if it could not be parsed."""
        return path in self._by_path

    def load(self, path: Path) -> Module | None:
        """Return the module of a file, which is read if needed; None if it cannot be parsed."""
        return self._load(path)

    def find_module(self, name: str, near: Module) -> Module | None:
        """Return the module that an import of a dotted name finds in ``near``; None if no source of it can be parsed.

        Never return a module of torch, even if torch's own files are checked: the operator tables describe it.
        """
        if name.partition(".")[0] == "torch":
            return None
        path = near.source.path
        asked = self.lookups.setdefault(path, {})
        asked[name] = None
        for folder in self._folders(near, name):
            key = (folder, name)
            taken = self._candidate(key)
            if taken is not None:
                if key not in self._by_name:
                    self._by_name[key] = None
                    self._by_name[key] = self._load(taken)
                found = self._by_name[key]
                # A module that cannot be parsed hides modules of the same name in other folders.
                asked[name] = taken
                if found is not None:
                    self.imports.setdefault(path, set()).add(taken)
                return found
        return None

    def _folders(self, near: Module, name: str) -> Iterable[Path]:
        path = near.source.path
        if path not in self._roots:
            self._roots[path] = module_place(path)[0]
        return self.installed.import_folders(self._roots[path], name)

    def _candidate(self, key: tuple[Path, str]) -> Path | None:
        """Return the file of a dotted name below a folder."""
        if key not in self._taken:
            found = (
                each
                for each in candidates(*key)
                if each in self._by_path or each in self._unsaved or each in self._read_only or each.is_file()
            )
            self._taken[key] = next(found, None)
        return self._taken[key]

    def _path_of(self, name: str, near: Module) -> Path | None:
        """Return the file of a dotted name, without reading it."""
        return next(filter(None, (self._candidate((folder, name)) for folder in self._folders(near, name))), None)

    def _may_bind(self, target: str, name: str, near: Module) -> bool:
        """Return whether a module may have a name at its top level, according to its text.

        Thus a package with hundreds of star imports can be searched without parsing every module.
        """
        path = self._path_of(target, near)
        if path is None or self._unparsed(path) is None:
            return True
        self._found(near.source.path, target, path)
        return self._texts.may_bind(path, target, name)

    def _unparsed(self, path: Path) -> bytes | None:
        """Return the bytes of a file that has not been parsed; None if it has, or cannot be read."""
        if path not in self._read_only and path not in self._by_path and path not in self._unsaved:
            try:
                self._read_only[path] = self._read(path)
            except UnreadableSource:
                return None
        return self._read_only.get(path)

    def _found(self, near: Path, name: str, path: Path) -> None:
        """Record that a file imports a module, and in which file the module was found."""
        self.lookups.setdefault(near, {})[name] = path
        self.imports.setdefault(near, set()).add(path)

    def resolve(self, module: Module, name: str, depth: int = 0) -> Definition:
        """Return what a bare name refers to at a module's top level; a builtin as ``builtins.x``."""
        if depth > _DEPTH:
            self._cut_short += 1
            return AMBIGUOUS
        known = self._resolved.get((module, name))
        if known is None:
            before = self._cut_short
            known = self._resolve(module, name, depth)
            if before == self._cut_short:  # otherwise incomplete, because of a cycle of imports
                self._resolved[module, name] = known
        return known

    def _resolve(self, module: Module, name: str, depth: int) -> Definition:
        bindings = module.bindings.get(name)
        if not bindings:
            for star in self._stars.of(module, name):
                found = self._from_import(module, star, name, depth + 1)
                if not isinstance(found, type(UNDEFINED)):
                    return found
            return External(f"builtins.{name}") if name in _BUILTINS else UNDEFINED
        last = bindings[-1]
        if len(bindings) > 1 and any(binding.conditional for binding in bindings):
            if has_fallbacks(bindings) and self._succeeds(bindings[0].attempt, module):
                return self.definition_of(module, name, bindings[0], depth + 1)
            options = [self.definition_of(module, name, binding, depth + 1) for binding in bindings]
            first = options[0]
            if isinstance(first, External) and all(other == first for other in options):
                return first
            if all(binding.kind == "value" for binding in bindings):
                kinds = {type(b.value.value).__name__ if isinstance(b.value, ast.Constant) else "" for b in bindings}
                return GlobalValue(module, name, None, rebound=True, type_name=kinds.pop() if len(kinds) == 1 else "")
            classes = tuple(option for option in options if isinstance(option, Class))
            return Ambiguous(classes) if len(classes) == len(options) else AMBIGUOUS
        if last.kind == "value" and replaces(bindings, name):
            return AMBIGUOUS
        if last.conditional and last.kind not in ("import", "from"):
            found_one = self.definition_of(module, name, last, depth + 1)
            if isinstance(found_one, GlobalValue):
                return GlobalValue(module, name, None, rebound=True)
            return found_one if len(bindings) == 1 else AMBIGUOUS
        return self.definition_of(module, name, last, depth + 1)

    def _succeeds(self, attempt: ast.Try | None, module: Module) -> bool:
        """Return whether all imports of a ``try`` find something in the project or in the installed packages."""
        for name, binding in bound(attempt.body if attempt is not None else ()):
            if binding.kind in ("import", "from"):
                found = self.definition_of(module, name, binding)
                if not isinstance(found, (ModuleRef, Class, Function, GlobalValue)):
                    return False
        return True

    def _parsed(self, name: str, near: Module) -> Module | None:
        path = self._path_of(name, near)
        if path is None or path not in self._by_path:
            return None
        # The dependency is recorded even if the module does not bind the name: it may do so after a change.
        self._found(near.source.path, name, path)
        return self._by_path[path]

    def definition_of(self, module: Module, name: str, binding: Binding, depth: int = 0) -> Definition:
        """Return what one statement binds to a name."""
        if isinstance(binding.node, ast.ClassDef):
            return module.class_(binding.node)
        if isinstance(binding.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return module.function(binding.node)
        if binding.kind == "import":
            found = self.find_module(binding.target, module)
            return ModuleRef(found) if found else External(binding.target)
        if binding.kind == "from":
            return self._from_import(module, binding, binding.attribute or "", depth)
        if binding.kind == "value":
            own = ModuleRef(module) if is_own_module(binding, module.bindings) else None
            same = own or self._named(module, name, binding.value, depth)
            return same or GlobalValue(module, name, binding.value, rebound=name in module.global_names)
        return GlobalValue(module, name, None, rebound=True)

    def _named(self, module: Module, name: str, value: ast.expr | None, depth: int) -> Definition | None:
        """Return the definition to which ``relu = F.relu`` or ``pair = ntuple(2)`` gives a name; None for others."""
        named = value.func if isinstance(value, ast.Call) else value
        if not isinstance(named, (ast.Name, ast.Attribute)) or astwalk.is_name(named, name):
            return None
        if depth >= _DEPTH // 4:
            self._cut_short += 1
            return None
        found = self.resolve_expression(module, named, depth + 1)
        if isinstance(value, ast.Call):
            return returned_function(found, value) if isinstance(found, Function) else None
        return found if isinstance(found, (Class, Function, External, ModuleRef)) else None

    def _from_import(self, module: Module, binding: Binding, name: str, depth: int) -> Definition:
        target = module.absolute(binding)
        if target is None:
            return AMBIGUOUS
        if binding.attribute == "*" and target and not self._may_bind(target, name, module):
            return UNDEFINED
        found = self.find_module(target, module) if target else None
        if found is None:
            if binding.attribute == "*":
                return self._external_star(target, name)
            if binding.level and target.partition(".")[0] != "torch":
                submodule = self.find_module(f"{target}.{name}" if target else name, module)
                return ModuleRef(submodule) if submodule else AMBIGUOUS
            return External(f"{target}.{name}")
        if found is module and binding.attribute == "*":
            return UNDEFINED
        if found is module:
            # `from . import name` in a package's own __init__.py imports the submodule, whatever else the name refers
            # to.
            submodule = self.find_module(f"{target}.{name}", module)
            return ModuleRef(submodule) if submodule else AMBIGUOUS
        if binding.attribute == "*":
            return self._own(found, name, depth)
        inner = self._member(found, name, module, depth)
        return AMBIGUOUS if isinstance(inner, type(UNDEFINED)) else inner

    def _own(self, module: Module, name: str, depth: int) -> Definition:
        """Resolve a name as :meth:`resolve` does, but without builtins, because they are not attributes of a module."""
        found = self.resolve(module, name, depth + 1)
        is_builtin = isinstance(found, External) and found.name.startswith("builtins.")
        return UNDEFINED if is_builtin and name not in module.bindings else found

    def _member(self, package: Module, name: str, near: Module, depth: int) -> Definition:
        """Return an attribute of a module: a name that it binds, or a submodule."""
        found = self._written_member(package, name, near, depth)
        # Installed packages define names in ways that their source does not show: in C, or on access.
        hidden = isinstance(found, type(UNDEFINED)) and self.installed.holds(package.source.path)
        return AMBIGUOUS if hidden else found

    def _written_member(self, package: Module, name: str, near: Module, depth: int) -> Definition:
        full = f"{package.name}.{name}"
        if name in package.bindings or not package.star_imports:
            found = self._own(package, name, depth)
            submodule = self.find_module(full, near) if isinstance(found, type(UNDEFINED)) else None
            return ModuleRef(submodule) if submodule else found
        submodule = self.find_module(full, near)
        if submodule is None:
            return self._own(package, name, depth)
        # A name that `from .name import *` binds hides the submodule. Other star imports are not searched for such a
        # name, because there may be hundreds.
        own = [star for star in package.star_imports if package.absolute(star) == full]
        found = self._own(submodule, name, depth) if own else UNDEFINED
        return ModuleRef(submodule) if isinstance(found, type(UNDEFINED)) else found

    @staticmethod
    def _external_star(target: str, name: str) -> Definition:
        if target == "typing" and name in _TYPING:
            return External(f"typing.{name}")
        if target == "math" and name in _math_names():
            return External(f"math.{name}")
        return UNDEFINED if target in ("typing", "math") else AMBIGUOUS

    def attribute(self, owner: Definition, name: str, depth: int = 0) -> Definition:
        """Return the definition of ``owner.name``; for a class, only if its body defines a class of this name."""
        if isinstance(owner, ModuleRef):
            return self._member(owner.module, name, owner.module, depth)
        if isinstance(owner, External):
            return External(f"{owner.name}.{name}")
        return (owner.module.member_class(owner, name) if isinstance(owner, Class) else None) or AMBIGUOUS

    def resolve_expression(self, module: Module, node: ast.expr, depth: int = 0) -> Definition:
        """Return what a name or a dotted name refers to at a module's top level."""
        known = self._meant.get((module, node))
        if known is not None:
            return known
        before = self._cut_short
        found: Definition = AMBIGUOUS
        if depth > _DEPTH:
            self._cut_short += 1
        elif isinstance(node, ast.Name):
            found = by_flow(module, node) or self.resolve(module, node.id, depth + 1)
        elif isinstance(node, ast.Attribute):
            found = self.attribute(self.resolve_expression(module, node.value, depth + 1), node.attr, depth + 1)
        if before == self._cut_short:
            self._meant[module, node] = found
        return found


def _math_names() -> frozenset[str]:
    import math

    return frozenset(dir(math))


_TYPING = frozenset(typing.__all__)
