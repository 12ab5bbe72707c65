"""Finds the functions that are traced: arguments of ``torch.jit.trace``, configured targets, and with ``mode =
"trace"`` every module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.config import ConfigError, Settings
from tslint.project.definitions import Class, Function, Module
from tslint.script.constructed import Scope, external_calls, made_class
from tslint.script.scope import module_roots
from tslint.script.submodules import submodules
from tslint.script.traced import TRACERS, traces
from tslint.script.tracing.inputs import Inputs, kinds_of, kinds_of_builder, kinds_of_texts
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation


@record
class Root:
    """A function that is traced.

    Args:
        function: the function.
        receiver: the class of ``self``; None for free functions.
        call: the call of the tracer; None if the configuration names it.
        strict: whether the tracer rejects dicts as outputs.
        sure: whether its result is certainly an output of the trace.
        inputs: the kinds of its arguments, as far as they are known.
    """

    function: Function
    receiver: Class | None
    call: ast.Call | None = None
    strict: bool = True
    sure: bool = True
    inputs: Inputs = ()


def traced_functions(model: Compilation, modules: Sequence[Module], settings: Settings | None) -> list[Root]:
    """Return every function that is known to be traced in the run.

    Args:
        model: the static model, which knows classes.
        modules: the checked files.
        settings: the settings of the run.
    """
    if settings is not None and settings.mode == "script":
        return []
    found: list[Root] = []
    for module in modules:
        if traces(model, module):
            found += _handed(model, module)
    if settings is not None:
        found += _targets(model, modules, settings)
        if settings.mode == "trace":
            found += _entries(model, modules, settings) if settings.entry_points else _everything(model, modules)
    known: dict[tuple[int, int], Root] = {}
    for root in found:
        known.setdefault((id(root.function), id(root.receiver)), root)
    return list(known.values())


def _handed(model: Compilation, module: Module) -> Iterator[Root]:
    """Yield the functions and modules that a file passes to the tracer."""
    for call, scope, name in external_calls(model.project, module):
        if name in TRACERS:
            yield from _of_call(model, module, call, scope)


def _of_call(model: Compilation, module: Module, call: ast.Call, scope: Scope) -> Iterator[Root]:
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    subject = call.args[0] if call.args else named.get("func", named.get("mod"))
    if subject is None:
        return
    strict = named.get("strict")
    is_strict = strict is None or (isinstance(strict, ast.Constant) and strict.value is True)
    inputs = call.args[1] if len(call.args) > 1 else named.get("inputs", named.get("example_inputs"))
    kinds = kinds_of(inputs, scope)
    names = ["forward"]
    if isinstance(inputs, ast.Dict):
        kinds = ()
        names = [key.value for key in inputs.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    definition = made_class(model.project, module, subject, scope)
    if definition is None and isinstance(subject, ast.Attribute):
        # A bound method: `torch.jit.trace(net.encode, x)`.
        definition, names = made_class(model.project, module, subject.value, scope), [subject.attr]
    if definition is not None:
        if model.is_module(definition):
            for name in names:
                yield from _method(model, definition, name, call, is_strict, inputs=kinds)
        return
    if isinstance(subject, (ast.Name, ast.Attribute)):
        function = model.project.resolve_expression(module, subject)
        if isinstance(function, Function):
            yield Root(function, None, call, is_strict, inputs=kinds)


def _method(
    model: Compilation,
    definition: Class,
    name: str,
    call: ast.Call | None,
    strict: bool,
    sure: bool = True,
    inputs: Inputs = (),
) -> Iterator[Root]:
    member = model.hierarchy(definition).member(name)
    if member is not None and member.function is not None:
        yield Root(member.function, definition, call, strict, sure, inputs)


def _targets(model: Compilation, modules: Sequence[Module], settings: Settings) -> Iterator[Root]:
    """Yield the configured targets that are traced. Targets that do not exist are left out: ``tslint verify`` reports
    them.
    """
    from tslint.script.entry_points import find_entry_points

    for target in settings.targets.values():
        if "trace" not in target.modes or not modules:
            continue
        try:
            found = find_entry_points(model, modules, replace(settings, entry_points=(target.target,)))
        except (ConfigError, OSError):
            continue
        for each in found:
            if isinstance(each, Class):
                builder = target.target.rpartition(":")[2]
                inputs = kinds_of_texts(target.inputs) or kinds_of_builder(model.project, modules, builder, each)
                yield from _method(model, each, "forward", None, True, inputs=inputs)


def _entries(model: Compilation, modules: Sequence[Module], settings: Settings) -> Iterator[Root]:
    """Yield the configured entry points, all of which are traced."""
    from tslint.script.entry_points import find_entry_points

    try:
        found = find_entry_points(model, modules, settings) if modules else []
    except ConfigError:  # the part that compiles entry points reports the error
        return
    for each in found:
        if isinstance(each, Class):
            yield from _method(model, each, "forward", None, True)


def _everything(model: Compilation, modules: Sequence[Module]) -> Iterator[Root]:
    """Yield the modules that are not part of another module. The parts are reached from these modules, with their real
    arguments.
    """
    classes = [c for module in modules for c in module.classes() if model.is_module(c)]
    parts = {part.definition for c in classes for part in submodules(model, c)}
    for definition in classes:
        if definition not in parts:
            facts = model.facts(definition)
            roots = module_roots(facts.hierarchy, model.project, facts.unused_properties)
            if any(role == "forward" for _, role in roots):
                yield from _method(model, definition, "forward", None, True, sure=False)
