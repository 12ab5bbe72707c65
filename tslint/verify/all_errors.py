"""``--all-errors``: replaces each function that fails with a stub, and compiles again (worker side).

A stub is another source for the same function: its own signature, and a body that raises. The code that Python runs
stays, so eager still works; the compiler, which reads the source, sees a function that compiles. The types of its
callers depend on its return type. If that is not declared, it is observed in eager. If it was not observed either,
errors in its callers may be caused by the stub, and are not reported.
"""

from __future__ import annotations

import ast
import gc
import inspect
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import torch

from tslint.verify.blame import compiler_evidence, compiling, definition, is_users
from tslint.verify.messages import underlined
from tslint.verify.observed import Key, Observed, key_of, observe
from tslint.verify.outcome import Evidence
from tslint.verify.session import Session, pristine
from tslint.verify.stubs import Stub, function_at, is_ignored, living_functions, tree_of

_MOST = 200
# The share of the target's time-out that the search may use.
_SHARE = 0.3
_MODIFIER = "_torchscript_modifier"


def all_errors(session: Session, first: BaseException) -> tuple[list[Evidence], str]:
    """Return one error for each function that does not compile, including the first one.

    Args:
        session: the session; eager may have run in it.
        first: the compiler's exception for the module.

    Returns:
        The evidence (the last item says what was compiled), and one line on why there may be more errors; the line is
        empty if the search found all.
    """
    # Functions are found among the objects that the garbage collector lists; it does not list frozen ones.
    gc.unfreeze()
    search = _Search(session)
    found, note = search.run(first)
    return [*found, search.compiled()], note


class _Search:
    """The search for errors: the stubs so far, and what must be compiled because stubs no longer call it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._observed: Observed = observe(session)
        # Compiling creates no functions of the user's.
        self._functions = living_functions()
        self._stubs: dict[Key, Stub] = {}
        # Methods and functions that the replaced functions called: the compiler may no longer reach them.
        self._orphans: dict[Key, FunctionType] = {}
        self._exported: list[FunctionType] = []
        self._scripted: set[Key] = set()

    def run(self, first: BaseException) -> tuple[list[Evidence], str]:
        found: list[Evidence] = []
        note = ""
        ends = time.monotonic() + _SHARE * self._session.request.timeout
        error: BaseException | None = first
        try:
            while error is not None:
                evidence = compiler_evidence("script", error, self._session.place)
                functions = self._culprits(error)
                if not functions:
                    found.append(evidence)
                    note = "the last error is outside any function, so there may be more"
                    break
                key = key_of(functions[0].__code__) if functions[0] not in self._hidden() else None
                if key is None:
                    # The function is already a stub, so the error is in its signature.
                    key = self._key_of_hidden(functions[0])
                    if not self._stubs[key].hide_signature():
                        note = "the search cannot continue after the last error, so there may be more"
                        break
                else:
                    if not self._calls_stub(functions[0]):
                        found.append(evidence)
                    try:
                        self._hide(key, functions)
                    except ValueError:
                        note = "the source of the function with the last error cannot be read, so there may be more"
                        break
                if len(self._stubs) >= _MOST or time.monotonic() > ends:
                    note = "the search stopped there because of a limit, so there may be more"
                    break
                error = self._next_error()
        finally:
            for stub in self._stubs.values():
                stub.restore()
            for function in self._exported:
                delattr(function, _MODIFIER)
        return found or [compiler_evidence("script", first, self._session.place)], note

    def compiled(self) -> Evidence:
        """Return evidence that names the user's classes, and the files of functions that they may call.

        Rules may find more errors there.
        """
        places = [
            (place["filename"], cls.__qualname__)
            for part in self._session.built.modules()
            for cls in type(part).__mro__
            if (place := definition(cls)) and is_users(place["filename"])
        ]
        files = [*(filename for filename, _ in places), *(key.filename for key in self._observed.callers)]
        for name in {cls.__module__ for part in self._session.built.modules() for cls in type(part).__mro__}:
            # Add functions that their modules import by name, because a run may not have reached them.
            values = vars(sys.modules[name]).values() if name in sys.modules else ()
            files += [value.__code__.co_filename for value in list(values) if isinstance(value, FunctionType)]
        classes, own = list(dict.fromkeys(places)), [each for each in dict.fromkeys(files) if is_users(each)]
        return {"kind": "compiled", "classes": classes, "files": own}

    def _hidden(self) -> set[FunctionType]:
        return {function for stub in self._stubs.values() for function in stub.functions}

    def _key_of_hidden(self, function: FunctionType) -> Key:
        return next(key for key, stub in self._stubs.items() if function in stub.functions)

    def _culprits(self, error: BaseException) -> list[FunctionType]:
        """Return the objects of the innermost user function that the compiler was compiling; empty if not known."""
        for place in underlined(str(error)):
            hidden = [stub for stub in self._stubs.values() if stub.filename == place.filename]
            if hidden:
                return hidden[0].functions
            if is_users(place.filename):
                return function_at(self._functions, place.filename, place.row)
        place_of = compiling(error, self._session.place)
        if place_of is None:
            return []
        hidden = [stub for stub in self._stubs.values() if stub.filename == place_of["filename"].rpartition("/")[2]]
        if hidden:
            return hidden[0].functions
        return function_at(self._functions, place_of["filename"], place_of["row"], defined=True)

    def _calls_stub(self, function: FunctionType) -> bool:
        """Return whether the function may call a stub that may have the wrong types."""
        vague = [stub for stub in self._stubs.values() if stub.vague]
        if not vague:
            return False
        tree = tree_of(function)
        called = {name for node in ast.walk(tree) if (name := _name(node))} if tree else None
        key = key_of(function.__code__)
        for stub in vague:
            if called is None or stub.name in called or key in self._observed.callers.get(stub.key, ()):
                return True
            # A submodule is called by the name of its attribute, which is only known from a call in eager.
            if stub.name == "forward" and stub.key not in self._observed.returns:
                return True
        return False

    def _hide(self, key: Key, functions: list[FunctionType]) -> None:
        """Replace a function by a stub, and note the functions that it calls: they must be compiled separately.

        Raises:
            ValueError: its source is not available.
        """
        tree = tree_of(functions[0])
        stub = Stub(key, functions, self._observed.returns.get(key))
        self._stubs[key] = stub
        if tree is None:
            return
        for callee in self._observed.callees.get(key, ()):
            if _calls(tree, callee.name):
                for function in function_at(self._functions, callee.filename, callee.row, defined=True):
                    self._orphans.setdefault(callee, function)
        # Eager may not have reached every call. Add the unconditional calls of methods: the compiler cannot prune them.
        for cls in {cls for part in self._session.built.modules() for cls in type(part).__mro__}:
            if any(function in vars(cls).values() for function in functions):
                for name, function in _methods(cls):
                    if _calls(tree, name, always=True):
                        self._orphans.setdefault(key_of(function.__code__), function)

    def _next_error(self) -> BaseException | None:
        """Return the compiler's next exception; None if everything that remains compiles."""
        module, _ = pristine(self._session.built)
        methods = {
            function
            for part in module.modules()
            for cls in type(part).__mro__
            for function in vars(cls).values()
            if isinstance(function, FunctionType)
        }
        alone: list[tuple[Key, FunctionType]] = []
        for key, function in self._orphans.items():
            if key in self._stubs or is_ignored(function):
                continue
            if function not in methods:
                if function.__qualname__ == function.__name__ and key not in self._scripted:
                    alone.append((key, function))
            elif function.__name__ != "forward" and not hasattr(function, _MODIFIER):
                setattr(function, _MODIFIER, torch._jit_internal.FunctionModifiers.EXPORT)
                self._exported.append(function)
        with forgetting():
            try:
                torch.jit.script(module)
                for key, function in alone:
                    torch.jit.script(function)
                    self._scripted.add(key)
            except BaseException as error:
                return error
        return None


