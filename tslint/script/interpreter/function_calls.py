"""Emits calls of the project's functions: signatures, ignored ones, overloads (``FunctionValue::call``)."""

from __future__ import annotations

import ast
from dataclasses import replace

from tslint.project.classes import is_abstract
from tslint.project.definitions import Class, Function
from tslint.script.annotations import Unreadable
from tslint.script.dataflow.definitions import defaults_of
from tslint.script.events.annotation import DefaultWithoutAnnotation
from tslint.script.events.calls import CallMismatch
from tslint.script.events.modules import IgnoredVariadic
from tslint.script.events.names import Recursion
from tslint.script.events.types import NoneDefaultOmitted
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, known_types, typed_arguments
from tslint.script.interpreter.call_dispatch import calls
from tslint.script.interpreter.defaults import default_type, fits_default
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.function import has_annotations, is_static, parameters
from tslint.script.interpreter.operator_calls import operator_mismatch
from tslint.script.interpreter.type_comments import commented_types
from tslint.script.interpreter.value_kinds import as_typed
from tslint.script.operators import Arg, Argument, Matched, Mismatch, Schema, match
from tslint.script.operators.diagnosis import diagnose
from tslint.script.scope import (
    Unit,
    cache_of,
    declares_overload,
    exemption,
    opaque_decorator,
    overloads,
    overloads_are_sure,
)
from tslint.script.types import ANYTHING, INFERRED_TENSOR, TENSOR, ClassType, TensorType, Type, is_inferred, walk
from tslint.script.values import UNKNOWN, FunctionValue, ModuleValue, Typed, Value


def signature(em: Emitter, callee: FunctionValue, bare: bool = False) -> Schema | None:
    """Return the schema of a function of the project; None if a type is not known, or there is ``*args`` or similar.

    Args:
        em: the emitter.
        callee: the function.
        bare: whether to leave out its defaults, as for an ignored function.
    """
    node = callee.function.node
    spec = node.args
    if spec.vararg or spec.kwarg or any(d is not None for d in spec.kw_defaults):
        return None
    listed = parameters(node)
    method = callee.receiver is not None and not is_static(node)
    listed = listed[method:]
    comment = commented_types(em, callee.function, is_method=method)
    reader = em.reader_of(callee.function.module)
    defaults = {
        a.arg for a in [*spec.posonlyargs, *spec.args][len(spec.posonlyargs) + len(spec.args) - len(spec.defaults) :]
    }
    defaults |= {a.arg for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None}
    formals: list[Argument] = []
    keyword_only = {a.arg for a in spec.kwonlyargs}
    for argument in listed:
        found: Type | Unreadable | None = INFERRED_TENSOR
        if comment is not None:
            found = comment.parameters.get(argument.arg)
        elif argument.annotation is not None:
            found = reader.read(argument.annotation)
        if not isinstance(found, Type):
            return None
        default = "…" if argument.arg in defaults and not bare else None
        formals.append(Argument(argument.arg, found, default, argument.arg in keyword_only))
    shown = ", ".join(f"{formal.type} {formal.name}" for formal in formals)
    return Schema(node.name, "", tuple(formals), (TENSOR,), ("",), f"{node.name}({shown})")


@calls(FunctionValue)
def call_function(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given) -> Value:
    """Call a function of the project: compile it, and match its signature."""
    function = callee.function
    receiver = callee.receiver
    exempt = exemption(function, em.project)
    typed = typed_arguments(em, given)
    bound = _class_of(receiver)
    if isinstance(receiver, Typed) and isinstance(receiver.type, ClassType) and receiver.type.kind == "interface":
        return _call_ignored(em, callee, node, given, typed)
    if exempt:
        if em.recording is not None:
            em.recording.exempt(function, bound, em.unit, node, exempt)
        observers.exempt_call.tell(em, function, node, exempt)
        if exempt == "unused":
            em.raising.add(node)
        return _call_ignored(em, callee, node, given, typed)
    if is_abstract(function, em.project) or opaque_decorator(function, em.project) is not None:
        if em.recording is not None:
            em.recording.exempt(function, bound, em.unit, node, "decorated")
        return _call_object(em, callee, node, given, typed)
    under = em.assumptions if em.called_under is None else em.called_under
    alone = declares_overload(function, em.project)
    if alone or overloads(function, em.project):
        if not em.model.is_active(function, bound):  # every declaration is compiled, whichever of them is called
            em.model.reach(function, bound, "method" if bound else "function", em.unit, node, under)
        return UNKNOWN if alone else _call_overloaded(em, callee, node, given, typed)
    if em.model.is_active(function, bound):
        if isinstance(receiver, ModuleValue) and receiver.path != "self":
            return UNKNOWN  # the receiver is another instance of the class: a module that contains the current one
        kind = "method" if bound else "function"
        said = f"{kind} '{function.name}' is called recursively. Recursive calls are not supported"
        em.report(Recursion(node, said, name=function.name))
        return UNKNOWN
    unit, returned = em.model.reach(function, bound, "method" if bound else "function", em.unit, node, under)
    schema = signature(em, callee)
    if schema is not None and given.whole:
        fits = _match_signature(em, callee, node, schema, given, typed, unit)
        if not fits and returned is not None and any(map(is_inferred, walk(returned))):
            return UNKNOWN  # a parameter without annotation is returned, which has the wrong type so far
    return as_typed(returned)


