"""The counterpart of torch/jit/frontend.py: reports every error of the Python front end in a function.

The compiler's front end reads a whole function before it emits anything, so pruned branches and dead code count, too. A
few errors that only depend on syntax come from the emitter instead (``EmittedSyntax``): those count only in code that
the emitter reaches.
"""

from __future__ import annotations

from tslint.script.frontend.function import front_end_events

__all__ = ["front_end_events"]
