"""Emits a function's frame: parameters, returns (``emitDef``, ``emitFormalArguments``, ``handleMaybeNoReturn``)."""

from __future__ import annotations

import ast

from tslint.project.definitions import Function, FunctionNode
from tslint.script.attributes import Instance
from tslint.script.events.annotation import StateWithoutType, UnannotatedReturn
from tslint.script.events.modules import StaticForward
from tslint.script.events.types import MissingReturn
from tslint.script.frontend.typecomments import comment_signature
from tslint.script.interpreter import observers
from tslint.script.interpreter.defaults import check_defaults
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.type_comments import CommentedTypes, commented_types
from tslint.script.project_classes import is_classmethod, type_name
from tslint.script.types import (
    GENERATED,
    INFERRED_TENSOR,
    NONE,
    ClassType,
    Type,
    unify,
)
from tslint.script.values import UNKNOWN, ModuleValue, Typed, Value
from tslint.util import astwalk


def parameters(node: FunctionNode) -> list[ast.arg]:
    """Return the parameters that the compiler reads; its front end drops positional-only ones."""
    return [*node.args.args, *node.args.kwonlyargs]


def is_static(node: FunctionNode) -> bool:
    """Return whether a method is static."""
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)


def has_annotations(node: FunctionNode) -> bool:
    """Return whether the signature has any annotation; if it has none, a type comment is used."""
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return node.returns is not None or any(argument.annotation is not None for argument in every)


def parameter_type(em: Emitter, argument: ast.arg, comment: CommentedTypes | None) -> Type | None:
    """Return a parameter's type: ``Tensor (inferred)`` if it has no annotation, None if it is not known."""
    if comment is not None:
        return comment.parameters.get(argument.arg)
    return em.read_annotation(argument.annotation) if argument.annotation is not None else INFERRED_TENSOR


def emit_function(em: Emitter) -> Type | None:
    """Emit the whole function; return its return type, None if it is not known."""
    node = em.declaration.node
    arguments = parameters(node)
    # A static `forward` is compiled as a method, too: its first parameter is the module.
    method = em.unit.receiver is not None and (not is_static(node) or em.unit.role == "forward")
    comment = commented_types(em, em.declaration, is_method=method)
    if method and arguments:
        static = is_static(node)
        if static:
            _report_static(em, node, arguments[0].arg)
        em.env.set(arguments[0].arg, UNKNOWN if static else self_value(em))
        arguments = arguments[1:]
    elif em.unit.role == "hook" and arguments:
        em.env.set(arguments[0].arg, UNKNOWN)  # the first argument of a hook is the module that has the hook
        arguments = arguments[1:]
    types: dict[str, Type | None] = {}
    state = _saved_state(em) if not has_annotations(node) and comment is None else INFERRED_TENSOR
    typed = [(each, parameter_type(em, each, comment) if state is INFERRED_TENSOR else state) for each in arguments]
    for argument, type_ in typed + _extra_parameters(em):
        types[argument.arg] = type_
        em.env.set(argument.arg, UNKNOWN if type_ is None else Typed(type_))
        em.record(argument, argument.arg, "parameter", em.env.top.values[argument.arg])
    for hidden in (node.args.vararg, node.args.kwarg):
        if hidden is not None:  # the front end has already rejected the signature
            em.env.set(hidden.arg, UNKNOWN)
    if comment is not None:
        em.declared_return = comment.returned or True
    elif node.returns is not None:
        em.declared_return = em.read_annotation(node.returns) or True
    elif em.unit.role == "forward":
        em.report(UnannotatedReturn(node, "", name=em.unit.name))
    reaches_end = em.block(em.unit.function.node.body)
    returned = merged_return(em, node, reaches_end)
    check_defaults(em, node, types)
    observers.function_end.tell(em, types)
    return returned


