"""What is written out in the author's code."""

from __future__ import annotations

from libcst import matchers as m

LITERAL = (
    m.Integer() | m.Float() | m.Imaginary() | m.SimpleString() | m.ConcatenatedString() | m.Ellipsis()
    | m.Name("None") | m.Name("True") | m.Name("False")
)  # fmt: skip
