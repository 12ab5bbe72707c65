"""Finds tensors that certainly have at least one dimension, because earlier code would raise otherwise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evaluation import evaluated, steps
from tslint.script.dataflow.local_bindings import only_value
from tslint.script.dataflow.outlines import block_of
from tslint.script.dataflow.scopes import function_around, peeps
from tslint.util import astwalk

Shows = Callable[[ast.AST, str], bool]
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_OPAQUE = (ast.Try, ast.With, ast.AsyncWith)  # these may hide an exception
_RESHAPING = frozenset(["squeeze_", "resize_", "resize_as_", "set_", "data"])
_SCOPED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# The result of these functions has at least one dimension for all arguments.
_JOINING = frozenset(f"torch.{name}" for name in "cat concat stack hstack vstack".split())
_MAKING = frozenset(["unsqueeze", "flatten"])
_TO_SIZES = frozenset(["view", "reshape", "permute"])


def sized_of(node: ast.AST) -> ast.expr | None:
    """Return the tensor in ``x.size()`` or ``x.shape``; None for other expressions."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
        return node.func.value if not node.args and not node.keywords else None
    return node.value if isinstance(node, ast.Attribute) and node.attr == "shape" else None


def has_dimension(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether a variable, where it is read, is certainly a tensor with at least one dimension."""
    return _is_shown(tree, node, _shows_dimension)


def is_indexed(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether an item of the list in a variable has certainly been read before, as in ``shape[0]``."""
    return _is_shown(tree, node, _reads_item)


def _is_shown(tree: ast.Module, node: ast.expr, shows: Shows) -> bool:
    """Return whether code that certainly runs before a variable is read shows a property of its value.

    The code would raise for a value without the property; ``shows`` returns whether a node is such code.
    """
    function = function_around(tree, node)
    if not isinstance(node, ast.Name) or function is None or peeps(function) or _is_reshaped(function, node.id):
        return False
    below: ast.AST = node
    for around in astwalk.around(tree, node):
        if around is function or isinstance(around, (*_OPAQUE, *_SCOPED)):
            return False
        if not isinstance(around, ast.stmt):
            continue
        once = below is node and isinstance(around, ast.For)
        if isinstance(around, _LOOPS) and not once and node.id in astwalk.bound(around):
            return False
        if below is node and _tells_before(around, node, shows):
            return True
        for earlier in _earlier(tree, around):
            if node.id in astwalk.bound(earlier):
                return shows is _shows_dimension and _binds_one(function, earlier, node.id)
            uses = _uses(earlier, node.id, shows)
            if not isinstance(earlier, _OPAQUE) and any(evaluated([earlier], each) for each in uses):
                return True
        below = around
    return False


def _is_reshaped(function: FunctionNode, name: str) -> bool:
    """Return whether a function may remove dimensions of the tensor in a variable."""
    changes = (each for each in astwalk.walk(function) if isinstance(each, ast.Attribute) and each.attr in _RESHAPING)
    return any(isinstance(each.value, ast.Name) and each.value.id == name for each in changes)


def _earlier(tree: ast.Module, statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements before a given one in its block, the nearest first."""
    block = block_of(tree, statement) or []
    found = [each for each in block if each.lineno < statement.lineno]
    return reversed(found)


def _tells_before(statement: ast.stmt, node: ast.Name, shows: Shows) -> bool:
    """Return whether a statement raises for a value without the property before it reads the variable at a node."""
    uses = _uses(statement, node.id, shows)
    for each, certain in steps(statement):
        if each is node:
            return False
        if certain and each in uses and evaluated([statement], each):
            return True
    return False


def _uses(statement: ast.stmt, name: str, shows: Shows) -> list[ast.AST]:
    return [each for each in astwalk.walk(statement) if shows(each, name)]


def _reads_item(node: ast.AST, name: str) -> bool:
    held = node.value if isinstance(node, ast.Subscript) and _is_index(node.slice) else None
    return isinstance(held, ast.Name) and held.id == name


def _shows_dimension(node: ast.AST, name: str) -> bool:
    """Return whether a node raises for a tensor without dimensions: ``x.size(0)``, ``a, b = x.shape``, ``x[:, 1]``."""

    def named(tensor: ast.AST | None) -> bool:
        return isinstance(tensor, ast.Name) and tensor.id == name

    if isinstance(node, ast.Assign):
        target = node.targets[0]
        unpacks = isinstance(target, (ast.Tuple, ast.List)) and any(not isinstance(e, ast.Starred) for e in target.elts)
        return unpacks and named(sized_of(node.value))
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if named(node.value):
            return any(isinstance(each, ast.Slice) or _is_index(each) for each in parts)
        return named(sized_of(node.value)) and _is_index(node.slice)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and named(node.func.value):
        return node.func.attr == "size" and len(node.args) == 1 and _is_index(node.args[0])
    return False


def _is_index(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(number, ast.Constant) and type(number.value) is int


def _binds_one(function: FunctionNode, statement: ast.stmt, name: str) -> bool:
    """Return whether a statement binds a variable to a tensor with a dimension."""
    targets = [each for each in astwalk.walk(statement) if isinstance(each, ast.Name) and each.id == name]
    stored = [each for each in targets if isinstance(each.ctx, ast.Store)]
    value = only_value(function, stored[0]) if len(stored) == 1 and isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    if ast.unparse(value.func) in _JOINING:
        return True
    if isinstance(value.func.value, ast.Name) and value.func.value.id == "self":
        return False  # a module or a method of the author's
    several = len(value.args) > 1 and not any(isinstance(each, ast.Starred) for each in value.args)
    return value.func.attr in _MAKING or (value.func.attr in _TO_SIZES and several)
