"""What to verify: one target, its inputs and its limits."""

from __future__ import annotations

import json
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from tslint.util.record import record
from tslint.verify.stage_names import NEEDED, STAGES

DEFAULT_TIMEOUT = 120.0
DEFAULT_MEMORY = 4096


@record
class Request:
    """One target, as the command line or the configuration asks for it.

    Args:
        target: ``package.module:attr`` or ``path.py:attr``.
        inputs: Python expressions over ``torch``, one for each set of inputs.
        modes: ``script``, ``trace`` or both.
        rtol, atol: tolerances of the comparison; None for ``torch.testing``'s defaults.
        strict: whether tracing rejects a ``forward`` that returns a list or a dict.
        freeze_rtol, freeze_atol: tolerances after freezing; None for ``rtol`` and ``atol`` or, without these, a wider
            default.
        accept: known differences that pass, by name.
        timeout: seconds, counted from the moment torch is loaded.
        memory: MiB in addition to what torch itself uses.
        base: the folder to which paths and module names are relative.
        save_to: the folder for the archives, or None to delete them.
        name: the name of the target in reports, for instance its configured name. Empty for ``target`` itself.
        slug: the file name of the archives, without suffix.
        grad: the grad mode in which stages run: ``off``, as deployed; ``on``, unless the user's code turns it off; or
            ``both``.
        native: whether to run the archives outside Python, too.
        lite: whether to write archives for the lite interpreter, too, and run them.
        triton: the folder for a model repository of the Triton server; empty for none.
        imports: modules to import before an archive is loaded.
        libraries: files with operators to load before these modules, and in ``native``.
        all_errors: whether to replace a function that does not compile by a stub, and go on.
        model_snapshot: whether to collect the data that the HTML report shows in addition to the verdict.
        facts: whether to collect the attributes of the built module; see ``built_facts.py``.
        snapshot: whether to collect the data that must stay the same if the code changes; see ``snapshot.py``.
        until: the last stage to run; empty for all.
        moved: a folder, and another one from which its modules are imported instead; empty for none.
        threads: the number of threads that torch uses; None for torch's default.
        target_torch: the torch version that will load the archives, as configured; None for any.
        stages: the stages to run in addition to ``import`` and ``build``; empty for all.
        skip: the stages to leave out.
        all_that_is_asked: whether ``stages`` comes from the configuration: then a pass needs no other stages.
        pipeline: the steps of the worker, in order; see :mod:`tslint.verify.stages`.
        hint: text to add to the error if ``target`` is not a valid target: ``; did you mean 'net'?``
    """

    target: str
    inputs: tuple[str, ...] = ()
    modes: tuple[str, ...] = ("script", "trace")
    rtol: float | None = None
    atol: float | None = None
    strict: bool = True
    freeze_rtol: float | None = None
    freeze_atol: float | None = None
    accept: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    memory: int = DEFAULT_MEMORY
    base: str = field(default_factory=lambda: str(Path.cwd()))
    save_to: str | None = None
    name: str = ""
    slug: str = "module"
    hint: str = ""
    grad: str = "off"
    native: bool = False
    lite: bool = False
    triton: str = ""
    imports: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    all_errors: bool = False
    model_snapshot: bool = False
    snapshot: bool = False
    facts: bool = False
    until: str = ""
    moved: tuple[str, ...] = ()
    target_torch: str | None = None
    threads: int | None = None
    stages: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    all_that_is_asked: bool = False
    pipeline: tuple[str, ...] = STAGES

    @property
    def library_paths(self) -> list[str]:
        """Return the libraries as absolute paths."""
        return [str(Path(self.base, name).resolve()) for name in self.libraries]

    @property
    def title(self) -> str:
        """Return the name of the target in reports."""
        return self.name or self.target

    @property
    def needed(self) -> tuple[str, ...]:
        """Return the stages that are required for a pass."""
        if self.all_that_is_asked and not set(NEEDED) <= set(self.stages):
            return tuple(name for name in self.stages if name not in self.modes_left_out and name != "export")
        return NEEDED

    @property
    def modes_left_out(self) -> set[str]:
        """Return which of ``script`` and ``trace`` are left out."""
        return {"script", "trace"} - set(self.modes)

    def asks_for(self, stage: str) -> bool:
        """Return whether a stage should run."""
        if stage in ("import", "build") or self.pipeline != STAGES:
            return True
        return (not self.stages or stage in self.stages) and stage not in self.skip

    def dumps(self) -> str:
        """Return one line of JSON for the worker."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, line: str) -> Request:
        """Return the request that :meth:`dumps` wrote."""
        values: dict[str, Any] = json.loads(line)
        lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
        return cls(**{**values, **lists})
