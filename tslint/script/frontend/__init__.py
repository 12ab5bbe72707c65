"""The counterpart of torch/jit/frontend.py: what the Python front end refuses, every refusal of a function at once.

The compiler's front end reads a whole function before anything is emitted, so pruned branches and dead code count
too. A few refusals that hang on syntax alone come from the emitter instead (``EmittedSyntax``): those count only
where the emitter gets to.
"""

from __future__ import annotations

from tslint.script.frontend.function import front_end_events

__all__ = ["front_end_events"]
