"""Finds the values to which the statements of a module bind names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tslint.util import astwalk


@dataclass
class Binding:
    """One module-level statement that binds a name.

    Args:
        node: the statement.
        target: for an import, the dotted module.
        attribute: for ``from … import``, the imported name.
        conditional: whether it is inside ``if``, ``try``, ``for`` or ``while``.
        attempt: the ``try`` whose body contains the statement, if that ``try`` is for failed imports.
        type_checking: whether it is inside ``if TYPE_CHECKING:``, so that the name does not exist at run time.
    """

    kind: str
    node: ast.AST
    conditional: bool
    target: str = ""
    attribute: str | None = None
    level: int = 0
    value: ast.expr | None = None
    attempt: ast.Try | None = None
    type_checking: bool = False


def bound(body: Iterable[ast.stmt]) -> Iterator[tuple[str, Binding]]:
    """Yield every name that module-level statements bind, in order, with the statement."""
    pending = [(statement, False) for statement in body]
    pending.reverse()
    while pending:
        statement, branch = pending.pop()
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement.name, Binding("function", statement, branch)
        elif isinstance(statement, ast.ClassDef):
            yield statement.name, Binding("class", statement, branch)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from _imported(statement, branch)
        elif isinstance(statement, ast.Assign):
            yield from _assigned(statement, branch)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if statement.value is not None:
                yield statement.target.id, Binding("value", statement, branch, value=statement.value)
        else:
            for target in _changed(statement):
                for node in astwalk.walk(target):
                    if isinstance(node, ast.Name):
                        yield node.id, Binding("other", statement, True)
            if isinstance(statement, ast.Try) and _is_attempt(statement):
                for name, binding in bound(statement.body):
                    yield name, replace(binding, conditional=True, attempt=statement)
                statement = ast.Try([], statement.handlers, statement.orelse, statement.finalbody)
            if isinstance(statement, ast.If) and not statement.orelse and _for_type_checkers(statement.test):
                for name, binding in bound(statement.body):
                    yield name, replace(binding, conditional=True, type_checking=True)
                continue
            pending += reversed(list(_inside(statement, branch)))


def _is_attempt(statement: ast.Try) -> bool:
    """Return whether a ``try`` only imports and defines, and its handlers are for failed imports."""
    return all(
        isinstance(each, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)) for each in statement.body
    ) and all(
        isinstance(handler.type, ast.Name) and handler.type.id in ("ImportError", "ModuleNotFoundError")
        for handler in statement.handlers
    )


def has_fallbacks(bindings: list[Binding]) -> bool:
    """Return whether a class or function is defined in a ``try``, and all its later bindings are in the handlers: they
    replace it if an import fails.
    """
    first = bindings[0]
    if first.attempt is None or first.kind not in ("class", "function"):
        return False
    nodes = [node for handler in first.attempt.handlers for node in astwalk.walk(handler)]
    return all(any(node is other.node for node in nodes) for other in bindings[1:])


def _imported(statement: ast.Import | ast.ImportFrom, branch: bool) -> Iterator[tuple[str, Binding]]:
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            top = alias.name.split(".")[0]
            yield alias.asname or top, Binding("import", statement, branch, alias.name if alias.asname else top)
        elif alias.name != "*":
            source = statement.module or ""
            yield alias.asname or alias.name, Binding("from", statement, branch, source, alias.name, statement.level)


def _assigned(statement: ast.Assign, branch: bool) -> Iterator[tuple[str, Binding]]:
    for target in statement.targets:
        if isinstance(target, ast.Name) and astwalk.is_name(statement.value, target.id):
            continue  # `f = f`, which documentation tools need, keeps the value
        value = statement.value if isinstance(target, ast.Name) else None
        for node in astwalk.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id, Binding("value", statement, branch, value=value)


def _changed(statement: ast.stmt) -> list[ast.expr]:
    """Return the targets that a statement other than an assignment deletes, or sets to values that are not known."""
    if isinstance(statement, (ast.For, ast.AsyncFor, ast.AugAssign)):
        return [statement.target]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in statement.items if item.optional_vars]
    return statement.targets if isinstance(statement, ast.Delete) else []


def _for_type_checkers(test: ast.expr) -> bool:
    """Return whether a test is ``typing.TYPE_CHECKING``, which is false at run time."""
    return (test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")) == "TYPE_CHECKING"


def _inside(statement: ast.stmt, branch: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield the nested statements of a statement, and whether they only run under a condition."""
    if isinstance(statement, ast.If) and statement.orelse and _for_type_checkers(statement.test):
        for child in statement.orelse:  # only the `else` runs
            yield child, branch
        return
    conditional = branch or not isinstance(statement, (ast.With, ast.AsyncWith))
    for name in ("body", "orelse", "finalbody"):
        for child in getattr(statement, name, []):
            if isinstance(child, ast.stmt):
                yield child, conditional
    for handler in getattr(statement, "handlers", []):
        for child in handler.body:
            yield child, True


def is_own_module(binding: Binding, bindings: Mapping[str, list[Binding]]) -> bool:
    """Return whether a statement binds a name to the module itself: ``this = sys.modules[__name__]``.

    Args:
        bindings: all bindings of the module.
    """
    value = binding.value
    if not isinstance(value, ast.Subscript) or not astwalk.is_name(value.slice, "__name__"):
        return False
    package = value.value.value if isinstance(value.value, ast.Attribute) and value.value.attr == "modules" else None
    imported = bindings.get(package.id, ()) if isinstance(package, ast.Name) else ()
    return any(each.kind == "import" and each.target == "sys" for each in imported)


def replaces(bindings: list[Binding], name: str) -> bool:
    """Return whether the name of a class or function is bound last to a value that does not mention the name."""
    defined = any(binding.kind in ("class", "function") for binding in bindings)
    value = bindings[-1].value
    return defined and value is not None and not any(astwalk.is_name(node, name) for node in astwalk.walk(value))
