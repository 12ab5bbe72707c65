"""The variables of a function under compilation (counterpart of ``Environment`` in ir_emitter.cpp)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tslint.script.attributes import Assumptions
from tslint.script.events.names import UndefinedName
from tslint.script.events.types import BranchTypeMismatch, BranchUndefined
from tslint.script.types import Type
from tslint.script.values import UNKNOWN, Alternatives, Value

FailedJoin = BranchTypeMismatch | BranchUndefined | UndefinedName
"""A join that went wrong: reported only where the variable is used afterwards."""


@dataclass
class Frame:
    """The variables of one block.

    Args:
        values: what each name stands for.
        errors: names whose join failed.
        declared: types that annotated assignments gave.
    """

    values: dict[str, Value] = field(default_factory=dict)
    errors: dict[str, FailedJoin] = field(default_factory=dict)
    declared: dict[str, Type] = field(default_factory=dict)


class Environment:
    """A stack of frames; names are looked for from the innermost out."""

    def __init__(self) -> None:
        self.frames: list[Frame] = [Frame()]
        # What a loop's variables were when it ended: no use can read them, but a fix can give their types.
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

    @property
    def top(self) -> Frame:
        """The innermost frame."""
        return self.frames[-1]

    def find(self, name: str) -> Value | None:
        """What a name stands for, None where it is not bound."""
        for frame in reversed(self.frames):
            if name in frame.values:
                return frame.values[name]
            if name in frame.errors:
                return None
        return None

    def error(self, name: str) -> FailedJoin | None:
        """The failed join of a name, if its last binding is one."""
        for frame in reversed(self.frames):
            if name in frame.values:
                return None
            if name in frame.errors:
                return frame.errors[name]
        return None

    def find_in_parents(self, name: str) -> Value | None:
        """What a name stands for outside the innermost block."""
        for frame in reversed(self.frames[:-1]):
            if name in frame.values:
                return frame.values[name]
        return None

    def set(self, name: str, value: Value) -> None:
        """Bind a name in the innermost block."""
        self.top.values[name] = value
        self.top.errors.pop(name, None)

    def remove(self, name: str) -> None:
        """``del name``."""
        for frame in reversed(self.frames):
            if frame.values.pop(name, None) is not None:
                return

    def fail(self, name: str, error: FailedJoin) -> None:
        """Bind a name to a failed join."""
        self.top.values.pop(name, None)
        self.top.errors[name] = error

    def forget(self, name: str) -> None:
        """Something about a name has been reported: nothing more is known of it, in whichever block it is bound."""
        holders = [frame for frame in self.frames if name in frame.values or name in frame.errors]
        for frame in holders or self.frames[:1]:
            frame.errors.pop(name, None)
            frame.values[name] = UNKNOWN

    def snapshot(self) -> list[Frame]:
        """A copy of every frame, for looking at another way from here."""
        return [Frame(dict(f.values), dict(f.errors), dict(f.declared)) for f in self.frames]

    def names(self) -> Iterator[str]:
        """Every bound name."""
        for frame in self.frames:
            yield from frame.values


@dataclass
class Condition:
    """What is known of a test.

    Args:
        static: decided by the compiler, None where it is not.
        when_true, when_false: types that variables have after it; different ones for different constructions where
            they had.
        split: decided by the compiler, but differently for different constructions: the tests under which it is true
            and those under which it is false.
        unsure: might be decided by the compiler; the model cannot tell.
    """

    static: bool | None = None
    when_true: dict[str, Type | Alternatives] = field(default_factory=dict)
    when_false: dict[str, Type | Alternatives] = field(default_factory=dict)
    split: tuple[Assumptions, Assumptions] | None = None
    unsure: bool = False

    def negated(self) -> Condition:
        """``not`` of it."""
        static = None if self.static is None else not self.static
        split = None if self.split is None else (self.split[1], self.split[0])
        return Condition(static, self.when_false, self.when_true, split, self.unsure)