def _match_signature(
    em: Emitter, callee: FunctionValue, node: ast.Call, schema: Schema, given: Given, typed: list[Arg],
    unit: Unit | None,
) -> bool:  # fmt: skip
    """Match a call with the signature of a compiled function, and its unit with what the call passes. Return whether
    the call fits.
    """
    function = callee.function
    found = match([schema], typed)
    if not isinstance(found, Matched):
        if not _default_was_reported(em, function, _class_of(callee.receiver), found):
            report_mismatch(em, node, found, function, typed, given)
        if unit is not None:
            types = ((id(argument), actual.type) for (_, _, argument), actual in zip(given.values, typed))
            unit.refused.update((key, type_) for key, type_ in types if type_ is not None and not is_inferred(type_))
        return False
    observers.function_call.tell(em, node, schema, typed)
    by_name = {formal.name: formal for formal in schema.arguments}
    for (name, _, argument), formal, actual in zip(given.values, schema.arguments, typed):
        formal = by_name[name] if name else formal
        observers.conversion.tell(em, argument, actual.type, formal.type, "argument", formal.name)
    _check_omitted(em, node, schema, function, given)
    return True


def _class_of(receiver: Value | None) -> Class | None:
    """Return the project's class of the object to which a method is bound; None if there is no such class."""
    if isinstance(receiver, ModuleValue):
        return receiver.instance.definition
    type_ = receiver.type if isinstance(receiver, Typed) else None
    return type_.definition if isinstance(type_, ClassType) and isinstance(type_.definition, Class) else None


def _default_was_reported(em: Emitter, function: Function, receiver: Class | None, found: Mismatch) -> bool:
    """Return whether a wrong default of the parameter was already reported: one mistake gets only one finding."""
    blamed = {reason.parameter for reason in found.reasons if reason.what == "type"}
    return any(
        isinstance(event, DefaultWithoutAnnotation) and event.name in blamed
        for event in em.model.events.get((id(function), id(receiver)), ())
    )


def _check_omitted(em: Emitter, node: ast.Call, schema: Schema, function: Function, given: Given) -> None:
    """Report an omitted argument if its parameter has the default None and no annotation: None is not a Tensor."""
    spec = function.node.args
    defaults = dict(zip([a.arg for a in [*spec.posonlyargs, *spec.args]][::-1], spec.defaults[::-1]))
    for position, formal in enumerate(schema.arguments):
        default = defaults.get(formal.name)
        none = isinstance(default, ast.Constant) and default.value is None
        if none and isinstance(formal.type, TensorType) and given.named(formal.name, position) is None:
            em.report(
                NoneDefaultOmitted(
                    node,
                    "Unsupported value kind: Tensor",
                    name=formal.name,
                    function=function,
                    inferred=formal.type.inferred,
                )
            )
            return


def report_mismatch(
    em: Emitter, node: ast.Call, found: Mismatch, function: Function | None, typed: list[Arg], given: Given
) -> None:
    """Report arguments that a function of the project does not accept."""
    lines = found.message.split("\n")
    types = known_types(typed)
    diagnosis = diagnose(node, found.reasons, given.passed(), types, None)
    said = lines[1] if len(lines) > 1 else lines[0]
    em.report(CallMismatch(node, said, function=function, types=types, diagnosis=diagnosis))