def whole_function(function: Function) -> ast.AST:
    """Return the node where the compiler's underlining of a whole function begins.

    With a type comment, that is the first decorator: the compiler mixes up the positions in the comment, which it
    parses as a text of its own, with those in the function.
    """
    node = function.node
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        if comment_signature(node, function.module.source, is_method=False) is not None:
            return node.decorator_list[0]
    return node


def _extra_parameters(em: Emitter) -> list[tuple[ast.arg, Type | None]]:
    """Return the parameters that an overloaded function has after those of the compiled declaration."""
    function = em.unit.function
    if em.declaration is function or em.unit.receiver is not None:
        return []
    comment = commented_types(em, function, is_method=False)
    extra = parameters(function.node)[len(parameters(em.declaration.node)) :]
    return [(each, parameter_type(em, each, comment)) for each in extra]


def _saved_state(em: Emitter) -> Type | None:
    """Return the type of the argument of ``__setstate__``: that of the result of ``__getstate__``, or None if it is not
    known (``shouldDeriveSetStateType``). For other functions, return the type of parameters without annotation.
    """
    if em.unit.function.name != "__setstate__" or em.unit.receiver is None:
        return INFERRED_TENSOR
    member = em.model.hierarchy(em.unit.receiver).members.get("__getstate__")
    if member is None and not em.model.hierarchy(em.unit.receiver).open and em.model.is_module(em.unit.receiver):
        said = "`__setstate__` defined but not `__getstate__`. You must have both defined on a ScriptModule"
        node = em.unit.function.node
        em.report(StateWithoutType(next(iter(node.args.args[1:]), node), f"{said} to customize serialization."))
        return None
    if member is None or member.function is None:
        return INFERRED_TENSOR
    return em.model.reach(member.function, em.unit.receiver, "export", None, None, em.assumptions)[1]


def _report_static(em: Emitter, node: FunctionNode, name: str) -> None:
    """Report a static ``forward``: its first parameter gets the module, which the first operator that uses the
    parameter rejects.
    """
    uses = [each for each in astwalk.walk(node) if isinstance(each, ast.Name) and each.id == name]
    at = min(uses, key=lambda each: (each.lineno, each.col_offset), default=node.decorator_list[0])
    em.report(StaticForward(at, "Arguments for call are not valid", function=node))


def self_value(em: Emitter) -> Value:
    """Return the value of ``self``."""
    if em.unit.receiver is None:
        return UNKNOWN
    if not em.model.is_module(em.unit.receiver):
        if em.model.class_kind(em.unit.receiver) == "script class" and not is_classmethod(em.unit.function):
            return Typed(ClassType(type_name(em.unit.receiver), "class", em.unit.receiver))
        return UNKNOWN
    return ModuleValue(Instance(em.unit.receiver), "self")


def merged_return(em: Emitter, node: FunctionNode, reaches_end: bool) -> Type | None:
    """Return the return type, None if it is not known: the declared type, or the common type of all returns."""
    declared = em.declared_return
    if isinstance(declared, Type):
        if reaches_end and declared != NONE and not em.refused:
            em.report(
                MissingReturn(
                    whole_function(em.declaration),
                    "Function was not annotated as having type None, but does not return along all paths",
                    declared=declared,
                )
            )
        return declared
    if declared is True or em.refused:
        return None
    if astwalk.of_kind(node, ast.Yield, ast.YieldFrom):
        return GENERATED
    if not em.returns:
        # A method that only raises is overridden, so its type is not known. But if there is a `return`, a static test
        # leads to the `raise`, and the compiler never sees that `return`: then the type is None.
        returns = any(each.value is not None for each in astwalk.of_kind(node, ast.Return))
        return NONE if reaches_end or returns else None
    merged: Type | None = em.returns[0][1]
    for _, type_, _ in em.returns[1:]:
        if merged is None or type_ is None:
            return None
        merged = unify(merged, type_)
    if merged is None:
        return None
    if reaches_end:
        merged = unify(merged, NONE)
    return merged
