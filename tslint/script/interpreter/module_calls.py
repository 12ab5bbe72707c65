"""Emits calls of modules and containers of modules (``ModuleValue::call``)."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class
from tslint.script.construct.external_calls import HOOKED
from tslint.script.construct.inherited_overloads import Inherited, inherited_overloads
from tslint.script.events.modules import ContainerCalled, InheritedOverloads, NoForward
from tslint.script.frontend.builder import VARIADIC
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, typed_arguments
from tslint.script.interpreter.call_dispatch import call_value, calls
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.externals import given_argument, takes_indices
from tslint.script.interpreter.function_calls import call_function
from tslint.script.interpreter.modules import inherited_member
from tslint.script.interpreter.operator_calls import match_call
from tslint.script.interpreter.own_container import own_container
from tslint.script.operators import Arg, module_class, parse
from tslint.script.values import UNKNOWN, ContainerValue, FunctionValue, ModuleValue, Schemas, Typed, Value

# The parameter of `Sequential.forward` has no annotation, so it is a Tensor, whatever the first module accepts.
_SEQUENTIAL = (parse("forward(Tensor input) -> Tensor"),)


@calls(ModuleValue)
def call_module(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given) -> Value:
    """Return the result of ``self.conv(x)``: the result of its ``forward``."""
    definition = callee.instance.definition
    typed = typed_arguments(em, given)
    if definition is None:
        return _call_torch_module(em, callee, node, given, typed)
    hierarchy = em.model.hierarchy(definition)
    facts = em.model.facts(definition)
    member = hierarchy.members.get("forward")
    if member is None and _has_no_forward(em, callee, definition):
        return em.report(
            NoForward(
                node,
                "Compiled functions can't take variable number of arguments or use keyword-only arguments with"
                " defaults",
                class_name=definition.qualname,
                path=callee.path,
            )
        )
    if member is None and not facts.may_have("forward") and "forward" not in facts.attributes:
        _check_omitted(em, callee, node, given, inherited_overloads(hierarchy))
    if member is None and not facts.may_have("forward") and not facts.hooked and not callee.instance.hooks:
        return _call_inherited(em, callee, node, given)
    if (
        member is None
        or member.function is None
        or "forward" in facts.attributes
        or facts.hooked
        or callee.instance.hooks
    ):
        return UNKNOWN
    if "__call__" in hierarchy.members:
        override = hierarchy.members["__call__"].function
        if override is not None:
            observers.overridden_call.tell(em, definition, override, node, callee.path)
        return UNKNOWN
    return call_function(em, FunctionValue(member.function, callee), node, given)


NORMS = frozenset([*HOOKED.values(), "maybe"])


def _call_inherited(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given) -> Value:
    """Call a module whose class inherits ``forward`` from a class of ``torch.nn``; the result is Unknown if the class
    may replace that method.
    """
    assert callee.instance.definition is not None
    facts = em.model.facts(callee.instance.definition)
    changed = {"forward", "__call__"} & {*facts.attributes, *facts.elsewhere, *facts.hierarchy.members}
    bases = [module_class(base.name) for base in facts.hierarchy.externals]
    container = own_container(em, callee) if not changed else None
    if container is not None and container.kind == "Sequential":
        return call_container(em, container, node, given)
    if changed or any(base is not None and takes_indices(base) for base in bases):
        return UNKNOWN
    inherited = inherited_member(facts, "forward")
    return call_value(em, inherited, node, given) if isinstance(inherited, Schemas) else UNKNOWN


def _has_no_forward(em: Emitter, callee: ModuleValue, definition: Class) -> bool:
    """Return whether the only ``forward`` of a module is that of ``nn.Module``, which the compiler cannot compile
    because of its ``*input``.
    """
    facts = em.model.facts(definition)
    only = {base.name for base in facts.hierarchy.externals} <= {
        "torch.nn.Module",
        "abc.ABC",
        "typing.Generic",
        "builtins.object",
    }
    return (
        only
        and not facts.may_have("forward")
        and "forward" not in facts.attributes
        and "forward" not in facts.elsewhere
        and not callee.instance.hooks
    )


def _check_omitted(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given, found: Inherited | None) -> None:
    """Report an argument that a call omits although only the overloads of a base class have a default for it."""
    if found is None or not found.compiles or not given.whole:
        return
    for position, argument in found.optional:
        if given.named(argument.name, position) is None:
            said = "Unsupported value kind: Tensor"
            name, base = callee.path, found.base
            em.report(InheritedOverloads(node, said, name=name, base=base, argument=argument.name))
            return


def _call_torch_module(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    found = module_class(callee.instance.external)
    # The hook of `weight_norm` only sets the weight, so the call gives the same type with the hook and after
    # `remove_weight_norm`, which models call before they are scripted.
    changed = not NORMS.issuperset(callee.instance.hooks)
    if found is None or changed or not isinstance(found.forward, tuple) or not found.forward:
        return UNKNOWN
    if given_argument(callee.instance, found, "return_indices") is not None:
        return UNKNOWN  # the compiler chooses between two functions (boolean dispatch), whose results differ
    own = found.forward[0].arguments[0].type if found.forward[0].arguments else None
    return match_call(em, found.forward, node, given, typed, callee.instance.external, own)


def _any_number(em: Emitter, elements: tuple[Value, ...], node: ast.Call, given: Value) -> Value:
    """Return the result of passing a value through an unknown number of modules, one after the other.

    The result is only known if the modules return the type that they accept. Errors in the call are not reported,
    because there may be no module at all.
    """
    events, noticed = em.events, em.noticed
    em.events, em.noticed = [], []
    try:
        values = [call_value(em, element, node, Given([(None, given, node)])) for element in elements]
    finally:
        em.events, em.noticed = events, noticed
    if not isinstance(given, Typed) or not all(isinstance(v, Typed) and given.type == v.type for v in values):
        return UNKNOWN
    return values[0]


@calls(ContainerValue)
def call_container(em: Emitter, callee: ContainerValue, node: ast.Call, given: Given) -> Value:
    """Call the modules of a ``Sequential`` in order; other containers cannot be called."""
    if callee.kind == "Sequential":
        if match_call(em, _SEQUENTIAL, node, given, typed_arguments(em, given), "torch.nn.Sequential") == UNKNOWN:
            return UNKNOWN
        value: Value = UNKNOWN
        positional = given.positional()
        if callee.items and len(positional) == 1:
            value = positional[0]
            for item in callee.items:
                value = call_value(em, item, node, Given([(None, value, node)]))
        elif callee.items is None and callee.nones == () and len(positional) == 1:
            value = _any_number(em, callee.either or (callee.element,), node, positional[0])
        return value
    if callee.kind in ("ModuleList", "ModuleDict", "slice"):
        word = "slice of a container" if callee.kind == "slice" else f"nn.{callee.kind}"
        said = "cannot call a value of type 'Tuple[…]'" if callee.kind == "slice" else VARIADIC
        em.report(ContainerCalled(node, said, container=word, path=callee.path))
    return UNKNOWN