def _call_ignored(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """Check the arguments of a call of an ignored function, and return the value of the call.

    The compiler wants an argument for each parameter, even if the parameter has a default. A parameter without
    annotation is a Tensor.
    """
    spec = callee.function.node.args
    if spec.vararg or spec.kwarg or spec.kwonlyargs:
        return _call_variadic(em, callee, node, given, typed)
    schema = signature(em, callee, bare=True)
    if schema is not None and given.whole:
        found = match([schema], typed)
        if not isinstance(found, Matched):
            report_mismatch(em, node, found, callee.function, typed, given)
            return UNKNOWN
    return _python_result(em, callee.function)


def _call_object(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """Return the value of a call of the object that a decorator made of a function. The value is known only for
    ``functools.lru_cache``.

    The compiler does not unwrap that object, so the call runs in Python. If the function has no annotations, the
    compiler accepts any number of arguments, and treats each as a Tensor.
    """
    if callee.receiver is not None or not cache_of(callee.function, em.project):
        return UNKNOWN
    spec = callee.function.node.args
    schema = signature(em, callee, bare=True)
    if schema is None or not given.whole or spec.kwonlyargs or any(argument.name is not None for argument in typed):
        return UNKNOWN
    if not has_annotations(callee.function.node):
        if len(typed) > len(schema.arguments):
            return UNKNOWN  # the compiler accepts any number, and the call fails when it runs
        schema = replace(schema, arguments=schema.arguments[: len(typed)])
    found = match([schema], typed)
    if not isinstance(found, Matched):
        report_mismatch(em, node, found, callee.function, typed, given)
        return UNKNOWN
    return _python_result(em, callee.function)


def _python_result(em: Emitter, function: Function) -> Value:
    """Return the value of a call that runs in Python. Its type is the return annotation; it is a Tensor if the function
    has no annotations, and unknown if only the return annotation is missing.
    """
    returns = function.node.returns
    if returns is None:
        return UNKNOWN if has_annotations(function.node) else Typed(TENSOR)
    read = em.reader_of(function.module).read(returns)
    return Typed(read) if isinstance(read, Type) else UNKNOWN


def _call_variadic(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """Call an ignored function with ``*args`` or ``**kwargs``: the compiler fails on its annotations.

    Without annotations, its schema ends in ``...``, which accepts any positional arguments and no keywords.
    """
    function = callee.function
    if isinstance(callee.receiver, Typed):
        return UNKNOWN  # only methods of modules get a schema from their annotations
    if has_annotations(function.node):
        return em.report(
            IgnoredVariadic(
                node,
                "arg_types.size() == param_names.size() - (moduleSelf_ ? 1 : 0) INTERNAL ASSERT FAILED",
                name=function.name,
            )
        )
    names = [argument.arg for argument in function.node.args.args]
    if callee.receiver is not None and names:
        names = names[1:]
    formals = tuple(Argument(name, TENSOR, None, False) for name in names)
    schema = Schema(function.name, "", formals, (TENSOR,), ("",), f"{function.name}({', '.join(names)}, ...) -> Tensor")
    if function.node.args.vararg:
        plain = [argument for argument in typed if argument.name is None]
        typed = plain[: len(names)] + [argument for argument in typed if argument.name is not None]
    if given.whole and "# type:" not in "".join(
        function.module.source.lines[function.node.lineno - 1 : function.node.end_lineno]
    ):
        found = match([schema], typed)
        if not isinstance(found, Matched):
            report_mismatch(em, node, found, function, typed, given)
            return UNKNOWN
    return Typed(TENSOR)


def _call_overloaded(em: Emitter, callee: FunctionValue, node: ast.Call, given: Given, typed: list[Arg]) -> Value:
    """Call a function whose signatures are declarations marked ``_overload``: the first declaration that matches gives
    the result.
    """
    found = [_declared(em, callee, each) for each in overloads(callee.function, em.project)]
    schemas = [each for each in found if each is not None]
    if not given.whole or len(schemas) < len(found) or not overloads_are_sure(callee.function, em.project):
        return UNKNOWN
    chosen = match(schemas, typed)
    if isinstance(chosen, Matched):
        return as_typed(chosen.return_type)
    operator_mismatch(em, node, callee.function.name, chosen, typed, None, given)
    return UNKNOWN


def _declared(em: Emitter, callee: FunctionValue, declaration: Function) -> Schema | None:
    """Return the signature of a declaration marked ``_overload``; None if it is not known.

    The declaration of a function gets its defaults, and the parameters that it leaves out, from the implementation. A
    default of another type than that of the declaration does not count.
    """
    schema = signature(em, FunctionValue(declaration, callee.receiver))
    method = callee.receiver is not None and not is_static(declaration.node)
    comment = commented_types(em, declaration, is_method=method)
    returns = declaration.node.returns
    result = comment.returned if comment is not None else None
    if comment is None and returns is not None:
        read = em.reader_of(declaration.module).read(returns)
        result = read if isinstance(read, Type) else None
    if schema is None:
        return None
    arguments = schema.arguments if callee.receiver is not None else _with_defaults(em, callee, schema)
    return None if arguments is None else replace(schema, arguments=arguments, returns=(result or ANYTHING,))


def _with_defaults(em: Emitter, callee: FunctionValue, declared: Schema) -> tuple[Argument, ...] | None:
    whole = signature(em, callee)
    if whole is None:
        return None
    defaults = defaults_of(callee.function.node)
    found: list[Argument] = []
    for argument in declared.arguments:
        default = defaults.get(argument.name)
        unknown = default is not None and not isinstance(default, ast.Constant)
        if unknown or (default is None and argument.default is not None):
            return None
        value = default_type(em, default) if default is not None else None
        fits = isinstance(value, Typed) and fits_default(value.type, argument.type)
        found.append(replace(argument, default="…" if fits else None))
    extra = whole.arguments[len(found) :]
    return (*found, *extra) if all(each.default is not None for each in extra) else None
