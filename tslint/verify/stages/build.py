"""build: builds the module of TARGET, and evaluates the inputs."""

from __future__ import annotations

import inspect
from typing import Any

import torch

from tslint.verify.arguments import Arguments, called
from tslint.verify.blame import describe, print_traceback, raised
from tslint.verify.outcome import Outcome, StageFailed
from tslint.verify.session import Session, seed


def run(session: Session) -> Outcome:
    """Build the module (in eval mode, as it will be deployed) and the inputs."""
    made, inputs = _build(session.attribute, session.request.target)
    try:
        session.module = made.eval()
    except Exception:  # a frozen ScriptModule has no mode to set
        session.module = made
    if session.request.inputs:
        session.inputs = [_evaluate(expression) for expression in session.request.inputs]
    elif session.inputs:  # the inputs were given by a caller in Python
        pass
    elif inputs is not None:
        session.inputs = [arguments(inputs)]
    elif _takes_nothing(made):
        session.inputs = [()]
    size = sum(parameter.numel() for parameter in _parameters(made))
    sets = f"{len(session.inputs)} input set{'s' if len(session.inputs) != 1 else ''}"
    name = getattr(made, "original_name", type(made).__name__)
    return Outcome(detail=f"{name}, {size:,} parameters, {sets}")


def _build(attribute: Any, target: str) -> tuple[torch.nn.Module, Any]:
    if isinstance(attribute, torch.nn.Module):
        return attribute, None
    if isinstance(attribute, torch.jit.ScriptFunction):
        raise StageFailed(f"{target} is a scripted function; verify takes an nn.Module, or a function that builds one")
    if not callable(attribute):
        raise StageFailed(
            f"{target} is {_a(attribute)}; verify takes an nn.Module class or instance, or a function that returns one"
        )
    is_class = isinstance(attribute, type)
    if is_class and not issubclass(attribute, torch.nn.Module):
        way = "name a module class, or a function that returns a module"
        raise StageFailed(f"{target} is a class, but not an nn.Module; {way}")
    needed = _needed(attribute)
    if needed:
        way = (
            f"write a function that returns {attribute.__name__}(…), and name this function"
            if is_class
            else "give these parameters defaults, or name a function without parameters that calls it"
        )
        raise StageFailed(f"{target} is called without arguments, but needs {', '.join(needed)}; {way}")
    seed()
    try:
        made = attribute()
    except BaseException as error:
        print_traceback(error)
        raise StageFailed(raised(f"{target.rpartition(':')[2]}()", error)) from error
    inputs = None
    if isinstance(made, tuple) and len(made) in (2, 3) and isinstance(made[0], torch.nn.Module):
        made, inputs, *named = made
        if named and not isinstance(named[0], dict):
            name = target.rpartition(":")[2]
            raise StageFailed(f"{name}() returned {_a(named[0])} after the inputs; keyword arguments must be a dict")
        if named:
            inputs = called(*arguments(inputs), **named[0])
    if not isinstance(made, torch.nn.Module):
        raise StageFailed(
            f"{target.rpartition(':')[2]}() returned {_a(made)}; it must return an nn.Module, (module, inputs),"
            " or (module, inputs, keywords)"
        )
    return made, inputs


def arguments(value: Any) -> Arguments:
    """Return a set of inputs as an argument list: a plain tuple is a list of arguments, anything else a single
    argument.
    """
    return value if type(value) is tuple else (value,)


def _evaluate(expression: str) -> Arguments:
    seed()
    try:
        return arguments(eval(compile(expression.strip(), "<inputs>", "eval"), {"torch": torch, "call": called}))
    except SyntaxError as error:
        reason = f"is not a Python expression: {error.msg}"
    except NameError as error:
        hint = "" if "torch" in expression else ", as in torch.rand(1, 3)"
        reason = f"raised {describe(error, where=False)}; only torch and Python's builtins are available{hint}"
    except BaseException as error:
        reason = f"{raised('', error).strip()}; an input is a Python expression such as torch.rand(1, 3)"
    raise StageFailed(f"input expression {expression!r} {reason}")


def _needed(function: Any) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in parameters if p.default is p.empty and p.kind not in optional]


def _takes_nothing(module: torch.nn.Module) -> bool:
    if isinstance(module, torch.jit.ScriptModule):
        schema = getattr(getattr(module, "forward", None), "schema", None)
        return schema is not None and len(schema.arguments) == 1
    try:
        return not inspect.signature(module.forward).parameters
    except (AttributeError, TypeError, ValueError):
        return False


def _parameters(module: torch.nn.Module) -> list[torch.Tensor]:
    lazy = getattr(torch.nn.parameter, "UninitializedParameter", ())
    return [parameter for parameter in module.parameters() if not isinstance(parameter, lazy)]


def _a(value: Any) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
