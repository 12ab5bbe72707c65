"""export: tries ``torch.export`` on the eager module, as an alternative to TorchScript; never changes the verdict."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import logging
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from tslint.verify.arguments import Arguments, cloned, split
from tslint.verify.blame import describe, is_users, place
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.session import Session, pristine, seed
from tslint.verify.stages.eager import NO_INPUTS
from tslint.verify.time_limit import OutOfTime, at_most

# A limit of its own: this stage never changes the verdict, so it must not use up the time of other stages.
SECONDS = 60.0


def run(session: Session) -> Outcome:
    """Export with every dimension dynamic, then with none; report the obstacle with its line."""
    session.more_time(SECONDS)
    try:
        with at_most(SECONDS):
            return _run(session)
    except OutOfTime:
        return Outcome("unavailable", f"torch.export takes more than {SECONDS:g} s, the time limit of this stage")


def _run(session: Session) -> Outcome:
    if isinstance(session.built, torch.jit.ScriptModule):
        raise StageSkipped("torch.export takes the eager module, and this one is compiled already")
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    try:
        exporter = importlib.import_module("torch.export").export
    except (ImportError, AttributeError):
        return Outcome("unavailable", f"torch {torch.__version__} has no torch.export")
    number = max(range(len(session.inputs)), key=lambda each: _open_dimensions(session.inputs[each]))
    arguments = session.inputs[number]
    against = ""
    auto = getattr(getattr(torch.export, "Dim", None), "AUTO", None)
    if auto is not None and _open_dimensions(arguments):
        try:
            program = _export(session, exporter, arguments, _shapes(session.built, arguments, auto))
        except Exception as error:
            against = f": {_obstacle(error)}"
        else:
            found = _symbolic(program)
            if found:
                return Outcome(detail=f"exports with dynamic shapes: {', '.join(found)}")
            against = f": {_fixed(program)}"
    elif auto is None:
        against = f": torch {torch.__version__} cannot find out by itself which dimensions may change"
    elif _has_tensor(arguments):
        against = ": all sizes of the inputs are 0 or 1, which torch.export takes as fixed; pass larger inputs"
    try:
        _export(session, exporter, arguments, None)
    except Exception as error:
        raise StageFailed(f"does not export: {_obstacle(error)}") from error
    if not _has_tensor(arguments):
        return Outcome(detail="exports (no tensor among the inputs whose shape could change)")
    return Outcome(detail=one_line(f"exports only with static shapes{against}", 600))


def _shapes(module: torch.nn.Module, arguments: Arguments, auto: Any) -> tuple[Any, ...] | dict[str, Any]:
    """Return the dynamic dimensions of each argument, in the form of the signature: those of ``*args`` are one entry.

    The result is a dict by name if some arguments are passed by name.
    """
    positional, keywords = split(arguments)
    shapes = [_open(value, auto) for value in positional]
    parameters = list(inspect.signature(module.forward).parameters.values())
    if keywords:
        named = {each.name: shape for each, shape in zip(parameters, shapes)}
        return {**named, **{name: _open(value, auto) for name, value in keywords.items()}}
    starred = [n for n, each in enumerate(parameters) if each.kind is each.VAR_POSITIONAL]
    return (*shapes[: starred[0]], tuple(shapes[starred[0] :])) if starred else tuple(shapes)


def _export(session: Session, exporter: Any, arguments: Arguments, shapes: Any) -> Any:
    module, restore = pristine(session.built)
    options: dict[str, Any] = {"strict": False}
    if shapes is not None:
        options["dynamic_shapes"] = shapes
    # Export also writes long messages to loggers.
    level = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        seed()
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            positional, keywords = split(cloned(arguments))
            return exporter(module, positional, dict(keywords) or None, **options)
    finally:
        logging.disable(level)
        restore()


def _obstacle(error: BaseException) -> str:
    """Return the error with the user's line, without advice for torch's own developers."""
    return one_line(describe(error), 400)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)


def _has_tensor(arguments: Arguments) -> bool:
    return next(_tensors(arguments), None) is not None


def _open_dimensions(arguments: Arguments) -> int:
    return sum(size > 1 for tensor in _tensors(arguments) for size in tensor.shape)


def _open(value: Any, auto: Any) -> Any:
    """Return the same structure with ``Dim.AUTO`` for each dimension that may change."""
    if isinstance(value, torch.Tensor):
        return {dimension: auto for dimension, size in enumerate(value.shape) if size > 1}
    if isinstance(value, (tuple, list)):
        return type(value)(_open(item, auto) for item in value) if type(value) in (tuple, list) else None
    if isinstance(value, dict):
        return {key: _open(item, auto) for key, item in value.items()}
    return None


def _sizes(program: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the size of each dimension of the inputs: ``x[0]`` and 2."""
    inputs = set(program.graph_signature.user_inputs)
    for node in program.graph.nodes:
        if node.op == "placeholder" and node.name in inputs:
            for index, size in enumerate(getattr(node.meta.get("val"), "shape", ())):
                yield f"{node.name}[{index}]", size


def _symbolic(program: Any) -> list[str]:
    """Return the dimensions of inputs that are dynamic; a fixed dimension is just a number."""
    return [name for name, size in _sizes(program) if not str(size).isdigit()]


def _fixed(program: Any) -> str:
    """Return the lines of forward that fix all dynamic dimensions, as far as torch has recorded them."""
    lines: list[str] = []
    for _, size in _sizes(program):
        environment = getattr(getattr(size, "node", None), "shape_env", None)
        for reason in getattr(environment, "replacements_slocs", {}).values():
            frame: Any = getattr(reason, "framework_loc", None)
            if frame is not None and is_users(getattr(frame, "filename", "<unknown>")):
                lines.append(place(frame.filename, frame.lineno))
    where = ", ".join(list(dict.fromkeys(lines))[:5])
    return f"every dimension is fixed by forward ({where})" if where else "every dimension is fixed by forward"
