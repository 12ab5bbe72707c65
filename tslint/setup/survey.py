"""Surveys a project: finds the modules that no other class uses, and those that are passed to ``torch.jit``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tslint.config import ConfigError, Settings
from tslint.project.definitions import Class, Function, Module
from tslint.project.index import Project
from tslint.project.place import module_place
from tslint.script.constructed import Scope, external_calls, made_class, only_value, own_nodes, returned_classes
from tslint.script.entry_points import find_entry_points
from tslint.script.model import Model
from tslint.script.submodules import submodules
from tslint.script.traced import only_traced
from tslint.setup.inputs import example_inputs
from tslint.sources.file import SourceFile
from tslint.util.record import record

_MODES = {
    "torch.jit.script": "script",
    "torch.jit.trace": "trace",
    "torch.jit.trace_module": "trace",
}
_TESTS = re.compile(r"(^|/)(tests?|testing|conftest\.py|test_[^/]*\.py|[^/]*_test\.py)(/|$)")


@record
class EntryPoint:
    """A module that is likely exported.

    Args:
        place: ``pkg.net:Net``, or ``path.py:Net`` if imports do not start from the project's folder.
        why: ``torch.jit.script in export.py:12``; empty if the only reason is that no other module contains it.
    """

    place: str
    why: str = ""


@record
class Target:
    """A module that the project itself scripts or traces.

    Args:
        name: the name of its table, ``[tool.tslint.targets.NAME]``.
        target: the class or function that builds it.
        inputs: Python expressions over torch.
        modes: ``script``, ``trace`` or both.
        why: the place that scripts, traces or builds it, as text.
        complete: whether the builder returns the inputs, too.
    """

    name: str
    target: str
    inputs: tuple[str, ...]
    modes: tuple[str, ...]
    why: str
    complete: bool = False


@record
class Survey:
    """The results of the survey.

    Args:
        files: how many Python files were read.
        roots: the folders where imports start, relative to the project's folder.
        modules: how many subclasses of nn.Module there are.
        entry_points: the entry points, sorted.
        targets: the targets, in the order of the calls of ``torch.jit``; then functions that return a module and its
            inputs.
        unbuildable: modules that are scripted or traced, but that no class or function of the project creates without
            arguments.
    """

    files: int
    roots: tuple[str, ...]
    modules: int
    entry_points: tuple[EntryPoint, ...]
    targets: tuple[Target, ...]
    unbuildable: tuple[EntryPoint, ...]


@record
class _Call:
    """One call of the compiler or tracer.

    Args:
        definition: the class of its module.
        builder: the function that returns the module when called without arguments; None if there is none.
        mode: ``script`` or ``trace``.
        inputs: an expression over torch, or None.
        why: the name and the place of the call.
    """

    definition: Class
    builder: Function | None
    mode: str
    inputs: str | None
    why: str


def survey(root: Path, sources: Sequence[SourceFile]) -> Survey:
    """Survey a project.

    Args:
        root: the folder of the project.
        sources: its Python files.
    """
    return _Survey(root, sources).result()


class _Survey:
    def __init__(self, root: Path, sources: Sequence[SourceFile]) -> None:
        self.root = root
        self.files = len(sources)
        self.project = Project()
        self.modules: list[Module] = []
        for source in sources:
            try:
                self.modules.append(self.project.add(source))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue  # `tslint check` reports it
        # Modules that tests define or script are not the project's.
        self.own = [module for module in self.modules if not _TESTS.search(self._path(module))]
        self.model = Model(self.project)
        self.unsure = False  # whether something unknown is compiled
        self.classes = [each for module in self.own for each in module.classes() if self.model.is_module(each)]

    def _path(self, module: Module) -> str:
        try:
            return module.source.path.relative_to(self.root).as_posix()
        except ValueError:
            return module.source.path.as_posix()

    def place(self, definition: Class | Function) -> str:
        folder, name, _ = module_place(definition.module.source.path)
        where = name if folder == self.root else self._path(definition.module)
        return f"{where}:{definition.name}"

    def result(self) -> Survey:
        calls = [call for module in self.own for call in self._calls(module)]
        whys = {id(call.definition): call.why for call in reversed(calls)}
        held = self._inner_classes()
        traced = {*self._only_traced(), *self._left_to_the_tracer(calls)}
        entries = [
            EntryPoint(self.place(each), whys.get(id(each), ""))
            for each in self.classes
            if each not in traced and (id(each) in whys or id(each) not in held)
        ]
        targets, unbuildable = self._targets(calls)
        roots = {module_place(module.source.path)[0] for module in self.own if module_place(module.source.path)[2]}
        return Survey(
            self.files,
            tuple(sorted({self._folder(each) for each in roots})),
            len(self.classes),
            tuple(sorted({entry for entry in entries if self._exists(entry)}, key=lambda entry: entry.place)),
            targets,
            unbuildable,
        )

    def _only_traced(self) -> frozenset[Class]:
        try:
            return only_traced(self.model, self.modules) or frozenset()
        except Exception:
            return frozenset()  # the survey only guesses, see _inner_classes

    def _left_to_the_tracer(self, calls: Sequence[_Call]) -> set[Class]:
        """Return the modules that the project traces and never scripts; none if it scripts something unknown."""
        scripted = {call.definition for call in calls if call.mode == "script"}
        traced = {call.definition for call in calls if call.mode == "trace"}
        return set() if self.unsure else traced - scripted

    def _folder(self, folder: Path) -> str:
        try:
            return folder.relative_to(self.root).as_posix()
        except ValueError:
            return str(folder)

    def _inner_classes(self) -> set[int]:
        """Return the classes that other classes contain or inherit from, by their ``id``."""
        found: set[int] = set()
        for each in self.classes:
            found |= {id(base) for base in self.model.hierarchy(each).mro[1:] if isinstance(base, Class)}
            try:
                found |= {id(part.definition) for part in submodules(self.model, each) if part.definition is not each}
            except Exception:
                continue  # without its submodules the survey may guess wrong; `tslint check` reports the error
        return found

    def _exists(self, entry: EntryPoint) -> bool:
        """Return whether ``entry-points`` would accept the name."""
        try:
            settings = replace(Settings(root=self.root), entry_points=(entry.place,))
            return bool(find_entry_points(self.model, self.modules, settings))
        except (ConfigError, OSError):
            return False

    def _calls(self, module: Module) -> Iterator[_Call]:
        for call, scope, name in external_calls(self.project, module):
            if name in _MODES:
                yield from self._of_call(module, call, scope, name)

    def _of_call(self, module: Module, call: ast.Call, scope: Scope, name: str) -> Iterator[_Call]:
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        subject = call.args[0] if call.args else named.get("obj", named.get("func", named.get("mod")))
        if subject is None:
            return
        inputs: str | None = None
        if name == "torch.jit.trace":
            given = call.args[1] if len(call.args) > 1 else named.get("example_inputs")
            inputs = None if given is None else example_inputs(self.project, module, given, scope)
        why = f"{name} in {self._path(module)}:{call.lineno}"
        builder = self._builder(module, subject, scope)
        made = returned_classes(self.project, builder) if builder is not None else []
        definition = made[0] if len(made) == 1 else made_class(self.project, module, subject, scope)
        if definition is not None and self.model.is_module(definition):
            yield _Call(definition, builder if made else None, _MODES[name], inputs, why)
        elif _MODES[name] == "script" and definition is None and not self._names_function(module, subject):
            self.unsure = True

    def _names_function(self, module: Module, node: ast.expr) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return False
        return isinstance(self.project.resolve_expression(module, node), Function)

    def _builder(self, module: Module, node: ast.expr, scope: Scope) -> Function | None:
        """Return the function whose call without arguments is the value of an expression or a variable, or None."""
        if isinstance(node, ast.Name) and scope is not None:
            node = only_value(scope, node.id) or node
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            if isinstance(node.func, (ast.Name, ast.Attribute)):
                found = self.project.resolve_expression(module, node.func)
                if isinstance(found, Function) and found.owner is None and not _required(found, 0):
                    return found
        return None

    def _targets(self, calls: Sequence[_Call]) -> tuple[tuple[Target, ...], tuple[EntryPoint, ...]]:
        found: dict[str, Target] = {}
        unbuildable: dict[str, EntryPoint] = {}
        complete = self._complete()
        for call in calls:
            maker = call.builder or complete.get(id(call.definition)) or self._maker(call.definition)
            if maker is None:
                place = self.place(call.definition)
                unbuildable.setdefault(place, EntryPoint(place, call.why))
                continue
            place = self.place(maker)
            known = found.get(place)
            if known is None:
                name = _free_name(call.definition.name, [each.name for each in found.values()])
                known = Target(name, place, (), (), call.why, maker in complete.values())
            modes = {*known.modes, call.mode}
            inputs = (*known.inputs, call.inputs) if call.inputs and call.inputs not in known.inputs else known.inputs
            found[place] = replace(known, inputs=inputs, modes=tuple(m for m in ("script", "trace") if m in modes))
        for function in complete.values():
            place = self.place(function)
            if place not in found:
                name = _free_name(returned_classes(self.project, function)[0].name, [t.name for t in found.values()])
                why = f"{function.name} in {self._path(function.module)}:{function.node.lineno}"
                found[place] = Target(name, place, (), ("script", "trace"), why, complete=True)
        return tuple(found.values()), tuple(unbuildable.values())

    def _complete(self) -> dict[int, Function]:
        """Return the functions without required parameters that return a module and its inputs, by module class."""
        found: dict[int, Function] = {}
        for function in (each for module in self.own for each in module.functions() if not _required(each, 0)):
            made = returned_classes(self.project, function)
            if len(made) == 1 and self.model.is_module(made[0]) and _returns_pairs(function):
                found.setdefault(id(made[0]), function)
        return found

    def _maker(self, definition: Class) -> Class | Function | None:
        """Return the class or function of the project that builds a module without arguments, or None."""
        hierarchy = self.model.hierarchy(definition)
        init = hierarchy.member("__init__")
        if init is not None and init.function is not None and not _required(init.function, 1):
            return definition
        bases = [base.name for base in hierarchy.externals]
        if init is None and not hierarchy.open and all(name == "torch.nn.Module" for name in bases):
            return definition
        for module in self.own:
            for function in module.functions():
                if not _required(function, 0) and returned_classes(self.project, function) == [definition]:
                    return function
        return None


def _required(function: Function, bound: int) -> bool:
    """Return whether a call has to pass arguments, besides the first ``bound`` ones."""
    spec = function.node.args
    positional = [*spec.posonlyargs, *spec.args][bound:]
    return len(positional) > len(spec.defaults) or any(default is None for default in spec.kw_defaults)


def _returns_pairs(function: Function) -> bool:
    returns = [node.value for node in own_nodes(function.node) if isinstance(node, ast.Return)]
    return all(isinstance(value, ast.Tuple) and len(value.elts) == 2 for value in returns)


def _free_name(name: str, taken: Sequence[str]) -> str:
    """Return the name for a target, ``my-net`` for ``MyNet``, with a number if that is used."""
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).replace("_", "-").strip("-").lower()
    stem = stem if stem.isascii() and stem else "module"
    found, number = stem, 2
    while found in taken:
        found, number = f"{stem}-{number}", number + 1
    return found
