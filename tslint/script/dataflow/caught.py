"""Finds code that catches an exception by its type."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Collection, Iterable, Iterator

from tslint.project.trees import parse
from tslint.script.dataflow.inheritance import classes
from tslint.script.dataflow.shallow import full_name
from tslint.script.operators.tables import table
from tslint.util import astwalk

# What Python raises where the code of fixes with `Risk.EXCEPTION` raises something else; and what that is most often.
CHANGED = frozenset(
    ["AttributeError", "TypeError", "IndexError", "LookupError", "NameError", "UnboundLocalError", "AssertionError"]
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CATCHES = re.compile(rf"\b(?:{'|'.join(CHANGED)})\b")
_OF_TENSORS = re.compile(r"torch\.(?:nn\..+|\w+)")
_MEMBERS = frozenset(name for each in (str, list, dict, set) for name in dir(each))


def is_caught_elsewhere(tree: ast.Module, block: ast.Try) -> bool:
    """Return whether other code of a file catches an exception that the handlers of a ``try`` raise, by ``except``,
    ``suppress`` or ``raises``. Handlers that only raise, or that catch every exception, do not count.
    """
    raised = {
        _name(each.exc.func if isinstance(each.exc, ast.Call) else each.exc)
        for handler in block.handlers for each in handler.body if isinstance(each, ast.Raise) and each.exc is not None
    }  # fmt: skip
    types = {kind for name in raised for kind in _kinds(tree, name)}
    return catches(tree, types, astwalk.walk(block))


def catches(tree: ast.Module, types: Collection[str], apart: Iterable[ast.AST] = ()) -> bool:
    """Return whether a file, outside of the given nodes, catches an exception of one of the given types. A handler that
    only raises does not count. Neither does a handler around code that calls no function of the file and no module.
    """
    inner = set(map(id, apart))
    return any(id(each) not in inner and _name(each) in types for each in _caught(tree))


def catches_changed(text: str) -> bool:
    """Return whether a file, which imports the fixed one, catches an exception that may be another one after a fix.
    Return True if the text cannot be parsed.
    """
    if not _CATCHES.search(text):
        return False
    try:
        return catches(parse(text, ""), CHANGED)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True


def _caught(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the exception types in a file's handlers, and the arguments of its context managers, such as
    ``suppress(KeyError)``. Only blocks that may run a function of the file count, and only handlers that do more than
    raise.
    """
    for node in astwalk.of_kind(tree, ast.ExceptHandler, ast.withitem):
        around = astwalk.parents(tree)[node]
        if not any(_may_run(tree, each) for part in getattr(around, "body", ()) for each in astwalk.walk(part)):
            continue
        named: Iterable[ast.AST | None] = ()
        if isinstance(node, ast.ExceptHandler) and not all(isinstance(each, ast.Raise) for each in node.body):
            named = [node.type]
        elif isinstance(node, ast.withitem) and isinstance(node.context_expr, ast.Call):
            named = node.context_expr.args
        for each in named:
            if each is not None:
                yield from astwalk.walk(each)


def _may_run(tree: ast.Module, call: ast.AST) -> bool:
    """Return whether a node is a call that may run a function of the file: a call of the function's name, of an object
    that may be a module, or of another package, which may call a module that it gets.
    """
    if not isinstance(call, ast.Call):
        return False
    func, name = call.func, _name(call.func)
    if name.startswith("__") and name != "__call__":
        return False
    if name in _defined(tree):
        return True
    if (imported := full_name(tree, func)) is not None:
        # Other packages may call a module that they get, as `torch.jit.trace` does.
        return not (_OF_TENSORS.fullmatch(imported) or imported.partition(".")[0] in sys.stdlib_module_names)
    if isinstance(func, ast.Name):
        return not (hasattr(builtins, name) or name in classes(tree))
    return name not in _MEMBERS | table("attributes")["Tensor"].keys()


@astwalk.kept
def _defined(tree: ast.Module) -> frozenset[str]:
    return frozenset(each.name for each in astwalk.of_kind(tree, *_FUNCTIONS))


def _kinds(tree: ast.Module, name: str) -> set[str]:
    """Return the names of an exception and of its bases, without those that every exception has."""
    found: set[str] = set()
    pending = [name]
    while pending:
        current = pending.pop()
        known = getattr(builtins, current, None)
        found |= {current, *(each.__name__ for each in (known.__mro__ if isinstance(known, type) else ()))}
        owner = classes(tree).get(current)
        pending += {_name(base) for base in owner.bases} - found if owner is not None else set()
    return found - {"Exception", "BaseException", "object"}


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
