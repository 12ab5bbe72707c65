"""Provides :func:`record`, a frozen dataclass that Python makes in a fraction of the time.

``@dataclass(frozen=True)`` compiles seven functions for each class. For two hundred classes, that took a quarter of the
check of a small file. A record compiles ``__init__`` only, which is also faster than that of a frozen dataclass. Type
checkers report assignments to its fields; Python does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**_options: object) -> Any:
        """Do nothing: only type checkers read this decorator."""
        return lambda decorator: decorator


Class = TypeVar("Class", bound=type)


@overload
def record(cls: Class, /) -> Class: ...


@overload
def record(*, eq: bool = True) -> Callable[[Class], Class]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type | None = None, /, *, eq: bool = True) -> Any:
    """Make a class a dataclass with immutable fields, as ``@dataclass(frozen=True)`` does.

    Args:
        cls: the class.
        eq: whether two records with equal fields are equal; if not, only a record itself is.
    """
    return _made(cls, eq) if cls is not None else lambda decorated: _made(decorated, eq)


def _made(cls: Class, eq: bool) -> Class:
    dataclass(repr=False, eq=False)(cls)
    if "__repr__" not in vars(cls):
        cls.__repr__ = _repr  # type: ignore[assignment]
    if eq:
        _compare_by(cls, [each.name for each in fields(cls) if each.compare])
    return cls


def _compare_by(cls: type, names: list[str]) -> None:
    """Give a class the methods ``__eq__`` and ``__hash__``, unless it defines them itself."""
    key: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(key(self))

    for method in (__hash__, __eq__):
        if method.__name__ not in vars(cls):
            setattr(cls, method.__name__, method)


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"
