"""Collects the inferred types and the callers of each function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.config import Settings
from tslint.diagnostics import CallStep, Position
from tslint.lint.scope_types import UNKNOWN_TYPE, shown_type
from tslint.project.definitions import Module
from tslint.project.place import named_files
from tslint.script.model import Model
from tslint.script.recording import Named, Recording
from tslint.script.scope import Unit
from tslint.util import astwalk
from tslint.util.record import record


@record
class Hint:
    """An inferred type.

    Args:
        position: the position after the name.
        type: the type as TorchScript spells it.
        name: the name of the parameter or variable.
        parameter: whether it is a parameter.
    """

    position: Position
    type: str
    name: str
    parameter: bool


@record
class Lens:
    """A line that the editor shows above a function or class.

    Args:
        position: the position of its ``def`` or ``class``.
        via: the call path from the root; empty for a target.
        target: the name of the configured target.
        ways: how many roots cause it to be compiled.
    """

    position: Position
    via: tuple[CallStep, ...] = ()
    target: str = ""
    ways: int = 1


@record
class Insight:
    """The types and lenses of one file."""

    hints: tuple[Hint, ...] = ()
    lenses: tuple[Lens, ...] = ()


def insight(model: Model, recording: Recording, module: Module, settings: Settings) -> Insight:
    """Return the types and lenses of one file.

    Args:
        model: the static model that has compiled the file, and the files whose code calls its functions.
        recording: the recording of the static model.
        module: the file.
        settings: the settings of the run.
    """
    units = [unit for unit in model.units.values() if unit.function.module is module]
    lenses = [*_compiled(units), *_targets(module, settings)]
    return Insight(tuple(_hints(recording, units)), tuple(sorted(lenses, key=lambda lens: lens.position)))


def _hints(recording: Recording, units: list[Unit]) -> Iterator[Hint]:
    named: dict[tuple[Position, str, bool], list[Named]] = {}
    for unit in units:
        source = unit.function.module.source
        empty = {id(target): target for target in _empty_containers(unit.function.node)}
        for each in recording.named.get(id(unit), ()):
            node = each.node
            if isinstance(node, ast.arg) and each.kind == "parameter":
                if node.annotation is not None or node.type_comment is not None:
                    continue
            elif id(node) not in empty:
                continue
            assert isinstance(node, (ast.arg, ast.expr))
            end = source.from_ast(node.end_lineno or node.lineno, node.end_col_offset or 0)
            named.setdefault((end, each.name, isinstance(node, ast.arg)), []).append(each)
    for (position, name, parameter), found in sorted(named.items(), key=lambda item: item[0]):
        shown = shown_type(found)
        if UNKNOWN_TYPE not in shown:
            yield Hint(position, shown, name, parameter)


def _empty_containers(function: ast.AST) -> Iterator[ast.expr]:
    """Yield the names that get an empty list or dict."""
    for node in astwalk.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = node.value
            call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args
            if (
                (isinstance(value, ast.List) and not value.elts)
                or (isinstance(value, ast.Dict) and not value.keys)
                or (call and isinstance(value, ast.Call) and not value.keywords and value.func.id in ("list", "dict"))  # type: ignore[attr-defined]
            ):
                yield node.targets[0]


def _compiled(units: list[Unit]) -> Iterator[Lens]:
    """Yield lenses for functions that are compiled because others call them, with the call path."""
    by_function: dict[int, list[Unit]] = {}
    for unit in units:
        by_function.setdefault(id(unit.function), []).append(unit)
    for found in by_function.values():
        ways = [unit.path() for unit in found]
        longer = [way for way in ways if len(way) > 1]
        if not longer or len(longer) < len(ways):
            continue  # no lens for a root: it is not compiled because of a call
        node, source = found[0].function.node, found[0].function.module.source
        roots = {id(reach_root) for unit in found for reach_root in _roots(unit)}
        yield Lens(source.from_ast(node.lineno, node.col_offset), _steps(longer[0]), ways=len(roots))


def _roots(unit: Unit) -> Iterator[Unit]:
    """Yield the roots that compile a unit."""
    pending, seen = [unit], {id(unit)}
    while pending:
        each = pending.pop()
        for reach in each.reached:
            if reach.caller is None:
                yield each
            elif id(reach.caller) not in seen:
                seen.add(id(reach.caller))
                pending.append(reach.caller)


def _steps(way: list[Unit]) -> tuple[CallStep, ...]:
    steps = []
    for unit in way:
        source, node = unit.function.module.source, unit.function.node
        steps.append(CallStep(unit.name, str(source.path), source.from_ast(node.lineno, node.col_offset)))
    return tuple(steps)


def _targets(module: Module, settings: Settings) -> Iterator[Lens]:
    """Yield lenses for classes and functions that ``tslint verify`` is configured to build."""
    for name, target in settings.targets.items():
        place, _, attribute = target.target.rpartition(":")
        if module.source.path not in named_files(place, settings.root):
            continue
        for binding in module.bindings.get(attribute.partition(".")[0], ()):
            if isinstance(binding.node, (ast.ClassDef, ast.FunctionDef)):
                node = binding.node
                yield Lens(module.source.from_ast(node.lineno, node.col_offset), target=name)
