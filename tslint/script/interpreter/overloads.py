"""Compares declarations marked ``_overload`` with their implementation
(``mergeDefaultsAndExtraParametersToOverloadDecl``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import defaults_of
from tslint.script.events.annotation import BrokenOverload
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.function import parameters, whole_function
from tslint.script.interpreter.type_comments import commented_types
from tslint.script.scope import declares_overload, overloads_are_sure

_UNTYPED = (
    "Parameters not specified on the overloaded declaration must have a type annotation in the implementation"
    " function. Did not find type for param "
)


def broken_overload(em: Emitter) -> BrokenOverload | None:
    """Return why a declaration cannot be compiled: it has no implementation, or they do not fit; None if they do."""
    declaration, implementation = em.declaration, em.unit.function
    node = implementation.node
    if not overloads_are_sure(implementation, em.project):
        return None
    if declares_overload(implementation, em.project):
        kind = "method" if em.unit.receiver is not None else "function"
        said = f'Implementation for the {kind} "{node.name}" is missing'
        return BrokenOverload(node.decorator_list[0], said, name=node.name, parameter="", problem="alone")
    if declaration is implementation or em.unit.receiver is not None:
        return None  # for a method, the signature of the declaration replaces that of the implementation
    for place, said, parameter, problem in _problems(em):
        return BrokenOverload(place, said, name=node.name, parameter=parameter, problem=problem)
    return None


def _problems(em: Emitter) -> Iterator[tuple[ast.AST, str, str, str]]:
    """Yield the place, the message, the parameter and the kind of each problem, in the compiler's order."""
    own, others = em.declaration.node, em.unit.function.node
    place, defaults = whole_function(em.declaration), defaults_of(others)
    for name, default in defaults_of(own).items():
        if name not in defaults or _differ(default, defaults[name]):
            said = "Default parameters on overloads do not affect the runtime so they must equal to the default"
            yield place, f"{said} parameter on the implementation function. Found on parameter {name}", name, "default"
    names, wanted = [each.arg for each in parameters(own)], parameters(others)
    for index, (name, other) in enumerate(zip(names, wanted)):
        if name != other.arg:
            said = f"Overload parameters must have the same names. Found {name} and {other.arg} on argument {index}"
            yield place, said, name, "name"
    if len(names) > len(wanted):
        said = "Overload should not have more parameters than implementation function"
        yield place, said, names[len(wanted)], "name"
    comment = commented_types(em, em.unit.function, is_method=False)
    for extra in wanted[len(names) :]:
        if extra.arg not in defaults:
            said = f"Expected to find default parameter on argument{extra.arg} because it is not defined"
            yield whole_function(em.unit.function), f"{said} on the overloaded declaration", extra.arg, "required"
        if comment is None and extra.annotation is None:
            yield whole_function(em.unit.function), f"{_UNTYPED}{extra.arg}", extra.arg, "untyped"


def _differ(first: ast.expr, second: ast.expr) -> bool:
    """Return whether two defaults are certainly different."""
    try:
        return bool(ast.literal_eval(first) != ast.literal_eval(second))
    except (ValueError, TypeError):
        return False
