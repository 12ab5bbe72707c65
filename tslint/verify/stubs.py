"""Shows the compiler another source of a function: only its signature, and a body that raises."""

from __future__ import annotations

import ast
import gc
import inspect
import linecache
import textwrap
from itertools import count
from pathlib import Path
from types import CodeType, FunctionType

import torch

from tslint.verify.observed import Key

_numbers = count(1)


class Stub:
    """Hides a function's body from the compiler, until :meth:`restore`.

    Args:
        key: the identity of the function.
        functions: its function objects; a closure may have several.
        returns: its observed return type, as TorchScript writes it.

    Attributes:
        vague: whether the stub may have the wrong types.

    Raises:
        ValueError: its source is not available.
    """

    def __init__(self, key: Key, functions: list[FunctionType], returns: str | None) -> None:
        tree = tree_of(functions[0])
        if tree is None:
            raise ValueError(key.name)
        self.key = key
        self.name = key.name
        self.functions = functions
        self.filename = f"<tslint-{next(_numbers)}>"
        self._tree = tree
        self._returns = returns
        self._original = [(each.__code__, each.__defaults__, each.__kwdefaults__) for each in functions]
        self._signature_hidden = False
        arguments = tree.args
        self.vague = bool(arguments.vararg or arguments.kwarg)
        arguments.vararg = arguments.kwarg = None
        tree.decorator_list = []
        tree.body = [ast.Raise(ast.Call(ast.Name("RuntimeError"), [ast.Constant("hidden")], []), None)]
        if tree.returns is None and tree.type_comment is None:
            self._declare_return()
        self._show()

    def hide_signature(self) -> bool:
        """Replace the author's annotations as well, and remove the defaults; return False if that was already done."""
        if self._signature_hidden:
            return False
        self._signature_hidden = self.vague = True
        arguments = self._tree.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            argument.annotation = None if argument.arg == "self" else ast.Name("Any")
        # A default must have the declared type, and a parameter of type Any cannot have one.
        arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
        self._tree.type_comment = None
        self._declare_return()
        self._show()
        for function in self.functions:
            function.__defaults__ = function.__kwdefaults__ = None
        return True

    def restore(self) -> None:
        """Restore the source and the defaults of every function object."""
        for function, original in zip(self.functions, self._original):
            function.__code__, function.__defaults__, function.__kwdefaults__ = original
        linecache.cache.pop(self.filename, None)

    def _declare_return(self) -> None:
        self._tree.returns = ast.parse(self._returns or "Tensor", mode="eval").body
        self.vague = self.vague or self._returns is None

    def _show(self) -> None:
        text = ast.unparse(ast.fix_missing_locations(self._tree)) + "\n"
        # Without a time, linecache does not look for the file.
        linecache.cache[self.filename] = (len(text), None, text.splitlines(keepends=True), self.filename)
        for function, (code, _, _) in zip(self.functions, self._original):
            function.__code__ = code.replace(co_filename=self.filename, co_firstlineno=1)


def tree_of(function: FunctionType) -> ast.FunctionDef | None:
    """Return a function's definition; None if its source is not available, or is not a definition (a lambda)."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function.__code__)), type_comments=True).body[0]
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


def living_functions() -> list[FunctionType]:
    """Return all function objects of the process. It takes a while: a process has millions of objects."""
    return [thing for thing in gc.get_objects() if type(thing) is FunctionType]


def function_at(functions: list[FunctionType], filename: str, row: int, *, defined: bool = False) -> list[FunctionType]:
    """Return the objects of the innermost function around a row; with ``defined``, it must begin in this row."""
    path = Path(filename)
    same = {filename: True}
    found: list[FunctionType] = []
    for thing in functions:
        code = thing.__code__
        if code.co_filename not in same:
            other = Path(code.co_filename)
            same[code.co_filename] = other.name == path.name and other.resolve() == path.resolve()
        if same[code.co_filename] and code.co_firstlineno <= row <= _last_row(code):
            if not defined or code.co_firstlineno == row:
                found.append(thing)
    inner = max((thing.__code__.co_firstlineno for thing in found), default=0)
    return [thing for thing in found if thing.__code__.co_firstlineno == inner]


def is_ignored(function: FunctionType) -> bool:
    """Return whether a function is marked ``@torch.jit.ignore`` or ``@torch.jit.unused``."""
    return bool(torch._jit_internal.is_ignored_fn(function) or torch._jit_internal.should_drop(function))


def _last_row(code: CodeType) -> int:
    rows = [row for _, _, row in code.co_lines() if row]
    inner = [_last_row(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return max([code.co_firstlineno, *rows, *inner])
