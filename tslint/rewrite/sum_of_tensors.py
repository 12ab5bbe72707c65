"""Adds up a list of tensors in compiled code, whose ``sum`` only accepts a Tensor and numbers."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import both_ways, in_compiled_code, is_split
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.line_above import can_come_first
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import block, code, fitting, parenthesized, statement
from tslint.script.dataflow.variable_types import appends_tensors

_MOST = 12
_POSITIONAL = m.Arg(keyword=None, star="")
_PARAMETERS = m.Attribute(attr=m.Name(m.MatchRegex(r".*parameters")))
_SUM = cst.BinaryOperation(cst.Name("_"), cst.Add(), cst.Name("_"))
_MESSAGE = "Add the tensors up in a loop in compiled code"


def sum_of_tensors(match: Match, call: cst.Call) -> Fix | None:
    """Write ``sum([a, b])`` as ``0 + a + b`` in compiled code, and the sum of another list as a loop. A generator with
    an ``if`` only becomes a list.

    Return None if none of these fixes is known to be possible.
    """
    if len(call.args) != 1 or not m.matches(call.args[0], _POSITIONAL):
        return None
    summands = call.args[0].value
    if m.findall(summands, _PARAMETERS):
        return None
    if isinstance(summands, (cst.List, cst.Tuple)) and 1 <= len(summands.elements) <= _MOST:
        if all(isinstance(each, cst.Element) for each in summands.elements):
            # Python's sum begins with 0, so that bools become ints; the compiler optimizes `0 +` away.
            message = "Add the tensors with `+` in compiled code"
            return in_compiled_code(match, call, lambda: _added(summands), message, Risk.DIFFERS)
    if isinstance(summands, cst.Name) and not _of_tensors(match, summands.value):
        return None
    if isinstance(summands, (cst.GeneratorExp, cst.ListComp)) and _filters(summands.for_in):
        if isinstance(summands, cst.ListComp) or not isinstance(summands.elt, cst.BinaryOperation):
            return None
        # The fix of the next round makes a loop of the list. The elements are new tensors, so nothing can change them
        # before they are added up.
        return safe("Make the argument of `sum` a list", lambda: match.replace(call, _listed(call)))
    return _in_a_loop(match, call, _listed(call).args[0].value)


def _in_a_loop(match: Match, call: cst.Call, summands: cst.BaseExpression) -> Fix | None:
    """Add the summands up in a loop above the statement, or instead of it if it only stores or returns the sum."""
    line, member = match.line(call), match.statement(call)
    torch, imports = match.imported("torch")
    if line is None or member is None or match.binds(torch) or is_split(match, call):
        return None
    value = fresh_name(match, "value")
    name = _stored(member, call)
    if name is None or m.findall(summands, m.Name(name)):
        name = fresh_name(match, "total")
    # Like the 0 with which Python begins, a tensor without dimensions keeps the dtype, unless that is bool.
    compiled = [
        statement("{name} = {torch}.tensor(0)", name=cst.Name(name), torch=torch),
        statement(f"for {value} in {{summands}}:\n    {name} = {name} + {value}", summands=summands),
    ]

    if isinstance(member, cst.Return) and member.value is call:
        compiled.append(statement("return {name}", name=cst.Name(name)))
        alone = True
    else:
        alone = _stored(member, call) == name

    def edits() -> tuple[Edit, ...]:
        if alone:
            return both_ways(match, line, compiled)
        plain = statement("{name} = {call}", name=cst.Name(name), call=call)
        test = statement("if {torch}.jit.is_scripting():\n    pass", torch=torch)
        both = test.with_changes(body=block(compiled), orelse=cst.Else(block([plain])))
        return (match.insert_before(line, both), *match.replace(call, cst.Name(name)), *imports)

    if not alone and not can_come_first(match, call):
        return None
    risks = (Risk.DIFFERS,) if alone else (Risk.DIFFERS, Risk.EXCEPTION)
    return unsafe(_MESSAGE, edits, risks=risks)


def _stored(member: cst.CSTNode, call: cst.Call) -> str | None:
    """Return the variable in which a statement stores the sum, if it does nothing else; None if it does."""
    if isinstance(member, cst.Assign) and member.value is call and len(member.targets) == 1:
        target = member.targets[0].target
        return target.value if isinstance(target, cst.Name) else None
    return None


def _added(summands: cst.List | cst.Tuple) -> cst.BaseExpression:
    made: cst.BaseExpression = cst.Integer("0")
    for each in summands.elements:
        value = fitting(each.value, _SUM)
        made = cst.BinaryOperation(made, cst.Add(), parenthesized(value) if "\n" in code(value) else value)
    return made


def _filters(generators: cst.CompFor | None) -> bool:
    """Return whether any ``for`` of a comprehension has an ``if``."""
    return generators is not None and (bool(generators.ifs) or _filters(generators.inner_for_in))


def _listed(call: cst.Call) -> cst.Call:
    """Return a call with a list comprehension in place of the generator that it passes; other calls unchanged."""
    argument = call.args[0]
    if not isinstance(argument.value, cst.GeneratorExp):
        return call
    listed = cst.ListComp(argument.value.elt, argument.value.for_in)
    return call.with_changes(args=[argument.with_changes(value=listed)])


def _of_tensors(match: Match, name: str) -> bool:
    """Return whether a function visibly adds nothing but tensors to a list; also true if it adds nothing."""
    function = match.function
    return function is not None and appends_tensors(match.file.tree, match.model(function), name)
