"""Finds errors in a class's instances before any of their methods is compiled."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.project.definitions import Class, Function
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, in_words
from tslint.script.attributes import ClassFacts, Instance, Norm, PyChoice, PyValue
from tslint.script.construct.kept import stored_modules
from tslint.script.events import Event
from tslint.script.events.modules import HookWithoutName, UninitializedModule, UnscriptableParametrization, WeightNorm
from tslint.script.scope import Reach, Unit
from tslint.util import astwalk

REMOVING = {"WeightNorm": "remove_weight_norm", "SpectralNorm": "remove_spectral_norm"}

# Parametrizations that do not compile, each with the compiler's message.
PARAMETRIZED = {
    "parametrizations.spectral_norm": "Comprehension ifs are not supported yet",
    "parametrizations.orthogonal": "cannot statically infer the expected size of a list in this context",
}


def class_events(facts: ClassFacts, definition: Class, forward: Unit | None) -> Iterator[Event]:
    """Yield the errors of a module class that do not depend on its methods.

    Args:
        facts: the facts of the class.
        definition: the class.
        forward: its ``forward``, for the call path.
    """
    if "__prepare_scriptable__" in facts.hierarchy.members:
        return
    constructor = _uninitialized(facts, definition)
    if constructor is not None:
        unit = Unit(constructor, definition, "constructor", [Reach(forward, None, NO_ASSUMPTIONS)])
        said = f"'{definition.name}' has not been initialized, did you forget to call 'super()'?"
        yield UninitializedModule(constructor.node, said, name=definition.name, unit=unit)
    seen: dict[int, tuple[str, Norm, list[Assumptions]]] = {}
    for name, options in facts.attributes.items():
        for option in options:
            for assumptions, norm in _norms(option.value):
                seen.setdefault(id(norm.node), (name, norm, []))[2].append(option.assumptions | assumptions)
    for name, norm, ways in seen.values():
        if norm.function is not None:
            owner = definition if norm.function.owner else None
            unit = Unit(norm.function, owner, "constructor", [Reach(forward, None, NO_ASSUMPTIONS)])
            yield _norm_event(norm, name, _condition(norm, ways), unit)


def _uninitialized(facts: ClassFacts, definition: Class) -> Function | None:
    """Return a class's constructor if it certainly does not call the constructor of ``nn.Module``; otherwise None."""
    member = facts.hierarchy.members.get("__init__")
    function = member.function if member is not None else None
    bases = [base.name for base in facts.hierarchy.externals if base.name != "builtins.object"]
    if function is None or function.owner is not definition or facts.hierarchy.open or bases != ["torch.nn.Module"]:
        return None
    decorated = definition.node.decorator_list or definition.node.keywords or function.node.decorator_list
    if decorated or {"__new__", "__setattr__"} & set(facts.hierarchy.members) or not function.node.args.args:
        return None
    own = function.node.args.args[0].arg
    for node in astwalk.walk(function.node):
        # A constructor of nn.Module may be called by `super()`, `Base.__init__(self)`, `setup(self)` or `self.setup()`.
        # If the constructor of a class raises, the class has no instances.
        if isinstance(node, ast.Raise) or astwalk.is_name(node, "super"):
            return None
        if isinstance(node, ast.Attribute) and node.attr == "__init__":
            return None
        if isinstance(node, ast.Call):
            held = node.func.value if isinstance(node.func, ast.Attribute) else None
            if any(isinstance(each, ast.expr) and astwalk.is_name(each, own) for each in (held, *node.args)):
                return None
    derived = (
        base.id if isinstance(base, ast.Name) else getattr(base, "attr", "")
        for each in definition.module.classes()
        for base in each.node.bases
    )
    return None if definition.name in derived else function


def _condition(norm: Norm, ways: list[Assumptions]) -> str | None:
    """Return the condition under which a module keeps its hook, for messages; None if it always keeps it."""
    if NO_ASSUMPTIONS not in ways:
        return in_words(ways[0])
    removed = norm.hook in REMOVING and _removed_elsewhere(norm)
    return f"`{REMOVING[norm.hook]}` is not called" if removed else None


def _norm_event(norm: Norm, attribute: str, condition: str | None, unit: Unit) -> Event:
    hook, node = norm.hook, norm.node
    if hook in PARAMETRIZED:
        compiler = PARAMETRIZED[hook]
        return UnscriptableParametrization(node, compiler, name=hook, condition=condition, unit=unit)
    said = f"'{hook}' object has no attribute '__name__'"
    if hook not in REMOVING:
        return HookWithoutName(node, said, hook=hook, attribute=attribute, condition=condition, unit=unit)
    function = REMOVING[hook].removeprefix("remove_")
    return WeightNorm(node, said, function=function, attribute=attribute, condition=condition, unit=unit)


def _norms(value: PyValue | None, depth: int = 0) -> Iterator[tuple[Assumptions, Norm]]:
    """Yield the hooks of the modules in an attribute's value, each with the tests on which it depends."""
    if isinstance(value, PyChoice):
        for assumptions, option in value.cases:
            for more, norm in _norms(option, depth):
                yield assumptions | more, norm
    elif isinstance(value, Instance) and depth < 8:
        if value.norm is not None:
            yield NO_ASSUMPTIONS, value.norm
        for item in stored_modules(value):
            yield from _norms(item, depth + 1)


def _removed_elsewhere(norm: Norm) -> bool:
    """Return whether another function of the file removes the hook: the author may call it before scripting."""
    assert norm.function is not None
    within = set(astwalk.walk(norm.function.node))
    return any(node not in within for node in norm.function.module.mentions(REMOVING[norm.hook]))
