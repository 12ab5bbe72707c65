"""Runs stages in forks of the worker: each begins with the module as it was built, whatever other stages did (worker
side).

Compiling may change the module and its classes (``__prepare_scriptable__`` does), and copies do not prevent that. The
results of a stage are sent back as plain data, and compiled modules as archives.
"""

from __future__ import annotations

import gc
import importlib
import os
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tslint.verify import metadata
from tslint.verify.limits import NO_FOLDER_STATUS, NO_ROOM_STATUS
from tslint.verify.outcome import Outcome
from tslint.verify.session import Session
from tslint.verify.shared_parameters import copies_share_parameters

Stage = Callable[[str, Session], Outcome]
"""Runs a stage in the current process."""

# Stages that run in the worker itself: those that make the module, and those that run no module in this process.
_IN_THE_WORKER = ("import", "build", "construct", "observe", "reload", "compare")
# Modules that torch imports during these stages: imported once here, instead of in the fork of every later stage.
_IMPORTED = {
    "trace": ("torch.distributed._functional_collectives", "torch.distributed.tensor"),
    "device": ("torch.distributed._functional_collectives", "torch.fx.experimental.symbolic_shapes", "torch._dynamo"),
}
# The attributes of the session that each stage sets.
_FILLED = {
    "eager": ("eager", "unsteady", "noise", "shares"),
    "script": ("outputs",),
    "trace": ("outputs", "warned"),
    "generalize": ("agreed",),
    "state": ("called",),
    "save": ("archives",),
}


class ForkedStages:
    """Runs stages in forks if possible, otherwise in this process.

    Args:
        session: the session of the target, which collects the results of the stages.
        run: runs a stage, with the further data that is requested, in the current process.
        adopt: called at the start of each fork, and in this process if a stage runs here after a fork.
    """

    def __init__(self, session: Session, run: Stage, adopt: Callable[[], None]) -> None:
        self._session = session
        self._run = run
        self._adopt = adopt
        session.compiled.again = self._again
        session.compiled.parameters = lambda: dict(session.built.named_parameters())
        self._threads = session.request.threads or torch.get_num_threads()
        # Modes whose archive has been loaded by a stage that did not crash.
        self._loadable: set[str] = set()
        self._possible: bool | None = None if hasattr(os, "fork") else False
        # The threads of a pool do not exist in a fork, so this process must not start any.
        if self._possible is None:
            torch.set_num_threads(1)

    def run(self, name: str) -> Outcome | int:
        """Return the outcome of a stage.

        If its process ended without an outcome, return the exit status of the process, as ``subprocess`` does.
        """
        request = self._session.request
        asked_for = name not in request.modes_left_out and (name != "native" or request.native)
        if name in _IN_THE_WORKER or not asked_for:
            if self._possible:
                self._adopt()  # after a fork, this process sends the events again
            return self._run(name, self._session)
        if self._possible is None:
            _settle(self._session.scratch)
            self._possible = self._can_fork()
            if not self._possible:
                torch.set_num_threads(self._threads)
        if not self._possible:
            return self._run(name, self._session)
        self._import(name)
        self._load()
        report = self._session.scratch / "report.pt"

        def stage() -> None:
            self._session.forked = True
            own = os.getpid()
            outcome = self._run(name, self._session)
            # Not in a fork that the user's code has made.
            if os.getpid() == own:
                try:
                    self._send(name, outcome, report)
                except (OSError, RuntimeError):
                    os._exit(NO_ROOM_STATUS if report.parent.is_dir() else NO_FOLDER_STATUS)

        status = self._forked(stage)
        if not report.is_file():
            return status
        found = torch.load(report, weights_only=False)
        report.unlink()
        self._take(found)
        outcome: Outcome = found["outcome"]
        return outcome

    def _import(self, name: str) -> None:
        if self._session.eager is None:
            return
        for module in _IMPORTED.get(name, ()):
            try:
                importlib.import_module(module)
            except Exception:
                continue  # other versions of torch do not have it, and the stage does not need it

    def _load(self) -> None:
        """Load the archives in this process, so that later stages do not each load them again.

        Only archives that an earlier stage has loaded without a crash.
        """
        if torch.cuda.is_available():
            return  # loading an archive for a GPU would initialise CUDA, which a fork cannot use
        with copies_share_parameters(self._session.shares):
            for mode in self._loadable:
                self._session.compiled.keep(mode)

    def _can_fork(self) -> bool:
        """Return whether a fork can do everything that this process can: CUDA and the user's threads do not work in a
        fork.
        """
        if torch.get_num_threads() != 1:
            # The user's code has set another number, and may have started a pool, which does not exist in a fork.
            self._threads = 1
        # The garbage collector of a fork then skips these million objects, so their memory need not be copied.
        gc.freeze()
        # The main thread, and the one that waits for the parent's end.
        return threading.active_count() <= 2 and not torch.cuda.is_initialized()

    def apart(self, work: Callable[[], None]) -> None:
        """Do work that is not a stage; in its own fork if forks are used."""
        if self._possible:
            self._forked(work)
        else:
            work()

    def _forked(self, work: Callable[[], None]) -> int:
        """Work in a fork; return its exit status, as ``subprocess`` does."""
        process = os.fork()
        if process:
            _, status = os.waitpid(process, 0)
            return os.waitstatus_to_exitcode(status)
        status = 1
        try:
            self._adopt()
            torch.set_num_threads(self._threads)
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            # Threads and atexit functions of the user must not keep the process alive.
            os._exit(status)

    def _send(self, name: str, outcome: Outcome, report: Path) -> None:
        found: dict[str, Any] = {field: getattr(self._session, field) for field in _FILLED.get(name, ())}
        compiled = self._session.compiled
        archives = {name: self._archived(name)} if name in compiled.here else {}
        loaded = [mode for mode in compiled.here if compiled.archives.get(mode)]
        part = report.with_suffix(".part")
        torch.save({"fields": found, "archives": archives, "loaded": loaded, "outcome": outcome}, part)
        part.rename(report)

    def _archived(self, mode: str) -> Path | None:
        """Return the archive that passes a compiled module to other stages; None if it cannot be saved."""
        path = self._session.scratch / f"compiled.{mode}.pt"
        module = self._session.compiled[mode]
        metadata.must_fit(module, path.parent)
        try:
            torch.jit.save(module, str(path), _extra_files=metadata.extra_files(self._session, module))
        except BaseException:
            # The stage ``save`` tries again, and reports the reason.
            path.unlink(missing_ok=True)
            return None
        return path

    def _take(self, found: dict[str, Any]) -> None:
        for field, value in found["fields"].items():
            setattr(self._session, field, value)
        self._session.compiled.archives.update(found["archives"])
        self._loadable.update(found["loaded"])

    def _again(self, mode: str) -> Any:
        module = importlib.import_module(f"tslint.verify.stages.{mode}")
        return module.compiled(self._session)


def _settle(folder: Path) -> None:
    """Create a new working folder if the user's code has removed the current one."""
    try:
        os.getcwd()
    except OSError:
        os.chdir(folder)
