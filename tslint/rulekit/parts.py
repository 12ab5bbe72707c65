"""Parses the body of a function or class in parts, when they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, TypeVar

import libcst as cst

Line = cst.SimpleStatementLine | cst.BaseCompoundStatement
_Node = TypeVar("_Node", bound=cst.CSTNode)
_CHECK = cst.CSTNode.__post_init__


def parse(text: str) -> cst.Module:
    """Parse without the checks of libcst's constructors, which take a third of the time; Python has already parsed the
    text.
    """
    cst.CSTNode.__post_init__ = object.__init__  # type: ignore[method-assign]
    try:
        return cst.parse_module(text)
    finally:
        cst.CSTNode.__post_init__ = _CHECK  # type: ignore[method-assign]


class Parts:
    """The lines of a body. It does not refer to the node of the body, so that both are freed with their last user.

    Args:
        texts: the text of each part, and the number of its statements.
        newline: the line end of the file.
        usual: the indentation of a block that the nodes regard as usual.
    """

    def __init__(self, texts: Sequence[tuple[str, int]], newline: str, usual: str) -> None:
        self._texts = texts
        self._header = f"if 1:{newline}"
        self._usual = f"if 1:{newline}{usual}pass{newline}"  # the first block of a text decides what is usual
        self._parsed: dict[int, list[Line]] = {}
        self.blocks: list[cst.CSTNode] = []
        """The parsed blocks; a reader that lists their lines removes them."""

    @property
    def parsed(self) -> list[int]:
        """The numbers of the parts that are parsed."""
        return list(self._parsed)

    def lines(self, number: int) -> list[Line]:
        """Return the lines of one part."""
        if number not in self._parsed:
            self._parse([number])
        return self._parsed[number]

    def all_lines(self) -> list[Line]:
        """Return the lines of all parts."""
        for known, numbers in groupby(range(len(self._texts)), lambda number: number in self._parsed):
            if not known:
                self._parse(list(numbers))
        return [line for number in range(len(self._texts)) for line in self._parsed[number]]

    def _parse(self, numbers: Sequence[int]) -> None:
        """Parse consecutive parts."""
        text = "".join(self._texts[number][0] for number in numbers)
        usual = self._usual if ":" in text else ""  # without blocks, the usual indentation does not matter
        block = parse(usual + self._header + text).body[-1].body
        assert isinstance(block, cst.IndentedBlock)
        rest: list[Any] = list(block.body)
        for number in numbers:
            lines = self._parsed[number] = []
            while len(statements_of(lines)) < self._texts[number][1]:
                lines.append(rest.pop(0))
        self.blocks.append(block)


def statements_of(lines: Sequence[cst.CSTNode]) -> list[cst.CSTNode]:
    """Return the statements of lines, as ``ast`` has them: each statement of a shared line by itself."""
    return [each for line in lines for each in (line.body if isinstance(line, cst.SimpleStatementLine) else [line])]


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
