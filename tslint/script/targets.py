"""Lists the differences between the torch that tslint models (2.13) and the one that will compile the code.

Each row of ``FEATURES`` comes from snippets that were compiled with every version in ``COMPILED``; the operators come
from the schemas that these versions list. Versions in between were not tested: 2.5 counts as
supporting a feature if 2.4 or 2.6 supports it.
"""

from __future__ import annotations

from functools import cache

from tslint.script.operators.tables import table
from tslint.util.record import record
from tslint.util.torch_versions import COMPILED, NEWEST, Version, version, written


@record
class Feature:
    """A feature that not every version of torch compiles.

    Args:
        words: its description, for "… needs torch 2.0 or later".
        since: the first version in ``COMPILED`` that supports it.
        instead: what to write for the other versions.
        until: the last version in ``COMPILED`` that supports it; None if the newest does.
    """

    words: str
    since: Version
    instead: str
    until: Version | None = None


FEATURES = {
    "pipe-union": Feature("`X | Y` in annotations", (2, 2), "Write `Optional[X]` or `Union[X, Y]`."),
    "named-tuple-strings": Feature(
        "a NamedTuple whose annotations are strings", (2, 1),
        "Write the types without quotes, and without `from __future__ import annotations` in its file.",
    ),
    "class-annotation-strings": Feature(
        "a quoted annotation in the class body of a module", (2, 3),
        "Write the type without quotes, and without `from __future__ import annotations`; or remove the annotation.",
    ),
    "is-compiling": Feature(
        "`torch.compiler.is_compiling()`", (2, 3), "Put it under `if not torch.jit.is_scripting():`."
    ),
    "enum": Feature("an Enum, on Python 3.11 and later,", (2, 0), "Use plain ints or strings."),
    "autograd-function": Feature(
        "`apply` of an `autograd.Function`", (2, 0),
        "Call it in a function that is marked `@torch.jit.ignore`, or under `if not torch.jit.is_scripting():`.",
        until=(2, 13),
    ),
    "bool-as-int": Feature("a bool for an int parameter", (2, 3), "Write `int(...)` around it."),
    "parametrized-weight-norm": Feature(
        "`parametrizations.weight_norm`", (2, 1), "Use `torch.nn.utils.weight_norm`."
    ),
    "ignore-context-manager": Feature(
        "`torch.jit._IgnoreContextManager`", (2, 9), "Move the block into a method that is marked `@torch.jit.ignore`."
    ),
}  # fmt: skip


@cache
def added(operator: str) -> Version:
    """Return the first version in ``COMPILED`` that has an operator of 2.13; the oldest one if all have it."""
    for text, operators in table("added").items():
        if operator in operators:
            return version(text)
    return COMPILED[0]


@record
class Target:
    """The torch that will compile the code.

    Args:
        version: its major and minor version.
    """

    version: Version = NEWEST

    @classmethod
    def of(cls, text: str | None) -> Target:
        """Return the target for a setting; None stands for the newest torch that tslint models.

        Raises:
            ValueError: see :func:`version`.
        """
        return cls() if text is None else cls(version(text))

    def __str__(self) -> str:
        return written(self.version)

    @property
    def differs(self) -> bool:
        """Return whether the target differs from the modelled torch."""
        return self.version != NEWEST

    def lacks(self, feature: str) -> bool:
        """Return whether the target rejects a feature."""
        found = FEATURES[feature]
        return self.is_before(found.since) or (found.until is not None and self._is_after(found.until))

    def is_before(self, since: Version) -> bool:
        """Return whether the target is older than a version of ``COMPILED``.

        A target between two versions of ``COMPILED`` counts as the newer one.
        """
        before = [each for each in COMPILED if each < since]
        return bool(before) and self.version <= before[-1]

    def _is_after(self, until: Version) -> bool:
        after = [each for each in COMPILED if each > until]
        return bool(after) and self.version >= after[0]

    def within(self, since: str | None, until: str | None) -> bool:
        """Return whether the target is between two versions, both inclusive."""
        return (since is None or version(since) <= self.version) and (until is None or self.version <= version(until))
