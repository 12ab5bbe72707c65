"""The arguments of calls."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst
from libcst import matchers as m

_ALONE = {"comma": cst.MaybeSentinel.DEFAULT, "whitespace_after_arg": cst.SimpleWhitespace("")}
_POSITIONAL = m.Arg(keyword=None, star="")


def positional(call: cst.Call) -> list[cst.BaseExpression] | None:
    """The arguments of a call that passes each by its position; None for other calls."""
    if all(m.matches(each, _POSITIONAL) for each in call.args):
        return [each.value for each in call.args]
    return None


def in_a_row(args: Iterable[cst.Arg]) -> list[cst.Arg]:
    """Arguments with nothing but a comma and a space between them."""
    return [each.with_changes(**_ALONE) for each in args]
