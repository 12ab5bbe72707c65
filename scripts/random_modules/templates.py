"""Defines and reads the tables of the grammar.

A statement is a block of lines under a header ``## weight name``. It may contain::

    <T>          an expression of a type (see below)
    <=a:T>       a new variable; ``<a>`` is its name from there on, and it stays in scope
    <@a:T>       an existing variable of that type
    <%a:T>       a variable of a loop: in scope in the blocks of this statement only
    <.a:layers>  an attribute of the module of a kind (features.py), created if there is none
    <~a:OT>      a parameter of the method, created if there is none
    <$a:T>       a call of another method or function that returns this type
    <!a:name>    a definition at module level by its name in ``GLOBALS``
    <+a>         a new name, which is in no scope
    <block>      on a line of its own: statements

An expression table has lines ``type: form | form``. ``T`` is a tensor of shape (batch, 4), ``V`` another tensor that
broadcasts with it, ``I F B S`` numbers, bool and string, ``N`` an int or a float, ``O?`` an Optional, ``L?`` lists
and ``D?`` dicts by strings, ``P`` a pair of tensors, ``C`` a condition, ``X`` anything.
"""

from __future__ import annotations

import random
import re
from typing import NamedTuple

HOLE = re.compile(r"<([=@%.~$!+]?)(\w+)(?::(\w+))?>")


class Piece(NamedTuple):
    """A statement of the grammar."""

    weight: int
    name: str
    text: str


def pieces(table: str) -> list[Piece]:
    """Return the statements of a table."""
    found = []
    for part in re.split(r"^## ", table, flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        weight, _, name = head.partition(" ")
        found.append(Piece(int(weight), name.strip(), text.rstrip("\n")))
    return found


def forms(table: str) -> dict[str, list[str]]:
    """Return the expressions of a table, by type."""
    found: dict[str, list[str]] = {}
    for line in table.strip().splitlines():
        type_, _, rest = line.partition(": ")
        found.setdefault(type_, []).extend(each.strip() for each in rest.split(" | "))
    return found


def chosen(draw: random.Random, among: list[Piece]) -> Piece:
    """Return one of the pieces, by weight."""
    return draw.choices(among, weights=[each.weight for each in among])[0]
