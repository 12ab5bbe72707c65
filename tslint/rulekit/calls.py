"""Reads the arguments of calls."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from tslint.rulekit import matchers as m

_POSITIONAL = m.Arg(keyword=None, star="")


def positional(call: cst.Call) -> list[cst.BaseExpression] | None:
    """Return the arguments of a call if all are positional; None otherwise."""
    if all(m.matches(each, _POSITIONAL) for each in call.args):
        return [each.value for each in call.args]
    return None


def by_keyword(name: str, value: cst.BaseExpression) -> cst.Arg:
    """Return the argument ``name=value``."""
    space = cst.SimpleWhitespace("")
    return cst.Arg(value, cst.Name(name), cst.AssignEqual(space, space))


def passed_on(arguments: Iterable[cst.Arg]) -> list[cst.Arg]:
    """Return arguments of a call for use in another call, with new commas and line breaks."""
    return [
        each.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace(""))
        for each in arguments
    ]
