"""Contains the variables of a function during compilation (the counterpart of ``Environment`` in ir_emitter.cpp)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions
from tslint.script.events.names import UndefinedName
from tslint.script.events.types import BranchTypeMismatch, BranchUndefined
from tslint.script.types import Type
from tslint.script.values import UNKNOWN, Alternatives, Value

FailedJoin = BranchTypeMismatch | BranchUndefined | UndefinedName
"""A join that failed; it is reported only if the variable is used afterwards."""


@dataclass
class Frame:
    """The variables of one block.

    Args:
        values: the value of each name.
        errors: names whose join failed.
        declared: the types from annotated assignments.
    """

    values: dict[str, Value] = field(default_factory=dict)
    errors: dict[str, FailedJoin] = field(default_factory=dict)
    declared: dict[str, Type] = field(default_factory=dict)


class Environment:
    """A stack of frames, in which names are looked up from the innermost one."""

    def __init__(self) -> None:
        self.frames: list[Frame] = [Frame()]
        # The variables of a loop or branch when it ended: compiled code cannot read them where Python may, but a fix
        # may need their types.
        self.lost: dict[str, Value] = {}

    def push(self) -> None:
        """Enter a block."""
        self.frames.append(Frame())

    def pop(self) -> Frame:
        """Leave a block."""
        return self.frames.pop()

    def end_loop(self) -> None:
        """Leave the block of a loop."""
        self.lost.update(self.pop().values)

    def end_branch(self) -> Frame:
        """Leave the block of a branch."""
        frame = self.pop()
        self.lost.update(frame.values)
        return frame

    @property
    def top(self) -> Frame:
        """Return the innermost frame."""
        return self.frames[-1]

    def find(self, name: str) -> Value | None:
        """Return the value of a name, None if it is not bound."""
        for frame in reversed(self.frames):
            if name in frame.values:
                return frame.values[name]
            if name in frame.errors:
                return None
        return None

    def error(self, name: str) -> FailedJoin | None:
        """Return the failed join of a name, if its last binding is one; otherwise None."""
        for frame in reversed(self.frames):
            if name in frame.values:
                return None
            if name in frame.errors:
                return frame.errors[name]
        return None

    def find_in_parents(self, name: str) -> Value | None:
        """Return the value of a name outside the innermost block; None if it is not bound there."""
        for frame in reversed(self.frames[:-1]):
            if name in frame.values:
                return frame.values[name]
        return None

    def set(self, name: str, value: Value) -> None:
        """Bind a name in the innermost block."""
        self.top.values[name] = value
        self.top.errors.pop(name, None)

    def is_outermost(self, name: str) -> bool:
        """Return whether a name is bound at the top level of the function."""
        return name in self.frames[0].values

    def remove(self, name: str) -> None:
        """Remove a name from all blocks, as ``del`` does."""
        for frame in self.frames:
            frame.values.pop(name, None)

    def fail(self, name: str, error: FailedJoin) -> None:
        """Bind a name to a failed join."""
        self.top.values.pop(name, None)
        self.top.errors[name] = error

    def forget(self, name: str) -> None:
        """Mark a name as unknown, in the block that binds it, after an error about it."""
        holders = [frame for frame in self.frames if name in frame.values or name in frame.errors]
        for frame in holders or self.frames[:1]:
            frame.errors.pop(name, None)
            frame.values[name] = UNKNOWN

    def snapshot(self) -> list[Frame]:
        """Return a copy of every frame, to analyse another branch from this point."""
        return [Frame(dict(f.values), dict(f.errors), dict(f.declared)) for f in self.frames]

    def names(self) -> Iterator[str]:
        """Yield every bound name."""
        for frame in self.frames:
            yield from frame.values


@dataclass
class Condition:
    """The result of emitting a test.

    Args:
        static: the value of the test if the compiler evaluates it at compile time, otherwise None.
        when_true, when_false: the types of variables after the test, for each result; they may differ between
            constructions.
        split: if different constructions give the test different values, the constructor's tests under which it is
            true, and those under which it is false.
        unsure: whether it is not known if the compiler evaluates the test at compile time.
        compiled: the constructor's tests under which the branch for true is compiled at all, and those for the branch
            for false: an operand may decide ``flag and layer is not None`` at compile time for some constructions.
    """

    static: bool | None = None
    when_true: dict[str, Type | Alternatives] = field(default_factory=dict)
    when_false: dict[str, Type | Alternatives] = field(default_factory=dict)
    split: tuple[Assumptions, Assumptions] | None = None
    unsure: bool = False
    compiled: tuple[Assumptions, Assumptions] = (NO_ASSUMPTIONS, NO_ASSUMPTIONS)

    def negated(self) -> Condition:
        """Return the negation."""
        static = None if self.static is None else not self.static
        split = None if self.split is None else (self.split[1], self.split[0])
        compiled = (self.compiled[1], self.compiled[0])
        return Condition(static, self.when_false, self.when_true, split, self.unsure, compiled)
