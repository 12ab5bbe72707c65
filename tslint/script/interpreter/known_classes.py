"""Determines whether the compiler knows a class of modules by name: only after it has compiled an instance of it."""

from __future__ import annotations

from tslint.project.definitions import Class
from tslint.script.assumptions import Assumption, Assumptions, satisfiable
from tslint.script.condition_text import COMPILED
from tslint.script.construct.kept import kept_instances
from tslint.script.interpreter.emitter import Emitter


def while_not_compiled(em: Emitter, class_: Class | str) -> Assumptions | None:
    """Return the condition under which the compiler does not know the name of a class of modules in the current method.

    Args:
        em: the emitter.
        class_: the class, or its full name if it is outside of the project.

    Returns:
        None if the compiler knows the name: the current method belongs to a module of the class, or to a module that
        stores such a module. Also None in a function that belongs to no module.
    """
    receiver = em.unit.receiver
    if receiver is None or receiver is class_:
        return None
    for options in em.model.facts(receiver).attributes.values():
        for option in options:
            for assumptions, instance in kept_instances(option.value):
                if instance.definition is class_ or instance.external == class_:
                    if satisfiable(option.assumptions | assumptions, em.assumptions):
                        return None
    name = class_.name if isinstance(class_, Class) else class_.rpartition(".")[2]
    return frozenset([Assumption(f"{name}{COMPILED}", False)])
