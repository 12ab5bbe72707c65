"""Conditions that the construction of the module decides (``Condition.split``)."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.script.attributes import Atom, Atoms, consistent
from tslint.script.construct.conditions import source_parameter
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.types import Type
from tslint.script.values import Alternatives, ModuleValue, Typed, Value


def refined_value(shown: Type | Alternatives) -> Value:
    """What a variable stands for once a test has shown its type."""
    return Typed(shown) if isinstance(shown, Type) else shown


def atom_for(em: Emitter, node: ast.expr, wording: str) -> Atom:
    """A test of the constructor for something that the compiler would decide, in the constructor's own words where an
    attribute is one of its parameters."""
    spelled = ast.unparse(node)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and em.unit.receiver is not None:
        owner = em.env.find(node.value.id)
        if isinstance(owner, ModuleValue) and owner.path == "self":
            stored = em.model.facts(em.unit.receiver).attributes.get(node.attr, [])
            sources = {source_parameter(attribute) for attribute in stored}
            if len(sources) == 1 and None not in sources:
                spelled = str(sources.pop())
    return Atom(wording.format(spelled), True)


def undecided(atom: Atom) -> Condition:
    """A condition that may be static, and hangs on a test of the constructor."""
    return Condition(split=(frozenset([atom]), frozenset([atom.negated()])), unsure=True)


def maybe_static(em: Emitter, node: ast.expr, wording: str) -> Condition:
    """The same, where the tests that led here may have decided it."""
    atom = atom_for(em, node, wording)
    if atom in em.atoms:
        return Condition(True)
    if atom.negated() in em.atoms:
        return Condition(False)
    return undecided(atom)


def split_alternatives(em: Emitter, value: Alternatives, look: Callable[[Value], Condition], atom: Atom) -> Condition:
    """A test of something that depends on the construction."""
    true: list[tuple[Atoms, Value]] = []
    false: list[tuple[Atoms, Value]] = []
    name = ""
    other = False
    for atoms, option in value.cases:
        if not consistent(atoms, em.atoms):
            continue
        with em.assume(atoms):
            condition = look(option)
        if condition.split is not None:
            true.append((atoms | condition.split[0], option))
            false.append((atoms | condition.split[1], option))
            continue
        other = other or condition.static is None
        for cases, static, shown in ((true, True, condition.when_true), (false, False, condition.when_false)):
            if condition.static in (static, None):
                name = next(iter(shown), name)
                cases.append((atoms, refined_value(shown[name]) if name in shown else option))
    if other:
        if not name:
            return Condition(unsure=True)
        return Condition(None, {name: Alternatives(tuple(true))}, {name: Alternatives(tuple(false))}, unsure=True)
    if not false:
        return Condition(True)
    if not true:
        return Condition(False)
    # Where the cases have nothing in common to say, the test itself says it.
    when_true = common_atoms([atoms for atoms, _ in true]) - em.atoms or frozenset([atom])
    when_false = common_atoms([atoms for atoms, _ in false]) - em.atoms or frozenset([atom.negated()])
    return Condition(split=(when_true, when_false))


def common_atoms(options: list[Atoms]) -> Atoms:
    """What holds in all of several cases."""
    result = options[0]
    for option in options[1:]:
        result = result & option
    return result
