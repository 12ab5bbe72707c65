"""Calls the function of a ``functools.partial`` attribute directly, with the bound arguments."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.scripting import branch, can_branch
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import by_keyword
from tslint.rulekit.literals import LITERAL
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.stored_partials import is_global, is_plain_parameter, keeps, positional_names, stays

_FUNCTION = m.Name("partial") | m.Attribute(value=m.Name("functools"), attr=m.Name("partial"))
_NOT_WRITTEN = m.Arg(star="*") | m.Arg(star="**")
_BOUND = m.Call(func=_FUNCTION, args=[m.Arg(star="", keyword=None), m.ZeroOrMore(m.Arg(star=""))])


def called_directly(match: Match, made: Any, name: str) -> Fix | None:
    """Call the function of a partial directly, with the arguments that the partial binds and those of its call.

    Return None if that is not possible, for example because compiled code cannot read a bound value.

    Args:
        match: the match of the finding; its node is the attribute, or the call of it.
        made: ``self.name = partial(function, ...)`` in ``__init__``, a node of the static model.
        name: the attribute.
    """
    assignment, call = match.libcst(made), match.node
    if not isinstance(call, cst.Call):
        around = match.parent(call)
        call = around if isinstance(around, cst.Call) and around.func is call else call
    bound = assignment.value if isinstance(assignment, cst.Assign) else None
    constructor = match.enclosing(cst.FunctionDef, assignment)
    if not isinstance(bound, cst.Call) or not isinstance(call, cst.Call) or constructor is None:
        return None
    if not m.matches(bound, _BOUND) or any(m.matches(each, _NOT_WRITTEN) for each in call.args):
        return None
    function, attribute = bound.args[0].value, call.func
    known = match.model(constructor)
    if not isinstance(attribute, cst.Attribute) or not is_global(known, match.model(function)):
        return None
    if "\n" in match.code(call):
        return None
    expanding = _Expanding(match, constructor, name, attribute.value)
    arguments = expanding.arguments(bound, call)
    line = match.line(assignment)
    if arguments is None or (expanding.kept and line is None):
        return None
    new = cst.Call(function, arguments)
    whole = match.code(function)
    written = all(m.matches(each.value, LITERAL) for each in bound.args[1:])
    if written and stays(match.file.tree, made, name):
        return safe(f"Call `{whole}` itself", lambda: match.replace(call, new))
    if not can_branch(match, call):
        return None

    def edits() -> tuple[Edit, ...]:
        lines = [statement("{target} = {name}", target=each, name=name) for each, name in expanding.kept]
        below = (match.insert_after(line, *lines),) if lines and line is not None else ()
        return (*branch(match, call, new), *below)

    return unsafe(f"Call `{whole}` itself in compiled code", edits, risks=(Risk.DIFFERS,))


class _Expanding:
    """Writes the arguments of a partial, which a constructor binds, as expressions for a method.

    Args:
        match: the event.
        constructor: the constructor that creates the partial.
        name: the attribute that stores the partial.
        owner: the method's name for the instance.
    """

    def __init__(self, match: Match, constructor: cst.FunctionDef, name: str, owner: cst.BaseExpression) -> None:
        self.match = match
        self.constructor = constructor
        self.name = name
        self.owner = owner
        self.itself = constructor.params.params[0].name.value if constructor.params.params else ""
        self.kept: list[tuple[cst.BaseExpression, cst.Name]] = []
        """The attributes in which the constructor has to store parameters, each with its parameter."""

    def arguments(self, bound: cst.Call, call: cst.Call) -> list[cst.Arg] | None:
        """Return the arguments for the function: those of the partial and of the call. If both pass the same keyword,
        the value from the call is used, as in Python.

        Args:
            bound: the call of ``functools.partial``.
            call: the call of the partial.

        Returns:
            None if compiled code cannot read a bound value.
        """
        overruled = {each.keyword.value for each in call.args if each.keyword is not None}
        before: list[cst.Arg] = []
        after: list[cst.Arg] = []
        for position, each in enumerate(bound.args[1:], 1):
            keyword = each.keyword.value if each.keyword is not None else None
            if keyword in overruled:
                continue
            value = self._in_compiled_code(each.value, f"{self.name}_{keyword or position}")
            if value is None:
                return None
            (after if keyword else before).append(_argument(value, each.keyword))
        given = len(before) + sum(each.keyword is None for each in call.args)
        positions = positional_names(self.match.file.tree, self.match.model(bound.args[0].value))[:given]
        if any(each.keyword is not None and each.keyword.value in positions for each in after):
            return None  # Python raises, because the call passes the same parameter by position
        return [*before, *(_argument(each.value, each.keyword) for each in call.args), *after]

    def _in_compiled_code(self, value: cst.BaseExpression, attribute: str) -> cst.BaseExpression | None:
        """Return an expression for compiled code that has the value of a constructor's expression; None if there is
        none.

        Parameters of the constructor are read from the attributes that store them.
        """
        if m.matches(value, LITERAL):
            return value
        if isinstance(value, cst.Attribute) and m.matches(value.value, m.Name(self.itself)):
            return value.with_changes(value=self.owner)
        known = self.match.model(self.constructor)
        if not isinstance(value, cst.Name) or not is_plain_parameter(known, value.value):
            return None
        keeping = keeps(self.match.file.tree, known, attribute, value.value)
        if keeping is None:
            self.kept.append((expression("{itself}.{name}", itself=self.itself, name=attribute), value))
        return expression("{owner}.{name}", owner=self.owner, name=attribute) if keeping is not False else None


def _argument(value: cst.BaseExpression, keyword: cst.Name | None) -> cst.Arg:
    return cst.Arg(value) if keyword is None else by_keyword(keyword.value, value)
