"""Decides from a file's ``ast`` what to observe; used by the parent and the worker."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tslint.util import astwalk
from tslint.util.record import record

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[int, str]
"""The first line (``co_firstlineno``, that of the first decorator) and the name, which a code object and its ``def``
share.
"""
_BLOCKS = ("body", "orelse", "finalbody")


@record(eq=False)
class Function:
    """A function or method that can be compiled.

    Args:
        node: its ``def``.
        owner: the class whose body contains it.
        qualname: its dotted name, for messages.
    """

    node: FunctionNode
    owner: ast.ClassDef | None
    qualname: str

    @property
    def place(self) -> Place:
        """Return the key that identifies its code object."""
        node = self.node
        return min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.name

    @property
    def decorators(self) -> list[str]:
        """Return the last part of each decorator's name."""
        found = []
        for node in self.node.decorator_list:
            name = node.func if isinstance(node, ast.Call) else node
            found.append(ast.unparse(name).rpartition(".")[2])
        return found

    @property
    def parameters(self) -> list[ast.arg]:
        """Return the parameters whose annotations the compiler reads: without self, ``*args`` and ``**kwargs``."""
        spec = self.node.args
        every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
        return every[1:] if self.owner is not None and "staticmethod" not in self.decorators else every

    def default(self, name: str) -> ast.expr | None:
        """Return a parameter's default."""
        spec = self.node.args
        positional = [*spec.posonlyargs, *spec.args]
        defaults = [None] * (len(positional) - len(spec.defaults)) + list(spec.defaults)
        pairs = [*zip(positional, defaults), *zip(spec.kwonlyargs, spec.kw_defaults)]
        return next((default for argument, default in pairs if argument.arg == name), None)

    @cached_property
    def starts(self) -> dict[str, list[Start]]:
        """Return the locals that start as ``[]``, ``{}`` or None, with every statement that sets them to
        such a value.
        """
        found: dict[str, list[Start]] = {}
        _read_block(self.node.body, set(), found)
        arguments = {argument.arg for argument in astwalk.walk(self.node.args) if isinstance(argument, ast.arg)}
        return {name: starts for name, starts in found.items() if name not in arguments}

    @cached_property
    def annotated_locals(self) -> dict[str, ast.AnnAssign]:
        """Return the annotated locals that are bound once."""
        stores: dict[str, int] = {}
        found: dict[str, ast.AnnAssign] = {}
        for node in astwalk.walk(self.node):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                stores[node.id] = stores.get(node.id, 0) + 1
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found[node.target.id] = node
        return {name: node for name, node in found.items() if stores[name] == 1}

    @property
    def empty_attributes(self) -> dict[str, ast.expr]:
        """Return the attributes of ``self`` that an ``__init__`` sets to ``[]``, ``{}`` or None."""
        if self.node.name != "__init__" or self.owner is None or not self.node.args.args:
            return {}
        found = {}
        for node in astwalk.walk(self.node):
            if not isinstance(node, ast.Assign) or not empty(node.value):
                continue
            for target in node.targets:
                if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                    if target.value.id == self.node.args.args[0].arg:
                        found[target.attr] = node.value
        return found


@record(eq=False)
class Start:
    """A statement that binds a local to an empty container or None.

    Args:
        statement: the assignment, which may bind other names, too.
        value: the value of the name.
        fresh: whether no enclosing block binds the name, so that an annotation is allowed here.
        reassigned: whether a nested block gives it another value later, which its type has to allow.
    """

    statement: ast.Assign
    value: ast.expr
    fresh: bool
    reassigned: bool


def functions(tree: ast.Module) -> Iterator[Function]:
    """Yield the functions of a file that the compiler may reach: no lambdas and no nested functions."""
    pending: list[tuple[ast.AST, ast.ClassDef | None, str]] = [(tree, None, "")]
    while pending:
        parent, owner, prefix = pending.pop()
        for node in astwalk.children(parent):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield Function(node, owner, prefix + node.name)
            elif isinstance(node, ast.ClassDef):
                pending.append((node, node, f"{prefix}{node.name}."))
            elif isinstance(node, ast.stmt):
                pending.append((node, owner, prefix))


def empty(value: ast.expr) -> bool:
    """Return whether a value is ``[]``, ``{}``, ``list()``, ``dict()`` or None."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("list", "dict"):
        return not value.args and not value.keywords
    if isinstance(value, ast.List):
        return not value.elts
    return (isinstance(value, ast.Dict) and not value.keys) or (isinstance(value, ast.Constant) and value.value is None)


def is_none(value: ast.expr) -> bool:
    """Return whether a value is None."""
    return isinstance(value, ast.Constant) and value.value is None


def split(statement: ast.Assign) -> list[tuple[str, ast.expr]]:
    """Return the names and empty values of an assignment; nothing if it cannot become one statement for each name."""
    if len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name):
            return [(target.id, value)] if empty(value) else []
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            if all(map(empty, value.elts)) and all(isinstance(element, ast.Name) for element in target.elts):
                return [(ast.unparse(one), other) for one, other in zip(target.elts, value.elts)]
        return []
    # The names of `a = b = []` are the same list.
    if is_none(statement.value) and all(isinstance(target, ast.Name) for target in statement.targets):
        return [(ast.unparse(target), statement.value) for target in statement.targets]
    return []


def _read_block(block: list[ast.stmt], outer: set[str], found: dict[str, list[Start]]) -> set[str]:
    """Collect the statements of a block that bind a variable to an empty container or to None.

    Returns:
        The names that it binds for the statements after it.
    """
    bound: set[str] = set()
    for index, statement in enumerate(block):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(statement, ast.Assign):
            for name, value in split(statement):
                later = any(name in _nested_stores(other) for other in block[index + 1 :])
                found.setdefault(name, []).append(Start(statement, value, name not in outer, later))
        blocks = [getattr(statement, part) for part in _BLOCKS if getattr(statement, part, None)]
        inner = [_read_block(each, outer | bound, found) for each in blocks]
        if isinstance(statement, ast.If) and len(inner) == 2:
            bound |= inner[0] & inner[1]
        elif isinstance(statement, ast.With):
            bound |= inner[0]
        if not blocks:
            bound |= _stores(statement)
    return bound


def _stores(node: ast.AST) -> set[str]:
    return {each.id for each in astwalk.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _nested_stores(statement: ast.stmt) -> set[str]:
    if not any(getattr(statement, part, None) for part in _BLOCKS):
        return set()
    return _stores(statement)
