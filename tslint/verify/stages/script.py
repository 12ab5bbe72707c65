"""script: compiles the module with ``torch.jit.script``, and runs it on every set of inputs."""

from __future__ import annotations

from typing import Any

import torch

from tslint.verify.blame import TORCH_ROOT, at_attribute, compiler_evidence, describe
from tslint.verify.messages import headline, runtime_error, underlined
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session, call, pristine


def run(session: Session) -> Outcome:
    """Compile and run; an error of the compiler becomes evidence with its positions."""
    if "script" not in session.request.modes:
        raise StageSkipped("not asked for (mode is trace)")
    session.must_be_initialised()
    try:
        session.compiled["script"] = compiled(session)
    except BaseException as error:
        raise _failed(session, error) from error
    detail = ""
    if isinstance(session.built, torch.jit.ScriptModule):
        traced = isinstance(session.built, torch.jit.TopLevelTracedModule)
        detail = "already traced: scripting returns it unchanged" if traced else "already scripted"
    run_compiled(session, "script")
    return Outcome(detail=detail)


def compiled(session: Session) -> Any:
    """Return the compiled module; the eager one is not changed, unless no later stage needs it."""
    if isinstance(session.built, torch.jit.ScriptModule):
        return session.built
    # Compiling adds types and attributes to the module's submodules.
    needed = not session.forked or session.request.all_errors
    return torch.jit.script(pristine(session.built)[0] if needed else session.built)


def _failed(session: Session, error: BaseException) -> StageFailed:
    if not session.request.all_errors:
        return StageFailed(_message(error), compiler_evidence("script", error, session.place))
    from tslint.verify.all_errors import all_errors

    found, note = all_errors(session, error)
    number = sum(each["kind"] == "compiler" for each in found)
    others = {1: "", 2: " (and one error in another function)"}
    more = others.get(number, f" (and {number - 1} errors in other functions)")
    return StageFailed(f"{_message(error)}{more}{f'; {note}' if note else ''}", *found)


def run_compiled(session: Session, mode: str) -> None:
    """Run a compiled module on every set of inputs, and store the outputs.

    Raises:
        StageFailed: a call raised where eager did not, or the module has no ``forward``.
    """
    module: Any = session.compiled[mode]
    outputs = session.outputs.setdefault(mode, {})
    if session.eager is None:
        return
    if not hasattr(module, "forward") and hasattr(module, "forward__0"):
        name = type(session.built).__name__
        raise StageFailed(
            f"compiles, but the compiled {name} has no forward: only compiled modules can call its overloads, which "
            "have other names; script a module of your own that calls it"
        )
    failure: StageFailed | None = None
    for number, arguments in enumerate(session.inputs):
        try:
            outputs[number] = call(module, arguments)
        except BaseException as error:
            reason = runtime_error(str(error), TORCH_ROOT) or describe(error)
            verb = "compiles" if mode == "script" else "traces"
            text = f"{verb}, but calling it raises{session.set_name(number)}: {_with_way_out(session, reason)}"
            failure = failure or StageFailed(text)
    if failure:
        raise failure


def _with_way_out(session: Session, reason: str) -> str:
    """Return why a compiled module cannot be called, and for a parametrization also how to remove it."""
    if not reason.startswith("RuntimeError: Parametrization is not working"):
        return reason
    names = [name for name, module in session.built.named_modules() if hasattr(module, "parametrizations")]
    on = f" on self.{names[0]}" if names and names[0] else ""
    remove = f"torch.nn.utils.parametrize.remove_parametrizations{on}"
    return f"{reason.removesuffix('.')}; before scripting, call {remove}"


def _message(error: BaseException) -> str:
    said = headline(str(error))
    own = said and (type(error) is RuntimeError or underlined(str(error)))
    return (said if own else describe(error, where=False)) + at_attribute(error)
