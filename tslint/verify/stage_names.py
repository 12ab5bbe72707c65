"""Lists the stages by name, in the order in which they run; used on both sides."""

from tslint.util.target_values import STAGES

__all__ = ["NEEDED", "OBSERVE", "STAGES"]

OBSERVE = ("import", "construct", "observe")
"""The stages of ``tslint annotate``; only it has the last two."""
NEEDED = ("eager", "compare")
"""The stages that are needed to know that a compiled module computes the same."""
