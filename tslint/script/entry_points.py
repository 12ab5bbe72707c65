"""Compiles ``entry-points``: the modules and functions that the author exports, and only the code that these reach."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tslint.config import ConfigError, Settings, shown
from tslint.project.definitions import Class, External, Function, GlobalValue, Module
from tslint.project.place import module_place, named_files
from tslint.script.assumptions import NO_ASSUMPTIONS
from tslint.script.constructed import made_class, returned_classes
from tslint.script.submodules import submodules
from tslint.util.suggest import did_you_mean

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation
    from tslint.script.model import Model


class _Broken(Exception):
    """Raised if the file of an entry point exists but cannot be parsed."""


def find_entry_points(
    model: Compilation, modules: Sequence[Module], settings: Settings, checked: Collection[Path] = ()
) -> list[Class | Function]:
    """Return the classes and functions that ``entry-points`` name.

    A name may refer to a module class, a function to compile, a function that returns a module (as ``tslint verify``
    accepts it), or a variable with a module.

    Args:
        model: the static model of the run.
        modules: the checked files; entry points are searched from their folders, too.
        settings: the settings of the run; ``entry_points`` may be empty.
        checked: every checked file; one that cannot be parsed already has a finding, and is skipped.

    Raises:
        ConfigError: an entry point does not exist; the message is one line.
    """
    found: list[Class | Function] = []
    for entry in settings.entry_points:
        place, _, name = entry.rpartition(":")
        try:
            for each in _definitions(model, _module(model, modules, settings, entry, place), name, entry, settings):
                if each not in found:
                    found.append(each)
        except _Broken as broken:
            path = broken.args[0]
            if path not in checked:
                raise _fault(settings, entry, f"{shown(path)} cannot be parsed; `tslint check` it to see why") from None
    return found


def compile_entry_point(model: Model, entry: Class | Function) -> None:
    """Compile what the compiler compiles for an entry point: a module with all its members, or a function."""
    if isinstance(entry, Function):
        model.reach(entry, None, "function", None, None, NO_ASSUMPTIONS)
        return
    pending = [entry]
    while pending:
        definition = pending.pop(0)
        if definition not in model.roots:
            model.module_class(definition)
            pending += [part.definition for part in submodules(model, definition)]


def _fault(settings: Settings, entry: str, words: str) -> ConfigError:
    where = f"{shown(settings.source)}: " if settings.source is not None else ""
    return ConfigError(f'{where}entry-points: "{entry}": {words}')


def _module(model: Compilation, modules: Sequence[Module], settings: Settings, entry: str, place: str) -> Module:
    """Return the module of an entry point.

    Raises:
        ConfigError: there is no such module.
        _Broken: it cannot be parsed.
    """
    for path in named_files(place, settings.root, (module_place(module.source.path)[0] for module in modules)):
        if path.is_file() or model.project.has(path):
            module = model.project.load(path)
            if module is None:
                raise _Broken(path)
            return module
    known = sorted({module.name for module in modules})
    what = f"there is no file {place}" if place.endswith(".py") else f"there is no module {place}"
    raise _fault(settings, entry, f"{what} below {shown(settings.root)}{did_you_mean(place, known)}")


def _definitions(
    model: Compilation, module: Module, name: str, entry: str, settings: Settings
) -> list[Class | Function]:
    node: ast.expr = ast.Name(name, ast.Load())
    found = model.project.resolve_expression(module, node)
    if isinstance(found, Class):
        if not model.is_module(found):
            raise _fault(settings, entry, f"{name} is not a subclass of nn.Module")
        return [found]
    if isinstance(found, Function):
        made = [each for each in returned_classes(model.project, found) if model.is_module(each)]
        return [*made] or [found]
    if isinstance(found, GlobalValue):
        held = made_class(model.project, module, node)
        if held is not None and model.is_module(held):
            return [held]
    if name in module.bindings and not isinstance(found, External):
        raise _fault(settings, entry, f"the source does not show what {name} is; name the module's class")
    known = sorted({*(each.name for each in module.classes()), *(each.name for each in module.functions())})
    raise _fault(
        settings, entry, f"{shown(module.source.path)} has no class or function {name}{did_you_mean(name, known)}"
    )
