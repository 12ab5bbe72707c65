"""The project: the files that are checked, and the files that they import, parsed once and resolved by name."""

from __future__ import annotations

import ast
import builtins
import typing
import warnings
from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path

from tslint.project.bindings import Binding
from tslint.project.definitions import (
    AMBIGUOUS,
    UNDEFINED,
    Class,
    Definition,
    External,
    Function,
    GlobalValue,
    Module,
    ModuleRef,
)
from tslint.project.place import candidates, module_place
from tslint.sources import reading
from tslint.sources.digest import UNREADABLE, digest
from tslint.sources.file import SourceFile, UnreadableSource

_BUILTINS = frozenset(dir(builtins))
_DEPTH = 40


def parse(text: str, filename: str) -> ast.Module:
    """``ast.parse`` without the warnings that it would print about the user's escapes.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse`` does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, filename)


def absolute(module: Module, binding: Binding) -> str | None:
    """The full name of the module that a ``from`` import names; None where it leads out of all packages."""
    if not binding.level:
        return binding.target
    parts = module.package.split(".") if module.package else []
    keep = len(parts) - (binding.level - 1)
    return None if keep < 0 else ".".join([*parts[:keep], *([binding.target] if binding.target else [])])


class Project:
    """The index of the checked files and of what they import.

    Args:
        search: folders where absolute imports are looked for, besides the roots of the checked files.
        unsaved: files whose text is another than the one on disk.
        warm: modules of earlier projects, taken over where the text is the same; those of this one are added.
    """

    def __init__(
        self,
        search: Sequence[Path] = (),
        unsaved: Iterable[SourceFile] = (),
        warm: MutableMapping[Path, Module] | None = None,
    ) -> None:
        self.search = list(search)
        self.imports: dict[Path, set[Path]] = {}
        """By file, the files that were looked into on its account."""
        self.lookups: dict[Path, dict[str, Path | None]] = {}
        """By file, the modules that were looked for on its account, and the files that were taken for them."""
        self.others: dict[Path, str] = {}
        """The digests of the files that were read from the disk."""
        self._taken: dict[tuple[Path, str], Path] = {}
        self.lines: dict[int, tuple[Class, list[Class | External], bool]] = {}
        """By the identity of a class: it, what it inherits from in order, and whether some of that is unknown."""
        self._unsaved = {source.path: source for source in unsaved}
        self._warm: MutableMapping[Path, Module] = {} if warm is None else warm
        self._roots: dict[Path, Path] = {}
        self._by_path: dict[Path, Module | None] = {}
        self._by_name: dict[tuple[Path, str], Module | None] = {}

    def add(self, source: SourceFile) -> Module:
        """Index a file.

        Raises:
            SyntaxError, ValueError, RecursionError, MemoryError: it cannot be parsed.
        """
        folder, name, package = module_place(source.path)
        known = self._warm.get(source.path)
        if known is not None and (known.name, known.package, known.source) == (name, package, source):
            module = known
        else:
            module = Module(source, parse(source.text, str(source.path)), name, package)
            self._warm[source.path] = module
        self._by_path[source.path] = module
        self._by_name[folder, name] = module
        return module

    def _load(self, path: Path) -> Module | None:
        if path not in self._by_path:
            self._by_path[path] = None
            try:
                self.add(self._unsaved.get(path) or self._read(path))
            except (UnreadableSource, SyntaxError, ValueError, RecursionError, MemoryError):
                return None
        return self._by_path[path]

    def _read(self, path: Path) -> SourceFile:
        self.others[path] = UNREADABLE
        try:
            data = path.read_bytes()
        except OSError as error:
            raise UnreadableSource(str(error)) from error
        self.others[path] = digest(data)
        return reading.decode(path, data)

    def has(self, path: Path) -> bool:
        """Whether a file has been indexed, or tried, under this path."""
        return path in self._by_path

    def load(self, path: Path) -> Module | None:
        """The module of a file, read if it has not been; None where it cannot be parsed."""
        return self._load(path)

    def find_module(self, name: str, near: Module) -> Module | None:
        """The project's module of a dotted name, looked for from the root of ``near``'s own package on; never torch's,
        which the tables stand for, even where torch's own files are checked."""
        if name.partition(".")[0] == "torch":
            return None
        path = near.source.path
        if path not in self._roots:
            self._roots[path] = module_place(path)[0]
        asked = self.lookups.setdefault(path, {})
        for folder in (self._roots[path], *self.search):
            key = (folder, name)
            if key not in self._by_name:
                self._by_name[key] = None
                for candidate in candidates(folder, name):
                    if candidate in self._by_path or candidate in self._unsaved or candidate.is_file():
                        self._taken[key] = candidate
                        self._by_name[key] = self._load(candidate)
                        break
            found = self._by_name[key]
            asked[name] = found.source.path if found is not None else self._taken.get(key)
            if found is not None:
                self.imports.setdefault(path, set()).add(found.source.path)
                return found
        return None

    def resolve(self, module: Module, name: str, depth: int = 0) -> Definition:
        """What a bare name means at a module's top level (builtins included, as ``builtins.x``)."""
        if depth > _DEPTH:
            return AMBIGUOUS
        bindings = module.bindings.get(name)
        if not bindings:
            for star in module.star_imports:
                found = self._from_import(module, star, name, depth + 1)
                if not isinstance(found, type(UNDEFINED)):
                    return found
            return External(f"builtins.{name}") if name in _BUILTINS else UNDEFINED
        last = bindings[-1]
        if len(bindings) > 1 and any(binding.conditional for binding in bindings):
            options = [self._definition(module, name, binding, depth + 1) for binding in bindings]
            first = options[0]
            if isinstance(first, External) and all(other == first for other in options):
                return first
            if all(binding.kind == "value" for binding in bindings):
                kinds = {type(b.value.value).__name__ if isinstance(b.value, ast.Constant) else "" for b in bindings}
                return GlobalValue(module, name, None, rebound=True, type_name=kinds.pop() if len(kinds) == 1 else "")
            return AMBIGUOUS
        if last.conditional and last.kind not in ("import", "from"):
            found_one = self._definition(module, name, last, depth + 1)
            if isinstance(found_one, GlobalValue):
                return GlobalValue(module, name, None, rebound=True)
            return found_one if len(bindings) == 1 else AMBIGUOUS
        return self._definition(module, name, last, depth + 1)

    def _definition(self, module: Module, name: str, binding: Binding, depth: int) -> Definition:
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
            if (
                isinstance(binding.value, (ast.Name, ast.Attribute))
                and not (isinstance(binding.value, ast.Name) and binding.value.id == name)
                and depth < _DEPTH // 4
            ):
                alias = self.resolve_expression(module, binding.value, depth + 1)
                if isinstance(alias, (Class, Function, External, ModuleRef)):
                    return alias
            return GlobalValue(module, name, binding.value, rebound=name in module.global_names)
        return GlobalValue(module, name, None, rebound=True)

    def _from_import(self, module: Module, binding: Binding, name: str, depth: int) -> Definition:
        target = absolute(module, binding)
        if target is None:
            return AMBIGUOUS
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
            # `from . import name` in a package's own __init__.py: the submodule, whatever else the name stands for.
            submodule = self.find_module(f"{target}.{name}", module)
            return ModuleRef(submodule) if submodule else AMBIGUOUS
        inner = self.resolve(found, name, depth + 1)
        if isinstance(inner, External) and inner.name.startswith("builtins.") and name not in found.bindings:
            inner = UNDEFINED
        if isinstance(inner, type(UNDEFINED)):
            submodule = self.find_module(f"{target}.{name}", module)
            if submodule is not None and binding.attribute != "*":
                return ModuleRef(submodule)
            return UNDEFINED if binding.attribute == "*" else AMBIGUOUS
        return inner

    @staticmethod
    def _external_star(target: str, name: str) -> Definition:
        if target == "typing" and name in _TYPING:
            return External(f"typing.{name}")
        if target == "math" and name in _math_names():
            return External(f"math.{name}")
        return UNDEFINED if target in ("typing", "math") else AMBIGUOUS

    def attribute(self, owner: Definition, name: str, depth: int = 0) -> Definition:
        """``owner.name`` where the owner is a module or something external."""
        if isinstance(owner, ModuleRef):
            found = self.resolve(owner.module, name, depth + 1)
            if isinstance(found, External) and found.name.startswith("builtins.") and name not in owner.module.bindings:
                found = UNDEFINED
            if isinstance(found, type(UNDEFINED)):
                submodule = self.find_module(f"{owner.module.name}.{name}", owner.module)
                return ModuleRef(submodule) if submodule else UNDEFINED
            return found
        if isinstance(owner, External):
            return External(f"{owner.name}.{name}")
        return AMBIGUOUS

    def resolve_expression(self, module: Module, node: ast.expr, depth: int = 0) -> Definition:
        """What a name or a dotted name means at a module's top level."""
        if depth > _DEPTH:
            return AMBIGUOUS
        if isinstance(node, ast.Name):
            return self.resolve(module, node.id, depth + 1)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.resolve_expression(module, node.value, depth + 1), node.attr, depth + 1)
        return AMBIGUOUS


def _math_names() -> frozenset[str]:
    import math

    return frozenset(dir(math))


_TYPING = frozenset(typing.__all__)
