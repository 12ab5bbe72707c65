"""Lists the stages by name, in the order in which they run; used by the worker and its parent."""

from tslint.util.target_values import STAGES

__all__ = ["NEEDED", "OBSERVE", "STAGES"]

OBSERVE = ("import", "construct", "observe")
"""The stages of ``tslint annotate``; ``verify`` does not have the last two."""
NEEDED = ("eager", "compare")
"""The stages that are needed to show that a compiled module has the same results as eager."""
