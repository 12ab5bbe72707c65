"""Calls (``emitApplyExpr``, ``SugaredValue::call``)."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class
from tslint.script.hazards.calls import notice_autograd, notice_call_override, notice_library
from tslint.script.hazards.values import notice_round, notice_str
from tslint.script.interpreter.arguments import Given, arguments, typed_arguments
from tslint.script.interpreter.classes import after_owner
from tslint.script.interpreter.construction import construct
from tslint.script.interpreter.emitter import Emitter, emits
from tslint.script.interpreter.externals import given_argument, known
from tslint.script.interpreter.function_calls import call_function
from tslint.script.interpreter.operator_calls import call_external, call_operator, call_python, match_call
from tslint.script.interpreter.special import SPECIAL
from tslint.script.operators import Arg, module_class
from tslint.script.operators.callables import (
    Special,
)
from tslint.script.operators.schema import parse
from tslint.script.types import ClassType, TensorType, TupleType, Type
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ClassValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    ModuleReference,
    ModuleValue,
    OperatorValue,
    PythonValue,
    Schemas,
    SpecialForm,
    SuperValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)

# The compiler looks at the first argument alone, as if it were the class.
_APPLY = parse("Function.apply(Tensor cls) -> Tensor")


@emits(ast.Call)
def emit_call(em: Emitter, node: ast.Call, hint: Type | None) -> Value:
    """``f(...)``."""
    hint = em.hint
    if isinstance(node.func, ast.Name) and node.func.id == "super" and em.env.find("super") is None:
        return _super(em, node)
    callee = em.expression(node.func)
    em.hint = hint
    if isinstance(callee, SpecialForm):
        found = known(callee.name)
        form = found.form if isinstance(found, Special) else callee.name.rpartition(".")[2]
        if form in SPECIAL:
            return SPECIAL[form](em, node)
    if isinstance(callee, ExternalValue):
        found = known(callee.name)
        if isinstance(found, Special) and found.form in SPECIAL:
            return SPECIAL[found.form](em, node)
        if isinstance(found, Special):
            arguments(em, node)
            return UNKNOWN
    given = arguments(em, node)
    em.hint = hint
    notice_round(em, callee, node, given.positional())
    notice_str(em, callee, node, given.positional())
    notice_library(em, callee, node)
    if notice_autograd(em, node):
        first = Given(given.values[:1], given.whole)
        match_call(em, (_APPLY,), node, first, typed_arguments(em, first), "Function.apply")
    return call_value(em, callee, node, given)


def call_value(em: Emitter, callee: Value, node: ast.Call, given: Given) -> Value:
    """Call a value."""
    if isinstance(callee, Unknown):
        return UNKNOWN
    if isinstance(callee, Alternatives):
        return em.each(callee, lambda option: call_value(em, option, node, given))
    for position, (_, value, _) in enumerate(given.values):
        if isinstance(value, Alternatives) and not isinstance(callee, (ContainerValue,)):
            spot = position

            def substituted(option: Value, spot: int = spot) -> Value:
                values = list(given.values)
                values[spot] = (values[spot][0], option, values[spot][2])
                return call_value(em, callee, node, Given(values, given.whole))

            return em.each(value, substituted)
    if isinstance(callee, FunctionValue):
        return call_function(em, callee, node, given)
    if isinstance(callee, OperatorValue):
        return call_operator(em, callee, node, given)
    if isinstance(callee, ModuleValue):
        return _call_module(em, callee, node, given)
    if isinstance(callee, ContainerValue):
        return _call_container(em, callee, node, given)
    if isinstance(callee, Schemas):
        return match_call(em, callee.schemas, node, given, typed_arguments(em, given), "", callee.receiver)
    if isinstance(callee, ExternalValue):
        return call_external(em, callee, known(callee.name), node, given)
    if isinstance(callee, SpecialForm):
        return call_external(em, ExternalValue(callee.name), known(callee.name), node, given)
    if isinstance(callee, ClassValue):
        return construct(em, callee, node, given)
    if isinstance(callee, TupleValue):
        em.report("container-called", node, "cannot call a value of type 'Tuple[…]'", container="tuple", path="")
        return UNKNOWN
    if isinstance(callee, Typed):
        if isinstance(callee.type, ClassType) and callee.type.kind == "module":
            em.report(
                "module-value-called",
                node.func,
                f"'{callee.type}' object has no attribute or method '__call__'",
                call=node,
            )
            return UNKNOWN
        if isinstance(callee.type, (TensorType, TupleType)) or callee.type.__class__.__name__ in (
            "Simple",
            "ListType",
            "DictType",
            "OptionalType",
        ):
            if str(callee.type) == "Any":
                return UNKNOWN
            em.report(
                "not-callable",
                node,
                f"cannot call a value of type '{callee.type}'",
                type=callee.type,
                callee=node.func,
            )
        return UNKNOWN
    if isinstance(callee, PythonValue) and callee.type_name == "partial":
        return call_python(em, callee.spelled, node, given)
    if isinstance(callee, PythonValue):
        em.report(
            "closed-over-global",
            node,
            f"python value of type '{callee.type_name}' cannot be used as a value",
            name=callee.spelled,
            type_name=callee.type_name,
        )
    elif isinstance(callee, ModuleReference):
        em.report("not-callable", node, "cannot call a value", type=None, callee=node.func)
    return UNKNOWN


def _super(em: Emitter, node: ast.Call) -> Value:
    if node.args:
        em.report("super-call", node, "Python type cannot be used as a value", method=None, following=after_owner(em))
        return UNKNOWN
    return SuperValue()


def _call_module(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given) -> Value:
    definition = callee.instance.definition
    typed = typed_arguments(em, given)
    if definition is None:
        return _call_torch_module(em, callee, node, given, typed)
    hierarchy = em.model.hierarchy(definition)
    facts = em.model.facts(definition)
    member = hierarchy.members.get("forward")
    if member is None and _has_no_forward(em, callee, definition):
        return em.report(
            "no-forward",
            node,
            "Compiled functions can't take variable number of arguments or use keyword-only arguments with defaults",
            class_name=definition.qualname,
            path=callee.path,
            class_=definition,
        )
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
            notice_call_override(em, definition, override, node, callee.path)
        return UNKNOWN
    return call_function(em, FunctionValue(member.function, callee), node, given)


def _has_no_forward(em: Emitter, callee: ModuleValue, definition: Class) -> bool:
    """Whether a module has nothing but ``nn.Module``'s own ``forward``, which raises, and takes ``*input``."""
    facts = em.model.facts(definition)
    only = {base.name for base in facts.hierarchy.externals} <= {
        "torch.nn.Module",
        "abc.ABC",
        "typing.Generic",
        "builtins.object",
    }
    return (
        only
        and not facts.open
        and "forward" not in facts.attributes
        and "forward" not in facts.elsewhere
        and not callee.instance.hooks
    )


def _call_torch_module(em: Emitter, callee: ModuleValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    found = module_class(callee.instance.external)
    if found is None or callee.instance.hooks or not isinstance(found.forward, tuple):
        return UNKNOWN
    if given_argument(callee.instance, found, "return_indices") is not None:
        return UNKNOWN  # a boolean dispatch: two forwards in one
    own = found.forward[0].arguments[0].type if found.forward[0].arguments else None
    return match_call(em, found.forward, node, given, typed, callee.instance.external, own)


def _call_container(em: Emitter, callee: ContainerValue, node: ast.Call, given: Given) -> Value:
    if callee.kind == "Sequential":
        value: Value = UNKNOWN
        positional = given.positional()
        if callee.items and len(positional) == 1:
            value = positional[0]
            for item in callee.items:
                value = call_value(em, item, node, Given([(None, value, node)]))
        return value
    if callee.kind in ("ModuleList", "ModuleDict", "slice"):
        word = "slice of a container" if callee.kind == "slice" else f"nn.{callee.kind}"
        em.report("container-called", node, f"{callee.kind} object is not callable", container=word, path=callee.path)
    return UNKNOWN
