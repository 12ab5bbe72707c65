"""construct: builds the module and records the arguments of torch's own modules (worker side).

``nn.LayerNorm(d, eps=config.eps)`` declares ``eps`` as a float, and Python accepts an int, but the compiler does not.
This stage compares the declared type with the value, and asks the compiler whether the difference matters.
"""

from __future__ import annotations

import copy
import inspect
import sys
import warnings
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType
from typing import Any

import torch

from tslint.annotate.observe import Project
from tslint.annotate.observer import Tracing
from tslint.annotate.seen import Argument, CallPlace
from tslint.verify.outcome import Outcome
from tslint.verify.session import Session
from tslint.verify.stages import build

_OPTIONAL = {"Optional[float]", "typing.Optional[float]", "float | None"}


def run(session: Session) -> Outcome:
    """Build the module and observe the constructors."""
    watch = _Constructors(Project(session))
    if sys.version_info < (3, 11):  # before Python 3.11, the position of a call is not known
        return build.run(session)
    with Tracing(watch):
        outcome = build.run(session)
    found = watch.seen()
    evidence = [{"kind": "seen", "files": found}] if found else []
    return Outcome(outcome.status, outcome.detail, (*outcome.evidence, *evidence))


class _Constructors:
    """Watches the constructors of ``torch.nn`` that declare a parameter as a float."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._given: list[_Passed] = []

    def __call__(self, code: CodeType, frame: FrameType) -> _Watcher | None:
        """Return a watcher for a code object, or None."""
        names = frame.f_globals.get("__name__", "")
        if code.co_name != "__init__" or not str(names).startswith("torch.nn.") or not code.co_argcount:
            return None
        module = frame.f_locals.get(code.co_varnames[0])
        inits = [cls.__dict__.get("__init__") for cls in type(module).__mro__]
        init = next((each for each in inits if getattr(each, "__code__", None) is code), None)
        if init is None or not isinstance(module, torch.nn.Module):
            return None
        floats: dict[str, tuple[int | None, bool]] = {}
        for index, parameter in enumerate(inspect.signature(init).parameters.values()):
            annotation = parameter.annotation
            said = annotation.__name__ if isinstance(annotation, type) else str(annotation)
            if said == "float" or said in _OPTIONAL:
                positional = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
                floats[parameter.name] = index - 1 if positional else None, said in _OPTIONAL
        return _Watcher(self.project, floats, self._given) if floats else None

    def seen(self) -> dict[str, Any]:
        """Return the recorded ints that prevent compilation, by the absolute path of the calling file."""
        # Ask the compiler only once for each class: after a refusal, it gives another message for the same type.
        refused: dict[tuple[type, tuple[str, ...]], bool] = {}
        for given in self._given:
            key = type(given.module), tuple(each.name for each in given.arguments)
            if key not in refused:
                refused[key] = _refused(given.module)
            file = self.project.file(given.filename, given.names) if refused[key] else None
            if file is not None:
                for argument in given.arguments:
                    file.arguments.setdefault((given.place, argument.name), argument).number += 1
        return {file: seen.dump() for file, seen in self.project.seen().items()}


@dataclass
class _Passed:
    """The ints that were passed to one module.

    Args:
        filename: the file name in the caller's code object.
        names: the caller's globals.
    """

    filename: str
    names: dict[str, Any]
    place: CallPlace
    module: torch.nn.Module
    arguments: list[Argument]


class _Watcher:
    """Records the ints that one constructor receives from a file of the project."""

    lines = False

    def __init__(self, project: Project, floats: dict[str, tuple[int | None, bool]], given: list[_Passed]) -> None:
        self._project = project
        self._floats = floats
        self._given = given

    def called(self, frame: FrameType) -> None:
        """Record the ints among the arguments that are declared as floats."""
        ints = [name for name in self._floats if type(frame.f_locals.get(name)) is int]
        caller = frame.f_back
        if not ints or caller is None or self._project.file(caller.f_code.co_filename, caller.f_globals) is None:
            return
        place = _place(caller)
        if place is not None:
            module = frame.f_locals[frame.f_code.co_varnames[0]]
            arguments = []
            for name in ints:
                index, optional = self._floats[name]
                arguments.append(Argument(name, index, _public(module), optional))
            self._given.append(_Passed(caller.f_code.co_filename, caller.f_globals, place, module, arguments))

    def at_line(self, frame: FrameType) -> None:
        """Do nothing: lines are not needed."""

    def returned(self, frame: FrameType, value: Any) -> None:
        """Do nothing: a constructor returns no value."""


def _place(caller: FrameType) -> CallPlace | None:
    """Return the position of the call that a frame is executing: rows from 1, columns in bytes from 0."""
    positions = next(islice(caller.f_code.co_positions(), caller.f_lasti // 2, None), None)
    if positions is None or None in positions:
        return None
    row, end_row, column, end_column = positions
    return (row, column, end_row, end_column)  # type: ignore[return-value]  # None was looked for


def _public(module: torch.nn.Module) -> str:
    """Return the name of the public torch class of a module."""
    return next(cls.__name__ for cls in type(module).__mro__ if cls.__module__.startswith("torch.nn."))


def _refused(module: torch.nn.Module) -> bool:
    """Return whether the compiler rejects a module because of an int that it contains."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.jit.script(copy.deepcopy(module))
        except Exception as error:
            return "float" in str(error) and "instead found type 'int'" in str(error)
    return False
