"""Returns the modules of an instance that is itself a container, because its class derives from ``nn.Sequential`` or
``nn.ModuleList``.
"""

from __future__ import annotations

from dataclasses import replace

from tslint.script.construct.own_items import own_items
from tslint.script.interpreter.attribute_conversion import instance_value
from tslint.script.interpreter.emitter import Emitter
from tslint.script.values import UNKNOWN, Alternatives, ContainerValue, ModuleValue


def own_container(em: Emitter, owner: ModuleValue) -> ContainerValue | None:
    """Return a module as a container; None if it is not one, or if its modules are not known."""
    definition = owner.instance.definition
    made = own_items(em.model.facts(definition)) if definition is not None else None
    found = instance_value(em, made, owner.path) if made is not None else None
    if not isinstance(found, ContainerValue) or found.kind not in ("Sequential", "ModuleList"):
        return None
    if owner.path == "self":
        return found
    # Another instance of the class has other arguments: the tests of its constructor are not those of this
    # function's instance.
    items = found.items and tuple(UNKNOWN if isinstance(each, Alternatives) else each for each in found.items)
    return replace(found, items=items, nones=(), may_be_empty=False)
