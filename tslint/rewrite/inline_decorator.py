"""Writes out the function that a decorator returns: the compiler follows ``functools.wraps``, and compiles the
decorated function instead.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.annotate import annotated, spelled
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.loops import with_parts
from tslint.rewrite.type_reasons import unannotated
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import by_keyword
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.dataflow.decorators import Wrapped, wrapped

_TYPES: tuple[tuple[m.Pattern, str], ...] = (
    (m.Name("None"), "Optional[Tensor]"),
    (m.Name("True") | m.Name("False"), "bool"),
    (m.Integer(), "int"),
    (m.Float(), "float"),
    (m.SimpleString(), "str"),
)


def written_out(match: Match) -> Fix | None:
    """Split a function of this file that has a decorator into the undecorated function and the function that the
    decorator returns.

    ``@weighted def loss(p, t)`` becomes ``def _loss(p, t)`` and ``def loss(p, t, weight=None)``. The second one has the
    wrapper's body; in it, the other parameters of the undecorated function replace ``**kwargs``.
    """
    call = match.node
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
        return None
    found = wrapped(match.file.tree, call.func.value)
    if found is None:
        return None
    plain, wrapper = match.libcst(found.plain), match.libcst(found.wrapper)
    if not isinstance(plain, cst.FunctionDef) or not isinstance(wrapper, cst.FunctionDef) or match.line(plain) is None:
        return None
    if not isinstance(wrapper.body, cst.IndentedBlock):
        return None
    rest = [each for each in map(match.libcst, found.rest) if isinstance(each, cst.Param)]
    signature, imports = _typed(match, [*wrapper.params.params, *rest])
    more = dict.fromkeys([*imports, *_passed_on(match, call, wrapper, found.nothing_by_default)])

    def edits() -> tuple[Edit, ...]:
        renamed = plain.with_changes(name=cst.Name(found.hidden), decorators=[])
        made = _inlined(match, found, wrapper).with_changes(
            name=plain.name,
            params=cst.Parameters([each.with_changes(comma=cst.MaybeSentinel.DEFAULT) for each in signature]),
            decorators=[],
            returns=None,
            leading_lines=[cst.EmptyLine(indent=False), cst.EmptyLine(indent=False)],
            lines_after_decorators=[],
        )
        return match.rewrite(plain, renamed, made)

    decorator = match.code(plain.decorators[0].decorator)
    assumes = f"`{plain.name.value}` loses its attribute `__wrapped__`"
    return unsafe(f"Write out the function that `@{decorator}` returns", edits, *more, assumes=assumes)


def _inlined(match: Match, found: Wrapped, wrapper: cst.FunctionDef) -> cst.FunctionDef:
    """Return the wrapper, which calls the decorated function by its new name, with the arguments that ``**kwargs``
    stood for.
    """
    call = match.libcst(found.call)
    assert isinstance(call, cst.Call)
    expanded = match.libcst(found.expanded) if found.expanded is not None else None
    args: list[cst.Arg] = []
    for each in call.args:
        args += [by_keyword(name.arg, cst.Name(name.arg)) for name in found.rest] if each is expanded else [each]
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    args = [each if isinstance(each.comma, cst.Comma) else each.with_changes(comma=comma) for each in args]
    if args:
        args[-1] = args[-1].with_changes(comma=call.args[-1].comma)
    return with_parts(wrapper, {call: call.with_changes(func=cst.Name(found.hidden), args=args)})


def _passed_on(match: Match, call: cst.Call, wrapper: cst.FunctionDef, optional: frozenset[str]) -> list[Edit]:
    """Annotate the caller's parameters that are None by default and that are passed on to optional parameters."""
    names = [each.name.value for each in wrapper.params.params]
    edits: list[Edit] = []
    for position, each in enumerate(call.args):
        name = each.keyword.value if each.keyword is not None else (*names, *[""] * len(call.args))[position]
        argument = unannotated(match, each.value) if name in optional else None
        if argument is not None and m.matches(argument, m.Param(default=m.Name("None"))):
            fix = annotate_parameter(match, argument, wanted="Tensor")
            edits += fix.edits if fix is not None else ()
    return edits


def _typed(match: Match, params: Sequence[cst.Param]) -> tuple[list[cst.Param], tuple[Edit, ...]]:
    """Return parameters with the types of their defaults as annotations, and the edits that import these types."""
    shown: list[cst.Param] = []
    imports: dict[Edit, None] = {}
    for each in params:
        default = each.default
        type_ = next((name for pattern, name in _TYPES if default is not None and m.matches(default, pattern)), None)
        written = spelled(match, type_) if type_ is not None and each.annotation is None else None
        if written is not None:
            imports.update(dict.fromkeys(written[1]))
        shown.append(annotated(each, written[0]) if written is not None else each)
    return shown, tuple(imports)
