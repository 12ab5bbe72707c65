"""Contains the tokens of one logical line: a simple statement, a decorator, or the header of a block."""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator

from tslint.util.record import record

_LAYOUT = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_VALUES = ("None", "True", "False")
_COMPARISONS = ("in", "not", "is", "<", ">", "==", "!=", "<=", ">=")
# From the loosest to the tightest. ``**`` is not here, because no line is broken at it.
OPERATORS = (("if", "else"), ("or",), ("and",), _COMPARISONS, ("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"),
             ("*", "/", "//", "%", "@"))  # fmt: skip


@record
class Token:
    """A token that is not layout.

    Args:
        text: its text.
        row: where it begins, from 0.
        end_row: where it ends.
        start: the column where it begins, from 0.
        end: the column where it ends.
        kind: the kind that the tokenizer reports.
    """

    text: str
    row: int
    end_row: int
    start: int
    end: int
    kind: int

    @property
    def ends_value(self) -> bool:
        """Return whether the token ends a value, so that a following operator is binary."""
        if self.kind == tokenize.NAME:
            return self.text in _VALUES or not keyword.iskeyword(self.text)
        return self.kind != tokenize.OP or self.text in (")", "]", "}", "...")


class Tokens:
    """The tokens of one logical line, and the brackets around each.

    Args:
        text: the text of the line, with ``\\n`` between its rows.

    Raises:
        tokenize.TokenError, SyntaxError: the text has no valid tokens.
    """

    def __init__(self, text: str) -> None:
        every = list(_read(text))
        self.comments = {each.row: each for each in every if each.kind == tokenize.COMMENT}
        self.list = [each for each in every if each.kind != tokenize.COMMENT]
        self.partner: dict[int, int] = {}
        """For each bracket, the index of its partner."""
        self.around: list[int] = []
        """For each token, the index of the innermost bracket that opens around it; -1 if there is none."""
        self._hidden: set[int] = set()
        self._read_brackets()

    def _read_brackets(self) -> None:
        open_ = [-1]
        # For each open bracket: how many lambdas still have parameters to come, and whether a lambda's value goes on.
        lambdas = [[0, 0]]
        for index, token in enumerate(self.list):
            text = token.text if token.kind in (tokenize.OP, tokenize.NAME) else ""
            if text in (")", "]", "}") and len(open_) > 1:
                self.partner[index], self.partner[open_[-1]] = open_[-1], index
                open_.pop()
                lambdas.pop()
            state = lambdas[-1]
            if text in (",", "for") and not state[0]:
                state[1] = 0
            if any(state):
                self._hidden.add(index)
            if text == "lambda":
                state[0] += 1
            elif text == ":" and state[0]:
                state[0], state[1] = state[0] - 1, 1
            self.around.append(open_[-1])
            if text in ("(", "[", "{"):
                open_.append(index)
                lambdas.append([0, 0])

    def level(self, first: int, last: int) -> list[int]:
        """Return the tokens of a range that are in no bracket inside the range, and in no lambda."""
        around = self.around[first]
        return [i for i in range(first, last + 1) if self.around[i] == around and i not in self._hidden]

    def commas(self, first: int, last: int) -> list[int]:
        """Return the commas between listed elements of a range; none for a comprehension."""
        found = self.level(first, last)
        if any(self.list[index].text == "for" for index in found):
            return []
        return [index for index in found if self.list[index].text == ","]

    def operators(self, first: int, last: int) -> list[int]:
        """Return the operators of the lowest precedence in a range; a row may begin with each of them."""
        found: dict[int, list[int]] = {}
        for index in self.level(first, last):
            rank = self._rank(index) if index > first else None
            if rank is not None:
                found.setdefault(rank, []).append(index)
        return found[min(found)] if found else []

    def _rank(self, index: int) -> int | None:
        token, before = self.list[index], self.list[index - 1]
        if token.text == "in" and before.text == "not":
            return None
        if token.kind not in (tokenize.OP, tokenize.NAME) or not before.ends_value:
            return None
        return next((rank for rank, texts in enumerate(OPERATORS) if token.text in texts), None)

    def clauses(self, first: int, last: int) -> list[int]:
        """Return the positions where the clauses of a comprehension begin."""
        level = self.level(first, last)
        found = [index for index in level if self.list[index].text == "for"]
        if not found:
            return []
        later = [index for index in level if index > found[0] and self.list[index].text == "if"]
        return sorted([*(i - 1 if self.list[i - 1].text == "async" else i for i in found), *later])

    def chained(self, first: int, last: int) -> list[int]:
        """Return the dots after calls and subscripts."""
        found = [index for index in self.level(first, last) if self.list[index].text == "."]
        return [index for index in found if index > first and self.list[index - 1].text in (")", "]")]

    def pairs(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return the outermost non-empty brackets among the given tokens."""
        found: list[tuple[int, int]] = []
        index = first
        while index <= last:
            partner = self.partner.get(index, -1)
            if index < partner <= last:
                if partner > index + 1:
                    found.append((index, partner))
                index = partner
            index += 1
        return found

    def row(self, row: int) -> tuple[int, int] | None:
        """Return the first and the last token of a row; None if it has none, or shares one with another row."""
        found = [index for index, each in enumerate(self.list) if each.row <= row <= each.end_row]
        if not found or any(self.list[index].row != self.list[index].end_row for index in found):
            return None
        return found[0], found[-1]


def _read(text: str) -> Iterator[Token]:
    depth = 0
    start = (0, 0)
    for kind, string, begin, end, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[kind]
        if name.endswith("STRING_START"):
            start = start if depth else begin
            depth += 1
        elif name.endswith("STRING_END"):
            depth -= 1
            if not depth:
                yield Token("", start[0] - 1, end[0] - 1, start[1], end[1], tokenize.STRING)
        elif not depth and kind not in _LAYOUT:
            yield Token(string, begin[0] - 1, end[0] - 1, begin[1], end[1], kind)