@contextmanager
def forgetting() -> Iterator[None]:
    """Inside the ``with``, compile without the results of earlier compilations; afterwards, discard the new results."""
    recursive: Any = torch.jit._recursive
    state: Any = torch.jit._state
    store = recursive.concrete_type_store
    known = list(getattr(state, "_jit_caching_layer", ()))
    recursive.concrete_type_store = recursive.ConcreteTypeStore()
    try:
        yield
    finally:
        recursive.concrete_type_store = store
        layer = getattr(state, "_jit_caching_layer", {})
        for function in [each for each in layer if all(each is not other for other in known)]:
            del layer[function]


def _methods(cls: type) -> Iterator[tuple[str, FunctionType]]:
    for name in dir(cls):
        function = inspect.getattr_static(cls, name, None)
        if isinstance(function, FunctionType) and is_users(function.__code__.co_filename):
            yield name, function


def _calls(tree: ast.AST, name: str, *, always: bool = False) -> bool:
    """Return whether a function calls ``name``, outside ``if`` and ``… if … else …`` that test ``is_scripting``.

    Args:
        tree: the tree of the caller.
        name: the name of the method or function.
        always: whether to count only unconditional calls of a method of ``self``.
    """
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.If, ast.IfExp)) and (always or "is_scripting" in ast.unparse(node.test)):
            continue
        if always and isinstance(node, (ast.BoolOp, ast.FunctionDef, ast.Lambda)) and node is not tree:
            continue
        if isinstance(node, ast.Call) and _name(node.func) == name:
            if not always or (isinstance(node.func, ast.Attribute) and _name(node.func.value) == "self"):
                return True
        pending.extend(ast.iter_child_nodes(node))
    return False


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None
