"""Liveness, asked by a match: what ``script/dataflow/liveness.py`` answers by the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tslint.rulekit.match import Match
from tslint.script.dataflow import liveness
from tslint.script.dataflow.liveness import Use, first_use, stored_names, surely_stored


def defined_before(match: Match, block: Sequence[Any], first: Any) -> set[str]:
    """The names that are bound for certain before a statement of a block."""
    return liveness.defined_before(match.file.tree, first)


def read_later(match: Match, block: Sequence[Any], first: Any, last: Any, name: str) -> bool:
    """Whether a variable's value may be read after some statements of a block, in a later turn of a loop too."""
    return liveness.read_later(match.file.tree, first, last, name)


__all__ = ["Use", "defined_before", "first_use", "read_later", "stored_names", "surely_stored"]
