"""Lists the submodules of a class's instances, as far as the constructor shows them and the project defines their
classes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tslint.project.definitions import Class
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions
from tslint.script.attributes import Instance, PyChoice, PyValue
from tslint.script.construct.kept import stored_modules
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

MOST_NESTED = 8


@record(eq=False)
class Submodule:
    """One class of modules that an attribute may contain.

    Args:
        attribute: the name of the attribute, such as ``encoder``; for an item of a container, that of the container.
        definition: the class.
        assumptions: the tests of the constructor under which it is stored.
        node: the call that creates it.
        container: the kind of the container, ``ModuleList`` …; empty if the attribute is the module itself.
        given_to: the class whose constructor gets it as an argument; empty if it is stored directly.
    """

    attribute: str
    definition: Class
    assumptions: Assumptions
    node: ast.AST | None
    container: str = ""
    given_to: str = ""


def submodules(model: Compilation, definition: Class) -> list[Submodule]:
    """Return the modules in instances of a module class; each attribute and class only once."""
    found: dict[tuple[str, int, str], Submodule] = {}
    for name, options in model.facts(definition).attributes.items():
        for option in options:
            for part in _inside(model, name, option.value, option.assumptions, "", "", 0):
                key = (part.attribute, id(part.definition), part.given_to)
                known = found.get(key)
                if known is None or (known.assumptions and not part.assumptions):
                    found[key] = part
    return list(found.values())


def _inside(
    model: Compilation,
    name: str,
    value: PyValue | None,
    assumptions: Assumptions,
    container: str,
    given_to: str,
    depth: int,
) -> Iterator[Submodule]:
    if depth > MOST_NESTED:
        return
    if isinstance(value, PyChoice):
        for more, option in value.cases:
            yield from _inside(model, name, option, assumptions | more, container, given_to, depth + 1)
    elif isinstance(value, Instance):
        definition = value.definition
        owner = definition.name if definition is not None else value.external.rpartition(".")[2]
        if definition is not None and model.is_module(definition):
            yield Submodule(name, definition, assumptions, value.node, container, given_to)
        else:
            for item in stored_modules(value):
                yield from _inside(model, name, item, assumptions, owner, given_to, depth + 1)
        # A constructor probably stores the modules that it gets, even if its source does not show where.
        for argument in (*value.arguments, *(each for _, each in value.keywords)):
            yield from _inside(model, name, argument, assumptions, "", owner, depth + 1)


__all__ = ["NO_ASSUMPTIONS", "Submodule", "submodules"]
