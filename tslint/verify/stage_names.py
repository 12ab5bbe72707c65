"""The stages by name, in the order in which they run; both sides of the worker read it, so it imports nothing."""

STAGES = (
    "import",
    "build",
    "eager",
    "script",
    "trace",
    "generalize",
    "modes",
    "state",
    "device",
    "save",
    "reload",
    "compare",
    "freeze",
    "native",
    "threads",
    "export",
)
OBSERVE = ("import", "construct", "observe")
"""The stages of ``tslint annotate``, which has the last two."""
