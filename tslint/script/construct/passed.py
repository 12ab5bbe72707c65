"""Finds the arguments that calls of a class in its own file pass for the parameters of its constructor.

Only an argument of another kind than the default counts as a construction of its own: ``Net(torch.relu)`` does if the
default is ``act=None``, ``Net(4)`` does not if the default is ``n=2``.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, Function
from tslint.script.attributes import Instance, PyConst, PyDict, PyExternal, PyFunction, PySequence, PyValue
from tslint.script.construct.frame import Frame, Run
from tslint.script.dataflow.definitions import default_of
from tslint.script.dataflow.scopes import bindings
from tslint.script.module_classes import is_module_class
from tslint.util import astwalk

_MOST = 2
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LITERALS = (type(None), bool, int, float, str)


def passed(frame: Frame, function: Function) -> dict[str, tuple[PyValue, ...]]:
    """Return the arguments of all calls of the class in its file that are literals, functions, or objects other than
    modules.

    They are grouped by the name of the parameter: at most two for each parameter, of different kinds.

    Args:
        frame: the frame of the constructor.
        function: the constructor.
    """
    definition = frame.run.hierarchy.definition
    tree, spec = definition.module.tree, function.node.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)][1:]
    known = {*names, *(each.arg for each in spec.kwonlyargs)}
    found: dict[str, dict[str, PyValue]] = {}
    top = frame.at_top(definition.module)
    top.run = Run(frame.run.project, frame.run.hierarchy, frame.run.calls)  # a call of a function changes nothing here
    for call in _calls(tree).get(definition.name, ()):
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            continue
        scopes = [each for each in astwalk.around(tree, call) if _bound(each)]
        for name, node in (*zip(names, call.args), *((str(each.arg), each.value) for each in call.keywords)):
            enough = len(found.get(name, ())) == _MOST
            value = _value(scopes, node, top) if name in known and not enough else None
            if value is not None:
                found.setdefault(name, {}).setdefault(kind(value), value)
    return {name: tuple(values.values()) for name, values in found.items()}


def kind(value: PyValue) -> str:
    """Return the kind of an argument: the type of a literal, the class of an object, or ``function``; empty for other
    arguments, such as a list with unknown items.
    """
    if isinstance(value, (PySequence, PyDict)) and value.items == ():
        return f"empty {value.kind}"
    if isinstance(value, PySequence) and value.items is not None:
        kinds = [kind(each) for each in value.items if isinstance(each, (PyConst, PySequence))]
        return f"{value.kind} of {', '.join(kinds)}" if len(kinds) == len(value.items) and all(kinds) else ""
    if isinstance(value, PyConst):
        return type(value.value).__name__
    if isinstance(value, Instance) and value.definition is not None:
        return value.definition.name
    is_function = isinstance(value, PyFunction) or (
        isinstance(value, PyExternal) and value.name.startswith("torch.") and value.name.rpartition(".")[2].islower()
    )
    return "function" if is_function else ""


@astwalk.kept
def _calls(tree: ast.Module) -> dict[str, list[ast.Call]]:
    """Return the calls of plain names, by name."""
    found: dict[str, list[ast.Call]] = {}
    for node in astwalk.of_kind(tree, ast.Call):
        if isinstance(node.func, ast.Name) and (node.args or node.keywords):
            found.setdefault(node.func.id, []).append(node)
    return found


def _value(scopes: Sequence[ast.AST], node: ast.expr, top: Frame) -> PyValue | None:
    """Return the value of an argument if it is a literal, a function of the file's top level, a plain object, or a list
    or tuple of literals; None for other arguments. For an unchanged parameter of the functions around the call, its
    default is used instead.
    """
    default = _default(scopes, node)
    if isinstance(default, ast.Constant):
        return PyConst(default.value)
    if default is not None:
        node = default
    elif isinstance(node, (ast.Name, ast.Attribute)) and any(_root(node) in _bound(each) for each in scopes):
        return None
    if _may_be_sequence(node, top):
        try:
            node = _Filled(scopes).visit(copy.deepcopy(node))
        except LookupError:
            return None
    elif not isinstance(node, (ast.Name, ast.Attribute, ast.Constant, ast.Lambda)):
        return _plain_object(node, top)
    value = top.evaluate(node)
    if isinstance(value, PyConst) and not isinstance(value.value, _LITERALS):
        return None
    return value if kind(value) else None


class _Filled(ast.NodeTransformer):
    """Replaces parameters, and attributes in which a constructor stores one, by their defaults.

    Args:
        scopes: the functions around the expression, innermost first.

    Raises:
        LookupError: the expression reads another variable of these functions.
    """

    def __init__(self, scopes: Sequence[ast.AST]) -> None:
        self._scopes = scopes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._filled(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._filled(node)

    def _filled(self, node: ast.Name | ast.Attribute) -> ast.expr:
        default = _default(self._scopes, node)
        if default is None and any(_root(node) in _bound(each) for each in self._scopes):
            raise LookupError
        return node if default is None else default


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _may_be_sequence(node: ast.expr, top: Frame) -> bool:
    """Return whether an expression may be a list or tuple of literals, such as ``(3, 3)`` or ``to_2tuple(3)``."""
    if isinstance(node, ast.Call):
        return isinstance(top.resolve(node.func), Function)
    return isinstance(node, (ast.List, ast.Tuple)) or (isinstance(node, ast.Dict) and not node.keys)


def _plain_object(node: ast.expr | None, top: Frame) -> PyValue | None:
    """Return what a call of a class creates, without its arguments; None for a module, or another expression."""
    made = top.resolve(node.func) if isinstance(node, ast.Call) else None
    if not isinstance(made, Class) or is_module_class(Hierarchy(top.run.project, made)):
        return None
    return Instance(made, known=False, node=node)


def _bound(scope: ast.AST) -> frozenset[str]:
    """Return the variables of a function or comprehension; empty for other nodes."""
    if isinstance(scope, _COMPREHENSIONS):
        return astwalk.bound(scope)
    return bindings(scope) if isinstance(scope, _FUNCTIONS) else frozenset()


def _default(scopes: Sequence[ast.AST], node: ast.expr) -> ast.expr | None:
    """Return the default of an unchanged parameter, or of the one that the constructor around stores in an attribute;
    None if there is none.

    Args:
        scopes: the functions around the expression, innermost first.
        node: a name or an attribute.
    """
    scope = next((each for each in scopes if _root(node) in _bound(each)), None)
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    if isinstance(node, ast.Attribute) and isinstance(scope, ast.FunctionDef) and scope.name == "__init__":
        values = _stored(scope).get(ast.unparse(node), ())
        node = values[0] if len(values) == 1 else node
    if not isinstance(node, ast.Name) or node.id in astwalk.bound(scope):
        return None
    return default_of(scope, node.id)


@astwalk.kept
def _stored(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """Return the values that a function stores in attributes, by the code of the attribute."""
    found: dict[str, list[ast.expr]] = {}
    for each in astwalk.of_kind(function, ast.Assign):
        for target in each.targets:
            if isinstance(target, ast.Attribute):
                found.setdefault(ast.unparse(target), []).append(each.value)
    return found
