"""Finds where a line that is too long can be broken, as black does, the best position first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tslint.rulekit.tokens import OPERATORS, Tokens
from tslint.rulekit.width import width

Piece = tuple[int, int, str]
"""A replacement of the text between two columns of the row."""
# Keywords before a value that may be put into parentheses.
_BEFORE = ("return", "if", "elif", "while", "assert")
# Keywords of statements without such a value.
_WITHOUT = ("def", "class", "with", "import", "from", "del", "global", "nonlocal", "raise", "except", "async", "@",
            "case", "match", "type")  # fmt: skip
# Elements up to this width get no row of their own if something else can be broken.
_LITTLE = 4
_LEADING = {text for texts in OPERATORS for text in texts} | {"for", "."}


class Row:
    """One row of a logical line.

    Args:
        rows: the rows of the line.
        number: the number of this row, from 0.
        tokens: the tokens of the line.
        limit: the columns that a row may have.
        step: the indentation of a block in the file.
    """

    def __init__(self, rows: Sequence[str], number: int, tokens: Tokens, limit: int, step: str) -> None:
        self.text = rows[number]
        self.rows = rows
        self.number = number
        self.tokens = tokens
        self.limit = limit
        self.indent = self.text[: len(self.text) - len(self.text.lstrip(" \t\f"))]
        self.deeper = self.indent + step

    def breaks(self) -> Iterator[list[Piece]]:
        """Yield the ways to break the row, the best first."""
        span = self.tokens.row(self.number)
        if span is None:
            return
        first, last = span
        header = self._parameters(first, last)
        if header is not None:
            yield self._exploded(header)
        inner = [i for i in range(first, last + 1) if i in self.tokens.partner]
        if any(not first <= self.tokens.partner[i] <= last for i in inner):
            yield from self._filled(first, last)
            if self.tokens.around[first] < 0:
                yield from self._statement(first, last)
        elif self.tokens.around[first] >= 0:
            yield from self._element(first, last)
        else:
            yield from self._statement(first, last)
        yield from self._brackets(first, last)

    def _parameters(self, first: int, last: int) -> int | None:
        """Return the bracket that opens a function's parameters; None for other rows, and for a function without
        parameters.
        """
        texts = [each.text for each in self.tokens.list[first : first + 2]]
        pairs = self.tokens.pairs(first, last)
        if "def" not in (texts[0], texts[-1] if texts[0] == "async" else "") or not pairs:
            return None
        found = next((start for start, _ in pairs if self._string(start) == "("), None)
        arrow = next((i for i in range(first, last + 1) if self._string(i) == "->"), last)
        return found if found is not None and found < arrow else None

    def _statement(self, first: int, last: int) -> Iterator[list[Piece]]:
        level = self.tokens.level(first, last)
        texts = {self._string(index) for index in level}
        word = self._string(first)
        if word == "from" and "import" in texts and "(" not in texts:
            start = next(index for index in level if self._string(index) == "import") + 1
            yield self._parenthesized(start, last, listed=True)
        if word in _WITHOUT or ";" in texts:
            return
        if self._string(last) == ":":
            last, level = last - 1, level[:-1]
            if last <= first:
                return
        elif word in ("if", "elif", "else", "while", "for", "try", "finally"):
            return  # the body is on the same row
        if word == "for":
            first = next((index for index in level if self._string(index) == "in"), last) + 1
        elif word in _BEFORE:
            first += 1
        equal = [index for index in level if self._string(index).endswith("=") and not self._compares(index)]
        if equal:
            first = equal[-1] + 1
        elif ":" in texts and word not in _BEFORE and word != "for":
            return  # an annotation without a value
        comma = next((index for index in level if self._string(index) == ","), None) if word == "assert" else None
        parts = [(comma + 1, last), (first, comma - 1)] if comma is not None else [(first, last)]
        for start, end in parts:
            if start <= end:
                yield from self._value(start, end, message=start - 1 == comma)

    def _compares(self, index: int) -> bool:
        return self._string(index) in ("==", "!=", "<=", ">=")

    def _value(self, first: int, last: int, *, message: bool = False) -> Iterator[list[Piece]]:
        """Yield ways to break the value of a statement: at its last bracket, or in parentheses."""
        if self._string(first) in ("(", "[", "{") and self.tokens.partner.get(first) == last:
            yield self._exploded(first)
            return
        if not self._fits_up_to(first, start=True):
            return
        if self.tokens.commas(first, last):
            yield self._parenthesized(first, last, listed=True)
            return
        operators = self.tokens.operators(first, last)
        whole = self._parenthesized(first, last)
        if len(operators) > 1 or len(self.tokens.chained(first, last)) > 1:
            yield whole
            return
        pairs = self.tokens.pairs(first, last)
        if not operators:
            yield from self._brackets(first, last, only_fitting=True)
        elif pairs and pairs[-1][1] == last and self._fits_up_to(pairs[-1][0]):
            yield self._exploded(pairs[-1][0])
        elif pairs and pairs[0][0] == first and width(self.indent + self._slice(pairs[0][1], last)) <= self.limit:
            yield self._exploded(first)
        if operators or pairs or message or width(self.deeper + self._slice(first, last)) <= self.limit:
            yield whole

    def _element(self, first: int, last: int) -> Iterator[list[Piece]]:
        """Yield ways to break a row inside brackets: between all elements, or inside one element."""
        bracket = self.tokens.around[first]
        end = self.tokens.partner.get(bracket, -1)
        alone = bracket == first - 1 and (last == end - 1 or self._string(last + 1) in ("for", "async"))
        commas = self.tokens.commas(first, last)
        if [index for index in commas if index != last]:
            if alone:
                yield self._listed(first, last, commas, self.indent)
            yield from self._filled(first, last)
            return
        if self._string(last) == ",":
            last, alone = last - 1, False
        clauses = self.tokens.clauses(first, last)
        if [index for index in clauses if index > first]:
            yield self._before([index for index in clauses if index > first])
            return
        start = self._behind_prefix(first, last)
        alone = alone and start == first
        operators = self.tokens.operators(start, last)
        conditional = bool(operators) and self._string(operators[0]) in ("if", "else")
        if conditional and not alone:
            yield self._parenthesized(start, last)
        elif operators and not self._is_parameter(bracket):
            yield self._before(operators)
        elif alone and len(self.tokens.chained(first, last)) > 1:
            yield self._before(self.tokens.chained(first, last))

    def _behind_prefix(self, first: int, last: int) -> int:
        """Return where the value of an element begins: after ``key=``, ``key:``, a star, or an operator at the start of
        the row.
        """
        if first < last and self._string(first + 1) in ("=", ":="):
            return first + 2
        bracket = self.tokens.around[first]
        if self._string(bracket) == "{":
            colon = [index for index in self.tokens.level(first, last - 1) if self._string(index) == ":"]
            return colon[0] + 1 if colon else first
        if first < last and self._string(first) == "for":
            return (
                next((index for index in self.tokens.level(first, last - 1) if self._string(index) == "in"), first) + 1
            )
        return first + 1 if first < last and self._string(first) in {*_LEADING, "**"} else first

    def _is_parameter(self, bracket: int) -> bool:
        names = [self._string(index) for index in range(max(bracket - 2, 0), bracket)]
        return "def" in names

    def _filled(self, first: int, last: int) -> Iterator[list[Piece]]:
        """Yield breaks between elements that the author laid out over several rows, as far to the right as fits."""
        level = self._open(first, last)
        if level is None:
            return
        inside = [i for i in range(first, last + 1) if self.tokens.around[i] == level]
        commas = [i for i in self.tokens.commas(inside[0], inside[-1]) if i < last] if inside else []
        fitting = [i for i in commas if self._fits_up_to(i)]
        space = self._continued(level)
        for index in [*fitting[-1:], *commas[:1], *([level] if level >= first and level < last else [])]:
            yield [self._gap(index, index + 1, "\n" + space)]
        for start, end in self._elements(level, first, last):
            operators = self.tokens.operators(start, end)
            if operators and self._string(operators[0]) in ("if", "else"):
                yield self._parenthesized(start, end)

    def _open(self, first: int, last: int) -> int | None:
        """Return the innermost bracket that contains part of the row, and begins before it or ends after it."""
        found: int | None = None
        for index in range(first, last + 1):
            around = self.tokens.around[index]
            end = self.tokens.partner.get(around, -1)
            if around >= 0 and not (first <= around and end <= last) and (found is None or around > found):
                found = around
        return found

    def _elements(self, bracket: int, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Yield the values of a bracket's elements on the row."""
        end = self.tokens.partner.get(bracket, last + 1)
        commas = [bracket, *self.tokens.commas(bracket + 1, end - 1), end]
        for before, after in pairwise(commas):
            if first <= before + 1 < after and after - 1 <= last:
                yield self._behind_prefix(before + 1, after - 1), after - 1

    def _continued(self, bracket: int) -> str:
        """Return the indentation of the next rows inside a bracket."""
        inside = [i for i, around in enumerate(self.tokens.around) if around == bracket]
        row = self.tokens.list[bracket].row
        rows = [self.tokens.list[i].row for i in inside if self.tokens.list[i].row > row]
        if not rows:
            return self.deeper
        text = self.rows[rows[0]]
        return text[: len(text) - len(text.lstrip(" \t\f"))]

    def _brackets(self, first: int, last: int, *, only_fitting: bool = False) -> Iterator[list[Piece]]:
        """Yield the ways to break at each bracket, from the right. First come the brackets up to which the row fits; of
        these, those with little content come last.
        """
        pairs = self.tokens.pairs(first, last)[::-1]
        fitting = [pair for pair in pairs if self._fits_up_to(pair[0])]
        fitting.sort(key=lambda pair: width(self._slice(pair[0] + 1, pair[1] - 1)) <= _LITTLE)
        rest = [] if only_fitting else [pair for pair in pairs[::-1] if pair not in fitting][:1]
        for start, _ in [*fitting, *rest]:
            yield self._exploded(start)

    # The text of each way to break.

    def _exploded(self, start: int) -> list[Piece]:
        """Put the contents of a bracket on new rows: on one row if they fit, otherwise on one row for each element."""
        end = self.tokens.partner[start]
        first, last = start + 1, end - 1
        commas = self.tokens.commas(first, last)
        pieces = [self._gap(start, first, "\n" + self.deeper), self._gap(last, end, "\n" + self.indent)]
        fits = width(self.deeper + self._slice(first, last)) <= self.limit
        parameter = self._is_parameter(start) and not commas
        if not parameter and ((fits and last not in commas) or not commas):
            return pieces
        return [pieces[0], *self._listed(first, last, commas, self.deeper), pieces[1]]

    def _listed(self, first: int, last: int, commas: Sequence[int], indent: str) -> list[Piece]:
        """Return one row for each element, with a comma after the last one."""
        pieces = [self._gap(index, index + 1, "\n" + indent) for index in commas if index != last]
        end = self.tokens.list[last].end
        return pieces if last in commas else [*pieces, (end, end, ",")]

    def _parenthesized(self, first: int, last: int, *, listed: bool = False) -> list[Piece]:
        """Return a value in parentheses, on a row of its own."""
        start, end = self.tokens.list[first].start, self.tokens.list[last].end
        pieces: list[Piece] = [(start, start, "(\n" + self.deeper)]
        if listed and (
            width(self.deeper + self._slice(first, last)) > self.limit or self._string(first - 1) == "import"
        ):
            pieces += self._listed(first, last, self.tokens.commas(first, last), self.deeper)
        return [*pieces, (end, end, f"\n{self.indent})")]

    def _before(self, indexes: Sequence[int]) -> list[Piece]:
        """Start a new row before each given token."""
        return [self._gap(index - 1, index, "\n" + self.indent) for index in indexes]

    def _gap(self, before: int, after: int, content: str) -> Piece:
        """Return the piece between two consecutive tokens."""
        return self.tokens.list[before].end, self.tokens.list[after].start, content

    def _fits_up_to(self, index: int, *, start: bool = False) -> bool:
        """Return whether the row would fit if it ended after a token or, with ``start``, before the token."""
        token = self.tokens.list[index]
        return width(self.text[: token.start if start else token.end]) <= self.limit

    def _slice(self, first: int, last: int) -> str:
        return self.text[self.tokens.list[first].start : self.tokens.list[last].end]

    def _string(self, index: int) -> str:
        return self.tokens.list[index].text
