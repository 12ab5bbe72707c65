"""Determines the names that a function binds, and those that it reads from outside, as Python's compiler does."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tslint.util import astwalk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = frozenset([*_FUNCTIONS, ast.ClassDef])
# The nodes that may bind a name.
_BINDING = frozenset(
    [ast.Name, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.alias, ast.ExceptHandler]
    + [getattr(ast, name) for name in ("MatchAs", "MatchStar", "MatchMapping")]
)
# Functions that can access all variables of their caller.
_PEEPING = frozenset(["locals", "vars", "eval", "exec", "dir", "globals"])


@astwalk.kept
def bindings(function: ast.AST) -> frozenset[str]:
    """Return the variables of a function: its parameters, and the names that its statements bind, without nested
    scopes.
    """
    found = {argument.arg for argument in _arguments(function)}
    outer: set[str] = set()
    for node in own_nodes(function):
        if node.__class__ in _BINDING:
            found.update(_binds(node))
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.update(node.names)
    return frozenset(found - outer)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that a function itself evaluates.

    Nested functions, classes and comprehensions are yielded, but only those parts of them are entered that are
    evaluated outside of them (defaults, the first iterable).
    """
    pending: list[ast.AST] = list(_body(function))
    while pending:
        node = pending.pop()
        yield node
        if node.__class__ in _SCOPES:
            pending += _outside(node)
        elif isinstance(node, _COMPREHENSIONS):
            # A comprehension has its own variables, but `:=` in it binds a variable of the function.
            pending.append(node.generators[0].iter)
            yield from (each.target for each in astwalk.walk(node) if isinstance(each, ast.NamedExpr))
        else:
            pending += astwalk.children(node)


def free(function: ast.AST) -> set[str]:
    """Return the names that a function, lambda or expression reads from outside, also in nested scopes.

    This includes parts that are evaluated at the definition (defaults, annotations, decorators).
    """
    found = {name for each in _outside(function) for name in free(each)} if isinstance(function, _FUNCTIONS) else set()
    inner = _read(function)
    own = bindings(function) if isinstance(function, _FUNCTIONS) else frozenset()
    return found | (inner - own)


def _read(node: ast.AST) -> set[str]:
    """Return the names that a node's own code reads, and those that nested scopes read from it."""
    found: set[str] = set()
    pending: list[ast.AST] = list(_body(node)) if isinstance(node, _FUNCTIONS) else [node]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Name):
            if not isinstance(each.ctx, ast.Store):
                found.add(each.id)
        elif isinstance(each, (ast.Global, ast.Nonlocal)):
            found.update(each.names)
        elif isinstance(each, _FUNCTIONS):
            found |= free(each)
        elif isinstance(each, ast.ClassDef):
            found |= {name.id for name in astwalk.walk(each) if isinstance(name, ast.Name)}
        elif isinstance(each, _COMPREHENSIONS):
            found |= _of_comprehension(each)
        else:
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                found.add(each.target.id)
            pending += astwalk.children(each)
    return found


def _of_comprehension(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> set[str]:
    own = comprehension_names(node)
    inner: set[str] = set()
    for child in astwalk.children(node):
        inner |= _read(child)
    return (inner - own) | _read(node.generators[0].iter)


def comprehension_names(node: ast.AST) -> set[str]:
    """Return the variables of a comprehension; empty for other nodes."""
    if not isinstance(node, _COMPREHENSIONS):
        return set()
    targets = [generator.target for generator in node.generators]
    return {each.id for target in targets for each in astwalk.walk(target) if isinstance(each, ast.Name)}


def peeps(function: ast.AST) -> bool:
    """Return whether a function may access its variables by their names as strings, or lets inner functions rebind
    them.
    """
    return any(
        (isinstance(each, ast.Name) and each.id in _PEEPING) or isinstance(each, (ast.Nonlocal, ast.Global))
        for each in astwalk.walk(function)
    )


def is_needed_elsewhere(function: ast.AST, name: str) -> bool:
    """Return whether other code may access a variable of a function: a nested function, or code that accesses variables
    by name.
    """
    inner = astwalk.of_kind(function, *_FUNCTIONS, ast.GeneratorExp)
    return peeps(function) or any(name in free(each) for each in inner if each is not function)


def bound_times(function: ast.AST, name: str) -> int:
    """Return how many times a function binds a name, including ``del``."""
    count = sum(argument.arg == name for argument in _arguments(function))
    for node in own_nodes(function):
        count += sum(bound == name for bound in _binds(node))
        count += isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) and node.id == name
        count += isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names
    return count


