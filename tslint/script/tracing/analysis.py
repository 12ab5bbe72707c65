"""Analyses the code of a project that is traced."""

from __future__ import annotations

from collections.abc import Sequence

from tslint.config import Settings
from tslint.project.definitions import Module
from tslint.script.compilation import Compilation
from tslint.script.events import Event
from tslint.script.scope import Unit
from tslint.script.tracing.kinds import Kind
from tslint.script.tracing.roots import Root, traced_functions
from tslint.script.tracing.run import Tracing
from tslint.script.tracing.walk import Walk


class _Walking(Tracing):
    def walk(self, unit: Unit, given: dict[str, Kind], root: Root | None) -> Kind:
        return Walk(self, unit, given, root).run()


def tracing_events(
    model: Compilation, modules: Sequence[Module], settings: Settings | None
) -> tuple[list[Event], list[Unit]]:
    """Return what the tracer would record as a constant or leave out, and the functions that were analysed for that.

    Args:
        model: the static model, which knows classes; it need not have compiled anything.
        modules: the checked files.
        settings: the settings of the run; with ``mode = "script"`` nothing is found.
    """
    tracing = _Walking(model)
    for root in traced_functions(model, modules, settings):
        tracing.root(root)
    return list(tracing.events.values()), list(tracing.units.values())
