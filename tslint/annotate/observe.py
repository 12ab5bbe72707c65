"""observe: runs the module in Python once with every set of inputs and records types (worker side).

This is a stage like those of ``verify``; the evidence of its outcome is the record.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
import warnings
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch

from tslint.annotate import values
from tslint.annotate.kinds import count
from tslint.annotate.observer import Tracing
from tslint.annotate.seen import Argument, Attribute, CallPlace, Calls, Seen
from tslint.annotate.watched import Function, Place, functions
from tslint.verify.arguments import cloned, split
from tslint.verify.blame import is_users, print_traceback, raised
from tslint.verify.outcome import Outcome, StageFailed
from tslint.verify.place import locate
from tslint.verify.session import Session, kept_grad_mode, pristine, seed
from tslint.verify.stages.eager import NO_INPUTS

_NOT_PLAIN = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_OF_OTHERS = {"site-packages", "dist-packages"}


def run(session: Session) -> Outcome:
    """Run the module and record its calls; an exception in ``forward`` fails the stage."""
    if not session.inputs:
        raise StageFailed(NO_INPUTS)
    project = Project(session)
    for number, arguments in enumerate(session.inputs):
        runnable, restore = pristine(session.built)
        state = project.attributes(runnable)
        positional, keywords = split(cloned(arguments))
        seed()
        try:
            with kept_grad_mode(), Tracing(project.watch):
                runnable(*positional, **keywords)
        except BaseException as error:
            print_traceback(error)
            raise StageFailed(f"{raised('forward', error)}{session.set_name(number)}") from error
        finally:
            restore()
        for each in state:
            each.look()
    found = {file: seen.dump() for file, seen in project.seen().items()}
    return Outcome(detail=f"{len(found)} files", evidence=({"kind": "seen", "files": found},))


class Project:
    """The files whose functions are observed, and the recorded values."""

    def __init__(self, session: Session) -> None:
        base = Path(session.request.base)
        self._roots = [base.resolve(), locate(session.request.target, base).search.resolve()]
        self._files: dict[str, _File | None] = {}

    def watch(self, code: CodeType, frame: FrameType) -> _Watcher | None:
        """Return a watcher for a code object, or None."""
        file = self.file(code.co_filename, frame.f_globals)
        function = file and file.functions.get((code.co_firstlineno, code.co_name))
        if not file or not function or code.co_flags & _NOT_PLAIN or not _can_be_compiled(function, frame):
            return None
        return _Watcher(file.calls.setdefault(function.place, Calls()), function)

    def attributes(self, module: torch.nn.Module) -> list[_Attributes]:
        """Return, for each module with attributes that start empty, the object that inspects them after the run."""
        return [found for each in module.modules() for found in [_Attributes(each, self)] if found.holders]

    def file(self, filename: str, names: dict[str, Any]) -> _File | None:
        """Return a file of the project by the filename of a code object; None for a file that is not observed."""
        if filename not in self._files:
            path = Path(os.path.realpath(filename))
            ours = is_users(filename) and path.is_file() and not _OF_OTHERS & set(path.parts)
            ours = ours and any(root in path.parents for root in self._roots)
            self._files[filename] = _File.read(path, names) if ours else None
        return self._files[filename]

    def seen(self) -> dict[str, Seen]:
        """Return the records of all files, by absolute path."""
        result: dict[str, Seen] = {}
        for file in self._files.values():
            if file is None or not (file.calls or file.attributes or file.arguments):
                continue
            own = Seen(file.digest, file.calls, file.attributes, file.named_classes(), file.arguments)
            if str(file.path) in result:
                result[str(file.path)].merge(own)
            else:
                result[str(file.path)] = own
        return result


class _File:
    """An observed file."""

    def __init__(self, path: Path, data: bytes, tree: ast.Module, names: dict[str, Any]) -> None:
        self.path = path
        self.digest = hashlib.sha256(data).hexdigest()
        self.functions: dict[Place, Function] = {function.place: function for function in functions(tree)}
        self.calls: dict[Place, Calls] = {}
        self.attributes: dict[tuple[Place, str], Attribute] = {}
        self.arguments: dict[tuple[CallPlace, str], Argument] = {}
        self._names = names

    @classmethod
    def read(cls, path: Path, names: dict[str, Any]) -> _File | None:
        """Read a file from disk; return None if it cannot be read or is not valid Python."""
        try:
            data = path.read_bytes()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return cls(path, data, ast.parse(data), names)
        except (OSError, SyntaxError, ValueError):
            return None

    def named_classes(self) -> dict[str, str]:
        """Return the names that the file uses for the recorded classes."""
        known = {id(cls): name for name, cls in values.classes.items()}
        return {known[id(value)]: name for name, value in list(self._names.items()) if id(value) in known}


def _can_be_compiled(function: Function, frame: FrameType) -> bool:
    """Return whether a function belongs to a module, to a script class or to no class."""
    if function.owner is None:
        return True
    owner: Any = None
    for part in function.qualname.split(".")[:-1]:
        owner = frame.f_globals.get(part) if owner is None else getattr(owner, part, None)
    if isinstance(owner, type) and owner.__dict__.get(function.node.name) is not None:
        return issubclass(owner, torch.nn.Module) or values.is_script_class(owner)
    # For a class that is made in a function, or whose name is bound to something else: look at the instance.
    first = frame.f_code.co_varnames[:1]
    return bool(first) and isinstance(frame.f_locals.get(first[0]), torch.nn.Module)


class _Watcher:
    """Counts the types of the arguments, locals and results of one function."""

    def __init__(self, calls: Calls, function: Function) -> None:
        self._calls = calls
        names = [argument.arg for argument in function.parameters]
        self._parameters = [(name, calls.arguments.setdefault(name, {})) for name in names]
        self._starts = [(name, calls.locals.setdefault(name, {})) for name in function.starts]
        self._locals = [
            *self._starts,
            *((name, calls.locals.setdefault(name, {})) for name in function.annotated_locals),
        ]
        self._last: dict[str, tuple[int, int]] = {}
        self.lines = bool(function.starts)

    def called(self, frame: FrameType) -> None:
        """Count the types of the arguments."""
        self._calls.number += 1
        if self._parameters:
            now = frame.f_locals
            for name, kinds in self._parameters:
                if name in now:
                    values.add(kinds, now[name])

    def at_line(self, frame: FrameType) -> None:
        """Inspect variables that start empty, because they may be filled and emptied again, or rebound, before the
        function returns.
        """
        now = frame.f_locals
        for name, kinds in self._starts:
            value = now.get(name)
            if value is None:
                continue
            state = (id(value), len(value) if type(value) in (list, dict) else 0)
            if self._last.get(name) != state:
                self._last[name] = state
                values.add(kinds, value, 0)

    def returned(self, frame: FrameType, value: Any) -> None:
        """Count the type of the returned value and the final types of locals."""
        values.add(self._calls.returned, value)
        if self._locals:
            now = frame.f_locals
            for name, kinds in self._locals:
                if name in now:
                    values.add(kinds, now[name])


class _Attributes:
    """The attributes of one module that start as None or empty, inspected before and after the run."""

    def __init__(self, module: torch.nn.Module, project: Project) -> None:
        self._module = module
        self.holders: dict[str, Attribute] = {}
        before: dict[str, Any] = {}
        for cls in type(module).__mro__:
            init = cls.__dict__.get("__init__")
            written: Any = inspect.unwrap(init) if callable(init) else None
            code = getattr(written, "__code__", None)
            if not isinstance(code, CodeType):
                continue
            file = project.file(code.co_filename, getattr(written, "__globals__", {}))
            function = file and file.functions.get((code.co_firstlineno, code.co_name))
            if not file or not function:
                continue
            for name in function.empty_attributes:
                if name in module.__dict__ and name not in self.holders:
                    holder = file.attributes.setdefault((function.place, name), Attribute())
                    holder.obstacle = holder.obstacle or _obstacle(type(module), cls, module, name)
                    self.holders[name] = holder
                    before[name] = module.__dict__[name]
                    values.add(holder.kinds, before[name], 0)
        # Recorded before the run, which may fill the same list.
        self._started = {name: _is_empty(value) for name, value in before.items()}

    def look(self) -> None:
        """Record the types of the attributes after a run, and whether an empty one has got a value."""
        for name, holder in self.holders.items():
            later: Any = self._module.__dict__.get(name)
            if name not in self._module.__dict__:
                # The attribute was registered as a parameter, a buffer or a submodule, and the compiler treats it as
                # one.
                count(holder.kinds, "module:")
                continue
            values.add(holder.kinds, later)
            if later is not None and self._started[name]:
                holder.needed = True


def _is_empty(value: Any) -> bool:
    return value is None or (type(value) in (list, dict) and not value)


def _obstacle(own: type, holder: type, module: torch.nn.Module, name: str) -> str:
    """Return why an annotation in the class that sets an attribute has no effect or does harm; empty if it works.

    The compiler only reads the annotations of the nearest class that has any.
    """
    for cls in own.__mro__:
        annotated = inspect.get_annotations(cls)
        if cls is holder or not annotated or cls is torch.nn.Module or name in annotated:
            continue
        if own.__mro__.index(cls) < own.__mro__.index(holder):
            return f"the annotations of class {cls.__name__} would hide it from the compiler"
        lost = [each for each in annotated if _is_empty(module.__dict__.get(each, 1))]
        if lost and not inspect.get_annotations(holder):
            return f"it would hide the annotations of class {cls.__name__} from the compiler"
        return ""
    return ""
