"""Finds arguments that a class of the project passes on to a class of ``torch.nn`` that does not compile with them:
``Block(8, 0)``, whose constructor has ``nn.Dropout(p)``.

The constructor of ``Block`` is interpreted for any ``p``, so only the call shows the mistake.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.project.definitions import Class
from tslint.script.assumptions import Assumption
from tslint.script.attributes import Instance, PyConst, PyParameter, PyValue
from tslint.script.construct.arguments import BadArgument, bad_arguments, named_arguments, outcome, without_passed
from tslint.script.construct.changed_attributes import changed_attributes
from tslint.script.construct.frame import BASE
from tslint.script.construct.kept import kept_instances
from tslint.script.construct.pyvalues import cases
from tslint.script.construct.sizes import INT_ANNOTATION
from tslint.script.operators import module_class
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation


@record
class Passing:
    """A parameter whose argument is passed on, unchanged, to a class of torch.nn.

    Args:
        parameter: its name.
        layer: the instance of the class of torch.nn.
        argument: the name of the layer's parameter.
        tests: the tests under which the layer is created; all of them are about the parameter.
        path: the attributes that lead to the layer.
    """

    parameter: str
    layer: Instance
    argument: str
    tests: frozenset[tuple[str, Assumption]]
    path: frozenset[str] = frozenset()


def passed_through(
    model: Compilation, instance: Instance, changed: frozenset[str]
) -> Iterator[tuple[Instance, BadArgument]]:
    """Yield the arguments of an instance of a project's class that are passed on to a class of torch.nn, and that do
    not compile there.

    Args:
        model: the static model, which knows the class.
        instance: the instance.
        changed: the attributes that may be replaced in a module after it was constructed.

    Yields:
        The instance of the class of torch.nn, and the argument; its node is in the call that creates ``instance``.
    """
    call = instance.node
    if instance.definition is None or not isinstance(call, ast.Call):
        return
    given = _given(model, instance)
    for passing in _passings(model, instance.definition) if given else ():
        if passing.path & changed:
            continue
        for assumptions, leaf in cases(given[passing.parameter]) if passing.parameter in given else ():
            if all(_holds(test, name, leaf) for name, test in passing.tests):
                made = Instance(
                    external=passing.layer.external, keywords=((passing.argument, leaf),), node=passing.layer.node
                )
                for bad in bad_arguments(made):
                    node = _node(model, instance.definition, call, passing.parameter)
                    yield passing.layer, replace(bad, node=node, assumptions=bad.assumptions | assumptions)


def _holds(test: Assumption, name: str, value: PyValue) -> bool:
    return isinstance(value, PyConst) and outcome(test, name, value.value) is test.holds


def _passings(model: Compilation, definition: Class) -> tuple[Passing, ...]:
    """Return the parameters that the constructor of a class passes on to classes of torch.nn."""
    known = model.passed_on
    if definition not in known:
        known[definition] = ()  # ends the recursion if the class creates modules of its own class
        known[definition] = tuple(_found(model, definition))
    return known[definition]


def _found(model: Compilation, definition: Class) -> Iterator[Passing]:
    if not model.is_module(definition) or "__prepare_scriptable__" in model.hierarchy(definition).members:
        return
    names = _parameters(model, definition)
    facts = model.facts(definition)
    changed = changed_attributes(definition.module.tree) | facts.elsewhere.keys()
    for attribute, options in {**facts.attributes, BASE: facts.base}.items() if names else ():
        for option in options if attribute not in changed else ():
            for more, kept in kept_instances(option.value):
                for passing in _arguments(model, kept):
                    parameter, own = passing.parameter, option.assumptions | more
                    if (
                        parameter in names
                        and passing.argument not in changed
                        and all(_is_about(test, parameter) for test in own)
                    ):
                        tests = passing.tests | {(parameter, test) for test in own}
                        yield replace(passing, tests=tests, path=passing.path | {attribute})


def _arguments(model: Compilation, kept: Instance) -> Iterator[Passing]:
    """Yield the parameters that a constructor passes to a stored instance, and the layers that receive them."""
    found = module_class(kept.external) if kept.external else None
    if found is not None and kept.known and isinstance(kept.node, ast.Call):
        refused = {variant.argument for variant in found.variants if variant.error}
        for name, value in named_arguments(found, kept):
            if isinstance(value, PyParameter) and value.annotation is not INT_ANNOTATION and name in refused:
                yield Passing(value.name, kept, name, frozenset())
    elif kept.definition is not None:
        given = _given(model, kept)
        for passing in _passings(model, kept.definition) if given else ():
            passed = given.get(passing.parameter)
            if isinstance(passed, PyParameter):
                yield replace(passing, parameter=passed.name)


def _is_about(test: Assumption, name: str) -> bool:
    """Return whether a test is only about the argument passed for a parameter: its truth, or a comparison with a
    literal.
    """
    return test.version == 0 and outcome(test, name, 0) is not None


def _parameters(model: Compilation, definition: Class) -> list[str]:
    """Return the names of a constructor's parameters, without ``self``; none if it has decorators or is not visible."""
    member = model.hierarchy(definition).members.get("__init__")
    if member is None or member.function is None or member.function.node.decorator_list:
        return []
    spec = member.function.node.args
    return [each.arg for each in (*spec.posonlyargs, *spec.args)][1:] + [each.arg for each in spec.kwonlyargs]


def _given(model: Compilation, instance: Instance) -> dict[str, PyValue]:
    """Return the arguments in a call of a class, by the names of the parameters; empty if not all are known."""
    if instance.definition is None or not instance.known:
        return {}
    named = [*zip(_parameters(model, instance.definition), instance.arguments), *instance.keywords]
    return {name: without_passed(value) for name, value in named}


def _node(model: Compilation, definition: Class, call: ast.Call, name: str) -> ast.AST:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return dict(zip(_parameters(model, definition), call.args)).get(name, call)
