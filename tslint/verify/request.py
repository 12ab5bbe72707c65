"""What to verify: one target, its inputs and its limits."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tslint.verify.stage_names import STAGES

DEFAULT_TIMEOUT = 120.0
DEFAULT_MEMORY = 4096


@dataclass(frozen=True)
class Request:
    """One target, as the command line or the configuration asks for it.

    Args:
        target: ``package.module:attr`` or ``path.py:attr``.
        inputs: Python expressions over ``torch``, one for each set of inputs.
        modes: of ``script`` and ``trace``.
        rtol, atol: tolerances of the comparison; None for ``torch.testing``'s defaults.
        timeout: seconds, counted from the moment torch is loaded.
        memory: MiB above what torch itself takes.
        base: the folder that relative paths and module names count from.
        save_to: folder for the archives, or None to drop them.
        name: what reports call the target; its configured name, for instance. Empty for ``target`` itself.
        slug: what the archives are called.
        native: also run the archives outside Python.
        all_errors: after a compile failure, stub the function that failed and go on.
        model_snapshot: also tell what the html report shows beside the verdict.
        snapshot: also tell what must stay the same when the code changes; see ``snapshot.py``.
        until: the last stage to run; empty for all.
        moved: a folder, and the one to import its modules from instead; empty for none.
        threads: that torch computes with; None: as many as it likes.
        target_torch: the version that is to load the archives, as configured; None: any.
        stages: what the worker does, in order; see :mod:`tslint.verify.stages`.
        hint: what to add where ``target`` has no form that can be understood: ``; did you mean 'net'?``
    """

    target: str
    inputs: tuple[str, ...] = ()
    modes: tuple[str, ...] = ("script", "trace")
    rtol: float | None = None
    atol: float | None = None
    timeout: float = DEFAULT_TIMEOUT
    memory: int = DEFAULT_MEMORY
    base: str = field(default_factory=lambda: str(Path.cwd()))
    save_to: str | None = None
    name: str = ""
    slug: str = "module"
    hint: str = ""
    native: bool = False
    all_errors: bool = False
    model_snapshot: bool = False
    snapshot: bool = False
    until: str = ""
    moved: tuple[str, ...] = ()
    target_torch: str | None = None
    threads: int | None = None
    stages: tuple[str, ...] = STAGES

    @property
    def title(self) -> str:
        """What reports call the target."""
        return self.name or self.target

    def dumps(self) -> str:
        """One line of json for the worker."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, line: str) -> Request:
        """The request that :meth:`dumps` wrote."""
        values: dict[str, Any] = json.loads(line)
        lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
        return cls(**{**values, **lists})
