"""Finds what may change the instance in code that is not interpreted: functions that get it, nested functions,
decorators.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.project.definitions import Class, Definition, External, Function
from tslint.project.index import Project
from tslint.script.attributes import PyFunction, PySequence, PyValue
from tslint.script.construct.aliases import GROWING, change, changed
from tslint.script.construct.expressions import SELF
from tslint.script.construct.frame import Frame, Run
from tslint.util import astwalk

# The dicts in which `nn.Module` stores attributes, and the methods that store them.
TABLES = ("_buffers", "_modules", "_parameters", "__dict__")
REGISTERING = ("register_buffer", "register_parameter", "register_module", "add_module", "__setattr__")
_READING = frozenset("isinstance hasattr getattr super type len id print".split())
_KEEPING = ("builtins.", "torch.", "abc.", "typing.", "typing_extensions.")


def escape(frame: Frame, values: Iterable[PyValue], node: ast.AST) -> None:
    """Record that values are passed to code that is not interpreted: this code may set attributes of the instance, and
    call functions among the values.
    """
    for value in values:
        if value is SELF:
            frame.run.expose(node)
        elif isinstance(value, PyFunction):
            forget_by(frame, value)
        elif isinstance(value, PySequence):
            escape(frame, value.items or (), node)


def forget_by(frame: Frame, called: PyFunction) -> None:
    """Forget the attributes that a bound method, a nested function or a lambda may set."""
    function = called.function
    if called.bound and function is not None:
        _forget_method(frame, function, frozenset())
    elif function is None and called.node is not None:
        forget_changes(frame, called.node)
    elif function is not None and function.outer is not None:
        forget_changes(frame, function.node)


def forget_changes(frame: Frame, node: ast.AST) -> None:
    """Forget the attributes that nested code may set, because it sees the variables of the frame around it."""
    names = {name for name, value in frame.locals.items() if value is SELF} | {frame.self_name}
    _forget(frame, node, names, frozenset())


def _forget_method(frame: Frame, function: Function, seen: frozenset[ast.AST]) -> None:
    arguments = [*function.node.args.posonlyargs, *function.node.args.args]
    if arguments and function.node not in seen:
        _forget(frame, function.node, {arguments[0].arg}, seen | {function.node})


def _forget(frame: Frame, node: ast.AST, names: set[str], seen: frozenset[ast.AST]) -> None:
    run = frame.run
    for each in astwalk.walk(node):
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id in names:
            member = run.member(each.attr)
            if not isinstance(each.ctx, ast.Load):
                run.forget(frame.attribute_name(each.attr), each)
            elif each.attr in TABLES or each.attr in REGISTERING:
                run.open = True
            elif member is not None and member.function is not None:
                _forget_method(frame, member.function, seen)
        elif isinstance(each, ast.Name) and each.id in frame.locals and not seen:
            change(frame, frame.locals[each.id], changed(frame.locals[each.id]), each)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in GROWING:
            grown = each.func.value
            if isinstance(grown, ast.Attribute) and isinstance(grown.value, ast.Name) and grown.value.id in names:
                run.forget(frame.attribute_name(grown.attr), each)
        elif isinstance(each, ast.Call) and not (isinstance(each.func, ast.Name) and each.func.id in _READING):
            if any(isinstance(given, ast.Name) and given.id in names for given in each.args):
                run.open = True
                if len(each.args) == 3 and isinstance(each.args[1], ast.Constant):  # `setattr(self, "name", value)`
                    run.forget(str(each.args[1].value), each)


def decorated(run: Run, function: Function) -> None:
    """Record what the decorators of a constructor or a method may set: a decorator may replace the function by a
    wrapper.
    """
    for mark in function.node.decorator_list:
        if not _is_accessor(mark):
            _record(run, _decorator(run.project, function.module, mark), function.node)


def rebuilt(run: Run, definition: Class) -> None:
    """Record what the decorators and the metaclass of a class may set in its instances; these may also replace the
    class.
    """
    for mark in definition.node.decorator_list:
        found = _decorator(run.project, definition.module, mark)
        if isinstance(found, Function):
            _record(run, found, definition.node)
    for keyword in definition.node.keywords:
        meta = run.project.resolve_expression(definition.module, keyword.value) if keyword.arg == "metaclass" else None
        if isinstance(meta, Class):
            _record(run, meta, definition.node)


def _record(run: Run, mark: Definition, node: ast.AST) -> None:
    if isinstance(mark, (Function, Class)):
        names = _written(mark.node)
        run.open = run.open or names is None
        for name in names or ():
            run.forget(name, node)
    elif not (isinstance(mark, External) and mark.name.startswith(_KEEPING)):
        run.open = True


def _decorator(project: Project, module: object, mark: ast.expr) -> Definition:
    return project.resolve_expression(module, mark.func if isinstance(mark, ast.Call) else mark)  # type: ignore[arg-type]


def _is_accessor(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Attribute) and mark.attr in ("setter", "getter", "deleter")


@astwalk.kept
def _written(node: ast.AST) -> frozenset[str] | None:
    """Return the names of the attributes that a function or class sets, in any object; None if they are not known."""
    names = {each.attr for each in astwalk.of_kind(node, ast.Attribute) if not isinstance(each.ctx, ast.Load)}
    changed = [each.value for each in astwalk.of_kind(node, ast.Subscript) if not isinstance(each.ctx, ast.Load)]
    for call in astwalk.of_kind(node, ast.Call):
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if method in REGISTERING or astwalk.is_name(call.func, "setattr"):
            name = next(iter(call.args[0 if method else 1 :]), None)
            if not isinstance(name, ast.Constant):
                return None
            names.add(str(name.value))
        elif isinstance(call.func, ast.Attribute):
            changed.append(call.func.value)  # `self.__dict__.update(...)`
    tables = any(isinstance(each, ast.Attribute) and each.attr in TABLES for each in changed)
    classes = any(each is not node for each in astwalk.of_kind(node, ast.ClassDef))
    return None if tables or classes or names & {"__class__", *TABLES} else frozenset(names)