def calls_of_variable(tree: ast.Module, function: ast.AST, name: str) -> dict[ast.stmt, list[ast.Call]]:
    """Return the calls of a variable, by the assignment of the value that they call.

    The result is empty if the variable is used in any other way, or if it is not certain which value a call calls. Each
    assignment's calls must follow it in its block, before the next assignment.
    """
    nodes = astwalk.walk(function)
    uses = {each for each in nodes if isinstance(each, ast.Name) and each.id == name}
    calls = [each for each in nodes if isinstance(each, ast.Call) and each.func in uses]
    bindings = [each for each in nodes if isinstance(each, ast.Assign) and _only_target(each) in uses]
    if len(uses) != len(calls) + len(bindings) or bound_times(function, name) != len(bindings):
        return {}
    found: dict[ast.stmt, list[ast.Call]] = {}
    for binding in bindings:
        later: set[ast.AST] = set()
        for each in _after(tree, binding):
            if each in bindings:
                break
            later.update(astwalk.walk(each))
        if not later.isdisjoint(bindings):
            return {}
        found[binding] = [each for each in calls if each in later]
    return found if sum(map(len, found.values())) == len(calls) else {}


def _only_target(node: ast.Assign) -> ast.expr | None:
    return node.targets[0] if len(node.targets) == 1 else None


def before_all(tree: ast.Module, first: ast.stmt, uses: Sequence[ast.AST]) -> bool:
    """Return whether a statement always runs before the given uses: they come after it in its block."""
    later = {id(node) for each in _after(tree, first) for node in astwalk.walk(each)}
    return all(id(use) in later for use in uses)


def _after(tree: ast.Module, first: ast.stmt) -> list[ast.stmt]:
    """Return the statements after a given one in its block."""
    above = astwalk.parents(tree).get(first)
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(above, field, None)
        if isinstance(statements, list) and any(each is first for each in statements):
            index = next(number for number, each in enumerate(statements) if each is first)
            return statements[index + 1 :]
    return []


@astwalk.kept
def module_bindings(tree: ast.AST) -> dict[str, int]:
    """Return how many times each name is bound at a file's top level, including its blocks and ``del``; a ``global`` in
    a function counts twice.
    """
    found: dict[str, int] = {}
    assert isinstance(tree, ast.Module)
    for node in own_nodes(tree):
        if node.__class__ not in _BINDING:
            continue
        for name in _binds(node):
            found[name] = found.get(name, 0) + 1
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            found[node.id] = found.get(node.id, 0) + 1
    for statement in astwalk.of_kind(tree, ast.Global):
        for name in statement.names:
            found[name] = found.get(name, 0) + 2
    return found


def _body(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
        return [*node.body]
    return [node]


def _outside(node: ast.AST) -> list[ast.AST]:
    """Return the nodes that are evaluated when the definition of a function or class runs."""
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *node.keywords, *node.decorator_list]
    assert isinstance(node, _FUNCTIONS)
    found: list[ast.AST] = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
    if not isinstance(node, ast.Lambda):
        found += [*node.decorator_list, *([node.returns] if node.returns is not None else [])]
        found += [argument.annotation for argument in _arguments(node) if argument.annotation is not None]
    return found


def _arguments(node: ast.AST) -> list[ast.arg]:
    if not isinstance(node, _FUNCTIONS):
        return []
    spec = node.args
    more = [each for each in (spec.vararg, spec.kwarg) if each is not None]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *more]


def _binds(node: ast.AST) -> Iterator[str]:
    """Yield the names that one node binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif (isinstance(node, ast.ExceptHandler) and node.name) or (
        isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name
    ):
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def is_static(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a method gets no instance: a static method or a class method."""
    return any(
        isinstance(each, ast.Name) and each.id in ("staticmethod", "classmethod") for each in function.decorator_list
    )


def function_around(tree: ast.Module, node: ast.AST) -> ast.FunctionDef | None:
    """Return the innermost function that contains a node: the node itself if it is a function, None if none does."""
    if isinstance(node, ast.FunctionDef):
        return node
    return next((each for each in astwalk.around(tree, node) if isinstance(each, ast.FunctionDef)), None)


def set_in_order(scope: ast.Module | ast.ClassDef) -> list[str]:
    """Return the names that a module assigns, or what the constructor of a class sets, in the order of the code."""
    if isinstance(scope, ast.Module):
        parts: list[ast.stmt] = [each for each in scope.body if isinstance(each, (ast.Assign, ast.AnnAssign))]
    else:
        parts = [each for each in scope.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"]
    found = [
        (node.lineno, node.col_offset, node.id if isinstance(node, ast.Name) else node.attr)
        for part in parts
        for node in astwalk.of_kind(part, ast.Name, ast.Attribute)
        if isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys(name for _, _, name in sorted(found)))
