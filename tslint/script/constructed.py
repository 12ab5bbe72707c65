"""Finds the classes of module instances where code, such as a factory function, creates, returns or scripts them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from tslint.project.definitions import Class, External, Function, GlobalValue, Module
from tslint.project.index import Project
from tslint.util import astwalk

# Methods of nn.Module that return the module itself.
_SAME = frozenset(
    "eval train to cuda cpu float double half bfloat16 requires_grad_ share_memory apply type xpu to_empty".split()
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
Scope = ast.FunctionDef | ast.AsyncFunctionDef | None


def external_calls(project: Project, module: Module) -> Iterator[tuple[ast.Call, Scope, str]]:
    """Yield the calls of external functions and classes in a file: the call, the function that contains it (None at the
    top level), and the callee's full name.
    """
    pending: list[tuple[ast.AST, Scope]] = [(module.tree, None)]
    while pending:
        node, scope = pending.pop(0)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            scope = node
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            callee = project.resolve_expression(module, node.func)
            if isinstance(callee, External):
                yield node, scope, callee.name
        pending += [(child, scope) for child in astwalk.children(node)]


def made_class(project: Project, module: Module, node: ast.expr, scope: Scope = None, depth: int = 0) -> Class | None:
    """Return the class of the project whose instance an expression creates or names; None if that is not certain.

    The arguments are those of :func:`made_of`.
    """
    found = made_of(project, module, node, scope, depth)
    return found if isinstance(found, Class) else None


def made_of(
    project: Project, module: Module, node: ast.expr, scope: Scope = None, depth: int = 0
) -> Class | External | None:
    """Return what an expression calls to create its value: a class of the project, or an external class or function;
    None if that is not certain.

    Args:
        project: resolves names.
        module: the module that contains the expression.
        node: ``Net()``, ``Net().eval()``, or a variable that is assigned such an expression once.
        scope: the function that contains the expression.
        depth: the number of variables that were followed so far.
    """
    node = same_module(project, module, node, scope)
    if isinstance(node, ast.Call):
        return _callee(project, module, node.func, scope)
    if isinstance(node, ast.Name) and depth < 4:
        if scope is not None and is_local(scope, node.id):
            value = only_value(scope, node.id)
            return None if value is None else made_of(project, module, value, scope, depth + 1)
        found = project.resolve(module, node.id)
        if isinstance(found, GlobalValue) and found.value is not None and not found.rebound:
            if len(found.module.bindings.get(found.name, ())) == 1:
                return made_of(project, found.module, found.value, None, depth + 1)
    return None


def same_module(project: Project, module: Module, node: ast.expr, scope: Scope = None) -> ast.expr:
    """Return an expression without the calls of methods that return the module itself: ``net`` for ``net.eval()``."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _SAME
        and _callee(project, module, node.func, scope) is None
    ):
        node = node.func.value
    return node


def project_class(project: Project, module: Module, node: ast.expr, scope: Scope) -> Class | None:
    """Return the project's class that an expression names; None if it names something else."""
    found = _callee(project, module, node, scope)
    return found if isinstance(found, Class) else None


def _callee(project: Project, module: Module, node: ast.expr, scope: Scope) -> Class | External | None:
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or (scope is not None and is_local(scope, root.id)):
        return None
    found = project.resolve_expression(module, node)
    return found if isinstance(found, (Class, External)) else None


def scripted_new(project: Project, module: Module) -> set[Class]:
    """Return the classes that a file's top level creates and scripts in one expression: ``torch.jit.script(Net())``."""
    found: set[Class] = set()
    for node in own_nodes(module.tree) if "jit" in module.source.text else ():
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Call):
            callee = project.resolve_expression(module, node.func)
            if isinstance(callee, External) and callee.name == "torch.jit.script":
                made = made_class(project, module, node.args[0])
                found |= {made} if made is not None else set()
    return found


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function or module that are not inside a nested function or class; the definitions of these
    are included.
    """
    pending = list(astwalk.children(scope))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _SCOPES):
            pending += astwalk.children(node)


def is_local(scope: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Return whether a function binds a name itself, as a parameter or by a statement."""
    return name in _bindings(scope)


def local_names(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterable[str]:
    """Return the names that a function binds itself."""
    return _bindings(scope)


def only_value(scope: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    """Return the value that a function assigns to a name; None unless the only binding is a plain assignment."""
    return _bindings(scope).get(name)


def _other_bindings(node: ast.AST) -> list[str | None]:
    """Return the names that a node binds, except those of ``ast.Name`` nodes."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
        return [node.name]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return [*node.names]
    return [node.asname or node.name.split(".")[0]] if isinstance(node, ast.alias) else []


@astwalk.kept
def _bindings(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr | None]:
    """Return the names that a function binds, each with its value if there is exactly one plain assignment."""
    spec = scope.args
    arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    names = [a.arg for a in arguments if a is not None]
    values: dict[str, ast.expr | None] = {}
    for node in own_nodes(scope):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.append(node.id)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if len(targets) == 1 and isinstance(targets[0], ast.Name):
                values[targets[0].id] = node.value
        else:
            others = [name for name in _other_bindings(node) if name is not None]
            names += [*others, *others]  # listed twice, so that these names never have a plain value
    once = [name for name, times in Counter(names).items() if times == 1]
    return {**dict.fromkeys(names), **{name: values.get(name) for name in once}}


def returned_classes(project: Project, function: Function) -> list[Class]:
    """Return the classes of the modules that a function returns, alone or as the first item of a tuple with their
    inputs.

    Return an empty list if one of them is not certain.
    """
    found: list[Class] = []
    for node in own_nodes(function.node):
        if isinstance(node, ast.Return) and node.value is not None:
            value = node.value
            if isinstance(value, ast.Tuple) and value.elts:
                value = value.elts[0]
            made = made_class(project, function.module, value, function.node)
            if made is None:
                return []
            if made not in found:
                found.append(made)
    return found
