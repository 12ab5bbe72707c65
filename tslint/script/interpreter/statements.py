"""Emits statements (``emitStatements`` and the functions that it calls)."""

from __future__ import annotations

import ast

from tslint.script.assumptions import satisfiable
from tslint.script.events.modules import BreakInUnrolledLoop
from tslint.script.events.names import DeletedInBlock
from tslint.script.events.types import RaisedValue, ReturnMismatch, ReturnType
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import arguments, typed_arguments
from tslint.script.interpreter.classes import emit_with_item
from tslint.script.interpreter.early_exits import check_with
from tslint.script.interpreter.emitter import Emitter, emits_statement, spread
from tslint.script.interpreter.value_kinds import as_typed, value_kind
from tslint.script.types import ANY, NONE, ClassType, Simple, Type, convertible, unify
from tslint.script.values import UNKNOWN, Alternatives, ClassValue, ExternalValue, PythonValue, Typed, Unknown, Value
from tslint.util import astwalk

# Kinds of classes whose instances can never be raised.
_NO_EXCEPTIONS = ("script class", "namedtuple", "enum")


@emits_statement(ast.Expr)
def _expression(em: Emitter, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant):
        return
    em.expression(node.value)


@emits_statement(ast.Return)
def _return(em: Emitter, node: ast.Return) -> bool:
    declared = em.declared_return if isinstance(em.declared_return, Type) else None
    value = Typed(NONE) if node.value is None else spread(em, em.expression(node.value, declared))
    if declared is not None:
        type_ = _declared_return(em, node, value, declared)
    else:
        type_ = em.type_of(value, node.value or node)
        if em.declared_return is None:
            _merge_return(em, node, type_)
    em.returns.append((em.assumptions, type_, node))
    em.record(node, "return", "return", as_typed(type_))
    return False


def _declared_return(em: Emitter, node: ast.Return, value: Value, declared: Type) -> Type | None:
    """Check that a returned value has the declared type, in each construction separately. Return its type, None if it
    is not known or depends on the construction.
    """
    if isinstance(value, Alternatives):
        em.map_alternatives(value, lambda option: as_typed(_declared_return(em, node, option, declared)))
        return None
    type_ = em.type_of(value, node.value or node)
    if type_ is not None and not convertible(type_, declared, allow_conversions=True) and declared != ANY:
        em.report(
            ReturnType(
                node.value or node,
                f"Return value was annotated as having type {declared} but is actually of type {type_}",
                declared=declared,
                actual=type_,
            )
        )
    else:
        observers.conversion.tell(em, node.value or node, type_, declared, "return", em.unit.function.name)
    return type_


def _merge_return(em: Emitter, node: ast.Return, type_: Type | None) -> None:
    """Report a ``return`` of an unannotated function if its type does not fit the earlier ones (``emitReturn``)."""
    merged: Type | None = None
    for assumptions, other, _ in em.returns:
        if not satisfiable(assumptions, em.assumptions) or (assumptions and assumptions != em.assumptions):
            return
        if other is None:
            return
        merged = other if merged is None else unify(merged, other)
        if merged is None:
            return
    if merged is None or type_ is None:
        return
    if unify(merged, type_) is None:
        em.report(
            ReturnMismatch(
                node.value or node,
                f"Previous return statement returned a value of type {merged} but this return statement returns a"
                f" value of type {type_}",
                previous=merged,
                actual=type_,
                first=em.returns[0][2],
                returns=em.returns,
            )
        )


@emits_statement(ast.Raise)
def _raise(em: Emitter, node: ast.Raise) -> bool:
    exception = node.exc
    if isinstance(exception, ast.Call):
        value = em.expression(exception.func)
        if isinstance(value, (Unknown, ClassValue)) or (
            isinstance(value, ExternalValue) and value.name.startswith("builtins.")
        ):
            typed_arguments(em, arguments(em, exception))
            if isinstance(value, ClassValue) and em.model.class_kind(value.definition) in _NO_EXCEPTIONS:
                _not_raised(em, node, ClassType(ast.unparse(exception.func)))
        else:
            em.expression(exception)
    elif exception is not None:
        raised = em.expression(exception)
        if isinstance(raised, Typed) and not isinstance(raised.type, ClassType):
            _not_raised(em, node, raised.type)
        elif isinstance(raised, PythonValue) and raised.type_name == "NotImplementedType":
            _not_raised(em, node, Simple(raised.type_name))
        elif value_kind(raised) in ("function", "method", "builtin"):
            _not_raised(em, node, Simple(value_kind(raised)))
    return False


def _not_raised(em: Emitter, node: ast.Raise, type_: Type) -> None:
    em.report(RaisedValue(node, "exceptions must derive from BaseException", type=type_))


@emits_statement(ast.With)
def _with(em: Emitter, node: ast.With) -> bool:
    for item in node.items:
        emit_with_item(em, item)
    goes_on = em.block(node.body)
    check_with(em, node, goes_on)
    return goes_on


@emits_statement(ast.Delete)
def _delete(em: Emitter, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            em.expression(target.value)
            em.expression(target.slice)
        elif isinstance(target, ast.Name):
            em.expression(target)
            if em.env.find(target.id) is not None and not em.env.is_outermost(target.id):
                em.report(DeletedInBlock(target, f"undefined value {target.id}", name=target.id))
            em.env.remove(target.id)


@emits_statement(ast.Break, ast.Continue)
def _exit_loop(em: Emitter, node: ast.Break | ast.Continue) -> bool:
    word = "break" if isinstance(node, ast.Break) else "continue"
    if em.loops and em.loops[-1] == "unrolled":
        em.report(
            BreakInUnrolledLoop(
                node,
                "Because we emit iteration over modulelists or tuples as unrolled loops, we do not support break or"
                " continue inside the body of these loops",
                word=word,
            )
        )
    return False


def _skip(em: Emitter, node: ast.stmt) -> None:
    """Skip a statement that the front end rejects, or that emits nothing; the names that it binds become unknown."""
    for child in astwalk.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            em.env.set(child.id, UNKNOWN)
        elif isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            em.env.set(child.name, UNKNOWN)
        elif isinstance(child, ast.alias):
            em.env.set(child.asname or child.name.split(".")[0], UNKNOWN)


@emits_statement(ast.Try)
def _try(em: Emitter, node: ast.Try) -> bool:
    """Emit the body of a ``try`` to find further errors in it, although the front end rejects the ``try``."""
    em.refused = True
    goes_on = em.block(node.body)
    for handler in node.handlers:
        _skip(em, ast.copy_location(ast.If(ast.Constant(True), handler.body, []), node))
    goes_on = em.block(node.orelse) and goes_on if goes_on else goes_on
    return (em.block(node.finalbody) and goes_on) or bool(node.handlers)


def _refuse(em: Emitter, node: ast.stmt) -> None:
    """Skip a statement that the front end rejects, and that may return."""
    em.refused = True
    _skip(em, node)


emits_statement(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)(_skip)
emits_statement(
    ast.AsyncFor, ast.AsyncWith, *(getattr(ast, name) for name in ("TryStar", "Match") if hasattr(ast, name))
)(_refuse)
