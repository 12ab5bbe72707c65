"""Defines the libcst node of a body whose statements are parsed when they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import libcst as cst

_Node = TypeVar("_Node", bound=cst.CSTNode)


class UnparsedBlock(cst.IndentedBlock):
    """The body of a function or class; its statements are parsed when the field ``body`` is read."""

    @classmethod
    def into(cls, holder: _Node, parse: Callable[[], Sequence[cst.BaseStatement]]) -> _Node:
        """Return a function or class with an unparsed body.

        Args:
            holder: the function or class, with any body.
            parse: returns the statements of the body.
        """
        given: Any = holder.body  # type: ignore[attr-defined]
        block = object.__new__(cls)
        for name in ("header", "indent", "footer"):
            object.__setattr__(block, name, getattr(given, name))
        object.__setattr__(block, "parse", parse)
        return holder.with_changes(body=block)

    def __getattr__(self, name: str) -> Any:
        """Parse the statements: Python calls this only for a field that has no value yet."""
        if name != "body":
            raise AttributeError(name)
        found = tuple(self.parse())
        object.__setattr__(self, "body", found)
        return found
